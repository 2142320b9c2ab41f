"""The tree explorer: the whole tree of a search, to be browsed node by node.

The kernel keeps the tree and lays out its unfolded part with Graphviz. The browser receives this
picture and the facts about each node in it; a click requests more.
"""

import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, cast

import traitlets

from mctslab.boards.board import Board
from mctslab.boards.svg import stone_svg
from mctslab.draw.cards import Card, number
from mctslab.draw.colors import LINE, PRINCIPAL, TEXT
from mctslab.draw.digraph import Tree
from mctslab.draw.pruning import MAX_DRAWN, Kept, count_nodes, prune
from mctslab.draw.trees import has_prior, most_visited_first, tree_of, weight
from mctslab.search.node import Node
from mctslab.search.result import SearchResult, proven_of, proven_text
from mctslab.widgets.board_view import board_pieces
from mctslab.widgets.front_end import CommandedWidget, StillPicture, joined
from mctslab.widgets.unfolding import Path, Unfolding
from mctslab.widgets.wording import verdict

_SCALE_STEPS: Final = 41
STONE_SIZE: Final = 10.0
UNSEEN_SECONDS: Final = 30.0
"""How long the tree is kept in memory after the last view was closed."""
MOST_ALONE: Final = 500
"""The most visited nodes that a page without Python gets."""


class TreeExplorer(StillPicture, CommandedWidget):
    """Browse the tree of a search.

    A click on a node unfolds its children, most visited first, or folds them; a click on "+12
    more" shows some more of them; pointing at a node shows its position and numbers. On the
    keyboard: the arrow keys go from node to node, Enter unfolds and folds, + - 0 zoom.

    Args:
        searched: A `SearchResult` (of any search, also `trace.result()`), or the node to begin at.
        top: How many children a node shows when it is unfolded.
        color_by: What the colours show, "value" or "visits".

    Raises:
        ValueError: `top` is below 1, or `color_by` is neither.
        RenderError: Graphviz is missing; the message says what to install.
    """

    _esm = joined("common.js", "pieces.js", "tree_view.js", "explorer_view.js", "tree_explorer.js")
    _css = joined("common.css", "tree_explorer.css")

    title = traitlets.Unicode().tag(sync=True)
    picture = traitlets.Unicode(help="the unfolded part as SVG, legend included").tag(sync=True)
    source = traitlets.Unicode(help="the same in the DOT language").tag(sync=True)
    nodes = traitlets.List(traitlets.Dict(), help="the facts about each node in the picture").tag(
        sync=True
    )
    pieces = traitlets.Dict(help="for boards, see board_view.py").tag(sync=True)
    winning_lines = traitlets.Dict(help="more such pieces, for the nodes on show").tag(sync=True)
    caption = traitlets.Unicode(help="the part that is on show, or an error").tag(sync=True)
    legend = traitlets.Dict(help="colors, low, high and meaning").tag(sync=True)
    filters = traitlets.List(traitlets.Int(), help="the numbers of visits to choose from").tag(
        sync=True
    )
    min_visits = traitlets.Int(1).tag(sync=True)
    color_by = traitlets.Enum(["value", "visits"], "value").tag(sync=True)

    def __init__(
        self,
        searched: SearchResult | Node,
        *,
        top: int = 5,
        color_by: Literal["value", "visits"] = "value",
    ) -> None:
        if color_by not in ("value", "visits"):
            raise ValueError(f"color_by={color_by!r} is unknown; use 'value' or 'visits'.")
        result = _as_result(searched)
        self._lock = threading.RLock()
        self._result: SearchResult | None = result
        self._find_searched = _reference_to(searched)
        self._unfolding = Unfolding(result.root, top=top)
        self._num_nodes = count_nodes(result.root, lambda node: node.children)
        super().__init__(
            title=f"Search tree of {result.state.title}",
            pieces=board_pieces(result.state.board()),
            filters=_filters(result.root.visit_count),
            color_by=color_by,
        )
        self._show()

    # What other cells can read

    @property
    def tree(self) -> Tree:
        """The part of the tree that is on show, as a drawing that can be saved."""
        with self._lock:
            return self._drawing() if self._result is not None else self._last_drawing

    def still_svg(self) -> str:
        """The tree, for a page without a kernel."""
        return str(self.tree.svg)

    def still_note(self) -> str:
        """The line under that picture."""
        return f"{self.title}. Run this cell again to browse it."

    # The tree in memory

    def _note_event(self, event: str) -> None:
        """Keep the tree in memory only while a page shows it.

        A cell that runs again makes a new explorer, and Jupyter keeps the old one until the kernel
        ends. A view that is shown again is closed for a moment, so the tree is not let go at once.
        """
        if event == "view_closed" and not self._views:
            timer = threading.Timer(UNSEEN_SECONDS, self._let_go)
            timer.daemon = True
            timer.start()
        elif event == "view_opened":
            self._take_up()

    def _let_go(self) -> None:
        """Keep only the last drawing, if no page shows the tree."""
        with self._lock:
            if self._views or self._result is None:
                return
            self._last_drawing = self._drawing()
            self._result = None
            self._unfolding.begin_at(None)

    def _take_up(self) -> None:
        """Read the tree again, if other code still refers to it."""
        searched = self._find_searched()
        if self._result is None and searched is not None:
            self._result = _as_result(searched)
            self._unfolding.begin_at(self._result.root)

    # What the page shows

    def _drawing(self) -> Tree:
        assert self._result is not None
        return tree_of(
            self._result,
            self._unfolding.kept,
            caption=self._caption(),
            by_visits=self.color_by == "visits",
        )

    def _show(self) -> None:
        drawing = self._drawing()
        kept, paths = self._unfolding.kept, self._unfolding.paths
        boards = [node.node.state.board() for node in kept]
        with self.hold_sync():
            self.winning_lines = board_pieces(
                boards[0], (board.winning_squares for board in boards)
            )["winning_lines"]
            self.nodes = [
                _describe(kept, place, path, board)
                for place, (path, board) in enumerate(zip(paths, boards, strict=True))
            ]
            self.caption = drawing.caption
            self.legend = _legend(drawing)
            self.min_visits = self._unfolding.min_visits
            self.source = drawing.source
            self.picture = drawing.svg

    def _caption(self) -> str:
        shown = len(self._unfolding.kept)
        words = [f"{shown:,} of the tree's {self._num_nodes:,} nodes"]
        if self._unfolding.min_visits > 1:
            words.append(f"those with fewer than {self._unfolding.min_visits:,} visits left out")
        if self._unfolding.is_full:
            words.append(f"no drawing has more than {MAX_DRAWN}: fold some to see others")
        return "; ".join(words)

    def without_python(self) -> dict[str, Any] | None:
        """The cards and the facts of the most visited nodes, which the page lays out itself.

        None if the tree is no longer in memory.
        """
        with self._lock:
            result = self._result
        if result is None:
            return None
        kept = prune(
            result.root,
            children=most_visited_first,
            weight=weight,
            top=MOST_ALONE,
            depth=MOST_ALONE,
            min_weight=0,
            max_nodes=MOST_ALONE,
        )
        paths: list[Path] = []
        for here in kept:
            action = () if here.node.action is None or here.parent is None else (here.node.action,)
            paths.append((*(() if here.parent is None else paths[here.parent]), *action))
        boards = [here.node.state.board() for here in kept]
        by_value = tree_of(result, kept, caption="")
        by_visits = tree_of(result, kept, caption="", by_visits=True)
        style = boards[0].style
        return {
            "nodes": [
                _describe(kept, place, path, board)
                | _card_data(card, colored.color)
                | {"weight": weight(kept[place].node)}
                for place, (path, board, card, colored) in enumerate(
                    zip(paths, boards, by_value.cards, by_visits.cards, strict=True)
                )
            ],
            "top": self._unfolding.top,
            "most": MAX_DRAWN,
            "size": self._num_nodes,
            "legends": {"value": _legend(by_value), "visits": _legend(by_visits)},
            "stones": [stone_svg(style, player, size=STONE_SIZE) for player in (0, 1)],
            "inks": {"text": TEXT, "line": LINE, "principal": PRINCIPAL},
            "winning_lines": board_pieces(boards[0], (board.winning_squares for board in boards))[
                "winning_lines"
            ],
            "principal": list(result.principal_variation),
        }

    # What the page requests

    def _handle_command(self, content: Any) -> None:
        self._take_up()
        if self._result is None:
            self._say("This tree is no longer in memory. Run the cell that made it again.")
            return
        match content:
            case {"toggle": [*actions]}:
                self._unfolding.toggle(tuple(actions))
            case {"more": [*actions]}:
                self._unfolding.show_more(tuple(actions))
            case {"fold": "all"}:
                self._unfolding.fold_all()
            case {"follow": "principal variation"}:
                self._unfolding.unfold_line(self._result.principal_variation)
            case {"min_visits": int(visits)}:
                self._unfolding.leave_out_below(visits)
            case {"color_by": "value" | "visits" as color_by}:
                self.color_by = color_by
            case _:
                return
        self._show()

    def _say(self, message: str) -> None:
        self.caption = message


def _reference_to(searched: Any) -> Callable[[], Any]:
    """A function that returns `searched` for as long as other code refers to it.

    The nodes of a readable search have no room for such a reference. Their trees are small, and
    are kept.
    """
    try:
        return weakref.ref(searched)
    except TypeError:
        return lambda: searched


def _as_result(searched: SearchResult | Node) -> SearchResult:
    """The result of a search has a root; a node of a tree has none."""
    if hasattr(searched, "root"):
        return cast(SearchResult, searched)
    return SearchResult(searched, num_simulations=searched.visit_count, seconds=0.0)


def _filters(most: int) -> list[int]:
    """Round numbers of visits, up to those of the root; 0 leaves nothing out.

    >>> _filters(120)
    [0, 1, 2, 5, 10, 20, 50, 100]
    """
    rounds = (digit * 10**power for power in range(len(str(most))) for digit in (1, 2, 5))
    return [0, 1, *(visits for visits in rounds if 1 < visits <= most)]


def _describe(kept: Sequence[Kept[Node]], place: int, path: Path, board: Board) -> dict[str, Any]:
    """The facts about the node at `place`."""
    here = kept[place]
    return {
        "path": list(path),
        "parent": here.parent,
        "depth": here.depth,
        "title": _way(kept, place),
        "facts": _facts(kept, place),
        "num_children": len(here.children),
        "num_hidden": len(here.children) - here.num_drawn,
        "is_unfolded": here.num_drawn > 0,
        "stones": "".join(".01"[stone + 1] for stone in board.stones),
        "last_square": board.last_square,
        "winning_squares": list(board.winning_squares),
    }


def _card_data(card: Card, color_by_visits: str) -> dict[str, Any]:
    """What a page needs to draw a card."""
    return {
        "heading": card.heading,
        # How many children are left out depends on what the page unfolds.
        "lines": [line for line in card.lines if not line.startswith("+")],
        "outcome": card.outcome,
        "player": card.player,
        "share": card.share,
        "colors": {"value": card.color, "visits": color_by_visits},
        "principal": card.principal,
    }


def _legend(drawing: Tree) -> dict[str, Any]:
    scale = drawing.scale
    return {
        "colors": [scale.color(step / (_SCALE_STEPS - 1)) for step in range(_SCALE_STEPS)],
        "low": scale.low,
        "high": scale.high,
        "meaning": drawing.legend,
    }


def _way(kept: Any, place: int) -> str:
    """The moves that lead to a node; long ones keep their end."""
    moves = []
    here: Kept[Node] = kept[place]
    while here.parent is not None:
        parent: Kept[Node] = kept[here.parent]
        assert here.node.action is not None
        moves.append(parent.node.state.action_to_string(here.node.action))
        here = parent
    if not moves:
        return "The root"
    return " ".join([*(["…"] if len(moves) > 8 else []), *reversed(moves[:8])])


def _sum(value: float) -> str:
    """A sum of returns: without decimals where it is whole.

    >>> _sum(12.0), _sum(-2.5)
    ('+12', '−2.50')
    """
    return number(value).removesuffix(".00") if value == int(value) else number(value)


def _facts(kept: Sequence[Kept[Node]], place: int) -> list[str]:
    """The card of a node, without its moves."""
    node = kept[place].node
    state = node.state
    name = state.player_names[node.mover]
    facts = [f"N {node.visit_count:,}"]
    if node.visit_count:
        facts += [
            f"W {_sum(node.total_value)}",
            f"Q {number(node.mean_value)} for {name}",
            f"win rate {(1 + node.mean_value) / 2:.1%}",
        ]
    if (proven := proven_of(node)) is not None and not state.is_terminal:
        facts.append(f"{proven_text(proven)} for {name}")
    if has_prior(kept, place):
        facts.append(f"prior {node.prior:.3f}")
    if state.is_terminal:
        facts.append(verdict(state.returns(), state.player_names))
    else:
        facts.append(f"{state.player_names[state.current_player]} to move")
        if untried := len(state.legal_actions()) - len(node.children):
            facts.append(f"{untried} move{'s' * (untried > 1)} not tried yet")
    return facts
