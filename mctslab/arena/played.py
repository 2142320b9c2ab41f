"""A game that was played: its moves, its clocks, how it ended, and why."""

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
    """Wall time; None for a move of the opening, which nobody chose."""
    num_simulations: int
    num_nodes: int


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game between two contestants, as it is kept in a file."""

    pairing: tuple[int, int]
    """The places of the two contestants in the tournament, the lower one first."""
    number: int
    """Of this game between these two, from 0; an even one and the next make a pair."""
    players: tuple[str, str]
    """The names of player 0 and player 1."""
    seeds: tuple[int, int]
    """Player 0 was made with `rng=np.random.default_rng(seeds[0])`, player 1 with the other."""
    opening_seed: int
    opening_plies: int
    """How many of the first actions were drawn by lot."""
    actions: tuple[int, ...]
    """All actions from the first position on."""
    seconds: PerPlayer
    """Wall time of each move that a player was asked for, also of the one by which it lost."""
    simulations: PerPlayer
    """Simulations of the searches behind the moves; 0 where there was none."""
    returns: tuple[float, float]
    """1 for a win, 0 for a draw, -1 for a loss, for player 0 and player 1."""
    reason: Reason
    message: str = ""
    """What there is to say about a loss that is not by the rules."""
    nodes: PerPlayer = ((), ())
    """Nodes visited by the searches behind the moves; 0 where they were not counted, and nothing at
    all where they never were."""

    def points(self, name: str) -> float:
        """What the player called `name` got: 1 for a win, one half for a draw, 0 for a loss."""
        return (1 + self.returns[self.players.index(name)]) / 2

    def states(self, first_state: State) -> list[State]:
        """All positions of the game, to be looked at one by one.

        Args:
            first_state: where it began, such as `games.Reversi()`.

        Raises:
            IllegalActionError: that is not where it began.
        """
        states = [first_state]
        for action in self.actions:
            states.append(states[-1].child(action))
        return states

    def moves(self, first_state: State) -> tuple[PlayedMove, ...]:
        """All moves with what they cost, in order.

        Args:
            first_state: where it began, such as `games.Reversi()`.

        Raises:
            IllegalActionError: that is not where it began.
        """
        seconds, simulations, nodes = (
            (iter(first), iter(second))
            for first, second in (self.seconds, self.simulations, self.nodes)
        )
        moves = []
        for ply, before in enumerate(self.states(first_state)[:-1]):
            player = before.current_player
            is_drawn_by_lot = ply < self.opening_plies
            moves.append(
                PlayedMove(
                    player,
                    before.action_to_string(self.actions[ply]),
                    None if is_drawn_by_lot else next(seconds[player]),
                    0 if is_drawn_by_lot else round(next(simulations[player])),
                    0 if is_drawn_by_lot else round(next(nodes[player], 0)),
                )
            )
        return tuple(moves)
