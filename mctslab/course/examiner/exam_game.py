"""The examiner's games: trees of a few moves, which record what a search does with them.

`wide(player, winner)` is a game that goes on for a while and always ends in the same way. So a
rollout from there does not depend on luck, and it is long enough to be distinguished from a
position in the tree.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from mctslab.course.tree_game import Place, TreeGame, turn_of

DEPTH: Final = 14
"""How many moves a `wide` game lasts."""
WIDTH: Final = 3
MOST_EVENTS: Final = 1_000_000

_Path = tuple[int, ...]
_Returns = tuple[float, float]


class Event(NamedTuple):
    """What a search did with a game: `child`, `returns`, `evaluate`, or `over` for a call of
    `legal_actions` although the game is over there."""

    name: str
    path: _Path


_MOVES: Final = Event("child", ())
"""One or several moves in a row. Where they led shows in the next event."""


@dataclass(slots=True)
class Record:
    """A game as seen by one search: its number, and everything that the search does with it."""

    number: int
    priors: Mapping[_Path, Sequence[float]] = field(default_factory=dict)
    """Policies that are not uniform: by the path of a position, a share for each legal action."""
    illegal: float = 0.0
    """The policy's share for illegal actions."""
    events: list[Event] = field(default_factory=list)
    settled: dict[int, _Returns | None] = field(default_factory=dict)

    def note(self, event: Event) -> None:
        """Record an event, but don't let a search that never ends fill the memory."""
        if len(self.events) < MOST_EVENTS:
            self.events.append(event)

    def leaves(self) -> list[_Path]:
        """The positions whose value the search learned, one for each simulation.

        Consecutive calls of `returns` belong together, because a program can call it once for each
        player.
        """
        found: list[_Path] = []
        last = Event("", ())
        for event in self.events:
            if event.name == "evaluate" or (event.name == "returns" and event != last):
                found.append(event.path)
            last = event
        return found


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class ExamState(TreeGame):
    """A position of such a game."""

    record: Record = field(default_factory=partial(Record, 0))

    game = "exam"
    title = "A game of the examiner"

    def legal_actions(self) -> _Path:
        """A number for each option."""
        if self.place.returns is not None:
            self.record.note(Event("over", self.path))
            return ()
        return self.numbers[: len(self.place.options)]

    def child(self, action: int) -> Self:
        """The place that the action leads to."""
        record = self.record
        place, path = self._after(action)
        if not record.events or record.events[-1] is not _MOVES:
            record.note(_MOVES)
        return type(self)(place, path, self.numbers, record)

    def returns(self) -> _Returns:
        """The returns of the end."""
        if self.is_terminal:
            self.record.note(Event("returns", self.path))
        return TreeGame.returns(self)

    def evaluated(self) -> tuple[npt.NDArray[np.float64], float]:
        """The net's policy over all actions, `[num_actions]`, and its value for the player to move.

        The value is right wherever the result is settled, whatever is played, and 0 elsewhere.
        """
        self.record.note(Event("evaluate", self.path))
        legal = self.numbers[: len(self.place.options)]
        policy = np.zeros(self.num_actions)
        policy[:] = self.record.illegal / (self.num_actions - len(legal))
        priors = self.record.priors.get(self.path, [1 / len(legal)] * len(legal))
        policy[list(legal)] = np.array(priors) * (1 - self.record.illegal)
        returns = settled(self.place, self.record.settled) or (0.0, 0.0)
        return policy, returns[self.current_player]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExamState) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[int, _Path]:
        return self.record.number, self.path

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: dict[int, Any]) -> Self:
        return self

    def __str__(self) -> str:
        return f"game {self.record.number}, after {self.path}"

    __repr__ = __str__


def settled(place: Place, known: dict[int, _Returns | None]) -> _Returns | None:
    """The returns of every game from here; None if they differ."""
    if place.returns is not None:
        return place.returns
    if id(place) not in known:
        found = {settled(option, known) for option in place.options}
        known[id(place)] = found.pop() if len(found) == 1 else None
    return known[id(place)]


def end(winner: int | None, player: int = 0) -> Place:
    """The game is over, where it would be the turn of `player`; without a winner it is drawn."""
    returns = {None: (0.0, 0.0), 0: (1.0, -1.0), 1: (-1.0, 1.0)}[winner]
    return Place(player, returns=returns)


def wide(player: int, winner: int | None) -> Place:
    """A game of `DEPTH` moves that always ends in the same way; `player` is to move."""
    place = end(winner, (player + DEPTH) % 2)
    for ply in reversed(range(DEPTH)):
        place = turn_of((player + ply) % 2, *[place] * WIDTH)
    return place


def corridor(player: int, length: int, winner: int | None) -> Place:
    """A game of `length` moves, each of them forced."""
    place = end(winner, (player + length) % 2)
    for ply in reversed(range(length)):
        place = turn_of((player + ply) % 2, place)
    return place
