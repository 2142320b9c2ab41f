"""Sliders for a search: whenever one is moved, the compiled search runs again with the same seed.

So every change in the tree is caused by that slider alone. With fewer simulations the same search
ends earlier: dragging *simulations* shows how it goes on, one simulation after the other. The whole
answer takes a few hundredths of a second, because only the top of the tree is drawn.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import traitlets

from mctslab import draw, fast, search
from mctslab.draw.cards import number
from mctslab.draw.pruning import prune
from mctslab.draw.trees import most_visited_first, tree_of, weight
from mctslab.fast.tree import ArrayNode
from mctslab.games.state import State
from mctslab.search.evaluators import Evaluator
from mctslab.search.node import Node
from mctslab.search.result import SearchResult, draw_action, visit_probabilities
from mctslab.search.selection import SelectionRule, SelectionScore
from mctslab.widgets.front_end import (
    CommandedWidget,
    StillPicture,
    bundled,
    checked_position,
    joined,
)

Setting: TypeAlias = float | Literal["parent"]
"""A value on a slider; "parent" is one of the values of first-play urgency."""

TREE_TOP: Final = 3
TREE_DEPTH: Final = 3
TREE_NODES: Final = 16
MOST_ROWS: Final = 10

FEWEST_SIMULATIONS: Final = 2
"""The first one evaluates the root, so no move has a visit before the second."""
_SINGLE_STEPS: Final = 40
"""Up to here the slider has every number of simulations, and then steps of a twentieth."""


@dataclass(frozen=True)
class Slider:
    """A constant of the search, the values that can be chosen, and the initial one."""

    name: str
    label: str
    stops: Sequence[Setting]
    start: Setting


def text_of(setting: Setting) -> str:
    """A setting as the page shows it."""
    if setting == "parent":
        return "the parent's Q"
    text = f"{setting:,}" if isinstance(setting, int) else f"{setting:.4g}"
    return text.replace("-", "−")


def _steps(low: float, high: float, step: float) -> list[float]:
    return [round(low + step * place, 6) for place in range(round((high - low) / step) + 1)]


SQRT_2: Final = round(2**0.5, 3)
UCT_SLIDERS: Final = (
    Slider("c", "c, exploration constant", sorted([*_steps(0, 4, 0.05), SQRT_2]), SQRT_2),
)
PUCT_SLIDERS: Final = (
    Slider("c", "c, exploration constant", _steps(0, 5, 0.05), 1.25),
    Slider("fpu", "first-play urgency", [*_steps(-1, 1, 0.1), "parent"], 0.0),
    Slider("weight", "ε, weight of the noise", _steps(0, 1, 0.05), 0.0),
    Slider("alpha", "α of the noise", [0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 5.0, 10.0], 0.3),
    Slider("temperature", "temperature", _steps(0, 2, 0.1), 0.0),
)


def simulations_slider(most: int) -> Slider:
    """The slider for the number of simulations, which begins at its right end.

    >>> [simulations_slider(most).stops[-3:] for most in (2, 44, 100)]
    [[2], [40, 42, 44], [93, 97, 100]]
    """
    stops = [FEWEST_SIMULATIONS]
    while stops[-1] < most:
        stops.append(min(most, stops[-1] + max(1, stops[-1] // (_SINGLE_STEPS // 2))))
    return Slider("simulations", "simulations", stops, most)


class SearchSliders(StillPicture, CommandedWidget):
    """Drag the constants of a search and watch its tree, its visits and its move change.

    A table shows why the search goes where it goes: the two parts of each move's score at the root,
    its mean value and its bonus, as numbers and as bars. The next simulation tries the move with
    the highest score.

    Without an evaluator the search is UCT, with sliders for its simulations and c. With one it is
    PUCT, with further sliders for first-play urgency, the noise at the root and the temperature.
    The arrow keys move a slider by a step, Page Up and Page Down by ten, Home and End to its ends.

    Args:
        state: The position to search.
        evaluator: What PUCT calls at each leaf; None for UCT with uniform rollouts.
        num_simulations: The number of simulations in each search, 2 or more; the slider
            *simulations* ends there.
        seed: The seed of the random numbers, the same for every search.

    Raises:
        ValueError: this search cannot be compiled, or not with this number of simulations.
    """

    _esm = bundled("search_sliders.js")
    _css = joined("common.css", "search_sliders.css")

    title = traitlets.Unicode().tag(sync=True)
    sliders = traitlets.List(traitlets.Dict(), help="their names and values").tag(sync=True)
    places = traitlets.Dict(help="the index of each slider's value").tag(sync=True)
    sentence = traitlets.Unicode(help="what the search found").tag(sync=True)
    table = traitlets.Dict(
        help="moves at the root: parts, the names of the two parts of a score; head; rows, each "
        "{cells, score, is_next}"
    ).tag(sync=True)
    board = traitlets.Unicode(help="the position with its visits, as SVG").tag(sync=True)
    tree = traitlets.Unicode(help="the top of the tree, as SVG").tag(sync=True)
    message = traitlets.Unicode(help="what went wrong").tag(sync=True)

    def __init__(
        self,
        state: State,
        *,
        evaluator: Evaluator | None = None,
        num_simulations: int = 1_000,
        seed: int = 1,
    ) -> None:
        if num_simulations < FEWEST_SIMULATIONS:
            raise ValueError(f"num_simulations={num_simulations!r} is too few: at least 2.")
        self._lock = threading.RLock()
        self._state, self._evaluator, self._seed = checked_position(state), evaluator, seed
        constants = PUCT_SLIDERS if evaluator else UCT_SLIDERS
        sliders = (simulations_slider(num_simulations), *constants)
        self._settings = {slider.name: slider.start for slider in sliders}
        self._sliders = {slider.name: slider for slider in sliders}
        if reason := fast.why_not(state):
            raise ValueError(f"This search is not fast enough for sliders, because {reason}.")
        super().__init__(title=f"Sliders for a search of {state.title}", sliders=self._labels())
        self._answer()

    # The search

    @property
    def _rule(self) -> SelectionRule:
        settings: dict[str, Any] = self._settings
        if self._evaluator is None:
            return search.ucb1(settings["c"])
        return search.puct(settings["c"], fpu=settings["fpu"])

    def _searched(self) -> SearchResult:
        settings: dict[str, Any] = self._settings
        options: dict[str, Any] = {
            "num_simulations": settings["simulations"],
            "selection": self._rule,
            "rng": np.random.default_rng(self._seed),
        }
        if self._evaluator is None:
            return fast.mcts(self._state, **options)
        return fast.puct_search(
            self._state, evaluator=self._evaluator, noise=self._noise, **options
        )

    @property
    def _noise(self) -> search.DirichletNoise | None:
        weight = float(self._settings.get("weight", 0))
        return search.DirichletNoise(float(self._settings["alpha"]), weight) if weight else None

    def _root_of_search(self) -> Node:
        """The root and its children, with the priors by which this search has chosen.

        Those of a result are without noise; the same random numbers give the same noise again.
        """
        root, noise = self._result.root, self._noise
        if self._evaluator is None or noise is None:
            return root
        rng = np.random.default_rng(self._seed)
        first = fast.puct_search(self._state, evaluator=self._evaluator, num_simulations=1, rng=rng)
        priors = noise.mixed([child.prior for child in first.root.children], rng)
        copy = Node(self._state)
        copy.visit_count, copy.total_value = root.visit_count, root.total_value
        copy.untried_actions.clear()
        for child, prior in zip(root.children, priors, strict=True):
            copied = Node(parent=copy, action=child.action, prior=prior)
            copied.visit_count, copied.total_value = child.visit_count, child.total_value
            copy.children.append(copied)
        return copy

    def _answer(self) -> None:
        """Search, and show what was found."""
        self._result = result = self._searched()
        self._root = self._root_of_search()
        action = result.best_so_far  # also among equals the move that the tree marks
        if "temperature" in self._sliders:
            rng = np.random.default_rng(self._seed)
            action = draw_action(result.children, self._temperature, rng)
        heat = {child.action: child.visit_count for child in result.children if child.visit_count}
        with self.hold_sync():
            self.places = {
                slider.name: slider.stops.index(self._settings[slider.name])
                for slider in self._sliders.values()
            }
            self.sentence = self._in_words(action)
            self.table = self._table()
            self.board = draw.board(self._state, heat=heat, legend=False).svg
            self.tree = self.still_svg()
            self.message = ""

    @property
    def _temperature(self) -> float:
        """0 for UCT, which plays the most visited move."""
        return float(self._settings.get("temperature", 0))

    # What is shown

    def _labels(self) -> list[dict[str, Any]]:
        return [
            {"name": slider.name, "label": slider.label, "stops": list(map(text_of, slider.stops))}
            for slider in self._sliders.values()
        ]

    def _in_words(self, action: int) -> str:
        result, name = self._result, self._state.action_to_string
        visits = {child.action: child.visit_count for child in result.children}
        tried = sum(count > 0 for count in visits.values())
        assert isinstance(result.root, ArrayNode)
        following = self._next_action()
        coming = "a new move, drawn at random" if following is None else name(following)
        return (
            f"Plays {name(action)}, which has {visits[action]:,} of {result.num_simulations:,} "
            f"visits. Tried {tried} of {len(self._state.legal_actions())} moves; the tree is "
            f"{_plies(result.root.tree.depth())} deep. The next simulation tries {coming}."
        )

    def _next_action(self) -> int | None:
        """Where the next simulation goes; None while UCT still draws an untried move."""
        root = self._root
        return self._rule.best_child(root).action if root.is_fully_expanded else None

    def _shown_children(self) -> list[Node]:
        """The most visited moves, and the next one."""
        root, rule, following = self._root, self._rule, self._next_action()
        by_visits = sorted(
            root.children, key=lambda child: (-child.visit_count, -rule.score(root, child).total)
        )
        shown, others = by_visits[:MOST_ROWS], by_visits[MOST_ROWS:]
        shown[-1:] = [child for child in others if child.action == following] or shown[-1:]
        return shown

    def _table(self) -> dict[str, Any]:
        """Those moves, each with the two parts of its score.

        With the prior, too, if the search uses priors, and with the probability that the move is
        played where the temperature is a slider.
        """
        root, rule, following = self._root, self._rule, self._next_action()
        children = self._result.children
        chances = visit_probabilities(children, self._temperature)
        chance_of: dict[int | None, float] = dict(
            zip((child.action for child in children), chances, strict=True)
        )
        has_priors, has_chances = self._evaluator is not None, "temperature" in self._sliders
        parts, decimal = ["win rate", "bonus"], "{:.3f}".format
        signed: Callable[[float], str] = decimal
        if has_priors:
            parts, signed = ["Q", "U"], partial(number, how=".3f")

        def cells(child: Node, score: SelectionScore) -> list[str]:
            return [
                _notation(child),
                f"{child.visit_count:,}",
                *([f"{child.prior:.1%}"] if has_priors else []),
                signed(score.exploitation),
                decimal(score.exploration),
                signed(score.total),
                *([f"{chance_of[child.action]:.0%}"] if has_chances else []),
            ]

        prior, chance = ["prior"] if has_priors else [], ["is played"] if has_chances else []
        scored = [(child, rule.score(root, child)) for child in self._shown_children()]
        return {
            "parts": parts,
            "head": ["move", "visits", *prior, *parts, "sum", *chance],
            "rows": [
                {
                    "cells": cells(child, score),
                    "score": [*score],
                    "is_next": child.action == following,
                }
                for child, score in scored
            ],
        }

    def still_svg(self) -> str:
        """The top of the tree."""
        root = self._result.root
        kept = prune(
            root,
            children=most_visited_first,
            weight=weight,
            top=TREE_TOP,
            depth=TREE_DEPTH,
            min_weight=1,
            max_nodes=TREE_NODES,
        )
        caption = f"The top of the tree after {self._result.num_simulations:,} simulations"
        picture: str = tree_of(self._result, kept, caption=caption).svg
        return picture

    def still_note(self) -> str:
        """The line under that picture."""
        return f"{self.sentence} Run this cell again to move the sliders."

    def _handle_command(self, content: Any) -> None:
        match content:
            case {"command": "move", "places": dict(places)}:
                try:
                    self._settings |= {
                        name: self._sliders[name].stops[place] for name, place in places.items()
                    }
                    self._answer()
                finally:
                    self.send({"answer": "moved"})  # the page sends the next move only now


def _notation(child: Node) -> str:
    assert child.parent is not None
    assert child.action is not None
    return child.parent.state.action_to_string(child.action)


def _plies(number: int) -> str:
    return "1 ply" if number == 1 else f"{number} plies"
