"""The steps of an answer beside those of the right one, and what each of them would have to become.

Two functions with the same steps are compared step by step, with the student's names in the place
of the right answer's. Then any of the differences can be taken from the right answer: those few
that are needed until every input is right are where the faults are, also if there are several.
"""

import ast
import itertools
from collections.abc import Iterator, Sequence
from typing import Any, Final

from mctslab.course.checking.changes import FROM_MODEL, MISSING, Change, missing, named
from mctslab.course.checking.pairing import (
    COMPOUND,
    Renamed,
    Row,
    aligned,
    names_of,
    nested,
    set_in,
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
        self._function = function
        names, own_names = names_of(function, model), set_in(function)
        helpers = {name for name, own in names.items() if own not in own_names}
        steps = list(model.body[1:])
        if not any(isinstance(part, ast.Continue) for part in ast.walk(function)):
            steps = nested(steps)
        steps = [Renamed(names).of(step) for step in without(helpers, steps)]
        self._rows = aligned(function.body[1:], steps, {})
        self._changes: dict[int, Change] = {}
        for row in self._rows:
            self._compare(row)
        self._insert(self._rows, function)
        self.changes = [*self._changes.values()]

    def sets(self, number: int) -> Iterator[Sequence[Change]]:
        """The sets of so many changes that could be enough, small changes first."""
        if len(self.changes) <= _MOST_CHANGES.get(number, len(self.changes)):
            sets = itertools.combinations(self.changes, number)
            yield from sorted(sets, key=lambda chosen: sum(map(_size, chosen)))

    def with_changes(self, chosen: Sequence[Change]) -> ast.Module:
        """The answer with some of the changes."""
        steps = [step for row in self._rows for step in self._steps(row, chosen)]
        function = with_fields(self._function, body=[self._function.body[0], *steps])
        return ast.Module([function], [])

    def _steps(self, row: Row, chosen: Sequence[Change]) -> Iterator[ast.stmt]:
        """What a row becomes by the chosen changes."""
        change = self._changes.get(id(row))
        step = row.theirs if any(change is each for each in chosen) else row.own
        if step is not None and row.blocks:
            blocks = {
                name: [each for row in rows for each in self._steps(row, chosen)]
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
            self._changes[id(row)] = Change(own, [], sentence, rank=FROM_MODEL)
        elif own is not None and _head(own) != _head(theirs):
            self._changes[id(row)] = _difference(own, theirs)
        for block in row.blocks.values():
            for each in block:
                self._compare(each)
            self._insert(block, own)

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
                self._changes[id(row)] = Change(part, [row.theirs], sentence, rank=MISSING)


_MOST_CHANGES: Final = {2: 24, 3: 12}
"""Two functions with more differences are not compared by two, or by three, of them."""


def _size(change: Change) -> int:
    return sum(len(ast.unparse(part)) for part in (change.part, *change.instead))


def _head(step: ast.stmt) -> str:
    """A step without what stands below it."""
    if isinstance(step, COMPOUND):
        step = with_fields(step, body=[], orelse=[])
        return "".join(map(ast.unparse, ast.iter_child_nodes(step)))
    return ast.unparse(step)


def _difference(own: ast.stmt, theirs: ast.stmt) -> Change:
    """The change of the smallest part in which two steps differ."""
    one, other = own, theirs
    while (inner := _only_difference(one, other)) is not None:
        one, other = inner
    if not isinstance(one, ast.expr) or isinstance(getattr(one, "ctx", None), ast.Store):
        return Change(own, [theirs], "Is this what must be done here?", rank=FROM_MODEL)
    inner, outer = (set(map(ast.unparse, _expressions(each))) for each in (one, other))
    what = "what is needed"
    if ast.unparse(one) in outer:
        what = "all that is needed"
    elif isinstance(one, ast.Name) and isinstance(other, ast.Name):
        what = "the right variable"
    elif isinstance(one, ast.Constant) and isinstance(other, ast.Constant):
        what = "right"
    elif one is getattr(own, "test", None):
        what = "the right condition"
    if ast.unparse(other) in inner:
        return Change(one, [other], f"Does {named(one)} have a part too many?", rank=FROM_MODEL)
    return Change(one, [other], f"Is {named(one)} {what} here?", rank=FROM_MODEL)


def _expressions(part: ast.AST) -> Iterator[ast.expr]:
    return (each for each in ast.walk(part) if isinstance(each, ast.expr))


def _only_difference(one: Any, other: Any) -> tuple[Any, Any] | None:
    """The only two parts of two parts that are not the same."""
    if type(one) is not type(other) or (
        isinstance(one, ast.Call) and _differ(one.func, other.func)
    ):
        return None
    found = []
    for name in one._fields:
        mine, their = getattr(one, name, None), getattr(other, name, None)
        if name in ("body", "orelse") and isinstance(one, ast.stmt):
            continue
        if isinstance(mine, list):
            if len(mine) != len(their):
                return None
            found += [pair for pair in zip(mine, their, strict=True) if _differ(*pair)]
        elif _differ(mine, their):
            found.append((mine, their))
    if len(found) == 1 and all(isinstance(each, ast.expr | ast.comprehension) for each in found[0]):
        return found[0]
    return None


def _differ(one: Any, other: Any) -> bool:
    if isinstance(one, ast.AST) and isinstance(other, ast.AST):
        return ast.dump(one) != ast.dump(other)
    return bool(one != other)
