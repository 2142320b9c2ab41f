"""Parts of the right answer in the place of an answer's own, with the answer's names.

Two people write the same step in many ways, but with the same parts: so the search for what a
wrong part would have to be begins with the parts of the right answer that are most like it.
"""

import ast
from collections.abc import Iterator
from typing import Any, Final

from mctslab.course.checking.changes import FROM_MODEL, Change, hint, named
from mctslab.course.checking.pairing import (
    Renamed,
    dumped,
    is_same,
    names_of,
    set_in,
    without,
    words_in,
    written,
)


class Transplants:
    """What an answer could take from the right one.

    Args:
        function: the answer, whose parts have numbers; its first statement is its docstring.
        model: the right answer.
    """

    def __init__(self, function: ast.FunctionDef, model: ast.FunctionDef) -> None:
        known, names = set_in(function), names_of(function, model)
        helpers = {name for name, own in names.items() if own not in known}
        self._unknown = {names[name] for name in helpers}
        self._steps = [Renamed(names).of(step) for step in without(helpers, model.body[1:])]
        parts = [*self._parts()]
        own = [part for step in function.body[1:] for part in (*_values(step), *_plain_steps(step))]
        pairs = [(part, new) for part in own for new in parts if _fit(part, new)]
        ways = sorted(((_distance(*pair), pair) for pair in pairs), key=lambda way: way[0])
        self.near = [self._change(*pair) for distance, pair in ways if distance <= _NEAR]
        """Those that change a word or two, the most alike first."""
        self.far = [self._change(*pair) for distance, pair in ways if distance > _NEAR]
        theirs = {_head(each) for step in self._steps for each in _steps_in(step)}
        own_steps = [each for step in function.body[1:] for each in _steps_in(step)]
        self.differing = {each.lineno for each in own_steps if _head(each) not in theirs}
        """The lines of the answer's steps that the right answer has not."""
        self._known = {_key(change) for change in (*self.near, *self.far)}

    def has(self, change: Change) -> bool:
        """Whether a change puts in what the right answer has."""
        return _key(change) in self._known

    def _parts(self) -> Iterator[ast.AST]:
        """The right answer's parts that need nothing which the answer has not."""
        every = [part for step in self._steps for part in (*_values(step), *_plain_steps(step))]
        found = {dumped(part): part for part in every}
        for part in found.values():
            names = [each for each in ast.walk(part) if isinstance(each, ast.Name)]
            own = {each.id for each in names if isinstance(each.ctx, ast.Store)}
            own |= {each.arg for each in ast.walk(part) if isinstance(each, ast.arg)}
            is_plain = isinstance(part, ast.Name) or not any(ast.iter_child_nodes(part))
            if not is_plain and self._unknown.isdisjoint({each.id for each in names} - own):
                yield part

    def _change(self, part: ast.AST, new: ast.AST) -> Change:
        what = f"{named(part)} what is needed"
        if isinstance(part, ast.stmt):
            what = "this what must be done"
        said = f"Is {what} here?{hint(part, new, self._unknown)}"
        return Change(part, [new], said, rank=FROM_MODEL)


_NEAR: Final = 4.5


def _key(change: Change) -> tuple[Any, ...]:
    return change.part.number, *map(written, change.instead)  # type: ignore[attr-defined]


def _values(step: ast.stmt) -> Iterator[ast.expr]:
    """The expressions whose value is read, but for functions and objects with a dot behind."""
    parts = list(ast.walk(step))
    left = {id(part.func) for part in parts if isinstance(part, ast.Call)}
    left |= {id(part.value) for part in parts if isinstance(part, ast.Attribute)}
    for part in parts:
        if isinstance(part, ast.expr) and not isinstance(part, ast.Starred | ast.Slice):
            is_read = isinstance(getattr(part, "ctx", None), ast.Load | None)
            if is_read and id(part) not in left:
                yield part


def _plain_steps(step: ast.stmt) -> Iterator[ast.stmt]:
    """The steps that give a variable a value, or call something."""
    return (e for e in _steps_in(step) if isinstance(e, ast.Assign | ast.AugAssign | ast.Expr))


def _fit(part: ast.AST, new: ast.AST) -> bool:
    """Whether one can stand for the other, as far as their kinds say."""
    if isinstance(part, ast.stmt) != isinstance(new, ast.stmt):
        return False
    return _is_condition(part) == _is_condition(new) and not is_same(part, new)


def _is_condition(part: ast.AST) -> bool:
    is_not = isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not)
    return is_not or isinstance(part, ast.Compare | ast.BoolOp)


def _distance(part: ast.AST, new: ast.AST) -> float:
    """How many words have to change; of the same number the smaller parts are nearer."""
    old, other = words_in(part), words_in(new)
    changed = (old - other).total() + (other - old).total()
    return changed + 0.1 * (old.total() + other.total())


def _steps_in(step: ast.stmt) -> Iterator[ast.stmt]:
    return (each for each in ast.walk(step) if isinstance(each, ast.stmt))


def _head(step: ast.stmt) -> str:
    """A step without what stands below it."""
    first, *_ = written(step).splitlines()
    return first
