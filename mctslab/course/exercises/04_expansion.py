"""Notebook 04, expansion: one more child, all children, and whether a tree is sound."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from mctslab.course.checking.comparing import Shares, Tally, Words, tally
from mctslab.course.exercise import exercise
from mctslab.course.positions import after
from mctslab.course.question import FROM_MODEL, Case
from mctslab.course.tree_game import (
    SPARSE,
    Grown,
    Place,
    TreeGame,
    drawn,
    named,
    observed,
    outlined,
    place_of,
    plant,
    tree_at_random,
    turn_of,
    won_by,
    written,
)
from mctslab.games.tictactoe import TicTacToe
from mctslab.search.mcts import mcts
from mctslab.search.node import Node

Expand = Callable[[Node, np.random.Generator], Any]


def _returned(
    function: Expand, node: Node, rng: np.random.Generator, root: Node | None = None
) -> object:
    """The place of the returned node, seen from a root; by default the node is the root."""
    found = function(node, rng)
    if isinstance(found, list) and len(found) == 1:  # as the package's function returns it
        found = found[0]
    return place_of(found, root or node)


def _once(function: Expand, node: Node, rng: np.random.Generator) -> object:
    return {"what is returned": _returned(function, node, rng), **observed(node)}


def _below(function: Expand, root: Node, rng: np.random.Generator) -> object:
    """The first child of the root is expanded."""
    returned = _returned(function, root.children[0], rng, root)
    return {"what is returned": returned, **observed(root)}


def _next(function: Expand, node: Node, rng: np.random.Generator) -> Tally:
    """The action of the child that is added where action 1 has been tried."""
    trees = [Node(node.state) for _ in range(900)]
    for tree in trees:
        tree.untried_actions.remove(1)
        tree.children.append(Node(parent=tree, action=1))
        function(tree, rng)
    return tally(
        tuple(child.action for child in tree.children if child.action != 1) for tree in trees
    )


def _completely(function: Expand, node: Node, rng: np.random.Generator) -> object:
    """All actions one by one, in whatever order."""
    returned = [_returned(function, node, rng) for _ in node.untried_actions[:]]
    return {"what is returned": sorted(map(str, returned)), **observed(node)}


def _first(function: Expand, node: Node, rng: np.random.Generator) -> Tally:
    trees = [Node(node.state) for _ in range(900)]
    for tree in trees:
        function(tree, rng)
    return tally(tuple(child.action for child in tree.children) for tree in trees)


def _expand_case(
    place: Place,
    before: Grown,
    path: tuple[int, ...],
    after: Grown,
    use: Callable[[Expand, Node, np.random.Generator], object] = _once,
    which: str = "this root",
) -> Case:
    """A tree before and after a node, `which` one, was expanded; the node at `path` is returned."""

    def root(grown: Grown) -> Node:
        return plant(TreeGame(place), grown)

    return Case(
        lambda: (root(before), np.random.default_rng(1)),
        {"what is returned": Words(named(path)), **observed(root(after))},
        f"expand(node, rng), and the node is {which}\n{written(root(before))}",
        use,
        changes_arguments=True,
    )


_AT_RANDOM: Final = (
    "Every untried action has the same chance to be the next one, and this counts "
    "how often each is."
)


def _expand_cases() -> list[Case]:
    end, new = drawn(), Grown(0, 0)
    return [
        _expand_case(end, Grown(2, 0), (), Grown(2, 0)).with_about(
            "The game is over at this node, so it gets no child and is returned itself."
        ),
        _expand_case(turn_of(0, end), Grown(1, 0), (0,), Grown(1, 0, {0: new})),
        _expand_case(
            turn_of(1, end, won_by(1)),
            Grown(5, 2, {0: Grown(5, 2)}),
            (1,),
            Grown(5, 2, {0: Grown(5, 2), 1: new}),
        ),
        _expand_case(
            turn_of(0, turn_of(1, end), end),
            Grown(1, 0, {0: new}),
            (0, 0),
            Grown(1, 0, {0: Grown(0, 0, {0: new})}),
            _below,
            "the child of this root",
        ),
        Case(
            lambda: (Node(TreeGame(turn_of(0, end, end, end))), np.random.default_rng(1)),
            Shares({(0,): 1 / 3, (1,): 1 / 3, (2,): 1 / 3}),
            "the first child of a node with the actions 0, 1 and 2, in 900 trees",
            _first,
            changes_arguments=True,
        ).with_about(_AT_RANDOM),
        Case(
            lambda: (Node(TreeGame(turn_of(0, end, end, end, end))), np.random.default_rng(1)),
            Shares({(0,): 1 / 3, (2,): 1 / 3, (3,): 1 / 3}),
            "the second child of a node with the actions 0, 1, 2 and 3, in 900 trees, where the "
            "first child is that of action 1",
            _next,
            changes_arguments=True,
        ).with_about(_AT_RANDOM),
    ]


def _partly_grown(
    rng: np.random.Generator, use: Callable[[Expand, Node, np.random.Generator], object], how: str
) -> Case:
    """A root that has some of its children; `how` says in words how it is used."""
    place, grown = tree_at_random(rng, 2, 4)
    num_moves = len(TreeGame(place).legal_actions())
    return Case(
        lambda: (plant(TreeGame(place, (), SPARSE), grown), np.random.default_rng(1)),
        FROM_MODEL,
        f"a root with {len(grown.children)} of its {num_moves} children{how}\n{outlined(place)}",
        use,
        changes_arguments=True,
    )


def _expand_variation(rng: np.random.Generator) -> Case:
    return _partly_grown(rng, _completely, ", expanded until nothing is left to try")


@exercise(cases=_expand_cases, variation=_expand_variation)
def expand(node: Node, rng: np.random.Generator) -> Node:
    """Add a child for an untried action drawn at random; where the game is over, the node."""
    if not node.untried_actions:
        return node
    action = int(rng.choice(node.untried_actions))
    node.untried_actions.remove(action)
    child = Node(parent=node, action=action)
    node.children.append(child)
    return child


# expand_all


def _all_at_once(function: Expand, node: Node, rng: np.random.Generator) -> object:
    found = function(node, rng)
    if not isinstance(found, list | tuple):
        return found
    places = sorted(str(place_of(each, node)) for each in found)
    return {"what is returned": [Words(place) for place in places], **observed(node)}


def _order(function: Expand, node: Node, rng: np.random.Generator) -> Tally:
    found = []
    for _ in range(900):
        tree = Node(node.state)
        first, *_ = function(tree, rng)
        found.append(first.action)
    return tally(found)


def _all_case(place: Place, before: Grown, after: Grown, *new: tuple[int, ...]) -> Case:
    """A tree before and after its root was expanded; the nodes at these paths are returned."""

    def root(grown: Grown) -> Node:
        return plant(TreeGame(place), grown)

    return Case(
        lambda: (root(before), np.random.default_rng(1)),
        {"what is returned": [Words(named(path)) for path in new], **observed(root(after))},
        f"expand_all(node, rng), and the node is this root\n{written(root(before))}",
        _all_at_once,
        changes_arguments=True,
    )


def _all_cases() -> list[Case]:
    end, new = drawn(), Grown(0, 0)
    three = turn_of(1, end, won_by(1), end)
    tried = Grown(5, 2)
    return [
        _all_case(end, Grown(2, 0), Grown(2, 0), ()),
        _all_case(three, Grown(1, 0), Grown(1, 0, {0: new, 1: new, 2: new}), (0,), (1,), (2,)),
        _all_case(
            three, Grown(5, 2, {1: tried}), Grown(5, 2, {1: tried, 0: new, 2: new}), (0,), (2,)
        ),
        _all_case(
            three,
            Grown(6, 2, {0: tried, 1: tried, 2: tried}),
            Grown(6, 2, {0: tried, 1: tried, 2: tried}),
            (),
        ),
        Case(
            lambda: (Node(TreeGame(turn_of(0, end, end, end))), np.random.default_rng(1)),
            Shares({0: 1 / 3, 1: 1 / 3, 2: 1 / 3}),
            "the action of the first child in the list, for a node with the actions 0, 1 and 2, "
            "in 900 trees",
            _order,
            changes_arguments=True,
        ).with_about(
            "The order of the new children is random, so each action must be the first "
            "one equally often."
        ),
    ]


def _all_variation(rng: np.random.Generator) -> Case:
    return _partly_grown(rng, _all_at_once, "")


@exercise(cases=_all_cases, variation=_all_variation)
def expand_all(node: Node, rng: np.random.Generator) -> list[Node]:
    """Add a child for every untried action, in random order; returns the new children as a list.

    Where nothing can be added, the list contains the node itself.
    """
    if not node.untried_actions:
        return [node]
    added = []
    for action in rng.permutation(node.untried_actions):
        child = Node(parent=node, action=int(action))
        node.children.append(child)
        added.append(child)
    node.untried_actions.clear()
    return added


# is_sound


def _lose(nodes: list[Node]) -> None:
    parent = nodes[-1].parent
    assert parent is not None
    parent.children.remove(nodes[-1])
    parent.visit_count -= nodes[-1].visit_count  # so that the visits still add up there
    for above in _above(parent):
        above.visit_count -= nodes[-1].visit_count


def _above(node: Node) -> list[Node]:
    """The nodes above this one."""
    found = []
    while node.parent is not None:
        node = node.parent
        found.append(node)
    return found


def _forget(nodes: list[Node]) -> None:
    next(node for node in nodes[::-1] if node.untried_actions).untried_actions.pop()


def _double(nodes: list[Node]) -> None:
    parent, action = nodes[-1].parent, nodes[-1].action
    assert parent is not None
    assert action is not None
    parent.untried_actions.append(action)


def _swap(nodes: list[Node]) -> None:
    parent = nodes[-1].parent
    assert parent is not None
    one, other = parent.children[:2]
    one.action, other.action = other.action, one.action


def _visit_once_more(nodes: list[Node]) -> None:
    for node in (nodes[-1], *_above(nodes[-1])[1:]):  # all but the parent
        node.visit_count += 1


def _visit_root(nodes: list[Node]) -> None:
    nodes[0].visit_count += 1


def _forget_own_visits(nodes: list[Node]) -> None:
    for node in nodes[::-1]:
        if not node.state.is_terminal:
            node.visit_count = sum(child.visit_count for child in node.children)


_BREAKS: Final[Mapping[str, Callable[[list[Node]], None]]] = {
    "a child was taken out of its parent's list": _lose,
    "an action was taken out of a list of untried actions": _forget,
    "the action of a child is untried as well": _double,
    "the actions of two children were swapped": _swap,
    "a visit is counted at a node and not at its parent": _visit_once_more,
    "the root has a visit too many": _visit_root,
    "each visit is counted only where a node has children": _forget_own_visits,
}


def _has_siblings(node: Node, depth: int) -> bool:
    siblings = node.parent.children if node.parent else []
    return len(_above(node)) == depth and len(siblings) > 1


def _tree_after(
    moves: tuple[int, ...], num_simulations: int, seed: int, break_it: str, depth: int
) -> Node:
    """A search of a position of Tic-Tac-Toe, broken at a node of this depth."""
    rng = np.random.default_rng(seed)
    root = mcts(after(TicTacToe(), moves), num_simulations=num_simulations, rng=rng).root
    nodes = [root]
    for node in nodes:
        nodes += node.children
    if break_it:
        there = [node for node in nodes if _has_siblings(node, depth)]
        _BREAKS[break_it]([*nodes, there[-1]])
    return root


_DEEP: Final = (
    "The damage is two plies below the root, or deeper, so every node of the tree "
    "must be looked at."
)


def _sound_case(
    num_simulations: int,
    seed: int,
    break_it: str = "",
    depth: int = 1,
    moves: tuple[int, ...] = (0, 2, 7),
) -> Case:
    is_elsewhere = any(word in break_it for word in ("root", "list of untried", "each visit"))
    where = f", at depth {depth}" if break_it and not is_elsewhere else ""
    return Case(
        lambda: (_tree_after(moves, num_simulations, seed, break_it, depth),),
        not break_it,
        f"the root of a tree of {num_simulations} simulations of Tic-Tac-Toe, {9 - len(moves)} "
        "squares are free"
        + (f", in which {break_it}{where}" if break_it else ", as the search has left it"),
        about=_DEEP if where and depth > 1 else "",
    )


def _sound_cases() -> list[Case]:
    lose, forget, double, swap, once_more, root, own = _BREAKS
    return [
        _sound_case(1, 1),
        _sound_case(20, 8),
        _sound_case(60, 2, moves=(0, 2, 7, 8, 5)).with_about(
            "Some nodes are ends of the game here: they have been visited more than once, "
            "and have no children."
        ),  # ends of games were visited more than once
        _sound_case(20, 8, lose),
        _sound_case(4, 8, forget),
        _sound_case(20, 8, double),
        _sound_case(20, 8, swap),
        _sound_case(20, 8, once_more),
        _sound_case(20, 8, root),
        _sound_case(20, 8, own),
        _sound_case(60, 2, double, depth=3),
        _sound_case(60, 2, swap, depth=2),
        _sound_case(60, 2, once_more, depth=3),
    ]


def _sound_variation(rng: np.random.Generator) -> Case:
    breaks = ["", *_BREAKS]
    break_it = breaks[int(rng.integers(len(breaks)))]
    num_simulations, depth = int(rng.integers(30, 60)), int(rng.integers(1, 3))
    moves = (0, 2, 7) if rng.random() < 0.5 else (0, 2, 7, 8, 5)
    return _sound_case(num_simulations, int(rng.integers(100)), break_it, depth, moves)


@exercise(cases=_sound_cases, variation=_sound_variation)
def is_sound(root: Any) -> bool:
    """Whether every node of the tree, except where the game is over, keeps the three rules."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        waiting.extend(node.children)
        if node.state.is_terminal:
            continue
        actions = [child.action for child in node.children] + node.untried_actions
        if sorted(actions) != list(node.state.legal_actions()):
            return False
        for child in node.children:
            if child.state != node.state.child(child.action):
                return False
        own_visit = 0 if node.parent is None else 1
        if node.visit_count != own_visit + sum(child.visit_count for child in node.children):
            return False
    return True
