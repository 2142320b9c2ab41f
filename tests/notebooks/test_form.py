"""The form of every notebook: a beginning and an end, budgets, names of cells, and links."""

import re
from pathlib import Path

from tests.notebooks.reading import NOTEBOOKS, read, size_of


def sources(path: Path, cell_type: str) -> list[str]:
    return [cell.source for cell in read(path).cells if cell.cell_type == cell_type]


def test_it_opens_with_what_it_is_for_how_long_it_takes_and_what_it_builds_on():
    for path in NOTEBOOKS:
        first = read(path).cells[0]
        assert first.cell_type == "markdown", path.stem
        assert first.source.startswith(f"# {path.stem[:2]} · ")
        for opening in ("**You will be able to**", "**Time:**", "**Builds on:**"):
            assert opening in first.source, path.stem


def test_it_closes_with_three_things_to_remember_and_something_to_read():
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


LONG_FIRST_CELLS = {
    *("07_connect_four", "08_reversi", "09_roxanne_rollouts"),
    *("10_minimax_and_clocks", "12_policy_value_net", "13_self_play"),
    "14_alphazero_gomoku",
}
"""Those whose first cell still has more than imports of what is used all over."""


def test_the_first_cell_is_short():
    for path in NOTEBOOKS:
        lines = [line for line in sources(path, "code")[0].splitlines() if line.strip()]
        is_short = len(lines) <= 5
        assert is_short == (path.stem not in LONG_FIRST_CELLS), f"{path.stem}: {len(lines)} lines"


MOST_WORDS, MOST_MINUTES, MOST_PREDICTIONS = 2_500, 90, 8

TOO_LONG = {
    *("07_connect_four", "08_reversi", "09_roxanne_rollouts", "10_minimax_and_clocks"),
    *("12_policy_value_net", "13_self_play", "14_alphazero_gomoku"),
}
"""Those that still have more words or take more minutes than a notebook should."""


def test_a_notebook_can_be_read_and_done_in_an_hour_and_a_half():
    for path in NOTEBOOKS:
        size = size_of(path)
        is_lean = size.words <= MOST_WORDS and size.minutes <= MOST_MINUTES
        assert is_lean == (path.stem not in TOO_LONG), f"{path.stem}: {size}, {size.minutes} min"
        assert size.predictions <= MOST_PREDICTIONS, path.stem


def test_no_cell_looks_for_the_short_run_by_itself():
    for path in NOTEBOOKS:
        if path.stem not in LONG_FIRST_CELLS:
            assert not any("QUICK" in source for source in sources(path, "code")), path.stem


def test_cells_have_names_that_stay():
    for path in NOTEBOOKS:
        names = [cell.id for cell in read(path).cells]
        assert len(set(names)) == len(names), path.stem
        for name in names:
            assert re.fullmatch(r"[a-z][a-z0-9-]*", name), f"{path.stem}: {name}"
            assert not re.fullmatch(r"[0-9a-f]{8}", name), f"{path.stem}: a program made {name}"


def test_links_lead_to_files_that_are_there():
    for path in NOTEBOOKS:
        for source in sources(path, "markdown"):
            for target in re.findall(r"\]\(([^)#]+)[^)]*\)", source):
                assert target.startswith("https://") or (path.parent / target).is_file(), target
