"""How a notebook reads: enough words, small cells, a beginning and an end."""

import re
from pathlib import Path
from statistics import median

import pytest

from tests.notebooks.reading import NOTEBOOKS, num_lines, num_words, prose, read

WORDS_PER_LINE = (8, 12)
MEDIAN_LINES = 6
LONG_CELL = 25
SHARE_OF_LONG_CELLS = 0.05
CODE_CELLS_IN_A_ROW = 2

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def sources(path: Path, cell_type: str) -> list[str]:
    return [cell.source for cell in read(path).cells if cell.cell_type == cell_type]


@every_notebook
def test_there_are_eight_to_twelve_words_for_a_line_of_code(path):
    words = sum(map(num_words, sources(path, "markdown")))
    lines = sum(map(num_lines, sources(path, "code")))
    low, high = WORDS_PER_LINE

    assert low <= words / lines <= high, f"{words} words, {lines} lines"


@every_notebook
def test_cells_of_code_are_short(path):
    lines = [num_lines(source) for source in sources(path, "code")]

    assert median(lines) <= MEDIAN_LINES
    assert sum(n >= LONG_CELL for n in lines) <= SHARE_OF_LONG_CELLS * len(lines)


@every_notebook
def test_code_never_goes_on_for_long_without_a_word(path):
    kinds = "".join(cell.cell_type[0] for cell in read(path).cells)

    assert "c" * (CODE_CELLS_IN_A_ROW + 1) not in kinds


@every_notebook
def test_it_opens_with_what_it_is_for_how_long_it_takes_and_what_it_builds_on(path):
    first = read(path).cells[0]

    assert first.cell_type == "markdown"
    assert first.source.startswith(f"# {path.stem[:2]} · ")
    for opening in ("**You will be able to**", "**Time:**", "**Builds on:**"):
        assert opening in first.source


@every_notebook
def test_it_closes_with_three_things_to_remember_and_something_to_read(path):
    last = read(path).cells[-1]

    assert last.cell_type == "markdown"
    remember, reading = re.fullmatch(
        r"(?:.*\n)?## What to remember\n(.*)## Further reading\n(.*)", last.source, re.DOTALL
    ).groups()
    assert re.findall(r"^\d\.", remember, re.MULTILINE) == ["1.", "2.", "3."]
    assert re.findall(r"^- .*\((?:19|20)\d\d\)", reading, re.MULTILINE), "references have a year"


@every_notebook
def test_budgets_stand_in_one_cell_at_the_top_with_a_switch(path):
    code = sources(path, "code")

    assert 'QUICK = os.environ.get("MCTSLAB_QUICK") == "1"' in code[0]
    assert all("if QUICK" not in source for source in code[1:])


@every_notebook
def test_cells_have_names_that_stay(path):
    names = [cell.id for cell in read(path).cells]

    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z][a-z0-9-]*", name) for name in names)
    assert not any(re.fullmatch(r"[0-9a-f]{8}", name) for name in names), "made by a program"


@every_notebook
def test_links_lead_to_files_that_are_there(path):
    for source in sources(path, "markdown"):
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", source):
            assert target.startswith("https://") or (path.parent / target).is_file(), target


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("Two words", 2),
        ("A [link to a page](https://example.org/a b c) here", 6),
        ("Before $$ v(s) = a $$ after", 2),
        ("| a | table |\n\nand three words", 3),
        ("```\nsome code\n```\nend", 1),
        ("One, 2, − and `three`", 3),
        ("word\n\n## Further reading\n\n- A. Author, *Title* (1999)", 1),
    ],
)
def test_words_are_counted_as_a_reader_counts_them(source, words):
    assert num_words(source) == words, prose(source)


def test_lines_are_counted_without_blank_ones():
    assert num_lines("a = 1\n\n\ndef f():\n    # why\n    return 2\n") == 4
