"""The form of every notebook: a beginning and an end, budgets, names of cells, and links."""

import re
from pathlib import Path

from mctslab.course.outline import exercise_of, is_side_road
from tests.notebooks.reading import (
    EXERCISE,
    EXERCISE_MINUTES,
    NOTEBOOKS,
    exercises_of,
    experiments_of,
    is_folded,
    num_lines,
    read,
    size_of,
)


def sources(path: Path, cell_type: str) -> list[str]:
    return [cell.source for cell in read(path).cells if cell.cell_type == cell_type]


def test_it_opens_with_what_it_is_for_how_long_it_takes_what_it_builds_on_and_a_short_cell():
    for path in NOTEBOOKS:
        first = read(path).cells[0]
        assert first.cell_type == "markdown", path.stem
        assert first.source.startswith(f"# {path.stem[:2]} · ")
        for opening in ("**You will be able to**", "**Time:**", "**Builds on:**"):
            assert opening in first.source, path.stem
        said = re.search(r"^\*\*Time:\*\* about (\d+) minutes", first.source, re.MULTILINE)
        minutes = size_of(path).minutes
        assert said, path.stem
        assert abs(int(said[1]) - minutes) <= 5, f"{path.stem}: {minutes}"
        lines = [line for line in sources(path, "code")[0].splitlines() if line.strip()]
        assert len(lines) <= 5, f"{path.stem}: the first cell is long"


def test_it_closes_with_a_bonus_task_three_things_to_remember_and_something_to_read():
    closing = re.compile(
        r"(?:.*\n)?## What to remember\n(.*)## Further reading\n(.*)", re.DOTALL | re.MULTILINE
    )
    for path in NOTEBOOKS:
        last = read(path).cells[-1]
        assert last.cell_type == "markdown", path.stem
        found = closing.fullmatch(last.source)
        assert found, path.stem
        remember, reading = found.groups()
        assert re.findall(r"^\d\.", remember, re.MULTILINE) == ["1.", "2.", "3."], path.stem
        assert re.findall(r"^- .*\((?:19|20)\d\d\)", reading, re.MULTILINE), f"{path.stem}: a year"
        assert "## A bonus task\n" in "\n".join(sources(path, "markdown")[-2:]), path.stem
        for reference in re.findall(r"^- (.*)$", reading, re.MULTILINE):
            targets = re.findall(r"\]\(([^)]*)\)", reference)
            assert all(map(ADDRESS.fullmatch, targets)), reference


ADDRESS = re.compile(
    r"https://(doi\.org/10\.\d+/[^\s()]+"
    r"|arxiv\.org/abs/(\d{4}\.\d{4,5}|[a-z]+/\d{7})"
    r"|(?!doi\.org|arxiv\.org)[^\s()]+)"
)


MOST_WORDS, MOST_MINUTES, MOST_PREDICTIONS = 2_000, 90, 6


ROAD = [path for path in NOTEBOOKS if not is_side_road(path)]


def test_a_notebook_is_not_too_long():
    for path in ROAD:
        size = size_of(path)
        assert size.words <= MOST_WORDS, f"{path.stem}: {size.words} words"
        assert size.minutes <= MOST_MINUTES, f"{path.stem}: {size.minutes} minutes"
        assert size.predictions <= MOST_PREDICTIONS, path.stem


def test_each_exercise_says_how_hard_it_is_and_how_long_it_takes():
    for path in NOTEBOOKS:
        marks = EXERCISE.findall("\n".join(sources(path, "markdown")))
        assert len(marks) == len(exercises_of(path)), path.stem
        for mark, minutes in marks:
            assert int(minutes) == EXERCISE_MINUTES[mark], path.stem


LEAST_OF_AN_EXPERIMENT, MOST_OF_AN_EXPERIMENT = 3, 8


def test_an_experiment_of_the_readers_own_is_in_view_and_short():
    for path in ROAD[3:]:
        texts = sources(path, "markdown")
        asked = [text for text in texts if "**Your sentence" in text]
        assert experiments_of(path), path.stem
        assert asked, path.stem
    for path in ROAD:
        for cell in experiments_of(path):
            lines = num_lines(cell.source)
            assert not is_folded(cell), f"{path.stem}: {cell.id}"
            assert exercise_of(cell) or (
                LEAST_OF_AN_EXPERIMENT <= lines <= MOST_OF_AN_EXPERIMENT
            ), f"{path.stem}: {cell.id} has {lines} lines"


def test_links_lead_to_files_that_are_there():
    for path in NOTEBOOKS:
        for source in sources(path, "markdown"):
            for target in re.findall(r"\]\(([^)#]+)[^)]*\)", source):
                assert target.startswith("https://") or (path.parent / target).is_file(), target
