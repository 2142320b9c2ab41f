"""Notebook 06, backpropagation: the way back to the root, the whole search, and its faults; and the
way back of its side road on sorting networks."""

# ruff: noqa: SIM110  # a loop is easier to read for beginners than `all`

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from mctslab import games, search
from mctslab.course.catch import catch
from mctslab.course.checking.cases import Case, Words, same, shown
from mctslab.course.exercise import exercise
from mctslab.course.experiments import assemble
from mctslab.course.tree_game import (
    Grown,
    Place,
    by_depth,
    chain_at_random,
    drawn,
    forced,
    game_of,
    named,
    node_at,
    outlined,
    path_at_random,
    rooted,
    shortened,
    statistics,
    tallied,
    tree_at_random,
    turn_of,
    way_up,
    won_by,
    written,
)
from mctslab.games.state import State
from mctslab.search.node import Node

Returns = tuple[float, float]

# backpropagate


def _counted(function: Callable[..., Any], leaf: Node, returns: Returns) -> object:
    function(leaf, returns)
    return statistics(way_up(leaf)[-1])


def _backup_variation(name: str, rng: np.random.Generator) -> Case:
    """A result, for player 0, that `name` counts from the leaf at `path`."""
    place, grown = tree_at_random(rng, 7, 60)
    path = path_at_random(rng, place, grown)
    result = float(rng.choice((-1, 0, 1, 0.25)))
    return Case(
        lambda: (node_at(rooted(place, grown), path), (result, -result)),
        shown=f"{name}(leaf, {(result, -result)}), and the leaf is {named(path)}\n"
        f"{written(rooted(place, grown))}",
        use=_counted,
        changes_arguments=True,
    )


@exercise(variation=partial(_backup_variation, "backpropagate"))
def backpropagate(leaf: Node, returns: tuple[float, float]) -> None:
    """Count a result at every node from `leaf` up to the root, for the node's own mover."""
    node: Node | None = leaf
    while node is not None:
        node.visit_count += 1
        node.total_value += returns[node.mover]
        node = node.parent


# uct


_SEARCHES: Final = 100


def _searched_often(function: Callable[..., Any], state: State, number: int, rng: Any) -> object:
    """A search may draw its random numbers in another order, so its tree is compared with many."""
    return tallied(function(state, number, each) for each in rng.spawn(_SEARCHES))


def _uct_case(place: Place, num_simulations: int, *, is_often: bool = False) -> Case:
    times = f"{_SEARCHES} times " if is_often else ""

    def once(function: Callable[..., Any], *arguments: Any) -> object:
        root = function(*arguments)
        return by_depth(root) if isinstance(root, Node) else root

    return Case(
        lambda: (game_of(place), num_simulations, np.random.default_rng(6)),
        shown=f"{times}uct(state, {num_simulations}, rng), and the state is\n{outlined(place)}",
        use=_searched_often if is_often else once,
    )


def _uct_variation(rng: np.random.Generator) -> Case:
    """With one move everywhere nothing is left to chance."""
    return _uct_case(chain_at_random(rng), int(rng.integers(1, 15)))


def _uct_cases() -> list[Case]:
    twice = turn_of(0, turn_of(0, won_by(0), won_by(1)), turn_of(1, won_by(0), drawn(), won_by(1)))
    trap = turn_of(0, turn_of(1, won_by(0), won_by(1)), drawn())
    return [
        _uct_case(forced(2, won_by(1)), 4),
        *(
            _uct_case(place, num_simulations, is_often=True).with_about(
                "There is a choice of moves here: each simulation walks down from the root, and "
                "its rollout begins at the new leaf."
            )
            for place, num_simulations in ((trap, 12), (twice, 25))
        ),
    ]


@exercise(cases=_uct_cases, variation=_uct_variation, seconds=10.0, points=2)
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


def _twins_case(place: Place, *trees: Grown) -> Case:
    """Two trees in the same game."""
    one, other = (
        shortened([f"{name}: {shown(numbers)}" for name, numbers in statistics(root).items()])
        for root in (rooted(place, grown) for grown in trees)
    )
    return Case(
        lambda: tuple(rooted(place, grown) for grown in trees),
        shown=f"same_tree(one, other), and the trees are\n{one}\nand\n{other}",
    )


def _same_tree_cases() -> list[Case]:
    place = turn_of(0, drawn(), drawn())
    return [
        _twins_case(place, Grown(4, 2), Grown(4, -2)),
        _twins_case(place, Grown(4, 0), Grown(5, 0)),
        _twins_case(place, Grown(2, 1, {3: Grown(1, 1)}), Grown(2, 1, {7: Grown(1, 1)})).with_about(
            "The numbers are the same here, but they belong to another move."
        ),
        _twins_case(
            place,
            Grown(3, 2, {3: Grown(1, 1), 7: Grown(1, 1)}),
            Grown(3, 2, {7: Grown(1, 1), 3: Grown(1, 1)}),
        ),
        _twins_case(
            turn_of(0, *(turn_of(1, drawn(), drawn()) for _ in range(2))),
            *(
                Grown(5, 2, {move: Grown(2, 1, {below: Grown(1, 1)}) for move, below in moves})
                for moves in (((3, 3), (7, 7)), ((3, 7), (7, 3)))
            ),
        ).with_about("Both trees have the same nodes here, but some of them below another parent."),
    ]


def _same_tree_variation(rng: np.random.Generator) -> Case:
    """A tree and its copy, with the children in another order, and perhaps with one change."""
    place, grown = tree_at_random(rng, 5, 40)
    changed, change = path_at_random(rng, place, grown), int(rng.integers(5))

    def copied(here: Grown, path: tuple[int, ...]) -> Grown:
        moves = rng.permutation([*here.children]).tolist()
        below = {move: copied(here.children[move], (*path, move)) for move in moves}
        if path == changed and change == 0:  # a child is missing
            below = {move: below[move] for move in moves[1:]}
        visits = here.visit_count + (path == changed and change == 1)
        return Grown(visits, here.total_value * (1 - 2 * (path == changed and change == 2)), below)

    twins = [grown, copied(grown, ())]
    return _twins_case(place, *(twins[at] for at in rng.permutation(2)))


@exercise(cases=_same_tree_cases, variation=_same_tree_variation, points=2)
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


# principal_variation


def _line_case(place: Place, grown: Grown) -> Case:
    shown = f"principal_variation(root), and the tree is\n{written(rooted(place, grown))}"
    return Case(lambda: (rooted(place, grown),), shown=shown)


def _line_cases() -> list[Case]:
    end = drawn()
    all_added = Grown(1, 0, {7: Grown(0, 0), 3: Grown(0, 0)})
    return [
        _line_case(turn_of(0, end, end), Grown(3, 1, {7: Grown(2, 1), 3: Grown(1, 1)})),
        _line_case(turn_of(0, turn_of(1, end, end)), Grown(2, 0, {3: all_added})),
    ]


def _line_variation(rng: np.random.Generator) -> Case:
    return _line_case(*tree_at_random(rng, 6, 60))


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


@catch(
    of=backpropagate,
    right={
        "the package's": search.backpropagate,
        "one that calls itself": _recursive,
        "one that goes down from the root, and returns it": _from_the_root_down,
        "one that only uses the return of player 0": _one_number,
    },
    points=2,
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
    backpropagate(leaf, (0.0, 0.0))  # a draw
    for node, value in ((root, 2.0), (child, 2.0), (leaf, -2.0)):
        if node.visit_count != 3 or node.total_value != value:
            return False
    return True


# sabotage


def _in_trees(function: Callable[[Node, Returns], object], *_: object) -> object:
    """Whether a fault shows in the numbers of many trees."""
    for case in (*backpropagate.cases(), *backpropagate.variations()):
        if not same(_counted(function, *case.arguments()), case.expected):
            return _FAULT
    return Words("the right N and W in every tree")


def _in_a_search(function: Callable[[Node, Returns], None], *_: object) -> bool:
    """Whether a search runs in which each result changes a number, and N is a whole number."""
    is_seen: list[bool] = []

    def numbers(node: Node | None) -> list[tuple[float, float]]:
        return [(node.visit_count, node.total_value), *numbers(node.parent)] if node else []

    def watched(leaf: Node, returns: Returns) -> None:
        before = numbers(leaf)
        function(leaf, returns)
        after = numbers(leaf)
        is_seen.append(before != after and all(n >= 0 and float(n).is_integer() for n, _ in after))

    find = assemble(search.select, search.expand, search.rollout, watched)
    find(games.TicTacToe(), 60, np.random.default_rng(1), trace=search.Trace())
    return all(is_seen)


_FAULT: Final = Words("a wrong N or W in at least one tree")


def _sabotage_case(expected: object, shown: str, use: Callable[..., object]) -> Case:
    def arguments() -> tuple[Node, Returns]:
        return search.Node(games.TicTacToe()), (1.0, -1.0)

    return Case(arguments, expected, f"sabotage(leaf, returns) in {shown}", use)


def _sabotage_cases() -> list[Case]:
    return [
        _sabotage_case(True, "a search of Tic-Tac-Toe that is filmed", _in_a_search),
        _sabotage_case(_FAULT, "many trees", _in_trees),
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


# max_backup


def _new_root() -> list[Case]:
    """A root that has no visit, and a loss."""
    place = forced(2, won_by(1))
    return [
        Case(
            lambda: (Node(game_of(place)), (-1.0, 1.0)),
            shown="max_backup(leaf, (-1.0, 1.0)), and the leaf is a root without visits",
            use=_counted,
            changes_arguments=True,
        )
    ]


@exercise(cases=_new_root, variation=partial(_backup_variation, "max_backup"), points=2)
def max_backup(leaf: Node, returns: Returns) -> None:
    """From `leaf` up to the root: one more visit, and W = N times the best result of the mover."""
    node: Node | None = leaf
    while node is not None:
        best = returns[node.mover]
        if node.visit_count > 0:
            best = max(best, node.mean_value)
        node.visit_count += 1
        node.total_value = node.visit_count * best
        node = node.parent
