"""Notebook 06, backpropagation: the way back to the root, and the whole search."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np

from mctslab import games, search
from mctslab.course.catch import catch
from mctslab.course.checking.comparing import tally
from mctslab.course.exercise import exercise
from mctslab.course.positions import after
from mctslab.course.question import FROM_MODEL, Case
from mctslab.course.tree_game import (
    IN_ORDER,
    SPARSE,
    Grown,
    Place,
    TreeGame,
    by_depth,
    chain_at_random,
    drawn,
    named,
    node_at,
    node_at_random,
    outlined,
    path_to,
    plant,
    statistics,
    tree_at_random,
    turn_of,
    won_by,
    written,
)
from mctslab.games.state import State
from mctslab.search.node import Node

Returns = tuple[float, float]

# backpropagate


def _counted(function: Callable[..., Any], leaf: Node, returns: Returns) -> object:
    root = leaf
    while root.parent is not None:
        root = root.parent
    function(leaf, returns)
    return statistics(root)


def _backpropagate_case(
    place: Place,
    before: Grown,
    path: tuple[int, ...],
    result: float,
    after: Grown,
    numbers: tuple[int, ...] = IN_ORDER,
) -> Case:
    """A tree before and after the result, for player 0, was counted from the leaf at `path`."""

    def root(grown: Grown) -> Node:
        return plant(TreeGame(place, (), numbers), grown)

    shown = f"backpropagate(leaf, {(result, -result)}), and the leaf is {named(path)}\n"
    return Case(
        lambda: (node_at(root(before), path), (result, -result)),
        statistics(root(after)),
        shown + written(root(before)),
        _counted,
        changes_arguments=True,
    )


def _backpropagate_cases() -> list[Case]:
    end, new = drawn(), Grown(0, 0)
    alternating = turn_of(0, turn_of(1, turn_of(0, end)), turn_of(1, end))
    twice = turn_of(0, turn_of(0, turn_of(1, turn_of(0, end))))
    return [
        _backpropagate_case(end, new, (), 0.0, Grown(1, 0)),
        _backpropagate_case(
            turn_of(0, won_by(0)), Grown(0, 0, {0: new}), (0,), 1.0, Grown(1, 1, {0: Grown(1, 1)})
        ),
        _backpropagate_case(
            alternating,
            Grown(5, 1, {0: Grown(3, 0, {0: Grown(1, 0)}), 1: Grown(2, 1)}),
            (0, 0),
            -1.0,
            Grown(6, 0, {0: Grown(4, -1, {0: Grown(2, 1)}), 1: Grown(2, 1)}),
        ),
        # Player 0 moves twice, then player 1.
        _backpropagate_case(
            twice,
            Grown(3, 1, {0: Grown(3, 1, {0: Grown(2, 2, {0: new})})}),
            (0, 0, 0),
            1.0,
            Grown(4, 2, {0: Grown(4, 2, {0: Grown(3, 3, {0: Grown(1, -1)})})}),
        ),
    ]


def _backpropagate_variation(rng: np.random.Generator) -> Case:
    place, grown = tree_at_random(rng, 7, 60)
    path = path_to(node_at_random(rng, plant(TreeGame(place, (), SPARSE), grown)))
    result = float(rng.choice((-1, 0, 1, 0.25)))
    case = _backpropagate_case(place, grown, path, result, grown, SPARSE)
    return replace(case, expected=FROM_MODEL)


@exercise(cases=_backpropagate_cases, variation=_backpropagate_variation)
def backpropagate(leaf: Node, returns: tuple[float, float]) -> None:
    """Count a result at every node from `leaf` up to the root, for the node's own mover."""
    node: Node | None = leaf
    while node is not None:
        node.visit_count += 1
        node.total_value += returns[node.mover]
        node = node.parent


# uct


_SEED: Final = 6
_SEARCHES: Final = 100


def _tree(root: object) -> object:
    return by_depth(root) if isinstance(root, Node) else root


def _searched(
    function: Callable[..., Any], state: State, num_simulations: int, rng: np.random.Generator
) -> object:
    """How often each kind of tree occurs: a search may draw its random numbers in another order."""
    trees = [_tree(function(state, num_simulations, each)) for each in rng.spawn(_SEARCHES)]
    facts = [tree for tree in trees if isinstance(tree, dict)]
    if len(facts) < len(trees):
        return next(tree for tree in trees if not isinstance(tree, dict))
    return {name: tally(tree[name] for tree in facts) for name in facts[0]}


def _uct_case(state: State, num_simulations: int, shown: str) -> Case:
    def package(state: State, num_simulations: int, rng: np.random.Generator) -> Node:
        return search.mcts(state, num_simulations=num_simulations, rng=rng).root

    return Case(
        lambda: (state, num_simulations, np.random.default_rng(_SEED)),
        _searched(package, state, num_simulations, np.random.default_rng(0)),
        f"{_SEARCHES} times uct(state, {num_simulations}, rng), and the state is {shown}",
        _searched,
    )


def _uct_variation(rng: np.random.Generator) -> Case:
    """With one move everywhere nothing is left to chance."""
    place, num_simulations = chain_at_random(rng), int(rng.integers(1, 15))
    shown = f"uct(state, {num_simulations}, rng), and the state is a game with one move everywhere"
    return Case(
        lambda: (TreeGame(place, (), SPARSE), num_simulations, np.random.default_rng(_SEED)),
        FROM_MODEL,
        f"{shown}\n{outlined(place)}",
        lambda function, *arguments: _tree(function(*arguments)),
    )


def _uct_cases() -> list[Case]:
    late = after(games.TicTacToe(), (4, 0, 6, 2, 8, 5))
    twice = TreeGame(
        turn_of(0, turn_of(0, won_by(0), won_by(1)), turn_of(1, won_by(0), drawn(), won_by(1)))
    )
    return [
        _uct_case(TreeGame(turn_of(1, turn_of(0, won_by(1)))), 4, "a game with two forced moves"),
        _uct_case(twice, 25, "a game in which one move lets player 0 move again"),
        _uct_case(late, 40, "Tic-Tac-Toe with three free squares"),
    ]


@exercise(cases=_uct_cases, variation=_uct_variation, seconds=10.0)
def uct(state: State, num_simulations: int, rng: np.random.Generator) -> Node:
    """Search by UCT with random rollouts, and return the root of the tree."""
    root = search.Node(state)
    rule, evaluator = search.ucb1(), search.rollout_evaluator()
    for _ in range(num_simulations):
        node = search.select(root, rule)
        [leaf] = search.expand(node, rng)
        returns = search.simulate(leaf, evaluator, rng)
        search.backpropagate(leaf, returns)
    return root


# catches_backpropagate


def _recursive(leaf: Node, returns: Returns) -> None:
    leaf.total_value += returns[leaf.mover]
    leaf.visit_count += 1
    if leaf.parent is not None:
        _recursive(leaf.parent, returns)


def _from_the_root_down(leaf: Node, returns: Returns) -> Node:
    way = [leaf]
    while way[-1].parent:
        way.append(way[-1].parent)
    for node in reversed(way):
        node.total_value = returns[node.mover] + node.total_value
        node.visit_count = 1 + node.visit_count
    return way[-1]


def _one_number(leaf: Node, returns: Returns) -> None:
    node: Node | None = leaf
    while node:
        node.visit_count += 1
        node.total_value += -returns[0] if node.mover == 1 else returns[0]
        node = node.parent


@catch(
    of=backpropagate,
    right={
        "the package's": search.backpropagate,
        "one that calls itself": _recursive,
        "one that goes down from the root, and returns it": _from_the_root_down,
        "one that only uses the return of player 0": _one_number,
    },
)
def catches_backpropagate(backpropagate: Callable[[Node, Returns], object]) -> bool:
    """Test a function that is meant to be `backpropagate`: True if it is right, else False.

    Make a few nodes (`search.Node(state)` is a root, `search.Node(parent=node, action=3)` a child),
    call the function on a leaf, and look at `visit_count` and `total_value` of the nodes.
    """
    root = search.Node(games.TicTacToe())
    child = search.Node(parent=root, action=4)
    nodes = [root, child, search.Node(parent=child, action=0)]
    for _ in range(2):
        backpropagate(nodes[-1], (1.0, -1.0))
    visits = [node.visit_count for node in nodes]
    values = [node.total_value for node in nodes]
    return visits == [2, 2, 2] and values == [2.0, 2.0, -2.0]
