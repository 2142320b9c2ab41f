"""Games that were played: their moves, their clocks, how they ended, and why."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from mctslab.games.state import State

PerPlayer: TypeAlias = tuple[tuple[float, ...], tuple[float, ...]]
"""Numbers of player 0 and of player 1, one for each of their moves."""


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
class PlayedMove:
    """One move of a game, and what it cost; `mctslab.draw.clocks` draws such moves."""

    player: int
    notation: str
    seconds: float | None
    """Wall time; None for a move of the random opening."""
    num_simulations: int
    num_nodes: int


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
    seconds: PerPlayer
    """Wall time of each move that a player had to choose, including the one by which it lost."""
    simulations: PerPlayer
    """Simulations of the searches behind the moves; 0 where there was none."""
    nodes: PerPlayer
    """Nodes visited by the searches behind the moves; 0 where they were not counted."""
    returns: tuple[float, float]
    """1 for a win, 0 for a draw, -1 for a loss, for player 0 and player 1."""
    reason: Reason
    message: str = ""
    """What happened, if the game did not end by the rules."""

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

    def check(self, first_state: State) -> None:
        """Check that the result and the number of moves follow from the moves.

        Raises:
            ValueError: they do not, or a move is illegal.
        """
        *before, end = self.states(first_state)
        by_rules = self.reason is Reason.RULES
        if end.is_terminal != by_rules:
            raise ValueError(
                f"reason = {self.reason.value!r}, but after these actions the game is "
                f"{'over' if end.is_terminal else 'not over'}."
            )
        if by_rules and self.returns != end.returns():
            raise ValueError(
                f"returns = {list(self.returns)}, but these actions end with {list(end.returns())}."
            )
        movers = [state.current_player for state in before[self.opening_plies :]]
        for player in (0, 1):  # the move by which a player has forfeited is not among the actions
            num_moves, num_actions = len(self.seconds[player]), movers.count(player)
            if not num_actions <= num_moves <= num_actions + (not by_rules):
                raise ValueError(
                    f"Player {player} has {num_actions} of these actions, but {num_moves} moves "
                    "in num_moves."
                )

    def moves(self, first_state: State) -> tuple[PlayedMove, ...]:
        """All moves with their time and work, in order; arguments and errors as in `states`."""
        costs = [iter(zip(*each, strict=True)) for each in self._costs()]
        moves = []
        for ply, before in enumerate(self.states(first_state)[:-1]):
            player = before.current_player
            notation = before.action_to_string(self.actions[ply])
            if ply < self.opening_plies:
                moves.append(PlayedMove(player, notation, None, 0, 0))
            else:
                seconds, simulations, nodes = next(costs[player])
                moves.append(
                    PlayedMove(player, notation, seconds, round(simulations), round(nodes))
                )
        return tuple(moves)

    def clock(self, name: str) -> "Clock":
        """The time and work of the player called `name`."""
        seconds, simulations, nodes = self._costs()[self.players.index(name)]
        return Clock(sum(seconds), len(seconds), sum(simulations), sum(nodes), 1)

    def _costs(self) -> tuple[tuple[tuple[float, ...], ...], ...]:
        """For each player the seconds, simulations and nodes of its moves."""
        return tuple(zip(self.seconds, self.simulations, self.nodes, strict=True))


# Many games


@dataclass(frozen=True, slots=True)
class Clock:
    """The measured wall time of one player in some of the games, and its work.

    >>> print(Clock(seconds=9.0, num_moves=60, simulations=24_000, num_games=2))
    150 ms a move, 4.50 s a game, 9.00 s in total, 400 simulations a move
    """

    seconds: float = 0.0
    """In total."""
    num_moves: int = 0
    simulations: float = 0.0
    """In total; 0 for a player that makes none."""
    nodes: float = 0.0
    """In total; 0 for a player that doesn't count them."""
    num_games: int = 0

    @property
    def seconds_per_move(self) -> float:
        """The mean; 0 without a move."""
        return self.seconds / max(self.num_moves, 1)

    @property
    def seconds_per_game(self) -> float:
        """The mean; 0 without a game."""
        return self.seconds / max(self.num_games, 1)

    @property
    def simulations_per_move(self) -> float:
        """The mean; 0 without a move."""
        return self.simulations / max(self.num_moves, 1)

    @property
    def nodes_per_move(self) -> float:
        """The mean; 0 without a move."""
        return self.nodes / max(self.num_moves, 1)

    def __str__(self) -> str:
        words = (
            f"{in_seconds(self.seconds_per_move)} a move, {in_seconds(self.seconds_per_game)} "
            f"a game, {in_seconds(self.seconds)} in total"
        )
        if self.simulations:
            words += f", {self.simulations_per_move:,.0f} simulations a move"
        if self.nodes:
            words += f", {self.nodes_per_move:,.0f} nodes a move"
        return words


def clock_of(games: Iterable[PlayedGame], name: str) -> Clock:
    """The time and work of the player called `name` in those of `games` that it took part in."""
    clocks = [game.clock(name) for game in games if name in game.players]
    return Clock(
        sum(clock.seconds for clock in clocks),
        sum(clock.num_moves for clock in clocks),
        sum(clock.simulations for clock in clocks),
        sum(clock.nodes for clock in clocks),
        len(clocks),
    )


def in_seconds(seconds: float) -> str:
    """A time in seconds, or in milliseconds where it is short.

    >>> in_seconds(140.0), in_seconds(2.5), in_seconds(0.0125), in_seconds(5e-6)
    ('140 s', '2.50 s', '12.5 ms', '0.005 ms')
    """
    if seconds >= 100:
        return f"{seconds:.0f} s"
    if seconds >= 1:
        return f"{seconds:.3g} s" if seconds >= 10 else f"{seconds:.2f} s"
    return f"{1e3 * seconds:.3g} ms"
