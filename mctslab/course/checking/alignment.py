"""The steps of an answer beside those of the right one, and what each of them would have to become.

Two functions with the same steps are compared step by step, with the student's names in the place
of the right answer's. Then any of the differences can be taken from the right answer.
"""

import ast
from collections.abc import Iterator, Sequence
from typing import Any, Final

from mctslab.course.checking.changes import (
    FROM_MODEL,
    MISSING,
    Change,
    after,
    case_of,
    hint,
    missing,
    named,
    of_number,
)
from mctslab.course.checking.pairing import (
    COMPOUND,
    Renamed,
    Row,
    aligned,
    names_of,
    set_in,
    shaped_like,
    with_fields,
    without,
)


class Alignment:
    """An answer beside the right one.

    Args:
        function: the answer, whose parts have numbers; its first statement is its docstring.
        model: the right answer.
    """

    def __init__(self, function: ast.FunctionDef, model: ast.FunctionDef) -> None:
        self._function, self._known = function, set_in(function)
        names = names_of(function, model)
        helpers = {name for name, own in names.items() if own not in self._known}
        self._unknown = {names[name] for name in helpers}
        steps = shaped_like(function, model.body[1:])
        renamed = [Renamed(names).of(step) for step in without(helpers, steps)]
        self._rows = aligned(function.body[1:], renamed, {})
        self.steps: list[Sequence[Change]] = []
        """The changes of each step that differs, small ones first."""
        self._changes: dict[int, Change] = {}
        for row in self._rows:
            self._compare(row)
        self._insert(self._rows, function)
        self.steps.sort(key=_size)

    @property
    def differing(self) -> set[int]:
        """The lines of the own steps that differ."""
        changes = (change for step in self.steps for change in step if change.rank == FROM_MODEL)
        return {change.part.lineno for change in changes}  # type: ignore[attr-defined]

    def has_step(self, change: Change) -> bool:
        """Whether a change is one of a whole step of this alignment."""
        return any(change is each for each in self._changes.values())

    def with_changes(self, chosen: Sequence[Change]) -> ast.Module:
        """The answer with some of the changes."""
        steps = [step for row in self._rows for step in self._becomes(row, chosen)]
        function = with_fields(self._function, body=[self._function.body[0], *steps])
        return ast.Module([function], [])

    def _becomes(self, row: Row, chosen: Sequence[Change]) -> Iterator[ast.stmt]:
        """What a row becomes by the chosen changes."""
        change = self._changes.get(id(row))
        step = row.theirs if any(change is each for each in chosen) else row.own
        if step is not None and row.blocks:
            blocks = {
                name: [each for row in rows for each in self._becomes(row, chosen)]
                for name, rows in row.blocks.items()
            }
            blocks["body"] = blocks["body"] or [ast.Pass(lineno=1, col_offset=0)]
            numbers = vars(step).get("number"), vars(step).get("last")
            step = with_fields(step, **blocks)
            step.number, step.last = numbers
            step.counted = None
        if step is not None:
            yield step

    def _compare(self, row: Row) -> None:
        """Note the changes of a step, and of what stands below it."""
        own, theirs = row.own, row.theirs
        if theirs is None:
            sentence = "Is this step one too many?"
            self._note(row, Change(own, [], sentence, rank=FROM_MODEL))
        elif own is not None:
            self._note_differences(row)
        for block in row.blocks.values():
            for each in block:
                self._compare(each)
            self._insert(block, own)

    def _note_differences(self, row: Row) -> None:
        """Note the changes that make a step the one beside it, small ones if they are enough."""
        found = list(_differences(row.own, row.theirs))
        if not any(_is_no_value(one) for one, _ in found):
            if found:
                self.steps.append([_instead_of(*pair, self._unknown) for pair in found])
        else:
            own, theirs = _without_blocks(row.own), _without_blocks(row.theirs)
            said = hint(own, theirs, self._unknown) if type(own) is type(theirs) else ""
            sentence = f"Is this what must be done here?{said}" if said else ""
            self._note(row, Change(row.own, [row.theirs], sentence, rank=FROM_MODEL))

    def _note(self, row: Row, change: Change) -> None:
        self._changes[id(row)] = change
        self.steps.append([change])

    def _insert(self, rows: Sequence[Row], parent: ast.AST) -> None:
        """Note the steps that a block lacks, each with the line before which it is missing."""
        for number, row in enumerate(rows):
            if row.own is None and not isinstance(row.theirs, ast.For | ast.While):
                what, more = missing(row.theirs, self._known)
                if isinstance(row.theirs, ast.If):
                    what, more = "a case", case_of(row.theirs.test, self._known)
                behind = [each.own for each in rows[:number] if each.own is not None]
                ahead = [each.own for each in rows[number:] if each.own is not None]
                part = [*ahead[:1], *reversed(behind), parent][0]
                where = "before this line" if ahead else after(part) if behind else "here"
                sentence = f"Is {what or 'a step'} missing {where}{more}?"
                self._note(row, Change(part, [row.theirs], sentence, rank=MISSING))


def _size(changes: Sequence[Change]) -> int:
    return sum(len(ast.unparse(part)) for each in changes for part in (each.part, *each.instead))


def _is_no_value(part: ast.AST) -> bool:
    """Whether it is a step, or a target of one."""
    return not isinstance(part, ast.expr) or isinstance(getattr(part, "ctx", None), ast.Store)


def _differences(own: Any, theirs: Any) -> Iterator[tuple[Any, Any]]:
    """The small parts in which two parts differ, but for what stands below them."""
    if not _differ(own, theirs):
        return
    if type(own) is not type(theirs) or _calls_another(own, theirs):
        yield own, theirs
        return
    found: list[tuple[Any, Any]] = []
    for name in own._fields:
        one, other = getattr(own, name, None), getattr(theirs, name, None)
        if isinstance(own, ast.stmt) and name in _BLOCKS:
            continue
        if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
            found += [each for pair in zip(one, other, strict=True) for each in _between(*pair)]
        else:
            found += _between(one, other)
    is_small = len(found) <= _MOST_PARTS and all(isinstance(one, ast.expr) for one, _ in found)
    yield from found if is_small else [(own, theirs)]


def _calls_another(own: ast.AST, theirs: ast.AST) -> bool:
    """Whether two calls are those of different functions."""
    both = isinstance(own, ast.Call) and isinstance(theirs, ast.Call)
    return both and _differ(own.func, theirs.func)  # type: ignore[attr-defined]


def _between(one: Any, other: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(one, ast.AST) and isinstance(other, ast.AST):
        yield from _differences(one, other)
    elif _differ(one, other):
        yield one, other


_MOST_PARTS: Final = 3
_BLOCKS: Final = ("body", "orelse")


def _instead_of(one: ast.expr, other: ast.expr, unknown: set[str]) -> Change:
    said = hint(one, other, unknown)
    inner, outer = (set(map(ast.unparse, _expressions(each))) for each in (one, other))
    what = "what is needed"
    if ast.unparse(other) in inner:
        question = f"Does {named(one)} have a part too many?{said}"
        return Change(one, [other], question, rank=FROM_MODEL)
    if ast.unparse(one) in outer:
        what = "all that is needed"
    elif isinstance(one, ast.Name) and isinstance(other, ast.Name):
        what = "the right variable"
    elif _is_number(one) and _is_number(other):
        question = of_number(one.value, other.value).replace("{}", named(one))  # type: ignore[attr-defined]
        return Change(one, [other], question, rank=FROM_MODEL)
    elif isinstance(one, ast.Constant) and isinstance(other, ast.Constant):
        what = "right"
    elif isinstance(one, ast.Compare | ast.BoolOp):
        what = "the right condition"
    question = f"Is {named(one)} {what} here?{said}"
    return Change(one, [other], question, rank=FROM_MODEL)


def _is_number(part: ast.expr) -> bool:
    return isinstance(part, ast.Constant) and type(part.value) in (int, float)


def _expressions(part: ast.AST) -> Iterator[ast.expr]:
    return (each for each in ast.walk(part) if isinstance(each, ast.expr))


def _without_blocks(step: ast.stmt) -> ast.stmt:
    """What a loop or a condition is without what stands below it; any other step as it is."""
    return with_fields(step, body=[], orelse=[]) if isinstance(step, COMPOUND) else step


def _differ(one: Any, other: Any) -> bool:
    if isinstance(one, COMPOUND) and isinstance(other, COMPOUND):
        one, other = _without_blocks(one), _without_blocks(other)
    if isinstance(one, ast.AST) and isinstance(other, ast.AST):
        return ast.dump(one) != ast.dump(other)
    return bool(one != other)
