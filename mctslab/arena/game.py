"""A game that was played: its moves, how it ended and why, and what it cost each player."""

from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from typing import Annotated, Any, TypeAlias

from mctslab.boards.elements import in_seconds
from mctslab.games.state import State
from mctslab.typed import Meta, NonNegative, Number


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

    def __str__(self) -> str:
        words = [f"{in_seconds(self.seconds_per_move)} a move"]
        words += [f"{in_seconds(self.seconds)} in total"]
        if self.simulations:
            words += [f"{self.simulations_per_move:,.0f} simulations a move"]
        if self.nodes:
            words += [f"{self.nodes / max(self.num_moves, 1):,.0f} nodes a move"]
        return ", ".join(words)


_Pair: TypeAlias = tuple[Number, Number]
_Return: TypeAlias = Annotated[float, Meta(ge=-1, le=1)]


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game between two contestants; a pair is that of player 0 and player 1.

    All but the last two entries are its line in a file, in this order.
    """

    pairing: _Pair
    """The places of the two contestants in the tournament, the lower one first."""
    number: Number
    """Of this game between these two, from 0; an even one and the next make a pair."""
    actions: tuple[Number, ...]
    """All actions from the first position on."""
    returns: tuple[_Return, _Return] = (0.0, 0.0)
    """1 for a win, 0 for a draw, -1 for a loss."""
    num_moves: _Pair = (0, 0)
    """These and the next three are the entries of `Cost`, without the opening."""
    seconds: tuple[NonNegative, NonNegative] = (0.0, 0.0)
    simulations: _Pair = (0, 0)
    reason: Reason = Reason.RULES
    message: str = ""
    """What happened, if the game did not end by the rules."""
    nodes: _Pair = (0, 0)
    players: tuple[str, str] = ("", "")
    """Their names."""
    opening_plies: int = 0
    """The number of first actions that were random."""

    def cost(self, player: int) -> Cost:
        """The time and work of player 0 or player 1."""
        return Cost(*(getattr(self, each.name)[player] for each in fields(Cost)))

    def charged(self, player: int, cost: Cost) -> "PlayedGame":
        """The game after a player has used this time, rounded to the microsecond, and work."""
        totals: dict[str, Any] = {}
        for name, spent in asdict(cost).items():
            pair = list(getattr(self, name))
            pair[player] = round(pair[player] + spent, 6)
            totals[name] = tuple(pair)
        return replace(self, **totals)

    def lost(self, player: int, reason: Reason, message: str) -> "PlayedGame":
        """The game, lost by a player for another reason than the rules."""
        returns = (-1.0, 1.0) if player == 0 else (1.0, -1.0)
        return replace(self, returns=returns, reason=reason, message=message)

    def points(self, name: str) -> float:
        """The points of the player called `name`: 1 for a win, one half for a draw."""
        return (1 + self.returns[self.players.index(name)]) / 2

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
