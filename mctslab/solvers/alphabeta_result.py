"""The result of an alpha-beta search."""

from dataclasses import dataclass
from typing import NamedTuple

from mctslab.games.state import State
from mctslab.search.alphabeta import WIN


class Iteration(NamedTuple):
    """A complete search with one horizon; the next one looks one ply further."""

    depth: int
    """The number of plies that it looked ahead."""
    num_nodes: int
    """The number of positions it visited, including the root, without those of other iterations."""
    seconds: float
    """Its own time."""
    value: float
    """The value of the root that it found, for the player to move."""
    best_action: int


@dataclass(frozen=True, slots=True)
class AlphaBetaResult:
    """The result of a search of `state`."""

    state: State
    best_action: int
    """The move to play; if time was up before anything was found, the first legal one."""
    value: float = 0.0
    """The value of `best_action` for the player to move, in points of the evaluation; 0 if nothing
    was found. A won game has WIN and, in Reversi, one more point for each disc of the lead."""
    depth: int = 0
    """The number of plies that the last finished iteration looked ahead; 0 if there was none."""
    num_nodes: int = 0
    """Positions that all iterations together visited, including the unfinished one."""
    seconds: float = 0.0
    is_exact: bool = False
    """Whether the value is exact, that of the game under perfect play."""
    principal_variation: tuple[int, ...] = ()
    """The line of play that the search expects, `best_action` first; it ends where the table knew a
    position. A search in plain Python has only this action."""
    iterations: tuple[Iteration, ...] = ()
    """The finished ones."""
    note: str = ""
    """A sentence about how the search was done; usually empty."""

    def __repr__(self) -> str:
        move = self.state.action_to_string(self.best_action)
        mover = self.state.player_names[self.state.current_player]
        return (
            f"<AlphaBetaResult: {move}, {_in_words(self.value)} for {mover}"
            f"{' (exact)' if self.is_exact else ''}, depth {self.depth}, "
            f"{self.num_nodes:,} nodes in {self.seconds:.2f} s"
            f"{'. ' + self.note if self.note else ''}>"
        )


def _in_words(value: float) -> str:
    """A value as words: points of the evaluation, or how the game ends."""
    if abs(value) < WIN / 2:
        return f"{value:+g} points"
    discs = abs(value) - WIN
    return f"{'won' if value > 0 else 'lost'}{f' by {discs:g}' if discs else ''}"
