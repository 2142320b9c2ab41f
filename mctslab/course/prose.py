"""The words of an exercise: title, hints, mistakes. They are in a Markdown file beside its code, or
in `@exercise(prose=...)`.

A section of `exercises/04_expansion.md` belongs to one exercise of `exercises/04_expansion.py`:

    ## expand: One more child

    1. The first hint, a nudge.
    2. The last one, which nearly gives the answer away.

    When right: a sentence with the next step.

    ### the action stayed in the list of untried actions

    What is wrong with it, and why, for someone who has just made this mistake.

    ```diff
    node.untried_actions.remove(action) =>

    Node(parent=node, action=action)
    => Node(parent=None, action=action)
    => Node(parent=node, action=<a number>)
    => Node(parent=node, action=<a name>)
    ```

The name of a mistake ends the sentence "Your function behaves as if ...". It says what happens and
not how to repair it; the paragraph below gives the reason and the way. Then come edits of the right
answer, which `question.edits_in` reads. After an empty line begins another way to make the same
mistake.

A line that begins with `=>` is one more right side for the left side above it. `<a number>` stands
for each of `NUMBERS`, and `<a name>` for each parameter of the function and each variable that it
has assigned further up. What changes nothing is left out.
"""

import ast
import functools
import itertools
import re
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from mctslab.course.question import Edit, Mistake, edits_in, source_of

NUMBERS: Final = ("0", "1", "-1", "999", "10**9", "float('nan')")
"""What is tried for `<a number>`."""

_SECTION: Final = re.compile(r"(?ms)^## (\w+): ([^\n]+)\n(.*?)(?=^## |\Z)")
_HINT: Final = re.compile(r"(?ms)^\d+\. (.*?)(?=^\d+\. |^\S|\n\n|\Z)")
_WHEN_RIGHT: Final = re.compile(r"(?ms)^When right: (.*?)(?=\n\n|\Z)")
_MISTAKE: Final = re.compile(r"(?ms)^### ([^\n]+)\n(.*?)(?=^### |\Z)")
_BLOCK: Final = re.compile(r"(?ms)^```diff\n(.*?)^```\n?")


def prose_of(function: Callable[..., object], prose: str = "") -> dict[str, Any]:
    """The words for a right answer, from `prose` or the file beside its own: fields of an exercise.

    Raises:
        ValueError: there is no prose, no section of its name, no hint, or no way to make a mistake;
            or a block of code is not an edit.
    """
    title, text = _section_of(function, prose)
    before, _, _ = text.partition("\n### ")
    when_right, hints = _WHEN_RIGHT.search(before), _HINT.findall(before)
    if not hints:
        raise ValueError(f"{function.__name__} has no hint; the first one begins with `1. `.")
    for name, part in _MISTAKE.findall(text):
        if not _BLOCK.search(part):
            raise ValueError(
                f"{function.__name__} has no way to make the mistake {name!r}; write the edits of "
                "the right answer below it, in a block ```diff."
            )
    return {
        "title": title,
        "words": text,
        "hints": tuple(map(_one_line, hints)),
        "when_right": _one_line(when_right[1]) if when_right else "",
        "mistakes": tuple(
            Mistake(name, _one_line(_BLOCK.sub("", part)), edits)
            for name, part in _MISTAKE.findall(text)
            for block in _BLOCK.findall(part)
            for way in block.split("\n\n")
            for edits in edits_of_way(way, function)
        ),
    }


def _section_of(function: Callable[..., object], prose: str = "") -> tuple[str, str]:
    """The title and the Markdown below it of a right answer's section; errors as above."""
    name, path = function.__name__, Path(function.__code__.co_filename).with_suffix(".md")
    place = "its prose" if prose else path.name
    if not prose and not path.is_file():
        is_file = path.with_suffix(".py").is_file()
        missing = f"write {path.name} beside it" if is_file else "give it as @exercise(prose=...)"
        raise ValueError(f"{name} has no prose: {missing}.")
    sections = _sections_in(textwrap.dedent(prose or path.read_text("utf-8")))
    if name not in sections:
        raise ValueError(f"{name} has no title: {place} has no section `## {name}: TITLE`.")
    return sections[name]


@functools.cache
def _sections_in(text: str) -> dict[str, tuple[str, str]]:
    return {name: (title, below) for name, title, below in _SECTION.findall(text)}


def edits_of_way(way: str, function: Callable[..., object]) -> Iterator[tuple[Edit, ...]]:
    """The edits of a right answer that a way to make a mistake stands for, one tuple for each.

    Raises:
        ValueError: a line is not an edit, or a left side has no right side.
    """
    for lines in itertools.product(*_right_sides(way)):
        places = [_instead_of_placeholder(line, function) for line in lines]
        for filled in itertools.product(*places):
            edits = edits_in("\n".join(filled))
            if all(edit.old != edit.new for edit in edits):
                yield edits


def _right_sides(way: str) -> list[list[str]]:
    """Each line of a way; a left side once with each of its right sides."""
    found: list[list[str]] = []
    left = ""
    for line in filter(str.strip, way.splitlines()):
        if line.startswith("=>"):
            found[-1].append(f"{left} {line}")
            continue
        left, arrow, _ = line.partition(" =>")
        found.append([line] if arrow or re.match(r"[-+]( |$)", line) else [])
    if [] in found:
        raise ValueError(f"A left side has no right side `=> new` in the edits {way.strip()!r}.")
    return found


def _instead_of_placeholder(line: str, function: Callable[..., object]) -> list[str]:
    """A line with each number or each name instead of `<a number>` or `<a name>`."""
    if "<a number>" in line:
        return [line.replace("<a number>", number) for number in NUMBERS]
    if "<a name>" in line:
        names = _names_above(line.partition(" =>")[0], function)
        return [line.replace("<a name>", name) for name in names]
    return [line]


def _names_above(piece: str, function: Callable[..., object]) -> list[str]:
    """The parameters, and the variables that are assigned above the line of a piece of code."""
    head, body = source_of(function, function.__name__)
    start, _ = Edit(piece, "").place(body)
    number = f"{head}{body[:start]}".count("\n") + 1
    parts = list(ast.walk(ast.parse(head + body)))
    parameters = [part.arg for part in parts if isinstance(part, ast.arg)]
    stored = (part for part in parts if isinstance(part, ast.Name) and part.lineno < number)
    variables = [part.id for part in stored if isinstance(part.ctx, ast.Store)]
    return list(dict.fromkeys([*parameters, *variables]))


def _one_line(text: str) -> str:
    return " ".join(text.split())
