"""The examiner's games: trees of a few moves, which record what a search does with them.

`settled(player, winner)` is a game that goes on for a while and always ends in the same way. So a
rollout from there does not depend on luck, and it is long enough to be distinguished from a
position in the tree.
"""

from dataclasses import dataclass, field
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from mctslab.course.tree_game import SPARSE, Place, TreeGame, drawn, forced, won_by

DEPTH: Final = 14
"""How many moves a `settled` game lasts."""
WIDTH: Final = 3
"""How many moves there are at each turn of it."""


@dataclass(slots=True, eq=False)
class Record:
    """A game as seen by one search: what the search learned of it."""

    leaves: list[tuple[int, ...]] = field(default_factory=list)
    """The positions whose value it learned, one for each simulation."""
    last: tuple[str, "ExamState"] | None = None
    """The last call of a method, except `child`, and the position; None before the first call."""
    is_looked_at: bool = False

    def begin(self) -> None:
        """Forget an earlier search."""
        self.leaves.clear()
        self.last, self.is_looked_at = None, False

    def note(self, name: str, state: "ExamState | None") -> None:
        """Note a call. `returns` can be called once for each player, which counts only once."""
        self.is_looked_at = True
        if state is not None and name != "over" and self.last != (name, state):
            self.leaves.append(state.path)
        self.last = None if state is None else (name, state)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class ExamState(TreeGame):
    """A position of such a game."""

    numbers: tuple[int, ...] = SPARSE
    """The actions are not indices of a list."""
    record: Record = field(default_factory=Record)

    def legal_actions(self) -> tuple[int, ...]:
        """A number for each option."""
        if self.place.returns is not None:
            self.record.note("over", self)
            return ()
        return self.numbers[: len(self.place.options)]

    def child(self, action: int) -> Self:
        """The place that the action leads to."""
        place, path = self._after(action)
        self.record.note("child", None)
        return type(self)(place, path, self.numbers, self.record)

    def returns(self) -> tuple[float, float]:
        """The returns of the end."""
        if self.is_terminal:
            self.record.note("returns", self)
        return TreeGame.returns(self)

    def evaluated(self) -> tuple[npt.NDArray[np.float64], float]:
        """The net's policy over all actions, `[num_actions]`, and its value for the player to move.

        The value is right wherever the result is settled, whatever is played, and 0 elsewhere.
        """
        self.record.last = None  # every call of a net is a simulation
        self.record.note("evaluate", self)
        policy = np.zeros(self.num_actions)
        policy[list(self.numbers[: len(self.place.options)])] = 1 / len(self.place.options)
        policy = 0.5 * policy + 0.5 / self.num_actions  # half of it is for illegal actions
        place = self.place
        while place.returns is None and all(each is place.options[0] for each in place.options):
            place = place.options[0]
        return policy, 0.0 if place.returns is None else place.returns[self.current_player]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ExamState):
            return NotImplemented
        return self.record is other.record and self.path == other.path

    def __hash__(self) -> int:
        return hash((self.record, self.path))

    def __deepcopy__(self, _: dict[int, Any]) -> Self:
        return self

    def __str__(self) -> str:
        return f"a game after {self.path}"

    __repr__ = __str__


def settled(player: int, winner: int | None, depth: int = DEPTH) -> Place:
    """A game with `player` to move in which the moves can be chosen, and always end like this.

    It is the turn of `player` again when it is over; without a winner it is drawn.
    """
    end = drawn() if winner is None else won_by(winner)
    return forced(depth, end._replace(player=player), player, WIDTH)
