"""README and docs are true: links lead somewhere, commands are understood, code runs."""

import json
import re
import shlex
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from mctslab.__main__ import main
from mctslab.net.training_config import TrainingConfig

PROJECT = Path(__file__).parents[2]
PAGES = {path: path.read_text("utf-8") for path in sorted((PROJECT / "docs").glob("*.md"))}
README = (PROJECT / "README.md").read_text(encoding="utf-8")
PAGES = {PROJECT / "README.md": README, **PAGES}
TEXT = "\n".join(PAGES.values())
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", TEXT, re.DOTALL)
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


def test_readme_can_be_read_at_once_and_leads_to_every_page():
    assert len(README.splitlines()) < 150
    assert [page.name for page in PAGES if f"(docs/{page.name}" not in README] == ["README.md"]


def test_the_film_is_there_in_both_themes_and_still_for_those_who_want_no_motion():
    picture = README[README.index("<picture>") : README.index("</picture>")]
    files = [PROJECT / name for name in re.findall(r'(?:srcset|src)="([^"]+)"', picture)]
    lengths = {}
    for file in files:
        with Image.open(file) as image:
            lengths[file.stem] = getattr(image, "n_frames", 1)
    assert [name for name, length in lengths.items() if length == 1] == ["game_dark", "game_light"]
    assert lengths["film_dark"] == lengths["film_light"] > 30
    assert sum(file.stat().st_size for file in files) < 1_000_000


def test_no_badge_and_no_link_of_readme_leads_to_an_address_that_is_not_there_yet():
    """That of the project is a placeholder, until it is published."""
    repository = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    placeholder = repository["Repository"].removeprefix("https://github.com/")
    assert "![" not in README
    assert "<!--" not in README
    assert [link for link in re.findall(r"https?://[^\s)]+", README) if placeholder in link] == []


def test_readme_says_how_long_the_notebooks_take():
    firsts = (
        json.loads(path.read_text("utf-8"))["cells"][0]["source"]
        for path in (PROJECT / "notebooks").glob("*.ipynb")
    )
    times = (re.search(r"\*\*Time:\*\* about (\d+) minutes", "".join(text)) for text in firsts)
    least, most = re.search(r"sixteen notebooks take (\d+) to (\d+) hours", README).groups()
    assert int(least) <= sum(int(time[1]) for time in times) / 60 <= int(most)


def test_the_image_for_grading_is_made_of_files_that_are_there_before_it_is_used():
    page = PAGES[PROJECT / "docs/teaching.md"]
    recipe, _, steps = page.partition("nbgrader generate_assignment")
    image = re.search(r"docker build --tag (\S+)", recipe)[1]
    assert re.search(rf"docker run .*\n.* {image} ", steps)
    copied = [
        name for line in re.findall(r"^COPY (.*) \S+$", recipe, re.M) for name in line.split()
    ]
    assert [name for name in copied if not (PROJECT / name).exists()] == []
    about = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))
    needed = {about["project"]["readme"], about["project"]["license-files"][0], "pyproject.toml"}
    assert needed | {*about["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]} <= {
        *copied
    }
    assert "RUN python -m mctslab compile" in recipe


def test_every_notebook_is_on_the_map():
    notebooks = sorted(path.name for path in (PROJECT / "notebooks").glob("*.ipynb"))

    assert re.findall(r"\(notebooks/(\w+\.ipynb)\)", README) == notebooks


def test_run_py_knows_every_command():
    assert COMMANDS[:2] == ["python3 run.py lab", "python3 run.py test"]
    assert COMMANDS[2:4] == ["uvx mctslab lab", "uvx --from . mctslab lab"]
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


def test_the_settings_that_a_command_names_are_there_and_gomokus_nets_came_from_them():
    named = {word for words in RUN_PY for word in words if word.endswith(".toml")}
    assert sorted(named) == ["docs/examples/six.toml", "my_settings.toml"]
    six = TrainingConfig.from_toml(PROJECT / "docs/examples/six.toml")
    theirs = replace(six, num_iterations=200, self_play=replace(six.self_play, solver=False))
    for number in range(1, 5):
        own = PROJECT / f"mctslab/net/weights/gomoku6_{number}.toml"
        assert TrainingConfig.from_toml(own) == theirs


def test_conda_is_given_the_file_that_is_there_and_its_name():
    file = (PROJECT / "environment.yml").read_text("utf-8")
    (name,) = re.findall(r"^name: (\w+)", file, re.MULTILINE)

    assert {"conda env create -f environment.yml", f"conda activate {name}"} <= set(COMMANDS)


def test_the_examples_run(capsys):
    page = PAGES[PROJECT / "docs" / "extend.md"]  # which has a test of its own
    blocks = [block for language, block in BLOCKS if language == "python" and block not in page]
    example, exam = blocks

    exec(compile(example, "README.md", "exec"), {})
    assert "win rate" in capsys.readouterr().out
    faster = exam.replace("net:gomoku15_3:400", "heuristic")
    exec(compile(faster, "players.md", "exec"), {})
    assert "'complete': 8, 'block': 12," in capsys.readouterr().out


def test_the_names_of_the_games_are_called_as_they_are():
    from mctslab import games

    calls = re.findall(r"`(\w+\([\w=, ]*\))`", README)
    made = [eval(call, vars(games)) for call in calls if call.split("(")[0] in vars(games)]

    assert {type(state) for state in made} == set(games.by_name().values())
