"""Notebook 04, expansion: one more child, all children, and whether a tree is sound."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from mctslab.course.checking.cases import Case, Shares, Tally, Words, tally
from mctslab.course.exercise import exercise
from mctslab.course.positions import after
from mctslab.course.tree_game import (
    Grown,
    Place,
    TreeGame,
    drawn,
    named,
    node_at,
    observed,
    path_at_random,
    place_of,
    plant,
    rooted,
    tree_at_random,
    turn_of,
    way_up,
    written,
)
from mctslab.games.tictactoe import TicTacToe
from mctslab.search.mcts import mcts
from mctslab.search.node import Node

Expand = Callable[[Node, np.random.Generator], Any]


def _returned(function: Expand, node: Node, rng: np.random.Generator) -> object:
    """The place of the returned node; of a child only whether it is new, because it was drawn."""
    before = set(map(id, node.children))
    found = function(node, rng)
    if isinstance(found, list) and len(found) == 1:  # as the package's function returns it
        found = found[0]
    new = [child for child in node.children if id(child) not in before]
    if any(found is child for child in node.children):
        return Words("the new child" if new == [found] else "one of its children")
    return _place_in_tree(found, way_up(node)[-1])


def _place_in_tree(found: object, root: Node) -> object:
    """The place of a node, if its parent has it among its children."""
    siblings = found.parent.children if isinstance(found, Node) and found.parent else [found]
    if all(found is not child for child in siblings):
        return Words("a node that its parent does not have")
    return place_of(found, root)


def _completely(function: Expand, node: Node, rng: np.random.Generator) -> object:
    """All actions one by one, in whatever order; at the end of a game a single call."""
    times = 1 if node.state.is_terminal else len(node.untried_actions)
    returned = [_returned(function, node, rng) for _ in range(times)]
    return {"what is returned": sorted(map(str, returned)), **observed(way_up(node)[-1])}


def _expanded_case(
    place: Place, grown: Grown, path: tuple[int, ...], call: str, use: Callable[..., object]
) -> Case:
    """The node at `path` is expanded."""
    return Case(
        lambda: (node_at(rooted(place, grown), path), np.random.default_rng(1)),
        shown=f"{call}, and the node is {named(path)}\n{written(rooted(place, grown))}",
        use=use,
        changes_arguments=True,
    )


def _expand_case(place: Place, grown: Grown, path: tuple[int, ...]) -> Case:
    is_over = node_at(rooted(place, grown), path).state.is_terminal
    call = "expand(node, rng)" + (", until nothing is left to try" if not is_over else "")
    return _expanded_case(place, grown, path, call, _completely)


def _drawn_case(tried: Sequence[int], left: Sequence[int]) -> Case:
    """The action that is drawn for the next child of many nodes; all that are left are alike."""
    place = turn_of(0, *[drawn()] * (len(tried) + len(left)))
    grown = Grown(len(tried), 0, dict.fromkeys(tried, Grown(1, 0)))

    def use(function: Expand, node: Node, rng: np.random.Generator) -> Tally:
        trees = [plant(node.state, grown) for _ in range(900)]
        for tree in trees:
            function(tree, rng)
        added = ([child.action for child in tree.children] for tree in trees)
        return tally(tuple(action for action in each if action not in tried) for each in added)

    return Case(
        lambda: (plant(TreeGame(place), grown), np.random.default_rng(1)),
        Shares({(action,): 1 / len(left) for action in left}),
        f"the next child, in 900 trees, of a node with {len(tried)} children and the untried "
        f"actions {', '.join(map(str, left))}",
        use,
        changes_arguments=True,
        about=_AT_RANDOM,
    )


_AT_RANDOM: Final = (
    "Every untried action has the same chance to be the next one, and this counts "
    "how often each is."
)


def _expand_cases() -> list[Case]:
    return [
        _expand_case(turn_of(0, drawn()), Grown(1, 0), ()),
        _drawn_case((), (0, 1, 2)),
        _drawn_case((1,), (0, 2, 3)),
    ]


def _expand_variation(rng: np.random.Generator) -> Case:
    place, grown = tree_at_random(rng, 2, 6)
    return _expand_case(place, grown, path_at_random(rng, place, grown))


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


# is_sound


def _forget(nodes: list[Node]) -> None:
    next(node for node in nodes[::-1] if node.untried_actions).untried_actions.pop()


def _double(nodes: list[Node]) -> None:
    parent, action = nodes[-1].parent, nodes[-1].action
    assert parent is not None
    assert action is not None
    parent.untried_actions.append(action)


def _make_illegal(nodes: list[Node]) -> None:
    node = next(node for node in nodes[::-1] if node.untried_actions)
    legal = node.state.legal_actions()
    node.untried_actions[-1] = next(square for square in range(9) if square not in legal)


def _swap(nodes: list[Node]) -> None:
    parent = nodes[-1].parent
    assert parent is not None
    one, other = parent.children[:2]
    one.action, other.action = other.action, one.action


def _visit_root(nodes: list[Node]) -> None:
    nodes[0].visit_count += 1


def _visit_again(nodes: list[Node]) -> None:
    leaf = next(node for node in nodes[::-1] if not node.children and not node.state.is_terminal)
    for node in way_up(leaf):
        node.visit_count += 1


def _forget_own_visits(nodes: list[Node]) -> None:
    for node in nodes[::-1]:
        if not node.state.is_terminal:
            node.visit_count = sum(child.visit_count for child in node.children)


_BREAKS: Final[Mapping[str, Callable[[list[Node]], None]]] = {
    "an action was taken out of a list of untried actions": _forget,
    "the action of a child is untried as well": _double,
    "an untried action is not legal": _make_illegal,
    "the actions of two children were swapped": _swap,
    "the root has a visit too many": _visit_root,
    "a node without children was visited again, and counted up to the root": _visit_again,
    "each visit is counted only where a node has children": _forget_own_visits,
}


def _has_siblings(node: Node, depth: int) -> bool:
    siblings = node.parent.children if node.parent else []
    return len(way_up(node)) == depth + 1 and len(siblings) > 1


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


def _sound_case(
    num_simulations: int,
    seed: int,
    break_it: str = "",
    depth: int = 1,
    moves: tuple[int, ...] = (0, 2, 7),
) -> Case:
    is_below = break_it.startswith("the action") and depth > 1
    return Case(
        lambda: (_tree_after(moves, num_simulations, seed, break_it, depth),),
        not break_it,
        f"the root of a tree of {num_simulations} simulations of Tic-Tac-Toe, {9 - len(moves)} "
        f"squares are free, {f'in which {break_it}' if break_it else 'as the search has left it'}"
        f"{f', at depth {depth}' if is_below else ''}",
    )


def _sound_cases() -> list[Case]:
    return [
        Case(
            lambda: (Node(after(TicTacToe(), (0, 2, 7))),),
            expected=True,
            shown="the root of a new tree of Tic-Tac-Toe, before the first simulation",
        ),
        _sound_case(1, 1),
        _sound_case(20, 8, "an action was taken out of a list of untried actions"),
        _sound_case(60, 2, moves=(0, 2, 7, 8, 5)),
        _sound_case(60, 2, "the actions of two children were swapped", 3, moves=(0, 2, 7, 8, 5)),
    ]


def _sound_variation(rng: np.random.Generator) -> Case:
    breaks = ["", *_BREAKS]
    break_it = breaks[int(rng.integers(len(breaks)))]
    num_simulations, depth = int(rng.integers(30, 60)), int(rng.integers(1, 3))
    moves = ((0, 2, 7), (0, 2, 7, 8, 5), (0, 3, 1, 4))[int(rng.integers(3))]  # the last one to win
    return _sound_case(num_simulations, int(rng.integers(100)), break_it, depth, moves)


@exercise(cases=_sound_cases, variation=_sound_variation, points=2)
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
