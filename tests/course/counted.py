"""Copies of functions that count their rounds, for wrong functions that nobody had to invent.

A copy that never ends is stopped after a number of rounds, not by the clock, so that what a test
finds does not depend on how busy the computer is. One that would need all the memory is refused.
"""

import ast
import builtins
import copy
import operator
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from mctslab.course.checking.cases import Case
from mctslab.course.checking.judging import Trial, quietly, trial_of
from mctslab.course.checking.sandbox import Called, call

MANY_ROUNDS: Final = 100_000
"""What goes around its loops so often has no end."""


_SECONDS: Final = 20.0
"""For all cases; only a loop within C takes so long."""


class TooManyRoundsError(BaseException):
    """A copy has gone around its loops too often."""


class Copy:
    """A function made from its tree, which counts the rounds of its loops and its own calls.

    Args:
        tree: a module with a function; it stays as it is.
        surroundings: the global names that it can use.
        instead: by the numbers of parts what replaces them.

    Raises:
        SyntaxError: the tree, or what replaces a part of it, is no Python.
    """

    rounds_left = 0
    """Whoever tries the copy sets this before."""

    def __init__(
        self,
        tree: ast.Module,
        surroundings: Mapping[str, Any],
        instead: Mapping[int, Sequence[ast.AST]] | None = None,
    ) -> None:
        counting = _Copying(instead or {}).visit(tree)
        names = {**surroundings, _COUNT: self._count, **_CHECKED}
        with warnings.catch_warnings():  # a warning would be about our own code
            warnings.simplefilter("ignore")
            exec(compile(counting, "<copy>", "exec"), names)
        self.function: Callable[..., Any] = names[counting.body[-1].name]

    def __call__(self, *arguments: Any) -> Any:
        """What the function returns."""
        return self.function(*arguments)

    def tried(self, case: Case, rounds: int = MANY_ROUNDS) -> Trial:
        """What it does with a case; after so many rounds of its loops it is too slow."""
        self.rounds_left = rounds
        try:
            return trial_of(case, self)
        except TooManyRoundsError:
            return Trial(case, Called(too_slow=True))

    def tried_on(self, cases: Sequence[Case], rounds: Sequence[int]) -> list[Trial]:
        """What it does with cases, one after the other, up to the first that goes wrong."""
        found: list[Trial] = []

        def go_on() -> None:
            for case, most in zip(cases, rounds, strict=True):
                found.append(self.tried(case, most))
                if not found[-1].is_right:
                    return

        with quietly():
            ended = call(go_on, (), _SECONDS)
        trials = [*found]
        if (ended.too_slow or ended.error is not None) and len(trials) < len(cases):
            trials.append(Trial(cases[len(trials)], ended))
        return trials

    def _count(self) -> bool:
        self.rounds_left -= 1
        if self.rounds_left < 0:
            raise TooManyRoundsError
        return True


def numbered(tree: ast.Module) -> ast.Module:
    """The tree, each expression and each step with a number, by which a copy can replace it."""
    for number, part in enumerate(ast.walk(ast.fix_missing_locations(tree))):
        if isinstance(part, ast.expr | ast.stmt):
            part.number = number  # type: ignore[union-attr]
    return tree


class _Copying:
    """Copies a tree, with a count in each loop and function, and with some parts replaced."""

    def __init__(self, instead: Mapping[int, Sequence[ast.AST]]) -> None:
        self._instead = instead

    def visit(self, node: ast.AST) -> Any:
        """A copy of the node, or for a statement that is replaced a list."""
        number = getattr(node, "number", None)
        if number is not None and number in self._instead:
            within = _Copying({})  # what replaces a part can contain the part itself
            copied = [within.visit(_located(each, node)) for each in self._instead[number]]
            return copied[0] if isinstance(node, ast.expr) else copied
        new: Any = type(node)()
        vars(new).update(vars(node))
        for name, old in ast.iter_fields(node):
            if isinstance(old, ast.AST):
                setattr(new, name, self.visit(old))
            elif isinstance(old, list):
                setattr(new, name, self._visited(old))
        if isinstance(new, ast.For | ast.While | ast.FunctionDef):
            new.body = [_COUNTING, *new.body]
        elif isinstance(new, ast.comprehension):
            new.ifs = [_COUNTING.value, *new.ifs]
        elif isinstance(new, ast.If) and not new.body:
            new.body = [ast.copy_location(ast.Pass(), node)]
        return _with_check(new)

    def _visited(self, parts: list[Any]) -> list[Any]:
        visited = [self.visit(each) if isinstance(each, ast.AST) else each for each in parts]
        return [each for new in visited for each in (new if isinstance(new, list) else [new])]


def _with_check(node: ast.AST) -> Any:
    """What can become too large as a call of a function that refuses it."""
    if isinstance(node, ast.BinOp) and type(node.op) in _NAMES:
        return _called(_NAMES[type(node.op)], node, node.left, node.right)
    if isinstance(node, ast.AugAssign) and type(node.op) in _NAMES:
        if any(isinstance(part, ast.Call) for part in ast.walk(node.target)):
            return node  # the call would be made twice
        old = copy.copy(node.target)
        old.ctx = ast.Load()
        new = _called(f"{_NAMES[type(node.op)]}_in_place", node, old, node.value)
        return _located(ast.Assign([node.target], new), node)
    match node:
        case ast.Call(ast.Attribute(items, "extend"), [more], []):
            return _called("_extended", node, items, more)
        case ast.Call(ast.Attribute(ast.Name(items), "append"), [ast.Name(more)], []) if (
            items == more
        ):
            return _called("_contained", node, node.args[0])
        case ast.Call(ast.Attribute(ast.Name(name)), [], []) if hasattr(builtins, name):
            # Python 3.11 crashes where `list.pop()` is called often, but not `list.pop(*())`.
            nothing = ast.Starred(ast.Tuple([], ast.Load()), ast.Load())
            return _located(ast.Call(node.func, [nothing], []), node)
    return node


def _called(name: str, node: ast.AST, *arguments: ast.expr) -> Any:
    return _located(ast.Call(ast.Name(name, ast.Load()), [*arguments], []), node)


def _located(new: Any, node: ast.AST) -> Any:
    """A new part where the old one was; whatever has a number within it has its place."""
    waiting: list[ast.AST] = [new]
    for each in waiting:
        if "lineno" in each._attributes and not hasattr(each, "lineno"):
            ast.copy_location(each, node)
        waiting += [part for part in ast.iter_child_nodes(each) if not hasattr(part, "number")]
    return new


def _checked(calculate: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    is_small = calculate in (operator.add, operator.iadd, operator.mul, operator.imul)

    def checked(one: Any, other: Any) -> Any:
        """The result; but a set of squares as a step or an exponent would take all the memory."""
        is_list = isinstance(one, _ITEMS)
        if isinstance(one, int) and one.bit_length() > _MOST_BITS:
            raise OverflowError("a number that is squared in every round")
        if isinstance(other, int) and other > _LARGEST and not isinstance(one, float):
            if is_list or not is_small:
                raise OverflowError(f"{other} is too large")
        elif is_list and isinstance(other, _ITEMS) and len(other) > _MOST_ITEMS:
            raise OverflowError("a list that doubles in every round")
        return calculate(one, other)

    return checked


def _extend(items: Any, more: Any) -> Any:
    return items.extend(more)


def _contain(_: Any) -> Any:
    """Refuse `items.append(items)`: to make an array of it, NumPy would need all the memory."""
    raise OverflowError("a list that contains itself")


_ITEMS: Final = (list, tuple, str)
_MOST_ITEMS: Final = 10_000
_MOST_BITS: Final = 100_000
_LARGEST: Final = 1_000
_COUNT: Final = "_a_round_begins"
_COUNTING: Final = ast.Expr(ast.parse(f"{_COUNT}()", mode="eval").body, lineno=1, col_offset=0)
_NAMES: Final[Mapping[type, str]] = {
    ast.Add: "_added",
    ast.LShift: "_shifted",
    ast.Pow: "_to_the_power",
    ast.Mult: "_multiplied",
}
_CHECKED: Final[Mapping[str, Callable[..., Any]]] = {
    "_added": _checked(operator.add),
    "_added_in_place": _checked(operator.iadd),
    "_extended": _checked(_extend),
    "_contained": _contain,
    "_shifted": _checked(operator.lshift),
    "_shifted_in_place": _checked(operator.ilshift),
    "_to_the_power": _checked(operator.pow),
    "_to_the_power_in_place": _checked(operator.ipow),
    "_multiplied": _checked(operator.mul),
    "_multiplied_in_place": _checked(operator.imul),
}
