"""The pages of the book, as sources for Sphinx: notebooks, exercises, the museum, the glossary."""

import importlib
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from textwrap import indent
from types import ModuleType
from typing import Any, Final, NamedTuple
from urllib.parse import quote

import nbformat
from running import PROJECT, Executed
from widgets_on_page import Widgets, class_of

from mctslab.course.exercise import Exercise
from mctslab.course.exercises import all_exercises
from mctslab.course.notebooks import exercise_cells
from mctslab.course.outline import is_side_road, place_of, title_of
from mctslab.course.result import MIME_TYPE
from mctslab.widgets.front_end import STILL

NOTEBOOKS = "notebooks"
_WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_LEVEL_AND_TIME = re.compile(r"\*\*Exercise\*\* ([●○]+) · (\d+) minutes\n*")


# Links to where a notebook can be run


_ABOUT: Final = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
_REPOSITORY: Final = str(_ABOUT["urls"]["Repository"])
_BRANCH: Final = "main"


def on_github(place: str) -> str:
    """The address of the file `place` of the repository."""
    return f"{_REPOSITORY}/blob/{_BRANCH}/{quote(place)}"


def buttons(place: str) -> str:
    """Links to where the notebook `place` can be run or read, in one line of HTML."""
    name = _REPOSITORY.removeprefix("https://github.com/")
    links = {
        "Open in Colab": f"https://colab.research.google.com/github/{name}/blob/{_BRANCH}/{place}",
        "Open in Binder": f"https://mybinder.org/v2/gh/{name}/{_BRANCH}?urlpath=lab/tree/{place}",
        "See on GitHub": on_github(place),
    }
    items = [f'<li><a href="{address}">{label}</a></li>' for label, address in links.items()]
    items.append(f'<li><a href="{Path(place).name}" download>Download</a></li>')
    return f'<ul class="run-it" aria-label="Run this notebook">{"".join(items)}</ul>'


# Notebooks


_OUT_OF_THE_BOOK = re.compile(r"\]\((?:\.\./)+((?!notebooks/)[^)#]+\.(?!ipynb)\w+)\)")
"""A link from a notebook to a file of the repository that is no notebook."""

SHORT_RUN = (
    "The outputs on this page come from a short run, with fewer games and simulations than the "
    "text describes, so their numbers can differ from it."
)


def notebook_page(executed: Executed, widgets: Widgets, *, is_quick: bool) -> Any:
    """A notebook with its outputs, as it goes to Sphinx."""
    notebook = executed.notebook
    place = (Path(NOTEBOOKS) / place_of(executed.path)).as_posix()
    up = "../../" if is_side_road(executed.path) else "../"
    run_it = buttons(place)

    def place_of_widget(model: str) -> str:
        return widgets.html(executed.widgets[model], executed.stills[model], up, run_it)

    title = notebook.cells[0]
    heading, _, rest = title.source.partition("\n")
    note = f"\n:::{{note}}\n{SHORT_RUN}\n:::\n" if is_quick else ""
    title.source = f"{heading}\n\n{run_it}\n\n*{worth_running(executed)}*\n{note}{rest}"
    for cell in notebook.cells:
        # myst-nb has tags of its own; with this one, the code is behind a disclosure triangle.
        is_folded = cell.metadata.pop("jupyter", {}).get("source_hidden", False)
        cell.metadata["tags"] = ["hide-input"] if is_folded else []
        if cell.cell_type == "markdown":
            cell.source = _OUT_OF_THE_BOOK.sub(lambda link: f"]({on_github(link[1])})", cell.source)
        if cell.cell_type == "code":
            cell.outputs = list(_outputs(cell.outputs, executed.stills, place_of_widget))
    for name, number, _ in reversed(list(exercise_cells(in_project(executed.path)))):
        link = f"[The page of this exercise]({up}exercises/{name}.md) has its hints."
        notebook.cells.insert(number + 1, nbformat.v4.new_markdown_cell(link))
    return notebook


WORTH_RUNNING = {
    "GamePanel": "the board to play on",
    "NetPanel": "the panel that shows what nets think",
    "SearchSliders": "the sliders of a search",
    "TrainingPanel": "the training of a net",
}
"""What a reader misses on a page without Python, by the class of the widget."""


def worth_running(executed: Executed) -> str:
    """A sentence that says what in a notebook is more than this page shows."""
    number = len(list(exercise_cells(in_project(executed.path))))
    exercises = {0: "", 1: "the exercise", 2: "both exercises"}.get(
        number, f"the {number} exercises"
    )
    shown = {class_of(state) for state in executed.widgets.values()}
    panels = (words for name, words in WORTH_RUNNING.items() if name in shown)
    found = [each for each in (exercises, *panels) if each]
    if not found:
        return "You can read all of this notebook here; nothing in it needs to be run."
    listed = " and ".join(filter(None, [", ".join(found[:-1]), found[-1]]))
    return f"Here you see what this notebook computed. Worth running yourself: {listed}."


@cache
def in_project(path: Path) -> Any:
    """The notebook in the project, whose cells still have their tags; it is not to be changed."""
    return nbformat.read(path, as_version=4)


def _outputs(
    outputs: Sequence[Any], stills: Mapping[str, Any], place_of_widget: Callable[[str], str]
) -> Iterator[Any]:
    """The outputs of a cell: pictures as a part of the page, and the places of widgets."""
    for output in outputs:
        data = output.get("data", {})
        data.pop(MIME_TYPE, None)  # is for a teacher's report
        if STILL in data.get("text/html", ""):
            continue  # follows the widget
        if view := data.get(_WIDGET_VIEW):
            if view["model_id"] not in stills:
                continue  # one of ipywidgets' own
            output.data = {"text/html": place_of_widget(view["model_id"])}
        elif "image/svg+xml" in data and "text/html" not in data:
            output.data = {"text/html": data["image/svg+xml"]}
        yield output


# Exercises


class InNotebook(NamedTuple):
    """Where an exercise is: its notebook, the heading above it, and the text below the heading."""

    path: Path
    title: str
    heading: str
    text: str


def exercises_of(executed: Sequence[Executed]) -> dict[str, InNotebook]:
    """The exercises of the notebooks, in their order."""
    found = {}
    for each in executed:
        notebook = in_project(each.path)
        title = f"{each.path.name[:2]} · {title_of(notebook.cells)}"
        for name, number, _ in exercise_cells(notebook):
            text = notebook.cells[number - 1].source if number else ""
            headings = list(_HEADING.finditer(text))
            heading = headings[-1][1] if headings else ""
            below = text[headings[-1].end() :].strip() if headings else text
            found[name] = InNotebook(each.path, title, heading, below)
    return found


def exercise_page(exercise: Exercise, where: InNotebook) -> str:
    """The page of an exercise: its task, the function to write, and its hints."""
    notebook = f"../{NOTEBOOKS}/{place_of(where.path).as_posix()}"
    text = _LEVEL_AND_TIME.sub(r"**\1** · \2 minutes\n\n", where.text)
    text = re.sub(r"\]\((?!https?:)(\.\./)?([^)]*\.ipynb)", rf"](../{NOTEBOOKS}/\2", text)
    what = "Correct" if exercise.faulty else "Write"
    lines = [
        "---\norphan: true\n---",  # the menu has no place for so many
        f"# {exercise.title[0].upper()}{exercise.title[1:]}",
        f"`{exercise.name}`, an exercise of [{where.title}]({notebook}); see also "
        "[all exercises](index.md).",
        text,
        f"## {what} this function",
        f"```python\n{exercise.stub}\n```",
        f"In the notebook, `exercises.{exercise.name}.check({exercise.name})` runs your function "
        "on many inputs. If it is wrong, the check says on which input, and which mistake it "
        "looks like.",
        "## Hints",
        *(
            f'<details class="hint">\n<summary>Hint {number} of {len(exercise.all_hints)}</summary>'
            f"\n\n{hint}\n\n</details>"
            for number, hint in enumerate(exercise.all_hints, start=1)
        ),
    ]
    return "\n\n".join(filter(None, lines)) + "\n"


def exercise_index(where: Mapping[str, InNotebook]) -> str:
    """The list of all exercises, by notebook."""
    exercises = all_exercises()
    lines = [
        "# Exercises",
        "Each exercise is a function that you write in its notebook. Its page has the task and the "
        "hints, one behind each triangle.",
    ]
    title = ""
    for name, place in where.items():
        if place.title != title:
            title = place.title
            lines.append(f"## {title}")
        lines.append(f"- [{exercises[name].title}]({name}.md), `{name}`")
    return "\n\n".join(lines) + "\n"


def museum_page(where: Mapping[str, InNotebook]) -> str:
    """The bug museum: each exhibit with its faulty function, which leads to its page."""
    exercises = all_exercises()
    cards = []
    for name, place in where.items():
        exercise = exercises[name]
        if not exercise.faulty:
            continue
        first = _first_sentence(place.text)
        cards.append(
            f"## [{exercise.title}](exercises/{name}.md)\n\n{first}\n\n"
            f"```python\n{exercise.stub}\n```\n\n{place.title}"
        )
    intro = (
        f"# Bug museum\n\nThe faults of these {len(cards)} functions were found in published "
        "programs. None of these programs ever crashed; they only played badly. Can you find the "
        "line? The page of each exhibit has hints, and its notebook checks your correction.\n"
    )
    return "\n\n".join([intro, *cards]) + "\n"


def _first_sentence(text: str) -> str:
    text = _LEVEL_AND_TIME.sub("", text).strip()
    return text.partition("\n\n")[0]


# Glossary


class Term(NamedTuple):
    """A row of GLOSSARY.md."""

    term: str
    symbol: str
    code: str
    meaning: str
    notebook: str


def glossary() -> dict[str, list[Term]]:
    """The terms of GLOSSARY.md by the headings of its tables."""
    found: dict[str, list[Term]] = {}
    heading = ""
    for line in (PROJECT / "GLOSSARY.md").read_text("utf-8").splitlines():
        if line.startswith("## "):
            heading = line.removeprefix("## ")
            found[heading] = []
        elif line.startswith("| ") and not line.startswith("| term "):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            found[heading].append(Term(*cells))
    return found


def glossary_page(titles: Mapping[str, str]) -> str:
    """The glossary.

    Args:
        titles: the title of each notebook of the road, by its file's name.
    """
    by_number = {file[:2]: (file, title) for file, title in titles.items()}
    parts = ["# Glossary", "Every term of the course in a sentence, with the notebook to read."]
    for heading, terms in glossary().items():
        entries = []
        for term in terms:
            notes = [term.meaning]
            if term.symbol:
                notes.append(f"Symbol: *{term.symbol}*.")
            if term.code:
                notes.append(f"In code: {term.code}.")
            if term.notebook in by_number:
                file, title = by_number[term.notebook]
                notes.append(f"[{title}]({NOTEBOOKS}/{file})")
            entries.append(f"{term.term}\n{indent(' '.join(notes), '  ')}")
        parts.append(f"## {heading}\n\n:::{{glossary}}\n" + "\n\n".join(entries) + "\n:::")
    return "\n\n".join(parts) + "\n"


# The front door


_IMPORT = re.compile(r"^ *from (mctslab[\w.]*) import ([\w, ]+)", re.MULTILINE)


def api_pages(executed: Sequence[Executed]) -> dict[str, str]:
    """A page for each part of the package that the notebooks import, by its name.

    It is in reStructuredText, and has the docstrings of all that the part offers.
    """
    code = (cell.source for each in executed for cell in in_project(each.path).cells)
    imports = {found for source in code for found in _IMPORT.findall(source)}
    parts = {_part(module, name) for module, names in imports for name in names.split(", ")}
    return {
        part.removeprefix("mctslab."): f":orphan:\n\n{part}\n{'=' * len(part)}\n\n"
        f".. automodule:: {part}\n   :members:\n"
        for part in sorted(parts)
        if not part.startswith("mctslab.course.exercises")
    }


def _part(module: str, name: str) -> str:
    """The module that a name imported from `module` belongs to, which can be the name's own."""
    name = name.partition(" ")[0]  # without `as` and another name
    known = vars(importlib.import_module(module)).get(name)
    return f"{module}.{name}" if known is None or isinstance(known, ModuleType) else module


def api_index(names: Sequence[str]) -> str:
    """The list of these pages."""
    return (
        "# In Python\n\nThe parts of the package that the notebooks use. The docstrings say what "
        "each function takes and returns, and whose point of view a number has.\n\n"
        + "".join(f"- [mctslab.{name}]({name}.rst)\n" for name in names)
    )
