"""The alpha-beta stepper: the search of a small tree, step by step, in any order of the moves.

Python searches, and sends the steps. The page draws them, and asks for another search when a move
is put in another place.
"""

import math
import threading
from collections.abc import Iterator, Sequence
from typing import Any, Final

import traitlets

from mctslab.boards.style import value_color
from mctslab.boards.svg import stone_svg
from mctslab.draw.cards import Card
from mctslab.draw.colors import UNKNOWN
from mctslab.draw.digraph import Tree
from mctslab.draw.legend import Scale
from mctslab.draw.lookahead import bounds_text, signed
from mctslab.games.state import State
from mctslab.search.alphabeta import EvaluationFunction
from mctslab.search.alphabeta_steps import (
    Bounds,
    Step,
    alpha_beta_steps,
    returns_of_first,
    small_tree,
)
from mctslab.widgets.front_end import CommandedWidget, StillPicture, checked_position, joined

STONE_SIZE: Final = 12.0


class AlphaBetaStepper(StillPicture, CommandedWidget):
    """Watch alpha-beta's window narrow, and change the order of the moves.

    Step, play or drag the slider. Drag a node to the left or to the right, past its siblings, and
    the search starts again in that order. On the keyboard: space plays, the arrow keys step, Home
    and End go to the ends. In the tree the arrow keys go from node to node, and with Alt they move
    the node.

    Args:
        state: The position at the root, such as a `course.TreeGame`.
        depth: How many plies to look ahead.
        evaluate: The value of a leaf for player 0; by default the result of a finished game, and 0
            where it is not finished.

    Raises:
        ValueError: the tree has too many leaves to be drawn, or the game is over.
    """

    _esm = joined("common.js", "words.js", "tree_view.js", "alphabeta_stepper.js")
    _css = joined("common.css", "alphabeta_stepper.css")

    title = traitlets.Unicode().tag(sync=True)
    legend = traitlets.Unicode(help="what stones and numbers mean").tag(sync=True)
    stones = traitlets.List(traitlets.Unicode(), help="of both players, as SVG").tag(sync=True)
    nodes = traitlets.List(traitlets.Dict(), help="the tree, each after its parent").tag(sync=True)
    order = traitlets.List(traitlets.List(), help="the children of each node").tag(sync=True)
    steps = traitlets.List(traitlets.Dict(), help="what the search does").tag(sync=True)
    at = traitlets.Int(0, help="the step on show, from 0").tag(sync=True)
    before = traitlets.Int(None, allow_none=True, help="leaves evaluated in the last order").tag(
        sync=True
    )
    message = traitlets.Unicode(help="what went wrong").tag(sync=True)

    def __init__(
        self, state: State, *, depth: int = 9, evaluate: EvaluationFunction = returns_of_first
    ) -> None:
        self._lock = threading.RLock()
        self._tree = small_tree(checked_position(state), depth, evaluate)
        self._style, self._players = state.board().style, state.player_names
        values = [node.value for node in self._tree if node.value is not None]
        self._num_leaves, self._size = len(values), max(map(abs, values)) or 1.0
        super().__init__(
            title=f"Alpha-beta stepper: {len(values)} leaves",
            legend="The stone beside a letter shows who made that move; "
            f"the numbers are values for {self._players[0]}.",
            stones=[stone_svg(self._style, player, size=STONE_SIZE) for player in (0, 1)],
            nodes=[
                {
                    "parent": node.parent,
                    "name": node.name,
                    "player": node.player,
                    "leaf": node.value,
                }
                for node in self._tree
            ],
        )
        self._search([node.children for node in self._tree])

    @property
    def num_evaluated(self) -> int:
        """How many leaves the whole search evaluates in the present order."""
        return sum(step["kind"] == "leaf" for step in self.steps)

    def move(self, node: int, to: int) -> None:
        """Put a node in another place among its siblings, search again, and show the end.

        Args:
            node: its place in `nodes`.
            to: the new place among its siblings, from 0 for the first.

        Raises:
            ValueError: there is no such node, or no such place.
        """
        if not 0 < node < len(self._tree):
            raise ValueError(
                f"node={node!r} cannot be moved: nodes 1 to {len(self._tree) - 1} can."
            )
        parent = self._tree[node].parent
        assert parent is not None
        siblings = [child for child in self.order[parent] if child != node]
        if not 0 <= to <= len(siblings):
            raise ValueError(f"to={to!r} is no place among the {len(siblings) + 1} moves.")
        with self._lock:
            siblings.insert(to, node)
            order = [siblings if place == parent else old for place, old in enumerate(self.order)]
            self._search(order)

    def reset(self) -> None:
        """Go back to the first order of the moves."""
        with self._lock:
            self._search([node.children for node in self._tree])

    def _search(self, order: Sequence[Sequence[int]]) -> None:
        before = self.num_evaluated if self.steps else None
        steps = [self._told(step) for step in alpha_beta_steps(self._tree, order)]
        with self.hold_sync():
            self.order = [list(children) for children in order]
            self.steps = steps
            self.at = 0 if before is None else len(steps) - 1
            self.before = before
            self.message = ""
            steps[-1]["sentence"] += (
                f" The search is over: the root is worth {steps[-1]['text']}, and "
                f"{self.num_evaluated} of {self._num_leaves} leaves were evaluated."
            )
        self.renew_still()

    @traitlets.validate("at")
    def _check_at(self, proposal: Any) -> int:
        return int(min(max(proposal["value"], 0), max(len(self.steps) - 1, 0)))

    def _handle_command(self, content: Any) -> None:
        match content:
            case {"command": "move", "node": int(node), "to": int(to)}:
                self.move(node, to)
            case {"command": "reset"}:
                self.reset()

    # In words

    def _told(self, step: Step) -> dict[str, Any]:
        """A step as the page gets it; infinite numbers are None, because JSON has none."""
        window = [None if math.isinf(end) else end for end in (step.alpha, step.beta)]
        return {
            "kind": step.kind,
            "node": step.node,
            "window": window,
            "text": bounds_text(*step.bounds),
            "color": self._color(step.bounds),
            "child": step.child,
            "cut": list(step.cut),
            "sentence": " ".join(self._sentences(step)),
        }

    def _color(self, bounds: Bounds) -> str:
        known = next(filter(math.isfinite, bounds), None)
        return UNKNOWN if known is None else value_color(known / self._size)

    def _way(self, place: int) -> str:
        """The moves from the root to a node."""
        names: list[str] = []
        node = self._tree[place]
        while node.parent is not None:
            names.insert(0, node.name)
            node = self._tree[node.parent]
        return " ".join(names) or "the root"

    def _sentences(self, step: Step) -> Iterator[str]:
        node, here = self._tree[step.node], self._way(step.node)
        mover, other = self._players[node.player], self._players[1 - node.player]
        if step.child is None:
            if step.kind == "leaf":
                yield f"The leaf {here} is evaluated: {signed(step.bounds.low)}."
                return
            handed = "Nothing is sure yet" if node.parent is None else "The window comes along"
            yield f"At {here} {mover} is to move. {handed}:"
            yield f"α = {signed(step.alpha)}, β = {signed(step.beta)}."
            return
        came = self._tree[step.child].name
        letter, end = ("α", step.alpha) if node.player == 0 else ("β", step.beta)
        number = signed(end)
        if step.narrows and node.player == 0:
            yield f"With {came}, {mover} is sure of {number}, so α rises to {number}."
        elif step.narrows:
            yield f"With {came}, {mover} limits the value to {number}, so β falls to {number}."
        else:
            yield f"Move {came} is no better for {mover} than {letter} = {number}: nothing changes."
        if step.alpha >= step.beta:
            elsewhere = step.beta if node.player == 0 else step.alpha
            yield f"Now α ≥ β: {other} has {signed(elsewhere)} elsewhere and will avoid {here}."
        if step.cut:
            is_one = len(step.cut) == 1
            yield f"The remaining {'move is' if is_one else f'{len(step.cut)} moves are'} cut off."

    # Without a kernel

    def without_python(self) -> dict[str, Any]:
        """What the sentences and the colours of a search need, which the page runs itself."""
        values = sorted({node.value for node in self._tree if node.value is not None})
        return {
            "players": list(self._players),
            "order": [node.children for node in self._tree],
            "colors": [[value, value_color(value / self._size)] for value in values],
            "unknown": UNKNOWN,
        }

    def still_svg(self) -> str:
        """The tree at the end of the search."""
        last = {step["node"]: step for step in self.steps}
        places: list[int] = []
        waiting = [0]
        while waiting:
            place = waiting.pop()
            places.append(place)
            waiting.extend(reversed(self.order[place]))
        cards = [self._card(place, places, last.get(place)) for place in places]
        size = signed(self._size)
        scale = Scale(lambda share: value_color(2 * share - 1), signed(-self._size), size)
        return Tree(
            "alpha_beta",
            cards,
            caption=f"{self.num_evaluated} of {self._num_leaves} leaves were evaluated; "
            "what is dashed was cut off",
            legend=f"the value for {self._players[0]}",
            scale=scale,
        ).svg

    def _card(self, place: int, places: Sequence[int], step: dict[str, Any] | None) -> Card:
        node = self._tree[place]
        text = "?" if step is None else step["text"]
        parent = node.parent
        return Card(
            parent=None if parent is None else places.index(parent),
            heading=node.name or f"{self._players[node.player]} to move",
            lines=(text if node.value is None else signed(node.value),),
            color=step["color"] if step else UNKNOWN,
            style=self._style,
            player=node.player if parent is None else self._tree[parent].player,
            tooltip=self._way(place),
            is_pale=step is None,
        )

    def still_note(self) -> str:
        """The line under that picture."""
        return (
            f"Alpha-beta evaluated {self.num_evaluated} of {self._num_leaves} leaves. "
            "Run this cell again to step through the search and to reorder the moves."
        )
