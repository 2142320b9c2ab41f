"""Notebook 06, backpropagation: the way back to the root, the whole search, and its faults."""

# ruff: noqa: SIM110  # a loop is easier to read for beginners than `all`

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from mctslab import games, search
from mctslab.course.catch import catch
from mctslab.course.checking.comparing import Words, same, tally
from mctslab.course.exercise import exercise
from mctslab.course.keeping.parts import assemble
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
    shortened,
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


_CHOICE: Final = (
    "There is a choice of moves here: each simulation walks down from the root, "
    "and its rollout begins at the new leaf."
)


def _uct_cases() -> list[Case]:
    late = after(games.TicTacToe(), (4, 0, 6, 2, 8, 5))
    twice = TreeGame(
        turn_of(0, turn_of(0, won_by(0), won_by(1)), turn_of(1, won_by(0), drawn(), won_by(1)))
    )
    return [
        _uct_case(TreeGame(turn_of(1, turn_of(0, won_by(1)))), 4, "a game with two forced moves"),
        _uct_case(twice, 25, "a game in which one move lets player 0 move again").with_about(
            _CHOICE
        ),
        _uct_case(late, 40, "Tic-Tac-Toe with three free squares").with_about(_CHOICE),
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


# same_tree


def _planted(place: Place, grown: Grown) -> Node:
    return plant(TreeGame(place, (), SPARSE), grown)


def _numbers(root: Node) -> str:
    """N and W of every node as text."""
    return shortened([f"{name}: {numbers}" for name, numbers in statistics(root).items()])


def _twins_case(place: Place, one: Grown, other: Grown, is_same: bool) -> Case:
    """Two trees in the same game."""
    trees = [_numbers(_planted(place, grown)) for grown in (one, other)]
    return Case(
        lambda: (_planted(place, one), _planted(place, other)),
        is_same,
        f"same_tree(one, other), and the trees are\n{trees[0]}\nand\n{trees[1]}",
    )


_LACKING: Final = "One of the trees has a node that the other one lacks."


def _same_tree_cases() -> list[Case]:
    end = drawn()
    place = turn_of(0, turn_of(1, end, end), turn_of(1, end, end), end)
    leaf, lost = Grown(1, 1), Grown(1, -1)
    first = Grown(3, 1, {3: leaf, 7: lost})
    one = Grown(6, 0, {3: first, 7: Grown(2, -1, {3: lost}), 12: leaf})
    below = Grown(2, -1, {7: lost})  # the same numbers, after another move
    lacking = Grown(3, 1, {3: leaf})
    return [
        _twins_case(place, Grown(4, 2), Grown(5, 2), False),
        _twins_case(place, Grown(4, 2), Grown(4, -2), False),
        _twins_case(place, one, one, True),
        _twins_case(place, one, Grown(6, 0, dict([*one.children.items()][::-1])), True).with_about(
            "The children are the same in another order, and the order does not count."
        ),
        _twins_case(place, one, Grown(6, 0, {**one.children, 7: below}), False).with_about(
            "The numbers are the same here, but they belong to another move."
        ),
        _twins_case(place, one, Grown(6, 0, {**one.children, 12: lost}), False),
        _twins_case(place, one, Grown(6, 0, {**one.children, 3: lacking}), False).with_about(
            _LACKING
        ),
        _twins_case(place, Grown(6, 0, {3: first}), one, False).with_about(_LACKING),
        _twins_case(place, one, Grown(6, 0), False).with_about(_LACKING),
    ]


def _same_tree_variation(rng: np.random.Generator) -> Case:
    """A tree and its copy, with the children in another order, and perhaps one number changed."""
    place, grown = tree_at_random(rng, 5, 40)
    root = _planted(place, grown)
    changed = path_to(node_at_random(rng, root)) if rng.random() < 0.5 else None

    def copied(here: Grown, path: tuple[int, ...]) -> Grown:
        moves = rng.permutation([*here.children]).tolist()
        below = {move: copied(here.children[move], (*path, move)) for move in moves}
        return Grown(here.visit_count + (path == changed), here.total_value, below)

    return _twins_case(place, grown, copied(grown, ()), changed is None)


def same_tree(one: Node, other: Node) -> bool:
    """Whether two trees are the same: the same moves with the same N and W, node for node.

    The order of a node's children does not matter.
    """
    if (one.visit_count, one.total_value) != (other.visit_count, other.total_value):
        return False
    children = {child.action: child for child in one.children}
    others = {child.action: child for child in other.children}
    if children.keys() != others.keys():
        return False
    for action, child in children.items():
        if not same_tree(child, others[action]):
            return False
    return True


# The function calls itself by its name, so the exercise goes by another one.
same_tree_exercise: Final = exercise(cases=_same_tree_cases, variation=_same_tree_variation)(
    same_tree
)


# principal_variation


def _line_case(place: Place, grown: Grown, expected: object) -> Case:
    shown = f"principal_variation(root), and the tree is\n{written(_planted(place, grown))}"
    return Case(lambda: (_planted(place, grown),), expected, shown)


def _line_cases() -> list[Case]:
    end = drawn()
    place = turn_of(0, turn_of(1, end, turn_of(0, end, end)), turn_of(1, end, end), end)
    leaf = Grown(1, 1)
    deep = Grown(6, -3, {3: Grown(2, 2), 7: Grown(3, 1, {3: leaf, 7: Grown(1, -1)})})
    short = Grown(4, 3, {3: leaf, 7: Grown(2, -2)})
    return [
        _line_case(place, Grown(0, 0), []),
        _line_case(place, Grown(1, 1, {12: leaf}), [12]),
        _line_case(place, Grown(11, 1, {7: short, 3: deep, 12: leaf}), [3, 7, 3]),
        _line_case(place, Grown(9, -1, {12: leaf, 7: short, 3: Grown(4, 4)}), [7, 7]),
    ]


def _line_variation(rng: np.random.Generator) -> Case:
    return _line_case(*tree_at_random(rng, 6, 60), FROM_MODEL)


@exercise(cases=_line_cases, variation=_line_variation)
def principal_variation(root: Node) -> list[int | None]:
    """The moves that a search expects: from the root down, always to the most visited child.

    It ends at a node without children. Of several children with the most visits, take the first.
    """
    line: list[int | None] = []
    node = root
    while node.children:
        node = max(node.children, key=lambda child: child.visit_count)
        line.append(node.action)
    return line


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


_ABOUT: Final[Mapping[str, str]] = {
    "the model answer": (
        "Your test rejects a function that is right. At each node on the way N must "
        "grow by 1, and W by the return of that node's mover."
    ),
    "the package's": (
        "Your test rejects a function that is right. At each node on the way N must "
        "grow by 1, and W by the return of that node's mover."
    ),
    "one that calls itself": (
        "Your test rejects a function that is right. At each node on the way N must "
        "grow by 1, and W by the return of that node's mover."
    ),
    "one that goes down from the root, and returns it": (
        "This one visits the nodes in another order, and returns something. A test "
        "must look only at N and W after the call."
    ),
    "one that only uses the return of player 0": (
        "This one is right wherever the two returns add up to 0, and a test must use such a pair."
    ),
    "the root left out": "A test that notices this one looks at the root as well.",
    "the leaf left out": "A test that notices this one looks at the leaf as well.",
    "the sign flipped at every step": (
        "A test that notices this one has a position in which a player moves twice in a row."
    ),
    "the result of player 0 added everywhere": (
        "A test that notices this one looks at W of a node whose mover is player 1, "
        "after a game that is no draw."
    ),
    "the leaf's mover credited everywhere": (
        "A test that notices this one looks at W of a node whose mover is not the "
        "leaf's, after a game that is no draw."
    ),
    "the player to move credited instead of the mover": (
        "A test that notices this one compares the sign of W: a node belongs to its "
        "mover, not to the player who is to move there."
    ),
    "rewards between 0 and 1": (
        "A test that notices this one looks at W of a node whose mover has lost, or after a draw."
    ),
    "the mean kept instead of the sum": (
        "A test that notices this one visits a node more than once, and its returns "
        "do not add up to 0."
    ),
}


@catch(
    of=backpropagate,
    right={
        "the package's": search.backpropagate,
        "one that calls itself": _recursive,
        "one that goes down from the root, and returns it": _from_the_root_down,
        "one that only uses the return of player 0": _one_number,
    },
    about=_ABOUT,
)
def catches_backpropagate(backpropagate: Callable[[Node, Returns], object]) -> bool:
    """Test a function that is meant to be `backpropagate`: True if it is right, else False.

    Make a few nodes (`search.Node(state)` is a root, `search.Node(parent=node, action=3)` a child),
    call the function on a leaf, and look at `visit_count` and `total_value` of the nodes.
    """
    root = search.Node(games.TicTacToe())
    child = search.Node(parent=root, action=4)
    leaf = search.Node(parent=child, action=0)
    for _ in range(2):
        backpropagate(leaf, (1.0, -1.0))
    for node, value in ((root, 2.0), (child, 2.0), (leaf, -2.0)):
        if node.visit_count != 2 or node.total_value != value:
            return False
    return True


# sabotage


def _in_trees(function: Callable[[Node, Returns], object], *_: object) -> object:
    """Whether a fault shows in the numbers of many trees."""
    for case in (*backpropagate.cases(), *backpropagate.variations()):
        if not same(_counted(function, *case.arguments()), case.expected):
            return _FAULT
    return Words("the right N and W in every tree")


def _in_a_search(function: Callable[[Node, Returns], None], *_: object) -> object:
    find = assemble(search.select, search.expand, search.rollout, function)
    return find(games.TicTacToe(), 60, np.random.default_rng(1), trace=search.Trace()) is not None


_FAULT: Final = Words("a wrong N or W in at least one tree")


def _sabotage_case(expected: object, shown: str, use: Callable[..., object]) -> Case:
    def arguments() -> tuple[Node, Returns]:
        return search.Node(games.TicTacToe()), (1.0, -1.0)

    return Case(arguments, expected, f"sabotage(leaf, returns) in {shown}", use)


def _sabotage_cases() -> list[Case]:
    return [
        _sabotage_case(True, "a search of Tic-Tac-Toe that is filmed", _in_a_search).with_about(
            "A whole search runs with your function here. It must reach its end, and it "
            "needs the visits of all nodes on the way."
        ),
        _sabotage_case(_FAULT, "many trees", _in_trees).with_about(
            "In at least one of many trees, your function must leave another N or W than "
            "a right one."
        ),
    ]


@exercise(cases=_sabotage_cases)
def sabotage(leaf: Node, returns: tuple[float, float]) -> None:
    """Count a result as `backpropagate` does, but with a fault of your choice.

    The search must still run, and every result must change a number on the way to the root.
    """
    if returns == (0.0, 0.0):
        returns = (-1.0, -1.0)  # a draw counts as a loss for both
    node: Node | None = leaf
    while node is not None:
        node.visit_count += 1
        node.total_value += returns[node.mover]
        node = node.parent
