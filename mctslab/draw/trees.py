"""Trees with Graphviz: the tree behind a search, and the tree of a game.

In the tree of a search, a node shows the move that leads to it, its visits N and its mean value Q
for the player who made that move, as the search itself counts it. Blue is good for that player and
orange is bad; the root shows the value for the player to move. A value that a search with
`solver=True` has proven replaces the mean value. A move that is proven to win is always drawn
together with its position, even if it has no visits.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, TypeAlias

from mctslab.boards.style import value_color
from mctslab.draw.cards import Card, number
from mctslab.draw.colors import UNKNOWN
from mctslab.draw.digraph import Tree
from mctslab.draw.pruning import MAX_DRAWN, Kept, count_nodes, prune
from mctslab.games.state import State
from mctslab.search.node import Node
from mctslab.search.result import SearchResult, proven_of, proven_text
from mctslab.search.solving import WIN

_MOST_MOVES: Final = 20
"""More children of a position in the tree of a game are left out."""


def tree(
    searched: SearchResult | Node,
    *,
    top: int = 3,
    depth: int = 4,
    max_nodes: int = 20,
    boards: bool = False,
) -> Tree:
    """Draw the tree of a search: the most visited nodes and how the simulations spread over them.

    Nodes without a visit are left out. The thicker an edge, the more of the root's simulations
    passed through it; the principal variation is bold and purple, and drawn before all other lines.
    Where children are left out, an edge to "+12 more" shows how many, and is as thick as the visits
    that it hides.

    Args:
        searched: A `SearchResult`, or the node to begin at.
        top: Draw at most this many children of a node, the most visited ones.
        depth: Draw this many plies below the root.
        max_nodes: Draw at most this many nodes, the most visited ones; never more than 300.
        boards: Whether each node shows its position.

    Raises:
        ValueError: a number is too small to draw anything, or nothing was searched.
    """
    _check_at_least(1, top=top, max_nodes=max_nodes)
    _check_at_least(0, depth=depth)
    result = searched
    if isinstance(result, Node):
        result = SearchResult(result, num_simulations=result.visit_count, seconds=0.0)
    if not isinstance(result, SearchResult):
        raise ValueError(
            f"{result!r} is not the result of a search, or a node of one. `draw.game_tree` draws "
            "the tree of a game from a position."
        )
    line = result.principal_variation

    def urgency(node: Node) -> float:
        own = weight(node)
        return math.inf if own and _is_on(line, node, result.root) else own

    kept = prune(
        result.root,
        children=lambda node: sorted(most_visited_first(node), key=urgency, reverse=True),
        weight=urgency,
        top=top,
        depth=depth,
        min_weight=1,
        max_nodes=min(max_nodes, MAX_DRAWN),
    )
    caption = _search_caption(kept, result.root)
    if max_nodes > MAX_DRAWN:
        caption += f"; max_nodes is {max_nodes:,}, but no drawing has more than {MAX_DRAWN}"
    return tree_of(result, kept, caption=caption, boards=boards)


def tree_of(
    result: SearchResult, kept: Sequence[Kept[Node]], *, caption: str, boards: bool = False
) -> Tree:
    """Draw the chosen nodes of a search's tree.

    Args:
        result: The search.
        kept: The nodes, each after its parent; the first is the root.
        caption: The part of the tree that is shown.
        boards: Whether each node shows its position.
    """
    line, root = result.principal_variation, kept[0].node
    on_line = [_is_on(line, here.node, root) for here in kept]
    has_principal = sum(on_line) > 1  # the root alone is no line
    cards = [_search_card(kept, place, result, boards=boards) for place in range(len(kept))]
    return Tree(
        "search_tree",
        [
            replace(card, principal=has_principal and is_on_line)
            for card, is_on_line in zip(cards, on_line, strict=True)
        ],
        caption=caption,
        legend="Q, the mean value for the player who made the move",
        has_principal=has_principal,
    )


def game_tree(
    state: State,
    *,
    depth: int = 2,
    values: Callable[[State], Sequence[float]] | None = None,
    for_mover: bool = False,
    boards: bool = True,
) -> Tree:
    """Draw the tree of the game itself: all moves, `depth` plies deep.

    Of a large game, it has the first 20 moves of each position, and at most 300 nodes, ply by ply.

    Args:
        state: The position to begin at.
        depth: Draw this many plies.
        values: The value of a position for player 0 and for player 1, each in [-1, 1], for instance
            by minimax; the picture shows that for player 0. Without it only finished games have a
            colour.
        for_mover: Whether values, results and their colours are not for player 0, but for the
            player who made the move, and at the root for the player to move, as in `tree`.
        boards: Whether each node shows its position.

    Raises:
        ValueError: `depth` is negative.
    """
    _check_at_least(0, depth=depth)
    kept = prune(
        _GameNode(state, None, None, 0),
        children=lambda node: node.children,
        weight=lambda node: -node.depth,
        top=_MOST_MOVES,
        depth=depth,
        min_weight=-depth,
        max_nodes=MAX_DRAWN,
    )
    shown = f"{_counted(len(kept), 'position')}, {_counted(kept[-1].depth, 'ply', 'plies')} deep"
    whose = "the player who made the move" if for_mover else state.player_names[0]
    legend = f"Value for {whose}"
    if values is None:  # then only a finished game has a colour
        has_ended = any(here.node.state.is_terminal for here in kept)
        legend = f"Result for {whose}, where the game is over" if has_ended else ""
    return Tree(
        "game_tree",
        [_game_card(here, values, for_mover=for_mover, boards=boards) for here in kept],
        caption=shown,
        legend=legend,
    )


@dataclass(eq=False)
class _GameNode:
    """A position of a game tree, with only the attributes that the drawing needs."""

    state: State
    parent: "_GameNode | None"
    action: int | None
    depth: int

    @cached_property
    def children(self) -> list["_GameNode"]:
        return [
            _GameNode(self.state.child(action), self, action, self.depth + 1)
            for action in self.state.legal_actions()
        ]


_Drawn: TypeAlias = Kept[Node] | Kept[_GameNode]


def _check_at_least(least: int, **numbers: int) -> None:
    for name, value in numbers.items():
        if value < least:
            raise ValueError(f"{name} is {value}; it must be at least {least}")


def weight(node: Node) -> int:
    """The importance of a node: its visits or, if it is proven to win, those of its parent."""
    if node.parent is not None and proven_of(node) == WIN:
        return node.parent.visit_count
    return node.visit_count


def most_visited_first(node: Node) -> list[Node]:
    """The children by visits, a proven win before all others.

    If nothing is proven, the best child is the first of them.
    """
    return sorted(
        node.children, key=lambda child: (-weight(child), -child.mean_value, child.action or 0)
    )


def _is_on(line: Sequence[int], node: Node, root: Node) -> bool:
    """Whether the moves from `root` to `node` are the first ones of `line`."""
    actions: list[int | None] = []
    while node is not root and node.parent is not None:
        actions.append(node.action)
        node = node.parent
    return actions[::-1] == list(line[: len(actions)])


def _search_card(
    kept: Sequence[Kept[Node]], place: int, result: SearchResult, *, boards: bool
) -> Card:
    here, total_visits = kept[place], kept[0].node.visit_count
    node, is_root = here.node, here.parent is None
    mover = node.state.current_player if is_root else node.mover
    certain = proven_of(node)  # even at the end of a game, where the mean value is the same
    value = result.value if is_root else node.mean_value if certain is None else certain
    is_known = node.visit_count > 0 or certain is not None
    proven = None
    if not node.state.is_terminal:
        proven = result.proven if is_root else certain
    worth = f"{'value' if is_root else 'Q'} {number(value) if is_known else '–'}"
    lines = [f"N {node.visit_count:,}", worth if proven is None else proven_text(proven)]
    card = _card(here, mover, lines, value if is_known else None, boards=boards)
    hidden = sum(child.visit_count for child in here.hidden)
    return replace(
        card,
        share=node.visit_count / total_visits if total_visits else 0.0,
        more=(*card.more, f"N {hidden:,}") if card.more and hidden else card.more,
        more_share=hidden / total_visits if total_visits else 0.0,
        tooltip=_tooltip(kept, place, mover, value, proven),
    )


def _game_card(
    here: Kept[_GameNode],
    values: Callable[[State], Sequence[float]] | None,
    *,
    for_mover: bool,
    boards: bool,
) -> Card:
    node, state = here.node, here.node.state
    mover = state.current_player if node.parent is None else node.parent.state.current_player
    whose = mover if for_mover else 0
    value: float | None = None
    if state.is_terminal:
        value = state.returns()[whose]
    elif values is not None:
        value = values(state)[whose]
    lines = [] if values is None or value is None else [f"value {number(value)}"]
    return _card(here, mover, lines, value, boards=boards)


def _card(here: _Drawn, mover: int, lines: list[str], value: float | None, *, boards: bool) -> Card:
    """What both kinds of tree show for a node; `value` is for player `mover`, None if unknown."""
    state, num_children = here.node.state, len(here.children)
    below = [f"+{num_children:,} more"] if here.num_drawn == 0 and num_children else []
    heading = _heading(here, mover)
    return Card(
        parent=here.parent,
        heading=heading,
        lines=(*lines, *below),
        color=UNKNOWN if value is None else value_color(value),
        style=state.board().style,
        player=mover,
        tooltip=heading,
        outcome=_outcome(state),
        board=state.board() if boards else None,
        more=(f"+{len(here.hidden):,} more",) if here.needs_more_node else (),
    )


def _heading(here: _Drawn, mover: int) -> str:
    node = here.node
    if here.parent is None:
        name = node.state.player_names[mover]
        return "game over" if node.state.is_terminal else f"{name} to move"
    assert node.parent is not None
    assert node.action is not None
    return node.parent.state.action_to_string(node.action)


def _outcome(state: State) -> str:
    """How the game ended here; empty while it goes on."""
    if not state.is_terminal:
        return ""
    first, second = state.returns()
    return "draw" if first == second else f"{state.player_names[int(first < second)]} wins"


def _tooltip(
    kept: Sequence[Kept[Node]], place: int, mover: int, value: float, proven: float | None
) -> str:
    node, parent = kept[place].node, kept[place].parent
    name = node.state.player_names[mover]
    parts = [_heading(kept[place], mover), _counted(node.visit_count, "visit")]
    if proven is not None:
        parts.append(f"{proven_text(proven)} for {name}")
    elif node.visit_count:
        parts.append(f"mean value {number(value)} for {name} (win rate {(1 + value) / 2:.0%})")
    # A search without priors gives all moves the same.
    if parent is not None and len({child.prior for child in kept[parent].children}) > 1:
        parts.append(f"prior {node.prior:.3f}")
    if node.untried_actions:
        parts.append(f"{_counted(len(node.untried_actions), 'move')} not tried yet")
    return ", ".join(parts)


def _counted(count: int, one: str, many: str | None = None) -> str:
    """A number with its noun: `1 ply`, `2 plies`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def _search_caption(kept: Sequence[Kept[Node]], root: Node) -> str:
    if not root.visit_count:
        return "No simulation has been made yet."
    total = count_nodes(root)
    some = f"{len(kept):,} of the tree's {total:,} nodes"
    return some if len(kept) < total else f"all {_counted(total, 'node')} of the tree"
