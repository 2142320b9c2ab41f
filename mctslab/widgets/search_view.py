"""What a panel shows of a search: numbers on the squares, a table, a tree, or why there is none."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from mctslab.draw.cards import number
from mctslab.draw.clocks import Clocks
from mctslab.draw.digraph import Tree
from mctslab.games.state import State
from mctslab.players import Proposal
from mctslab.search import solving
from mctslab.search.alphabeta import WIN
from mctslab.search.result import ChildStatistics, SearchResult
from mctslab.solvers import AlphaBetaResult

_LONGEST_LINE: Final = 12
"""The number of moves of the expected line that are shown."""


class Heat(StrEnum):
    """What the board shows of a search."""

    VISITS = "visits"
    PRIORS = "priors"
    VALUES = "values"
    NOTHING = "nothing"


def checked_heat(heat: str) -> Heat:
    """`heat` as one of `Heat`.

    Raises:
        ValueError: it is none.
    """
    if heat not in list(Heat):
        names = ", ".join(Heat)
        raise ValueError(f"heat={heat!r} can't be shown on the board; it is one of {names}.")
    return Heat(heat)


def children_of(result: SearchResult) -> list[dict[str, Any]]:
    """The moves of a search as the page gets them, the best first.

    `rate` is the win rate (1 + Q) / 2 of the player to move, a proven result if there is one, and
    None without a visit. A proven win, which can be without visits, comes first.
    """
    ordered = sorted(result.children, key=lambda child: child.visit_count, reverse=True)
    ordered.sort(key=lambda child: child.proven != solving.WIN)
    return [
        {
            "move": child.action,
            "visits": child.visit_count,
            "rate": _win_rate(child),
            "prior": round(child.prior, 4),
        }
        for child in ordered
    ]


def _win_rate(child: ChildStatistics) -> float | None:
    if child.proven is not None:
        return (1 + child.proven) / 2
    return round((1 + child.mean_value) / 2, 4) if child.visit_count else None


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
        """Whose search it was, and what it found."""
        name = self.state.player_names[self.state.current_player]
        who = f"Hint for {name}" if self.is_hint else name
        if self.proposal.alphabeta is not None:
            return f"{who}: {alphabeta_caption(self.proposal.alphabeta)}"
        if self.result is None:
            return f"{name} has shown no search, so there is nothing to see here."
        move, number = (
            self.state.action_to_string(self.proposal.action),
            self.proposal.num_simulations,
        )
        return f"{who}: {move}, after {number:,} simulations in {self.proposal.seconds:.1f} s"

    @property
    def why_no_tree(self) -> str:
        """A remark instead of a tree."""
        if self.proposal.alphabeta is None:
            return self.caption
        kept = "Alpha-beta keeps no tree; Statistics shows its iterations."
        return f"{self.caption} {kept}"

    def table(self) -> dict[str, Any]:
        """The statistics of the moves, or the iterations of alpha-beta: caption, head and rows."""
        name = self.state.player_names[self.state.current_player]
        if self.proposal.alphabeta is not None:
            head = ["Depth", "Nodes", "Seconds", "Best move", f"Value for {name}"]
            rows = alphabeta_rows(self.proposal.alphabeta)
        elif self.result is not None:
            head = ["Play", "Visits", "Share of visits", f"Win rate for {name}"]
            rows = [list(row) for row in self.result.table().rows()]
        else:
            return {"remark": self.caption}
        return {"caption": self.caption, "head": head, "rows": rows}


def alphabeta_rows(result: AlphaBetaResult) -> list[list[str]]:
    """A row for each iteration, the deepest first."""
    return [
        [
            str(iteration.depth),
            f"{iteration.num_nodes:,}",
            f"{iteration.seconds:.2f}",
            result.state.action_to_string(iteration.best_action),
            value_in_words(iteration.value),
        ]
        for iteration in reversed(result.iterations)
    ]


def alphabeta_caption(result: AlphaBetaResult) -> str:
    """The move, how far the search came and at what cost, the expected line, and the value."""
    state = result.state
    plies = f"{result.depth} {'ply' if result.depth == 1 else 'plies'} ahead"
    reach = "to the end of the game" if result.is_exact else plies
    moves, position = [], state
    for action in result.principal_variation[:_LONGEST_LINE]:
        moves.append(position.action_to_string(action))
        position = position.child(action)
    more = " …" if len(result.principal_variation) > _LONGEST_LINE else ""
    line = f" Expected: {' '.join(moves)}{more}." if len(moves) > 1 else ""
    worth = value_in_words(result.value, is_exact=result.is_exact)
    return (
        f"{state.action_to_string(result.best_action)}, after a search {reach}, "
        f"{result.num_nodes:,} nodes in {result.seconds:.1f} s.{line} "
        f"Value for {state.player_names[state.current_player]}: {worth}."
    )


def value_in_words(value: float, *, is_exact: bool = False) -> str:
    """The value of a position for a player: points of the evaluation, or how the game ends.

    >>> value_in_words(-3.5), value_in_words(WIN + 8), value_in_words(-WIN - 1)
    ('−3.5 points', 'won by 8 discs', 'lost by 1 disc')
    >>> value_in_words(0.0), value_in_words(0.0, is_exact=True), value_in_words(WIN)
    ('0 points', 'drawn', 'won')
    """
    if abs(value) < WIN / 2:
        return "drawn" if is_exact else f"{number(value, 'g')} points"
    discs = abs(value) - WIN
    margin = f" by {discs:g} disc{'s' if discs != 1 else ''}" if discs else ""
    return f"{'won' if value > 0 else 'lost'}{margin}"


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


def clocks_table(drawn: Clocks) -> dict[str, Any]:
    """Charts of the time and work of the moves, and a table with the same numbers."""
    return {
        "remark": "" if drawn.charts else drawn.description,
        "charts": list(drawn.charts),
        "head": list(drawn.table.head),
        "rows": [list(row) for row in drawn.table.rows],
    }
