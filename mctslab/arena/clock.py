"""What a player's moves have cost: time, simulations, nodes; a move, a game, and in total."""

from collections.abc import Iterable
from dataclasses import dataclass

from mctslab.arena.played import PlayedGame


@dataclass(frozen=True, slots=True)
class Clock:
    """The measured wall time of one player in some games, and what it searched in it.

    >>> print(Clock(seconds=9.0, num_moves=60, simulations=24_000, num_games=2))
    150 ms a move, 4.50 s a game, 9.00 s in total, 400 simulations a move
    """

    seconds: float
    """In total."""
    num_moves: int
    simulations: float
    """In total; 0 for a player that makes none."""
    nodes: float = 0.0
    """In total; 0 for a player that doesn't count them."""
    num_games: int = 0

    @property
    def seconds_per_move(self) -> float:
        """The mean; 0 without a move."""
        return _mean(self.seconds, self.num_moves)

    @property
    def seconds_per_game(self) -> float:
        """The mean; 0 without a game."""
        return _mean(self.seconds, self.num_games)

    @property
    def simulations_per_move(self) -> float:
        """The mean; 0 without a move."""
        return _mean(self.simulations, self.num_moves)

    @property
    def nodes_per_move(self) -> float:
        """The mean; 0 without a move."""
        return _mean(self.nodes, self.num_moves)

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
    """What the player called `name` has used in those of `games` that it took part in."""
    seconds, moves, simulations, nodes, number = 0.0, 0, 0.0, 0.0, 0
    for game in games:
        if name in game.players:
            player = game.players.index(name)
            seconds += sum(game.seconds[player])
            moves += len(game.seconds[player])
            simulations += sum(game.simulations[player])
            nodes += sum(game.nodes[player])
            number += 1
    return Clock(seconds, moves, simulations, nodes, number)


def in_seconds(seconds: float) -> str:
    """A time in seconds, or in thousandths or millionths of one where it is short.

    >>> in_seconds(140.0), in_seconds(2.5), in_seconds(0.0125), in_seconds(5e-6)
    ('140 s', '2.50 s', '12.5 ms', '5 µs')
    """
    if seconds >= 100:
        return f"{seconds:.0f} s"
    if seconds >= 1:
        return f"{seconds:.3g} s" if seconds >= 10 else f"{seconds:.2f} s"
    return f"{1e3 * seconds:.3g} ms" if seconds >= 1e-3 else f"{1e6 * seconds:.3g} µs"


def _mean(total: float, number: int) -> float:
    return total / number if number else 0.0
