"""The result of a search, and the move that follows from it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from mctslab.boards.tables import html_table
from mctslab.games.state import Rng, State, as_generator
from mctslab.search.node import Node
from mctslab.search.solving import WIN, best_proven


class NotEnoughSimulationsError(ValueError):
    """Not every root action has been tried, and an untried one may be better than all others."""


class ChildStatistics(NamedTuple):
    """The statistics of one move of the root position."""

    action: int
    visit_count: int
    mean_value: float
    """Q in [-1, 1], for the player to move at the root; 0 without a visit."""
    prior: float
    proven: float | None = None
    """The game-theoretic value, for the same player, once the search has proven it."""


def _plain(number: Any) -> int | float | None:
    """A number without NumPy's type, which `json` would refuse."""
    plain: int | float | None = number.item() if isinstance(number, np.generic) else number
    return plain


AnyChild = TypeVar("AnyChild", Node, ChildStatistics)


@dataclass(frozen=True, slots=True, weakref_slot=True)
class SearchResult:
    """The tree that a search grew, and the statistics of its root when the search ended."""

    root: Node
    num_simulations: int
    """Simulations of this search, without those of an earlier one whose tree was reused."""
    seconds: float
    """How long this search took."""
    note: str = ""
    """A sentence about how the search was done; usually empty."""
    is_guided: bool = False
    """Whether priors have guided the search. Then a move without a visit is no lack of information:
    it did not look promising enough to be tried."""
    children: tuple[ChildStatistics, ...] = field(init=False)
    """One entry for each root action that has a child, in the order of the actions."""
    root_value: float = field(init=False, repr=False)
    """With `is_guided` the mean value of the root itself, for the player to move; otherwise 0."""

    def __post_init__(self) -> None:
        children = sorted(
            ChildStatistics(
                child.action or 0,
                child.visit_count,
                child.mean_value,
                child.prior,
                proven_of(child),
            )
            for child in self.root.children
        )
        object.__setattr__(self, "children", tuple(children))
        object.__setattr__(self, "root_value", self.root.mean_value if self.is_guided else 0.0)

    @property
    def state(self) -> State:
        """The position that was searched."""
        return self.root.state

    @property
    def proven(self) -> float | None:
        """The proven value of the position for the player to move; None if there is none."""
        values = [child.proven for child in self.children]
        return best_proven(values, len(self.state.legal_actions()))

    @property
    def value(self) -> float:
        """The value of the position for the player to move, in [-1, 1].

        Until it is proven, it is the mean return of all simulations through its moves; before the
        first of them, the evaluator's value.
        """
        if self.proven is not None:
            return self.proven
        visits = sum(child.visit_count for child in self.children)
        total = sum(child.visit_count * child.mean_value for child in self.children)
        return total / visits if visits else self.root_value

    @property
    def best_action(self) -> int:
        """The move to play: the robust child, or a move that is proven to be better; see
        `best_child`.

        Raises:
            NotEnoughSimulationsError: not every legal action has been tried yet, none of them is a
                proven win, and no priors have guided the search.
        """
        if self.proven is None:
            self._check_all_tried()
        return best_child(self.children).action

    @property
    def best_so_far(self) -> int:
        """The same among the moves tried so far; any legal one if there is none."""
        if not self.children:
            return self.state.legal_actions()[0]
        return best_child(self.children).action

    def robust_child(self) -> int:
        """The action with the most visits; the higher mean decides between equals.

        Raises:
            NotEnoughSimulationsError: not every legal action has been tried yet.
        """
        self._check_all_tried()
        return max(self.children, key=by_visits).action

    def max_child(self) -> int:
        """The action with the highest mean value; more visits decide between equals.

        Raises:
            NotEnoughSimulationsError: not every legal action has been tried yet.
        """
        self._check_all_tried()
        tried = [child for child in self.children if child.visit_count] or self.children
        return max(tried, key=lambda child: (child.mean_value, child.visit_count)).action

    def _check_all_tried(self) -> None:
        if self.is_guided:
            return
        legal = len(self.state.legal_actions())
        tried = sum(child.visit_count > 0 for child in self.children)
        if tried < legal:
            raise NotEnoughSimulationsError(
                f"Not enough information: {tried} of {legal} moves were tried, and a choice needs "
                f"at least one simulation of each. Search with {legal} simulations or more, or "
                f"continue from here (root=result.root) with {legal - tried} or more."
            )

    @property
    def principal_variation(self) -> tuple[int, ...]:
        """The `best_child` of every position from the root on, while it is visited or proven."""
        actions: list[int] = []
        node = self.root
        while node.children:
            node = best_child(node.children)
            if node.visit_count == 0 and proven_of(node) is None:
                break
            assert node.action is not None
            actions.append(node.action)
        return tuple(actions)

    def to_dict(self) -> dict[str, Any]:
        """The numbers of the search, ready for JSON: without the tree, and each move by its name.

        >>> from mctslab import games, search
        >>> search.mcts(games.TicTacToe(), num_simulations=50, rng=1).to_dict()["game"]
        'tictactoe'
        """
        state, children = self.state, []
        for child in self.children:
            numbers = {name: _plain(value) for name, value in child._asdict().items()}
            children.append({"move": state.action_to_string(child.action), **numbers})
        return {
            "game": state.game,
            "position": str(state),
            "current_player": int(state.current_player),
            "num_simulations": int(self.num_simulations),
            "seconds": float(self.seconds),
            "note": self.note,
            "value": _plain(self.value),
            "proven": _plain(self.proven),
            "best_so_far": int(self.best_so_far),
            "principal_variation": [int(action) for action in self.principal_variation],
            "children": children,
        }

    def table(self) -> "StatisticsTable":
        """The statistics of the moves, most visited first, to print or to show in a cell."""
        return StatisticsTable(self)

    def __repr__(self) -> str:
        worth = f"value {self.value:+.3f}" if self.proven is None else proven_text(self.proven)
        return (
            f"<SearchResult: {self.num_simulations} simulations in {self.seconds:.2f} s, "
            f"{worth} for {self.state.player_names[self.state.current_player]}"
            f"{'. ' + self.note if self.note else ''}>"
        )


def best_child(children: Sequence[AnyChild]) -> AnyChild:
    """The child to play, of one or more.

    It is the robust child among those that are not proven, unless a proven child is worth more than
    the robust child's mean value, as a proven win always is. (Visits cannot decide between the two,
    because a proven draw gets no more of them.)
    """
    unproven = [child for child in children if proven_of(child) is None]
    proven = [child for child in children if proven_of(child) is not None]
    if not proven:
        return max(unproven, key=by_visits)
    certain = max(proven, key=lambda child: (child.proven, *by_visits(child)))
    if not unproven or certain.proven == WIN:
        return certain
    robust = max(unproven, key=by_visits)
    return certain if (certain.proven or 0.0) > robust.mean_value else robust


def proven_of(child: Node | ChildStatistics) -> float | None:
    """The proven value of a child; None for a node of a student's own class without proofs."""
    return getattr(child, "proven", None)


def by_visits(child: Node | ChildStatistics) -> tuple[float, float, float, int]:
    """Order by visits, then by value, then by prior; between equals the lower action is higher."""
    return child.visit_count, child.mean_value, child.prior, -(child.action or 0)


@dataclass(frozen=True, slots=True)
class StatisticsTable:
    """Play, visits and win rate of each move of a root position."""

    result: SearchResult

    def rows(self) -> list[tuple[str, str, str, str]]:
        """Move, visits, share of all visits, win rate or proven value: most visited first."""
        visits = sum(child.visit_count for child in self.result.children) or 1
        return [
            (
                self.result.state.action_to_string(child.action),
                f"{child.visit_count:,}",
                f"{child.visit_count / visits:.1%}",
                _win_rate(child),
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
        mover = self.result.state.player_names[self.result.state.current_player]
        return html_table(("play", "visits", "share", f"win rate for {mover}"), self.rows())


def proven_text(value: float) -> str:
    """A proven value in words.

    >>> proven_text(1.0), proven_text(0.0), proven_text(-1.0)
    ('proven win', 'proven draw', 'proven loss')
    """
    return f"proven {'win' if value > 0 else 'loss' if value < 0 else 'draw'}"


def _win_rate(child: ChildStatistics) -> str:
    if child.proven is not None:
        return proven_text(child.proven)
    return f"{(1 + child.mean_value) / 2:.1%}" if child.visit_count else "not tried"


# Moves in proportion to their visits


def visit_probabilities(
    children: Sequence[ChildStatistics], temperature: float = 1.0
) -> npt.NDArray[np.float64]:
    """A probability for each of `children`, in proportion to N ** (1 / temperature).

    At temperature 0 the most visited moves share the probability 1. An unvisited move has 0.

    Args:
        children: `result.children`, at least one of them visited.
        temperature: tau in the papers, 0 or more.

    Raises:
        ValueError: no child was visited, or `temperature` is negative or not finite.

    >>> children = [ChildStatistics(0, 30, 0.1, 0.5), ChildStatistics(1, 10, 0.2, 0.5)]
    >>> [visit_probabilities(children, tau).round(3).tolist() for tau in (1, 0.5, 0)]
    [[0.75, 0.25], [0.9, 0.1], [1.0, 0.0]]
    """
    if not 0 <= temperature < np.inf:
        raise ValueError(f"temperature must be 0 or more and finite, got {temperature!r}.")
    visits = np.array([child.visit_count for child in children], dtype=np.float64)
    if not visits.any():
        raise ValueError("No move was visited: search with 2 simulations or more.")
    shares = visits / visits.max()  # first, so that no power overflows at a low temperature
    weights = np.floor(shares) if temperature == 0 else shares ** (1 / temperature)
    probabilities: npt.NDArray[np.float64] = weights / weights.sum()
    return probabilities


def draw_action(children: Sequence[ChildStatistics], temperature: float, rng: Rng) -> int:
    """An action drawn at random, by the `visit_probabilities` of `children`.

    Raises:
        ValueError: as for `visit_probabilities`.
    """
    probabilities = visit_probabilities(children, temperature)
    return int(as_generator(rng).choice([child.action for child in children], p=probabilities))
