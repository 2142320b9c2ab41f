"""What an exercise asks: inputs with what is expected of them, and mistakes that people make."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Function: TypeAlias = Callable[..., Any]
"""What a student writes."""


@dataclass(frozen=True, slots=True)
class Case:
    """One input, and what a right function makes of it.

    The expectation comes from somewhere else than the exercise's own solution: worked out by hand,
    counted exactly, or by another method. A test holds the two against each other.
    """

    arguments: Callable[[], tuple[Any, ...]]
    """Makes the arguments; every call gets its own."""
    expected: Any
    """Compared by `comparing.same` with what `use` gives."""
    shown: str = ""
    """The input in words; when empty, the call is written out with its arguments."""
    use: Callable[..., Any] | None = None
    """`use(function, *arguments)` calls the function, once or often, and gives what is to be
    compared; without it that is the value of one call."""
    changes_arguments: bool = False
    """Whether changing an argument is what the function is for."""

    def run(self, function: Function, *arguments: Any) -> Any:
        """Use `function` on the arguments; what is to be compared with the expectation."""
        return function(*arguments) if self.use is None else self.use(function, *arguments)


def case(*arguments: Any, expected: Any, shown: str = "") -> Case:
    """The case of a plain call with arguments that cannot be changed."""
    return Case(lambda: arguments, expected, shown)


@dataclass(frozen=True, slots=True)
class Misconception:
    """A mistake that people really make, as a function that makes it."""

    name: str
    """Ends the sentence "This looks like ...": `the logarithm forgotten`."""
    explanation: str
    """What is wrong about it, and why, to somebody who has just made it."""
    function: Function

    def __call__(self, *arguments: Any) -> Any:
        """Make the mistake."""
        return self.function(*arguments)


def misconception(name: str, explanation: str) -> Callable[[Function], Misconception]:
    """Turn a wrong answer into the misconception that it is an instance of."""
    return lambda function: Misconception(name, explanation, function)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """All that is needed to judge an answer."""

    model_answer: Function
    """One right answer; its name is the exercise's, its docstring the task."""
    cases: Callable[[], Sequence[Case]]
    """Makes the cases, small inputs first: the first one that fails is the one that is told."""
    misconceptions: Sequence[Misconception]
    """When two of them do the same on every case, the first is named."""
    start: Function | None = None
    """The code that the student is given to begin with, where that is more than a stub."""
    seconds: float = 2.0
    """How long one case may take."""

    @property
    def name(self) -> str:
        """The name of the function to write."""
        return self.model_answer.__name__
