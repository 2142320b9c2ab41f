"""A game that was played: its moves, how it ended and why, and what it cost each player."""

from dataclasses import dataclass, replace
from enum import StrEnum

from mctslab.games.state import State


class Reason(StrEnum):
    """Why a game ended."""

    RULES = "rules"
    """The game was over."""
    TIME = "time"
    """The loser took too long for a move."""
    ILLEGAL = "illegal"
    """The loser chose what the rules don't allow."""
    EXCEPTION = "exception"
    """The loser failed with an exception."""
    CRASH = "crash"
    """The loser ended the process in which it was playing."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The time and work of a player in one or more games.

    >>> print(Cost(num_moves=60, seconds=9.0, simulations=24_000))
    150 ms a move, 9.00 s in total, 400 simulations a move
    """

    num_moves: int = 0
    """Those that the player had to choose, including one by which it lost."""
    seconds: float = 0.0
    """Wall time."""
    simulations: int = 0
    """0 for a player that makes none."""
    nodes: int = 0
    """0 for a player that doesn't count them."""

    @property
    def seconds_per_move(self) -> float:
        """The mean; 0 without a move."""
        return self.seconds / max(self.num_moves, 1)

    @property
    def simulations_per_move(self) -> float:
        """The mean; 0 without a move."""
        return self.simulations / max(self.num_moves, 1)

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(
            self.num_moves + other.num_moves,
            self.seconds + other.seconds,
            self.simulations + other.simulations,
            self.nodes + other.nodes,
        )

    def __str__(self) -> str:
        words = [f"{in_seconds(self.seconds_per_move)} a move"]
        words += [f"{in_seconds(self.seconds)} in total"]
        if self.simulations:
            words += [f"{self.simulations_per_move:,.0f} simulations a move"]
        if self.nodes:
            words += [f"{self.nodes / max(self.num_moves, 1):,.0f} nodes a move"]
        return ", ".join(words)


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game between two contestants."""

    pairing: tuple[int, int]
    """The places of the two contestants in the tournament, the lower one first."""
    number: int
    """Of this game between these two, from 0; an even one and the next make a pair."""
    players: tuple[str, str]
    """The names of player 0 and player 1."""
    opening_plies: int
    """The number of first actions that were random."""
    actions: tuple[int, ...]
    """All actions from the first position on."""
    costs: tuple[Cost, Cost] = (Cost(), Cost())
    """Of player 0 and player 1, without the opening."""
    returns: tuple[float, float] = (0.0, 0.0)
    """1 for a win, 0 for a draw, -1 for a loss, for player 0 and player 1."""
    reason: Reason = Reason.RULES
    message: str = ""
    """What happened, if the game did not end by the rules."""

    def charged(self, player: int, cost: Cost) -> "PlayedGame":
        """The game after a player has used this time, rounded to the microsecond, and work."""
        first, second = self.costs
        total = self.costs[player] + cost
        total = replace(total, seconds=round(total.seconds, 6))
        return replace(self, costs=(total, second) if player == 0 else (first, total))

    def lost(self, player: int, reason: Reason, message: str) -> "PlayedGame":
        """The game, lost by a player for another reason than the rules."""
        returns = (-1.0, 1.0) if player == 0 else (1.0, -1.0)
        return replace(self, returns=returns, reason=reason, message=message)

    def points(self, name: str) -> float:
        """The points of the player called `name`: 1 for a win, one half for a draw."""
        return (1 + self.returns[self.players.index(name)]) / 2

    def is_lost_by(self, name: str) -> bool:
        """Whether the player called `name` took part and lost."""
        return name in self.players and self.points(name) == 0

    def states(self, first_state: State) -> list[State]:
        """All positions of the game.

        Args:
            first_state: where it began, such as `games.Reversi()`.

        Raises:
            IllegalActionError: the game did not begin there.
        """
        states = [first_state]
        for action in self.actions:
            states.append(states[-1].child(action))
        return states


def in_seconds(seconds: float) -> str:
    """A time in seconds, or in milliseconds where it is short.

    >>> in_seconds(140.0), in_seconds(2.5), in_seconds(0.0125), in_seconds(5e-6)
    ('140 s', '2.50 s', '12.5 ms', '0.005 ms')
    """
    if seconds >= 100:
        return f"{seconds:.0f} s"
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{1e3 * seconds:.3g} ms"
