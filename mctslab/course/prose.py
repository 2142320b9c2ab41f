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
answer, which `edits_in` reads. After an empty line begins another way to make the same mistake.

A line that begins with `=>` is one more right side for the left side above it. `<a number>` stands
for each of `NUMBERS`, and `<a name>` for each parameter of the function and each variable that it
has assigned further up. What changes nothing is left out.
"""

import ast
import functools
import inspect
import itertools
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any, Final, NamedTuple

# Edits of a right answer


class Edit(NamedTuple):
    """A change of the model answer."""

    old: str
    """A piece of a line, or whole lines without their common indentation. A line `...` stands for
    any number of lines; alone it stands for the whole body."""
    new: str
    """The replacement; if it is empty, the line is removed."""

    def place(self, source: str) -> tuple[int, int]:
        """Where `old` begins and ends in `source`.

        Raises:
            ValueError: it is not there, or more than once.
        """
        found = [match.span("old") for match in re.finditer(self._pattern(), source)]
        if len(found) != 1:
            raise ValueError(
                f"{self.old!r} occurs {len(found)} times in the right answer, not once"
            )
        return found[0]

    def _pattern(self) -> str:
        """A regular expression for `old`, where `...` at the end reaches to the end."""
        if self.old == "...":
            return r"(?s)(?<=\n    )(?P<old>\S.*)"
        first, *others = self.old.splitlines()
        if not others:
            return f"(?P<old>{re.escape(first)})"
        lines = [r"\n(?P=indent)" + re.escape(line) for line in others]
        between = [r"(?:\n.*)*?" if line == "..." else lines[i] for i, line in enumerate(others)]
        end = r"(?:\n.*)*$" if others[-1] == "..." else r"(?=\n|$)"
        pattern = re.escape(first) + "".join(between)
        return rf"(?<=\n)(?P<indent> *)(?P<old>{pattern}{end})"


def edited(source: str, edits: Sequence[Edit]) -> str:
    """The source of a function's body after these edits, each of them applied to the original
    source.

    >>> print(edited("\\n    return m - n", [Edit("m", "n"), Edit("- n", "- m")]).strip())
    return n - m

    Raises:
        ValueError: an edit does not fit, or two overlap.
    """
    places = sorted((edit.place(source), edit.new) for edit in edits)
    if any(end > start for ((_, end), _), ((start, _), _) in itertools.pairwise(places)):
        raise ValueError(f"two edits change the same part of\n{source}")
    for (start, end), new in reversed(places):
        line = source[source.rfind("\n", 0, start) + 1 : start]
        indent = line[: len(line) - len(line.lstrip())]
        before, after = source[:start], source[end:]
        if not new and before.endswith("\n" + indent) and after[:1] in ("", "\n"):
            before = before.removesuffix("\n" + indent)
        source = before + textwrap.indent(new, indent).removeprefix(indent) + after
    return source


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake that people really make."""

    name: str
    """Ends the sentence "Your function behaves as if ...": `the logarithm were missing`."""
    explanation: str
    """What is wrong with it, and why, for someone who has just made it."""
    edits: tuple[Edit, ...] = ()
    """The changes that turn the model answer into one with the mistake."""


def edits_in(text: str) -> tuple[Edit, ...]:
    """The edits that a text describes.

    `old => new` is an edit of a piece of a line. An edit of whole lines is written as in a diff:
    `- ` before each old line, `+ ` before each new one; a `+` alone ends an edit that only removes
    lines, where another one follows.

    >>> edits_in("a => b")
    (Edit(old='a', new='b'),)

    Raises:
        ValueError: a line is not an edit.
    """
    edits: list[tuple[list[str], list[str]]] = []
    for line in text.splitlines():
        old, arrow, new = line.partition(" =>")
        if arrow:
            edits.append(([old], [new.removeprefix(" ")]))
        elif line.startswith("-"):
            if not edits or edits[-1][1]:
                edits.append(([], []))
            edits[-1][0].append(line[2:])
        elif line.startswith("+") and edits:
            edits[-1][1].append(line[2:])
        elif line.strip():
            raise ValueError(
                f"{line!r} is not an edit, which is `old => new`, or `- old` and then `+ new`"
            )
    return tuple(Edit("\n".join(old), "\n".join(new)) for old, new in edits)


@functools.cache
def source_of(function: Callable[..., Any]) -> tuple[str, str]:
    """The source of a function that has a docstring, as a student sees it.

    Returns:
        The signature and the docstring, and the rest: without decorators and types.

    Raises:
        ValueError: Python does not know its source.
    """
    try:
        lines = textwrap.dedent(inspect.getsource(function)).splitlines()
    except OSError as error:
        where = "define it in a notebook or in a file"
        raise ValueError(f"{function.__name__} has no source that can be read: {where}.") from error
    definition = ast.parse("\n".join(lines)).body[0]
    assert isinstance(definition, ast.FunctionDef)
    docstring = definition.body[0]
    assert docstring.end_lineno is not None
    for part in ast.walk(definition):
        if isinstance(part, ast.arg):
            part.annotation = None
        elif isinstance(part, ast.AnnAssign) and part.value is not None:
            line = lines[part.lineno - 1]
            assigned = f"{ast.unparse(part.target)} = {line[part.value.col_offset :]}"
            lines[part.lineno - 1] = line[: part.col_offset] + assigned
        elif isinstance(part, ast.FunctionDef) and part is not definition and part.returns:
            head = lines[part.lineno - 1][: part.returns.col_offset]
            lines[part.lineno - 1] = f"{head.removesuffix(' -> ')}:"
    first = f"def {function.__name__}({ast.unparse(definition.args)}):"
    head = "\n".join([first, *lines[docstring.lineno - 1 : docstring.end_lineno]])
    return head, "\n".join(["", *lines[docstring.end_lineno :]])


def source_with(function: Callable[..., Any], edits: Sequence[Edit]) -> str:
    """The source of a right answer after these edits.

    Raises:
        ValueError: an edit does not fit.
    """
    head, body = source_of(function)
    return head + edited(body, edits)


@functools.cache
def code_with(function: Callable[..., Any], edits: tuple[Edit, ...]) -> CodeType:
    """The same, compiled.

    Raises:
        ValueError: an edit does not fit, or the result is not Python.
    """
    try:
        return compile(source_with(function, edits), "<string>", "exec")
    except SyntaxError as error:
        raise ValueError(str(error)) from error


def early_returns(function: Callable[..., Any]) -> Iterator[tuple[Edit, ...]]:
    """Edits that end a loop of a right answer after its first round, for each loop two: with a
    `break`, or with all that follows, at the end of the body."""
    source = "".join(source_of(function))
    for number, (_, after) in enumerate(_loops_in(ast.parse(source))):
        for follows in ([ast.Break()], after):
            tree = ast.parse(source)
            loop, _ = _loops_in(tree)[number]
            loop.body += follows
            definition = tree.body[0]
            assert isinstance(definition, ast.FunctionDef)
            _, *body = map(ast.unparse, definition.body)  # without the docstring
            yield (Edit("...", "\n".join(body)),)


def _loops_in(tree: ast.AST) -> list[tuple[ast.For | ast.While, list[ast.stmt]]]:
    """Each loop, with the statements that follow it in its block and leave the function."""
    bodies = [getattr(part, "body", None) for part in ast.walk(tree)]
    blocks = [body for body in bodies if isinstance(body, list)]
    found = []
    for block in blocks:
        for place, part in enumerate(block):
            if isinstance(part, ast.For | ast.While):
                after = block[place + 1 :]
                is_last = any(isinstance(each, ast.Return) for each in after)
                found.append((part, after if is_last else [ast.Return()]))
    return found


# The words

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
    head, body = source_of(function)
    start, _ = Edit(piece, "").place(body)
    number = f"{head}{body[:start]}".count("\n") + 1
    parts = list(ast.walk(ast.parse(head + body)))
    parameters = [part.arg for part in parts if isinstance(part, ast.arg)]
    stored = (part for part in parts if isinstance(part, ast.Name) and part.lineno < number)
    variables = [part.id for part in stored if isinstance(part.ctx, ast.Store)]
    return list(dict.fromkeys([*parameters, *variables]))


def _one_line(text: str) -> str:
    return " ".join(text.split())
