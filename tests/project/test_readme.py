"""README and docs are true: links lead somewhere, commands are understood, code runs."""

import re
import shlex
from pathlib import Path

import pytest

from mctslab.__main__ import main

PROJECT = Path(__file__).parents[2]
PAGES = {path: path.read_text("utf-8") for path in sorted((PROJECT / "docs").glob("*.md"))}
README = (PROJECT / "README.md").read_text(encoding="utf-8")
PAGES = {PROJECT / "README.md": README, **PAGES}
TEXT = "\n".join(PAGES.values())
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
COMMANDS = [line for language, block in BLOCKS if not language for line in block.splitlines()]
INLINE = re.findall(r"`(python3\s+run\.py [^`]+)`", TEXT)
RUN_PY = [
    shlex.split(line)[2:] for line in (*COMMANDS, *INLINE) if line.startswith("python3 run.py")
]
"""The words after `run.py` of every command that README and docs name."""


def test_links_and_names_of_scripts_lead_to_files_that_are_there():
    for page, text in PAGES.items():
        links = re.findall(r"\]\(([^)]+)\)", text)
        for target in (link for link in links if "://" not in link):
            file, _, heading = target.partition("#")
            other = (page.parent / file) if file else page
            assert other.exists(), f"{page.name}: {target}"
            assert not heading or heading in headings(other), f"{page.name}: {target}"
        # my_game.py is the reader's own
        scripts = re.findall(r"(?<![\w/.])(?!my_)[\w/]+\.py\b", text)
        assert [name for name in scripts if not (PROJECT / name).is_file()] == [], page.name


def headings(page):
    """What a link to a part of a page can name."""
    lines = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w -]", "", line).lower().replace(" ", "-") for line in lines]


def test_readme_leads_to_every_page():
    assert [page.name for page in PAGES if f"(docs/{page.name}" not in README] == ["README.md"]


def test_every_notebook_is_on_the_map():
    notebooks = sorted(path.name for path in (PROJECT / "notebooks").glob("*.ipynb"))

    assert re.findall(r"\(notebooks/(\w+\.ipynb)\)", README) == notebooks


def test_run_py_knows_every_command():
    text = (PROJECT / "run.py").read_text("utf-8")
    assert [word for word, *_ in RUN_PY if not re.search(rf"^  {word}\b", text, re.MULTILINE)] == []


def test_the_command_line_knows_every_command_and_its_options(capsys):
    ours = [words[3:] for words in RUN_PY if words[:3] == ["python", "-m", "mctslab"]]
    assert len(ours) > 3
    for words in ours:
        names = [word for word in words if not word.startswith("-")]
        with pytest.raises(SystemExit) as ended:
            main([*names[: 2 if {"book", "course"} & set(words) else 1], "--help"])
        shown = capsys.readouterr().out
        assert ended.value.code == 0, words
        assert [word for word in words if word.startswith("--") and word not in shown] == []


def test_the_examples_run(capsys):
    page = PAGES[PROJECT / "docs" / "extend.md"]  # which has a test of its own
    blocks = [block for language, block in BLOCKS if language == "python" and block not in page]
    example, exam = blocks

    exec(compile(example, "README.md", "exec"), {})
    assert "win rate" in capsys.readouterr().out
    faster = exam.replace("net:gomoku15_3:400", "heuristic")
    exec(compile(faster, "players.md", "exec"), {})
    assert "'complete': 8, 'block': 12," in capsys.readouterr().out
