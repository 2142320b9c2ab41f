"""The steps of an answer beside those of the right one, and what each of them would have to become.

Two functions with the same steps are compared step by step, with the student's names in the place
of the right answer's. Then any of the differences can be taken from the right answer: those few
that are needed until every input is right are where the faults are, also if there are several.
"""

import ast
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mctslab.course.checking.changes import (
    FROM_MODEL,
    MISSING,
    Change,
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
        written_out: whether its variables are replaced by what they stand for, if they get a value
            only once.
    """

    def __init__(
        self, function: ast.FunctionDef, model: ast.FunctionDef, *, written_out: bool = False
    ) -> None:
        self._function = function
        names, own_names = names_of(function, model), set_in(function)
        helpers = {name for name, own in names.items() if own not in own_names}
        self._unknown = {names[name] for name in helpers}
        steps = shaped_like(function, model.body[1:])
        given = {each.arg for each in model.args.args}
        left_out = names.keys() - given if written_out else helpers
        renamed = [Renamed(names).of(step) for step in without(left_out, steps)]
        self._written_out = written_out
        self._rows = aligned(function.body[1:], renamed, {})
        self._steps: list[Sequence[Change]] = []
        self._changes: dict[int, Change] = {}
        for row in self._rows:
            self._compare(row)
        self._insert(self._rows, function)

    def sets(self, number: int) -> Iterator[Sequence[Change]]:
        """The changes of a number of steps that could be enough, small ones first.

        There are none of nearly all steps: that would be another function, and no place.
        """
        num_own = sum(isinstance(part, ast.stmt) for part in ast.walk(self._function)) - 2
        is_place = number == 1 or 2 * number <= num_own + 1
        if is_place and len(self._steps) <= _MOST_STEPS.get(number, len(self._steps)):
            sets = itertools.combinations(self._steps, number)
            yield from sorted((list(itertools.chain(*steps)) for steps in sets), key=_size)

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
            step = with_fields(step, **blocks)
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
            # The whole of a right answer could be written out as one value.
            whole = getattr(row.own, "value", None) if self._written_out else None
            if found and all(one is not whole for one, _ in found):
                self._steps.append([_instead_of(*pair, self._unknown) for pair in found])
        elif not self._written_out or isinstance(row.own, COMPOUND):
            said = hint(_without_blocks(row.own), _without_blocks(row.theirs), self._unknown)
            sentence = f"Is this what must be done here?{said}"
            self._note(row, Change(row.own, [row.theirs], sentence, rank=FROM_MODEL))

    def _note(self, row: Row, change: Change) -> None:
        self._changes[id(row)] = change
        self._steps.append([change])

    def _insert(self, rows: Sequence[Row], parent: ast.AST) -> None:
        """Note the steps that a block lacks, each with the line before which it is missing."""
        for number, row in enumerate(rows):
            if row.own is None and not isinstance(row.theirs, ast.For | ast.While):
                what, more = missing(row.theirs) or ("a step", "")
                if isinstance(row.theirs, ast.If):
                    what, more = "a case", f": what if `{ast.unparse(row.theirs.test)}`"
                before = [each.own for each in rows[:number] if each.own is not None]
                after = [each.own for each in rows[number:] if each.own is not None]
                where = "before" if after else "after"
                part = [*after[:1], *reversed(before), parent][0]
                sentence = f"Is {what} missing {where} this line{more}?"
                self._note(row, Change(part, [row.theirs], sentence, rank=MISSING))


_MOST_STEPS: Final[Mapping[int, int]] = {2: 24, 3: 12}
"""Two functions are not compared by two, or by three, steps at once if more are different."""


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
