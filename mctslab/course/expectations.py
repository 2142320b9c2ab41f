"""What may be expected of a function beyond one value."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from mctslab.course.comparing import plain, same, shown

SIGMAS: Final = 5.0
"""How many standard deviations a share may be off: with chance at work honestly, one in more than
a million is."""


class Words(str):
    """What was seen, in words: shown without the quotes of a text that a function gave."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True, repr=False)
class Near:
    """Numbers that depend a little on how a constant was rounded."""

    numbers: tuple[float, ...]
    within: float

    def agrees_with(self, found: object) -> bool:
        """Whether it is as many numbers, each near its own."""
        if not isinstance(found, tuple | list) or len(found) != len(self.numbers):
            return False
        return all(
            isinstance(number, int | float) and abs(number - wanted) <= self.within
            for number, wanted in zip(found, self.numbers, strict=True)
        )

    def __repr__(self) -> str:
        return shown(self.numbers)


@dataclass(frozen=True, slots=True, repr=False)
class OneOf:
    """Any of several values, where a convention is left open."""

    choices: tuple[object, ...]

    def agrees_with(self, found: object) -> bool:
        """Whether it is one of them."""
        return any(same(value, found) for value in self.choices)

    def __repr__(self) -> str:
        return " or ".join(map(shown, self.choices))


@dataclass(frozen=True, slots=True, repr=False)
class AtMost:
    """A count that must not be larger."""

    number: int

    def agrees_with(self, found: object) -> bool:
        """Whether it is a whole number, and no larger."""
        return isinstance(found, int) and 0 <= found <= self.number

    def __repr__(self) -> str:
        return f"at most {self.number:,}"


@dataclass(frozen=True, slots=True, repr=False)
class Shares:
    """How often each result comes in the long run, as probabilities."""

    probabilities: Mapping[object, float]

    def agrees_with(self, found: object) -> bool:
        """Whether a `Tally` is as such chances may well give it."""
        if not isinstance(found, Tally) or not found.counts.keys() <= self.probabilities.keys():
            return False
        total = found.total
        for result, p in self.probabilities.items():
            if abs(found.counts[result] - total * p) > SIGMAS * math.sqrt(total * p * (1 - p)):
                return False
        return True

    def __repr__(self) -> str:
        return ", ".join(f"{shown(key)} in {p:.0%}" for key, p in self.probabilities.items())


@dataclass(frozen=True, slots=True, repr=False)
class Tally:
    """How often each result came."""

    counts: Counter[object]

    @property
    def total(self) -> int:
        """How many results there were."""
        return sum(self.counts.values())

    def agrees_with(self, found: object) -> bool:
        """Whether two tallies may well come from the same chances."""
        if not isinstance(found, Tally):
            return False
        for result in self.counts.keys() | found.counts.keys():
            one, other = self.counts[result], found.counts[result]
            p = (one + other) / (self.total + found.total)
            variance = p * (1 - p) * (1 / self.total + 1 / found.total)
            if abs(one / self.total - other / found.total) > SIGMAS * math.sqrt(variance):
                return False
        return True

    def __repr__(self) -> str:
        parts = [f"{shown(key)} in {n / self.total:.0%}" for key, n in self.counts.most_common(6)]
        return ", ".join(parts) + (", ..." if len(self.counts) > 6 else "")


def tally(results: Iterable[object]) -> Tally:
    """Count results; those that cannot be counted are counted by what they look like."""
    return Tally(Counter(map(_countable, results)))


def _countable(result: object) -> object:
    result = plain(result)
    if isinstance(result, list | tuple):
        return tuple(map(_countable, result))
    return result if isinstance(result, int | float | str) else shown(result)
