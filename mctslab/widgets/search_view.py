"""What a panel shows of a search: numbers on the squares, and the table of alpha-beta."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from mctslab.draw.clocks import Clocks
from mctslab.draw.digraph import Tree
from mctslab.games.state import State
from mctslab.players import Proposal
from mctslab.search import solving
from mctslab.search.alphabeta import WIN
from mctslab.search.result import ChildStatistics, SearchResult
from mctslab.solvers import AlphaBetaResult
from mctslab.widgets import wording

MOST_HOT_SQUARES: Final = 30
"""More would hide the board, and early in a search nearly all moves have the same number of
visits."""

LEAST_PRIOR: Final = 0.05
"""Priors below this share of the largest are not shown."""


class Heat(StrEnum):
    """What the board shows of a search."""

    VISITS = "visits"
    PRIORS = "priors"
    VALUES = "values"
    NOTHING = "nothing"


def hot_squares(state: State, result: SearchResult, heat: Heat) -> dict[int, float]:
    """The numbers of the moves that matter most in a search of `state`, by their squares.

    Visits are counts and priors are shares; a value is the win rate (1 + Q) / 2 for the player to
    move, shown for visited moves. If a result is proven, the value is that result, visited or not.
    """
    if heat is Heat.NOTHING:
        return {}
    numbers = {Heat.VISITS: _visits, Heat.PRIORS: _prior, Heat.VALUES: _win_rate}
    shown = _not_tiny(result.children) if heat is Heat.PRIORS else _most_visited(result.children)
    squares = {}
    for child in shown:
        square = state.action_square(child.action)
        number = numbers[heat](child)
        if square is not None and number is not None:
            squares[square] = number
    return squares


def has_different_priors(children: Sequence[ChildStatistics]) -> bool:
    """Whether not all priors are the same."""
    priors = [child.prior for child in children]
    return max(priors, default=0.0) > min(priors, default=0.0)


def _most_visited(children: Sequence[ChildStatistics]) -> list[ChildStatistics]:
    """The moves with the most visits; a proven win, which can be without visits, before all
    others."""
    by_visits = sorted(children, key=_visits, reverse=True)
    return sorted(by_visits, key=lambda child: child.proven != solving.WIN)[:MOST_HOT_SQUARES]


def _not_tiny(children: Sequence[ChildStatistics]) -> list[ChildStatistics]:
    """Empty if all priors are the same, because then they don't favour any move."""
    if not has_different_priors(children):
        return []
    least = LEAST_PRIOR * max(map(_prior, children))
    return [child for child in children if child.prior >= least]


def _visits(child: ChildStatistics) -> float:
    return float(child.visit_count)


def _prior(child: ChildStatistics) -> float:
    return child.prior


def _win_rate(child: ChildStatistics) -> float | None:
    if child.proven is not None:
        return (1 + child.proven) / 2
    return (1 + child.mean_value) / 2 if child.visit_count else None


_LONGEST_LINE: Final = 12
"""The number of moves of the expected line that are shown."""


def alphabeta_table(result: AlphaBetaResult, *, is_hint: bool) -> dict[str, object]:
    """A row for each iteration, the deepest first: caption, head and rows."""
    name = result.state.player_names[result.state.current_player]
    worth = value_in_words(result.value, is_exact=result.is_exact)
    who = f"Hint for {name}" if is_hint else name
    return {
        "caption": f"{who}: {_found(result)}.{_line(result)} Value for {name}: {worth}.",
        "head": ["Depth", "Nodes", "Seconds", "Best move", f"Value for {name}"],
        "rows": [
            [
                str(iteration.depth),
                f"{iteration.num_nodes:,}",
                f"{iteration.seconds:.2f}",
                result.state.action_to_string(iteration.best_action),
                value_in_words(iteration.value),
            ]
            for iteration in reversed(result.iterations)
        ],
    }


def value_in_words(value: float, *, is_exact: bool = False) -> str:
    """The value of a position for a player: points of the evaluation, or how the game ends.

    >>> value_in_words(-3.5), value_in_words(WIN + 8), value_in_words(-WIN - 1)
    ('-3.5 points', 'won by 8 discs', 'lost by 1 disc')
    >>> value_in_words(0.0), value_in_words(0.0, is_exact=True), value_in_words(WIN)
    ('0 points', 'drawn', 'won')
    """
    if abs(value) < WIN / 2:
        points = "0" if value == 0 else f"{value:+g}"
        return "drawn" if is_exact else f"{points} points"
    discs = abs(value) - WIN
    margin = f" by {discs:g} disc{'s' if discs != 1 else ''}" if discs else ""
    return f"{'won' if value > 0 else 'lost'}{margin}"


def _found(result: AlphaBetaResult) -> str:
    """The move, how far the search came, and at what cost."""
    move = result.state.action_to_string(result.best_action)
    plies = f"{result.depth} {'ply' if result.depth == 1 else 'plies'} ahead"
    reach = "to the end of the game" if result.is_exact else plies
    return f"{move}, after a search {reach}, {result.num_nodes:,} nodes in {result.seconds:.1f} s"


def _line(result: AlphaBetaResult) -> str:
    """The line of play that the search expects; empty if it is only one move."""
    expected = result.principal_variation
    if len(expected) < 2:
        return ""
    moves, state = [], result.state
    for action in expected[:_LONGEST_LINE]:
        moves.append(state.action_to_string(action))
        state = state.child(action)
    return f" Expected: {' '.join(moves)}{' …' if len(expected) > _LONGEST_LINE else ''}."


# Everything that is shown of one search


@dataclass(frozen=True, slots=True, eq=False)
class Searched:
    """A search that has ended, with its position and whether it was for a hint."""

    state: State
    proposal: Proposal
    is_hint: bool = False

    @property
    def result(self) -> SearchResult | None:
        """The search tree; None for a player that doesn't build one."""
        return self.proposal.result

    @property
    def caption(self) -> str:
        """Which search the statistics and the tree belong to."""
        return wording.searched(self.state, self.proposal, is_hint=self.is_hint)

    @property
    def why_no_tree(self) -> str:
        """Why there is no tree to draw; empty if there is one."""
        name = self.state.player_names[self.state.current_player]
        return "" if self.result is not None else wording.no_tree(name, self.proposal)


def statistics_table(searched: Searched) -> dict[str, object]:
    """The table of a search: its moves, or the iterations of alpha-beta."""
    proposal, state = searched.proposal, searched.state
    name = state.player_names[state.current_player]
    if proposal.alphabeta is not None:
        return alphabeta_table(proposal.alphabeta, is_hint=searched.is_hint)
    if proposal.result is None:
        return {"caption": wording.no_statistics(name, proposal), "rows": []}
    return {
        "caption": searched.caption,
        "head": ["Play", "Visits", "Share of visits", f"Win rate for {name}"],
        "rows": [list(row) for row in proposal.result.table().rows()],
    }


def share_of_first(state: State, result: SearchResult | None) -> float | None:
    """How often the side that moves first wins; None if nothing was searched."""
    if result is None:
        return None
    win_rate = (1 + result.value) / 2
    return win_rate if state.current_player == 0 else 1 - win_rate


def tree_view(drawn: Callable[[], Tree], caption: str) -> dict[str, str]:
    """The tree that `drawn` returns, with its caption, or a remark that says why there is none."""
    try:
        return {"svg": drawn().svg, "caption": caption}
    except Exception as error:  # otherwise it would be lost in the thread
        return {"remark": f"The tree could not be drawn. {error}"}


def in_background(function: Callable[..., object], *arguments: object) -> None:
    """Draw in a thread, because the first drawing takes a second.

    Start it with a panel's lock, but let `function` take that lock only when it has drawn: until
    then, clicks are answered.
    """
    threading.Thread(target=function, args=arguments, name="mctslab drawing", daemon=True).start()


def clocks_table(drawn: Clocks) -> dict[str, object]:
    """Charts of the time and work of the moves, and a table with the same numbers."""
    return {
        "remark": "" if drawn.charts else drawn.description,
        "charts": list(drawn.charts),
        "head": list(drawn.head()),
        "rows": [list(row) for row in drawn.rows()],
        "totals": [list(row) for row in drawn.totals()],
    }
