"""Notebook 06, backpropagation: the way back to the root, and the whole search."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np

from mctslab import games, search
from mctslab.course.catch import catch
from mctslab.course.checking.comparing import Words, tally
from mctslab.course.exercise import exercise
from mctslab.course.question import FROM_MODEL, Case
from mctslab.course.tree_game import (
    IN_ORDER,
    SPARSE,
    Grown,
    Place,
    TreeGame,
    chain_at_random,
    drawn,
    named,
    node_at_random,
    outlined,
    path_to,
    plant,
    statistics,
    statistics_of,
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
    grown: Grown,
    path: tuple[int, ...],
    returns: Returns,
    expected: dict[tuple[int, ...], tuple[int, float]],
    numbers: tuple[int, ...] = IN_ORDER,
) -> Case:
    def arguments() -> tuple[Node, Returns]:
        leaf = plant(TreeGame(place, (), numbers), grown)
        for action in path:
            leaf = next(child for child in leaf.children if child.action == action)
        return leaf, returns

    shown = f"backpropagate(leaf, {returns}), and the leaf is {named(path)}\n"
    shown += written(plant(TreeGame(place, (), numbers), grown))
    facts = {statistics_of(path): numbers for path, numbers in expected.items()}
    return Case(arguments, facts, shown, _counted, changes_arguments=True)


def _backpropagate_cases() -> list[Case]:
    end = drawn()
    one_move = turn_of(0, won_by(0))
    second_moves = turn_of(1, turn_of(0, end), turn_of(0, end))
    alternating = turn_of(0, turn_of(1, turn_of(0, end)), turn_of(1, end))
    twice = turn_of(0, turn_of(0, turn_of(1, turn_of(0, end))))
    new = Grown(0, 0)
    return [
        _backpropagate_case(end, new, (), (0.0, 0.0), {(): (1, 0)}),
        _backpropagate_case(
            one_move, Grown(0, 0, {0: new}), (0,), (1.0, -1.0), {(): (1, 1), (0,): (1, 1)}
        ),
        _backpropagate_case(
            second_moves,
            Grown(3, 1, {0: Grown(3, 1), 1: new}),
            (1,),
            (1.0, -1.0),
            {(): (4, 0), (0,): (3, 1), (1,): (1, -1)},
        ),
        _backpropagate_case(
            alternating,
            Grown(5, 1, {0: Grown(3, 0, {0: Grown(1, 0)}), 1: Grown(2, 1)}),
            (0, 0),
            (-1.0, 1.0),
            {(): (6, 0), (0,): (4, -1), (1,): (2, 1), (0, 0): (2, 1)},
        ),
        _backpropagate_case(
            alternating,
            Grown(5, 1, {0: Grown(3, 0, {0: Grown(1, 0)}), 1: Grown(2, 1)}),
            (0, 0),
            (0.0, 0.0),
            {(): (6, 1), (0,): (4, 0), (1,): (2, 1), (0, 0): (2, 0)},
        ),
        # Player 0 moves twice, then player 1.
        _backpropagate_case(
            twice,
            Grown(3, 1, {0: Grown(3, 1, {0: Grown(2, 2, {0: new})})}),
            (0, 0, 0),
            (1.0, -1.0),
            {(): (4, 2), (0,): (4, 2), (0, 0): (3, 3), (0, 0, 0): (1, -1)},
        ),
        # The mean of four rollouts.
        _backpropagate_case(
            alternating,
            Grown(1, 1, {0: Grown(1, 1, {0: new})}),
            (0, 0),
            (0.5, -0.5),
            {(): (2, 1.5), (0,): (2, 1.5), (0, 0): (1, -0.5)},
        ),
    ]


def _backpropagate_variation(rng: np.random.Generator) -> Case:
    place, grown = tree_at_random(rng, 7, 60)
    root = plant(TreeGame(place, (), SPARSE), grown)
    path = path_to(node_at_random(rng, root))
    result = float(rng.choice((-1, 0, 1, 0.25)))
    case = _backpropagate_case(place, grown, path, (result, -result), {}, SPARSE)
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


def _tree_facts(root: object) -> object:
    """A tree in a few facts, the coarsest first."""
    if not isinstance(root, Node):
        return root
    nodes = [root]
    for node in nodes:
        nodes += node.children
    moves = sorted(root.children, key=lambda child: (child.action is None, child.action or 0))
    return {
        "visits of the root": root.visit_count,
        "visits of its children": tuple((child.action, child.visit_count) for child in moves),
        "total values of its children": tuple((child.action, child.total_value) for child in moves),
        "total value of the root": root.total_value,
        "number of nodes": len(nodes),
        "nodes that were never visited": sum(node.visit_count == 0 for node in nodes),
        "visits by depth": _visits_by_depth(root),
        "total values by depth": _values_by_depth(root),
    }


def _visits_by_depth(root: Node) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(node.visit_count for node in level) for level in _levels(root))


def _values_by_depth(root: Node) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(node.total_value for node in level) for level in _levels(root))


def _levels(root: Node) -> list[list[Node]]:
    levels = [[root]]
    while below := [child for node in levels[-1] for child in node.children]:
        levels.append(below)
    return levels


def _searched(
    function: Callable[..., Any], state: State, num_simulations: int, rng: np.random.Generator
) -> object:
    """What many searches have in common, and how often each kind of tree occurs.

    A search is right even if it draws its random numbers in another order, or different ones.
    """
    trees = []
    for each in rng.spawn(_SEARCHES):
        tree = _tree_facts(function(state, num_simulations, each))
        if not isinstance(tree, dict):
            return tree
        trees.append(tree)
    once, again = (
        [
            _tree_facts(function(state, num_simulations, np.random.default_rng(seed)))
            for seed in range(_SEARCHES // 4)  # one small tree can be the same by chance
        ]
        for _ in range(2)
    )
    return {
        "other searches with the same seeds": Words("the same" if once == again else "different"),
        **{name: tally(tree[name] for tree in trees) for name in trees[0]},
    }


_SEARCHES: Final = 100


def _uct_case(state: State, num_simulations: int, shown: str) -> Case:
    def package(state: State, num_simulations: int, rng: np.random.Generator) -> Node:
        return search.mcts(state, num_simulations=num_simulations, rng=rng).root

    expected = _searched(package, state, num_simulations, np.random.default_rng(0))
    return Case(
        lambda: (state, num_simulations, np.random.default_rng(_SEED)),
        expected,
        f"{_SEARCHES} times uct(state, {num_simulations}, rng), and the state is {shown}",
        _searched,
    )


def _uct_variation(rng: np.random.Generator) -> Case:
    """With one move everywhere nothing is left to chance."""
    place, num_simulations = chain_at_random(rng), int(rng.integers(1, 15))

    def use(function: Callable[..., Any], *arguments: object) -> object:
        return _tree_facts(function(*arguments))

    shown = f"uct(state, {num_simulations}, rng), and the state is a game with one move everywhere"
    return Case(
        lambda: (TreeGame(place, (), SPARSE), num_simulations, np.random.default_rng(_SEED)),
        FROM_MODEL,
        f"{shown}\n{outlined(place)}",
        use,
    )


def _uct_cases() -> list[Case]:
    late = games.TicTacToe()
    for action in (4, 0, 6, 2, 8, 5):
        late = late.child(action)
    forced = TreeGame(turn_of(1, turn_of(0, won_by(1))))
    twice = TreeGame(
        turn_of(0, turn_of(0, won_by(0), won_by(1)), turn_of(1, won_by(0), drawn(), won_by(1)))
    )
    return [
        _uct_case(forced, 1, "a game with two forced moves"),
        _uct_case(forced, 4, "a game with two forced moves"),
        _uct_case(late, 3, "Tic-Tac-Toe with three free squares"),
        _uct_case(twice, 25, "a game in which one move lets player 0 move again"),
        _uct_case(late, 40, "Tic-Tac-Toe with three free squares"),
        _uct_case(games.TicTacToe(), 12, "the empty board of Tic-Tac-Toe"),
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
