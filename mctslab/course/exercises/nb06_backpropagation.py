"""Notebook 06, backpropagation: the way back to the root, and the whole search."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np

from mctslab import games, search
from mctslab.course.checking.comparing import Words, tally
from mctslab.course.exercise import exercise
from mctslab.course.question import FROM_MODEL, Case, mistakes_in
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


@exercise(
    title="The way back",
    cases=_backpropagate_cases,
    variation=_backpropagate_variation,
    hints=(
        "From the leaf up to the root, every node gets one more visit and adds the result for its"
        " own mover.",
        "`node.mover` is 0 or 1, so `returns[node.mover]` is the result for the player who chose "
        "this node. The root has no parent: its `parent` is None.",
        "Begin with `node = leaf`. While `node is not None`: add 1 to `node.visit_count`, add "
        "`returns[node.mover]` to `node.total_value`, and go to `node.parent`.",
    ),
    when_right="The package's `search.backpropagate` does the same. All four phases are yours now.",
    mistakes=mistakes_in("""
        the root left out
            The walk ends one node too early. The root's visits are the N in the bonus of its
            children: use `while node is not None`, not `while node.parent is not None`.
            node is not None => node.parent is not None
        the leaf left out
            The walk begins at the leaf itself: the result counts for the leaf as well as for the
            nodes above it.
            node = leaf => node = leaf.parent
        only the leaf updated
            Every node from the leaf up to the root was part of this simulation: go on to
            `node.parent`.
            while => if
        the sign flipped at every step
            That is right only if turns always alternate. Where a player moves twice or has to pass,
            the wrong player is credited. Each node has its own mover: add `returns[node.mover]`.
            node = leaf => node, value = leaf, returns[leaf.mover]
            - returns[node.mover]
            + value
            + value = -value
        the result of player 0 added everywhere
            The statistics of a node belong to the player who chose it. If that is player 1, good
            moves of player 1 would look bad: add `returns[node.mover]`.
            returns[node.mover] => returns[0]
        the leaf's mover credited everywhere
            Each node has its own mover. A result that is good for the leaf's mover is bad for the
            other player, who chose other nodes on the same path: add `returns[node.mover]`.
            returns[node.mover] => returns[leaf.mover]
        the player to move credited instead of the mover
            `node.state.current_player` chooses among the node's children. The node itself was
            chosen by its mover, and its statistics show whether that was a good choice.
            returns[node.mover] => returns[node.state.current_player]
        half a point for a draw on the scale from -1 to 1
            A draw counts half a win on the scale where a win is 1 and a loss is 0. Here a loss is
            -1, and halfway between -1 and 1 is 0: add the return unchanged.
            returns[node.mover] => returns[node.mover] or 0.5
        rewards between 0 and 1
            W is the sum of returns, each between -1 and 1. The selection rule turns their mean into
            a win rate; if you do it here too, it is done twice.
            returns[node.mover] => (1 + returns[node.mover]) / 2
        only wins counted
            A loss counts -1. If you leave it out, a lost game looks the same as a drawn one.
            returns[node.mover] => max(0.0, returns[node.mover])
        the visits not counted
            Both statistics change: N grows by one, W by the return.
            node.visit_count += 1 =>
        the old total replaced by the new result
            W is a sum over all simulations: use `+=` instead of `=`.
            node.total_value += => node.total_value =
        the mean kept instead of the sum
            `total_value` is W, the sum of the returns; the mean, Q = W / N, is computed from it
            where it is needed.
            returns[node.mover] => (returns[node.mover] - node.total_value) / node.visit_count
        a loop that never leaves the leaf
            At the end of the loop, go to the parent: `node = node.parent`.
            node = node.parent =>
    """),
)
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


@exercise(
    title="The whole search",
    cases=_uct_cases,
    variation=_uct_variation,
    hints=(
        "Make a root, then run the four phases once for each simulation: select, expand, "
        "simulate, backpropagate.",
        "`select` starts at the root every time, and the node that it finds is expanded. The "
        "rollout begins at the new leaf, which `expand` returns, and the result goes back from "
        "there.",
        "Make the root with `root = search.Node(state)`. The four lines in the loop are `node = "
        "select(root, search.ucb1())`, `leaf = expand(node, rng)`, `returns = rollout(leaf.state, "
        "search.uniform, rng)` and `backpropagate(leaf, returns)`. After the loop, return the "
        "root.",
    ),
    when_right="You have written MCTS. If it draws its random numbers in the same order, it grows"
    " the tree of `search.mcts`, node for node.",
    seconds=10.0,
    mistakes=mistakes_in("""
        rollouts from the parent of the new leaf
            `expand` returns the new leaf, and the rollout has to begin there: at `leaf.state`, not
            at the node at which the selection ended.
            simulate(leaf => simulate(node
        rollouts from the root
            A rollout from the root says nothing about the leaf, so every node would get the same
            value. Begin it at the position of the leaf, `leaf.state`.
            simulate(leaf => simulate(root
        the result counted from the parent of the new leaf
            The way back begins at the leaf. Otherwise the leaf never gets a visit, and the
            selection reaches it again and again.
            backpropagate(leaf => backpropagate(node
        no way back
            After the simulation, its result has to be counted in the tree: `backpropagate(leaf,
            returns)`.
            search.backpropagate(leaf, returns) =>
        no expansion
            The tree never grows beyond its root. After the selection, `expand` adds a child, and
            the rollout begins there.
            [leaf] = search.expand(node, rng) => leaf = node
        the new leaf never used
            `expand` returns the new leaf. The rollout begins there, and so does the way back;
            otherwise the leaf never gets a visit. Write `leaf = expand(node, rng)`.
            - [leaf] = search.expand(node, rng)
            + search.expand(node, rng)
            + leaf = node
        an expansion of the root only
            Without the selection the tree never grows deeper: expand the node that `select`
            returns.
            search.select(root, rule) => root
        a selection without the bonus
            With c = 0 a move that was unlucky once is never tried again. `search.ucb1()` has c =
            root 2.
            search.ucb1() => search.ucb1(0)
        an exploration constant of 1
            `search.ucb1()` has c = root 2, the value from the theory. With another c the visits are
            distributed differently.
            search.ucb1() => search.ucb1(1)
        two results for one leaf
            One simulation gives one result. Play one rollout from the leaf, and count its result
            once.
            - search.backpropagate(leaf, returns)
            + search.backpropagate(leaf, returns)
            + search.backpropagate(leaf, search.simulate(leaf, evaluator, rng))
        all children added at once
            That is another way to expand. Here one simulation adds one child.
            [leaf] = search.expand(node, rng) => leaf = search.expand_all(node, rng)[0]
        a selection that begins where the last one ended
            Every simulation starts at the root. Keep the root under a name of its own, and walk
            with another.
            root = search.Node(state) => root = leaf = search.Node(state)
            select(root, rule) => select(leaf, rule)
        one simulation too few
            `range(1, n)` and `range(n - 1)` have n - 1 steps; `range(n)` has n.
            range(num_simulations) => range(num_simulations - 1)
        a tree with only one simulation
            Make the root once, before the loop, or everything that the search has learned is thrown
            away. And return it after the loop, because a `return` inside the loop ends the search.
            - node = search.select
            + root = search.Node(state)
            + node = search.select
        random numbers from another source
            Every draw comes from `rng`, which is passed in, so that the same seed grows the same
            tree. Pass it on to `expand` and to the rollout.
            search.expand(node, rng) => search.expand(node, np.random.default_rng())
        the move instead of the tree
            Return the root: it contains everything that the search has found, and the move can be
            read from it.
            - return root
            + best = max(root.children, key=lambda node: (node.visit_count, node.mean_value))
            + return best.action
            or
            - return root
            + return max(root.children, key=lambda node: node.visit_count)
        the sign changed at every node on the way back
            Turns need not alternate. Add to each node what the result was worth to its own mover,
            `returns[node.mover]`, and no sign has to change.
            - search.backpropagate(leaf, returns)
            + value = returns[leaf.mover]
            + while leaf is not None:
            +     leaf.visit_count += 1
            +     leaf.total_value += value
            +     value, leaf = -value, leaf.parent
            or
            - search.backpropagate(leaf, returns)
            + value = returns[leaf.state.current_player]
            + while leaf is not None:
            +     value = -value
            +     leaf.visit_count += 1
            +     leaf.total_value += value
            +     leaf = leaf.parent
        the result for one player counted at every node
            A node counts for its own mover: `returns[node.mover]`.
            - search.backpropagate(leaf, returns)
            + while leaf is not None:
            +     leaf.visit_count += 1
            +     leaf.total_value += returns[state.current_player]
            +     leaf = leaf.parent
            or
            - search.backpropagate(leaf, returns)
            + value = returns[leaf.mover]
            + while leaf is not None:
            +     leaf.visit_count += 1
            +     leaf.total_value += value
            +     leaf = leaf.parent
    """),
)
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
