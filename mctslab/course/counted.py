"""Copies of functions that are tried to find a mistake, and how much of that is done.

A copy can go around a loop for ever. It is stopped after a number of rounds and not by the clock,
and work is counted in tries and rounds, so that what a check says does not depend on how busy the
computer is.
"""

import ast
from collections.abc import Callable, Mapping
from typing import Any, Final


class TooManyRoundsError(BaseException):
    """A copy has gone around its loops too often."""


class Copy:
    """A function made from its source, which counts the rounds of its loops and its own calls.

    Args:
        source: the text of the function.
        name: its name.
        surroundings: the global names that it can use.

    Raises:
        SyntaxError: the text is no Python.
    """

    rounds_left = 0
    """Whoever tries the copy sets this before."""

    def __init__(self, source: str, name: str, surroundings: Mapping[str, Any]) -> None:
        tree = ast.parse(source)
        (count,) = ast.parse(f"{_COUNT}()").body
        for part in [*ast.walk(tree)]:
            if isinstance(part, ast.For | ast.While | ast.FunctionDef):
                part.body.insert(0, ast.copy_location(count, part))
        tree = _ShiftsChecked().visit(tree)
        names = {**surroundings, _COUNT: self._count, _SHIFTED: _shifted}
        exec(compile(ast.fix_missing_locations(tree), "<copy>", "exec"), names)
        self.function: Callable[..., Any] = names[name]

    def __call__(self, *arguments: Any) -> Any:
        """What the function returns."""
        return self.function(*arguments)

    def _count(self) -> None:
        self.rounds_left -= 1
        if self.rounds_left < 0:
            raise TooManyRoundsError


_COUNT: Final = "_a_round_begins"
_SHIFTED: Final = "_shifted"


class _ShiftsChecked(ast.NodeTransformer):
    """Replaces each `a << b` by a call of `_shifted`."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """An operation, perhaps a shift to the left."""
        self.generic_visit(node)
        if not isinstance(node.op, ast.LShift):
            return node
        call = ast.Call(ast.Name(_SHIFTED, ast.Load()), [node.left, node.right], [])
        return ast.copy_location(call, node)


def _shifted(number: Any, step: Any) -> Any:
    """`number << step`, but a set of squares as a step would take all the memory."""
    if isinstance(step, int) and step > _LARGEST_STEP:
        raise OverflowError(f"a shift by {step}")
    return number << step


_LARGEST_STEP: Final = 1_000


class Work:
    """How much may still be tried.

    Args:
        amount: in units that take 10 to 100 microseconds, depending on the exercise.
    """

    def __init__(self, amount: int) -> None:
        self._left = amount

    def spend(self, amount: int) -> None:
        """Count some work that was done."""
        self._left -= amount

    @property
    def is_over(self) -> bool:
        """Whether everything has been spent."""
        return self._left < 0
