"""Sliders for a search: whenever one is moved, the compiled search runs again with the same seed.

So every change in the tree is caused by that constant alone. The whole answer takes a few
hundredths of a second, because only the top of the tree is drawn.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
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
from mctslab.search.result import SearchResult, draw_action, visit_probabilities
from mctslab.widgets.front_end import CommandedWidget, StillPicture, checked_position, joined

Setting: TypeAlias = float | Literal["parent"]
"""A value on a slider; "parent" is one of the values of first-play urgency."""

TREE_TOP: Final = 3
TREE_DEPTH: Final = 3
TREE_NODES: Final = 16
MOST_ROWS: Final = 8


@dataclass(frozen=True)
class Slider:
    """A constant of the search, the values that can be chosen, and the initial one."""

    name: str
    label: str
    stops: Sequence[Setting]
    start: Setting


def text_of(setting: Setting) -> str:
    """A setting as the page shows it."""
    return "the parent's Q" if setting == "parent" else f"{setting:.4g}".replace("-", "−")


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


class SearchSliders(StillPicture, CommandedWidget):
    """Drag the constants of a search and watch its tree, its visits and its move change.

    Without an evaluator the search is UCT and has one slider, c. With one it is PUCT, with sliders
    for c, first-play urgency, the noise at the root and the temperature. The arrow keys move a
    slider by a step, Page Up and Page Down by ten, Home and End to its ends.

    Args:
        state: The position to search.
        evaluator: What PUCT calls at each leaf; None for UCT with uniform rollouts.
        num_simulations: The number of simulations in each search, 2 or more.
        seed: The seed of the random numbers, the same for every search.

    Raises:
        ValueError: this search cannot be compiled, or not with these numbers.
    """

    _esm = joined("common.js", "search_sliders.js")
    _css = joined("common.css", "search_sliders.css")

    title = traitlets.Unicode().tag(sync=True)
    sliders = traitlets.List(traitlets.Dict(), help="their names and values").tag(sync=True)
    places = traitlets.Dict(help="the index of each slider's value").tag(sync=True)
    sentence = traitlets.Unicode(help="what the search found").tag(sync=True)
    table = traitlets.List(traitlets.List(), help="moves at the root").tag(sync=True)
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
        self._lock = threading.RLock()
        self._state, self._evaluator = checked_position(state), evaluator
        self._num_simulations, self._seed = num_simulations, seed
        self._sliders = {
            slider.name: slider for slider in (PUCT_SLIDERS if evaluator else UCT_SLIDERS)
        }
        self._settings = {slider.name: slider.start for slider in self._sliders.values()}
        if reason := fast.why_not(state):
            raise ValueError(f"This search is not fast enough for sliders, because {reason}.")
        super().__init__(title=f"Sliders for a search of {state.title}", sliders=self._labels())
        self._answer()

    @property
    def settings(self) -> dict[str, Setting]:
        """The value of each slider, by its name."""
        return dict(self._settings)

    @property
    def result(self) -> SearchResult:
        """The last search."""
        return self._result

    def move(self, **settings: Setting) -> None:
        """Move sliders, as in `move(c=0.5)`, and search again.

        Raises:
            ValueError: there is no such slider, or it does not have this value; no slider is moved
                then.
        """
        for name, setting in settings.items():
            if name not in self._sliders:
                raise ValueError(f"There is no slider {name!r}: {', '.join(self._sliders)}.")
            stops = self._sliders[name].stops
            if setting not in stops:
                raise ValueError(
                    f"{name}={setting!r} is not on the slider, which has {text_of(stops[0])} to "
                    f"{text_of(stops[-1])}."
                )
        with self._lock:
            self._settings.update(settings)
            self._answer()

    # The search

    def _searched(self) -> SearchResult:
        settings: dict[str, Any] = self._settings
        rng = np.random.default_rng(self._seed)
        if self._evaluator is None:
            rule = search.ucb1(settings["c"])
            return fast.mcts(
                self._state, num_simulations=self._num_simulations, selection=rule, rng=rng
            )
        noise = search.DirichletNoise(settings["alpha"], settings["weight"])
        return fast.puct_search(
            self._state,
            evaluator=self._evaluator,
            num_simulations=self._num_simulations,
            selection=search.puct(settings["c"], fpu=settings["fpu"]),
            noise=noise if noise.weight else None,
            rng=rng,
        )

    def _answer(self) -> None:
        """Search, and show what was found."""
        self._result = result = self._searched()
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
        return (
            f"Plays {name(action)}, which has {visits[action]:,} of {result.num_simulations:,} "
            f"visits. Tried {tried} of {len(visits)} moves; the tree is "
            f"{result.root.tree.depth()} plies deep."
        )

    def _table(self) -> list[list[str]]:
        """The head and the most visited moves.

        Where the temperature is a slider, each with the probability that it is played.
        """
        children = self._result.children
        chances = visit_probabilities(children, self._temperature).tolist()
        pairs = sorted(zip(children, chances, strict=True), key=lambda pair: -pair[0].visit_count)
        head = ["move", "visits", "Q", "is played"]
        width = len(head) if "temperature" in self._sliders else len(head) - 1
        rows = [head[:width]]
        for child, probability in pairs[:MOST_ROWS]:
            name = self._state.action_to_string(child.action)
            known = number(child.mean_value) if child.visit_count else "–"
            row = [name, f"{child.visit_count:,}", known, f"{probability:.0%}"]
            rows.append(row[:width])
        return rows

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
                    chosen = {
                        name: self._sliders[name].stops[place] for name, place in places.items()
                    }
                    self.move(**chosen)
                finally:
                    self.send({"answer": "moved"})  # the page sends the next move only now
