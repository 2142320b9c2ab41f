"""What a search found out, and the move that follows from it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from typing import NamedTuple

from mctslab.games.state import State
from mctslab.search.node import Node


class NotEnoughSimulationsError(ValueError):
    """A move was asked for before every root action had been tried.

    Until then no rule can say which is best: an untried move may be better than all others.
    """


class ChildStatistics(NamedTuple):
    """What the search knows of one move of the root position."""

    action: int
    visit_count: int
    mean_value: float
    """Q in [-1, 1], for the player to move at the root; 0 without a visit."""
    prior: float


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The tree that a search grew, and the statistics of its root when the search ended."""

    root: Node
    num_simulations: int
    """Simulations of this search; those of an earlier one that was reused don't count."""
    seconds: float
    """How long this search took."""
    note: str = ""
    """What else there is to know of the search, a sentence; mostly nothing."""
    children: tuple[ChildStatistics, ...] = field(init=False)
    """One entry for each root action that has a child, in the order of the actions."""

    def __post_init__(self) -> None:
        children = sorted(self.root.children, key=lambda child: child.action or 0)
        object.__setattr__(self, "children", tuple(map(_statistics, children)))

    @property
    def state(self) -> State:
        """The position that was searched."""
        return self.root.state

    @property
    def value(self) -> float:
        """The mean return of all simulations, in [-1, 1], for the player to move."""
        visits = sum(child.visit_count for child in self.children)
        total = sum(child.visit_count * child.mean_value for child in self.children)
        return total / visits if visits else 0.0

    @property
    def best_action(self) -> int:
        """The move to play: the robust child.

        Raises:
            NotEnoughSimulationsError: see `robust_child`.
        """
        return self.robust_child()

    @property
    def best_so_far(self) -> int:
        """The most visited move among those tried; any legal one when none was."""
        if not self.children:
            return self.state.legal_actions()[0]
        return max(self.children, key=by_visits).action

    def robust_child(self) -> int:
        """The action with the most visits; the higher mean decides between equals.

        Raises:
            NotEnoughSimulationsError: not every legal action has been tried yet.
        """
        return self._best(by_visits)

    def max_child(self) -> int:
        """The action with the highest mean value; more visits decide between equals.

        Raises:
            NotEnoughSimulationsError: not every legal action has been tried yet.
        """
        return self._best(by_value)

    def _best(self, key: Callable[[ChildStatistics], tuple[float, float]]) -> int:
        legal = len(self.state.legal_actions())
        tried = sum(child.visit_count > 0 for child in self.children)
        if tried < legal:
            raise NotEnoughSimulationsError(
                f"Not enough information: {tried} of {legal} moves were tried, and a choice takes "
                f"at least one simulation of each. Search with {legal} simulations or more, or go "
                f"on from here (root=result.root) with {legal - tried} or more."
            )
        return max(self.children, key=key).action

    @property
    def principal_variation(self) -> tuple[int, ...]:
        """The moves of the line that both sides visited most, from the root to a leaf."""
        actions = []
        node = self.root
        while visited := [child for child in node.children if child.visit_count]:
            node = max(visited, key=_by_visits_then_action)
            assert node.action is not None
            actions.append(node.action)
        return tuple(actions)

    def table(self) -> "StatisticsTable":
        """The statistics of the moves, most visited first, to print or to show in a cell."""
        return StatisticsTable(self)

    def __repr__(self) -> str:
        return (
            f"<SearchResult: {self.num_simulations} simulations in {self.seconds:.2f} s, "
            f"value {self.value:+.3f} for {self.state.player_names[self.state.current_player]}"
            f"{'. ' + self.note if self.note else ''}>"
        )


def by_visits(child: ChildStatistics) -> tuple[float, float]:
    """Order by visits, then by value."""
    return child.visit_count, child.mean_value


def by_value(child: ChildStatistics) -> tuple[float, float]:
    """Order by value, then by visits; moves without a visit come last."""
    return (child.mean_value if child.visit_count else -2.0), child.visit_count


@dataclass(frozen=True, slots=True)
class StatisticsTable:
    """Play, visits and win rate of each move of a root position."""

    result: SearchResult

    def rows(self) -> list[tuple[str, str, str, str]]:
        """Move, visits, share of all visits, win rate: most visited first."""
        visits = sum(child.visit_count for child in self.result.children) or 1
        return [
            (
                self.result.state.action_to_string(child.action),
                f"{child.visit_count:,}",
                f"{child.visit_count / visits:.1%}",
                f"{(1 + child.mean_value) / 2:.1%}" if child.visit_count else "not tried",
            )
            for child in sorted(self.result.children, key=by_visits, reverse=True)
        ]

    def __str__(self) -> str:
        lines = [("play", "visits", "share", "win rate"), *self.rows()]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(f"{cell:>{width}}" for cell, width in zip(line, widths, strict=True))
            for line in lines
        )

    def _repr_html_(self) -> str:
        mover = escape(self.result.state.player_names[self.result.state.current_player])
        head = "".join(
            f'<th scope="col">{name}</th>'
            for name in ("play", "visits", "share", f"win rate for {mover}")
        )
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
            for row in self.rows()
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _by_visits_then_action(child: Node) -> tuple[float, float, int]:
    """As `by_visits`, and between equals the lower action, as where children are in order."""
    return child.visit_count, child.mean_value, -(child.action or 0)


def _statistics(child: Node) -> ChildStatistics:
    assert child.action is not None
    return ChildStatistics(child.action, child.visit_count, child.mean_value, child.prior)
