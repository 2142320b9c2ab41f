"""The words of an exercise: title, hints, mistakes. They are in a Markdown file beside its code.

A section of `exercises/04_expansion.md` belongs to one exercise of `exercises/04_expansion.py`:

    ## expand: One more child

    1. The first hint, a nudge.
    2. The last one, which nearly gives the answer away.

    When right: a sentence with the next step.

    ### an action that stays in the list of untried actions

    What is wrong with it, and why, for someone who has just made this mistake.

    ```diff
    node.untried_actions.remove(action) =>

    remove(action) => copy()
    ```

The name of a mistake ends the sentence "The results are the same as with ...". Below it are edits
of the right answer, which `question.edits_in` reads. After an empty line begins another way to make
the same mistake.
"""

import functools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from mctslab.course.question import Mistake, edits_in

_SECTION: Final = re.compile(r"(?ms)^## (\w+): ([^\n]+)\n(.*?)(?=^## |\Z)")
_HINT: Final = re.compile(r"(?ms)^\d+\. (.*?)(?=^\d+\. |^\S|\n\n|\Z)")
_WHEN_RIGHT: Final = re.compile(r"(?ms)^When right: (.*?)(?=\n\n|\Z)")
_MISTAKE: Final = re.compile(r"(?ms)^### ([^\n]+)\n(.*?)(?=^### |\Z)")
_BLOCK: Final = re.compile(r"(?ms)^```diff\n(.*?)^```\n?")


def prose_of(function: Callable[..., object]) -> dict[str, Any]:
    """The words for a right answer, from the Markdown file beside its own: fields of an exercise.

    Raises:
        OSError: there is no such file.
        ValueError: the file has no section of its name, or a block of code in it is not an edit.
    """
    title, text = section_of(function)
    before, _, _ = text.partition("\n### ")
    when_right = _WHEN_RIGHT.search(before)
    return {
        "title": title,
        "hints": tuple(_one_line(hint) for hint in _HINT.findall(before)),
        "when_right": _one_line(when_right[1]) if when_right else "",
        "mistakes": tuple(each for found in _MISTAKE.findall(text) for each in _mistakes(*found)),
    }


def section_of(function: Callable[..., object]) -> tuple[str, str]:
    """The title and the Markdown below it of a right answer's section; errors as above."""
    path = Path(function.__code__.co_filename).with_suffix(".md")
    sections = _sections_in(path)
    if function.__name__ not in sections:
        raise ValueError(f"{path.name} has no section `## {function.__name__}: TITLE`.")
    return sections[function.__name__]


@functools.cache
def _sections_in(path: Path) -> dict[str, tuple[str, str]]:
    found = _SECTION.findall(path.read_text("utf-8"))
    return {name: (title, text) for name, title, text in found}


def _mistakes(name: str, part: str) -> list[Mistake]:
    explanation = _one_line(_BLOCK.sub("", part))
    ways = [way for block in _BLOCK.findall(part) for way in block.split("\n\n")]
    return [Mistake(name, explanation, edits_in(way)) for way in ways]


def _one_line(text: str) -> str:
    return " ".join(text.split())
