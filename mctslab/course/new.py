"""A teacher's new notebook with an exercise, made from the files in the folder `template`."""

import keyword
import re
from pathlib import Path
from typing import Final

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from mctslab.course.outline import TAG, homes

_TEMPLATE: Final = Path(__file__).with_name("template")


def new(name: str, folder: Path) -> list[Path]:
    """Write a notebook, an exercise and its prose; they work, and are there to be changed.

    Args:
        name: two digits and a topic in small letters: `17_my_topic`. The function to write gets
            the name of the topic.
        folder: where the notebook is written; the exercise goes into `exercises` in it.

    Returns:
        The three files.

    Raises:
        ValueError: the name cannot be used.
        FileExistsError: there is a file of that name; nothing is written.
    """
    number, _, topic = name.partition("_")
    if not re.fullmatch(r"\d\d_[a-z][a-z0-9_]*", name) or keyword.iskeyword(topic):
        raise ValueError(f"{name!r} is no name such as 17_my_topic: two digits, small letters")
    if topic in homes():
        raise ValueError(f"the course has an exercise {topic!r}; choose another topic")
    stem = folder / "exercises" / name
    written = [folder / f"{name}.ipynb", stem.with_suffix(".py"), stem.with_suffix(".md")]
    for path in written:
        if path.exists():
            raise FileExistsError(f"{path} is there already; choose another name")
    stem.parent.mkdir(parents=True, exist_ok=True)
    words = topic.replace("_", " ")
    instead = {"17": number, "my_topic": topic, "My topic": words.capitalize(), "my topic": words}
    for path, template in zip(written, ("notebook.md", "exercise.py", "exercise.md"), strict=True):
        text = (_TEMPLATE / template).read_text("utf-8")
        text = re.sub("|".join(instead), lambda at: instead[at[0]], text)
        content = _notebook(text, topic) if path.suffix == ".ipynb" else text
        path.write_text(content, "utf-8", newline="\n")
    return written


def _notebook(markdown: str, topic: str) -> str:
    """A notebook in which each block of Python is a cell, and so is the text between two."""
    notebook = new_notebook(
        metadata={"kernelspec": {"display_name": "Python 3", "name": "python3"}}
    )
    parts = re.split(r"(?ms)^```python\n(.*?)^```$", markdown)
    for place, part in enumerate(map(str.strip, parts)):
        name = f"cell-{place}"
        cell = new_code_cell(part, id=name) if place % 2 else new_markdown_cell(part, id=name)
        if f"exercises.{topic}.check(" in part:
            cell.metadata["tags"] = [f"{TAG}{topic}"]
        notebook.cells.append(cell)
    return f"{nbformat.writes(notebook)}\n"
