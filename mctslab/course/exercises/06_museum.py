"""Notebook 06, the bug museum: four faults of UCT that were found in published programs."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np

from mctslab import search
from mctslab.course.checking.comparing import tally
from mctslab.course.exercise import exhibit
from mctslab.course.question import FROM_MODEL, Case, case
from mctslab.course.tree_game import (
    LONG,
    SPARSE,
    Grown,
    Place,
    TreeGame,
    chain_at_random,
    drawn,
    is_long,
    outlined,
    plant,
    statistics,
    turn_of,
    won_by,
    written,
)
from mctslab.games.state import State
from mctslab.search.node import Node

# museum_reward


def _reward_cases() -> list[Case]:
    return [
        case(0, 0, expected=1),
        case(0, 1, expected=-1),
        case(1, 1, expected=1),
        case(1, 0, expected=-1),
        case(None, 0, expected=0),
        case(None, 1, expected=0),
    ]


@exhibit(
    start="""
        - ...
        + if winner == player:
        +     return 1
        + return -1
    """,
    faulty="return -1",
    cases=_reward_cases,
)
def museum_reward(winner: int | None, player: int) -> float:
    """What a game was worth to `player`; `winner` is 0, 1, or None after a draw."""
    if winner is None:
        return 0
    return 1 if winner == player else -1


# museum_simulation


def _grown_by(function: Callable[..., Any], root: Node, rng: np.random.Generator) -> object:
    """How often each kind of tree occurs in many searches: the task does not fix the order of the
    draws."""
    trees = [_once(function, Node(root.state), each) for each in rng.spawn(_SEARCHES)]
    return {name: tally(tree[name] for tree in trees) for name in trees[0]}


def _once(
    function: Callable[..., Any], root: Node, rng: np.random.Generator
) -> dict[str, tuple[float, ...]]:
    for _ in range(12):
        function(root, rng)
    children = sorted(root.children, key=lambda child: child.action or 0)
    return {
        "N and W of the root": (root.visit_count, root.total_value),
        "N of its children": tuple(each.visit_count for each in children),
        "W of its children": tuple(each.total_value for each in children),
    }


_SEARCHES: Final = 60


def _simulation_case(place: Place, shown: str) -> Case:
    def arguments() -> tuple[Node, np.random.Generator]:
        return Node(TreeGame(place, (), SPARSE)), np.random.default_rng(3)

    def package(root: Node, rng: np.random.Generator) -> None:
        leaf = search.expand(search.select(root, search.ucb1()), rng)[0]
        search.backpropagate(leaf, search.rollout(leaf.state, search.uniform, rng))

    expected = _grown_by(package, *arguments())
    shown = f"{_SEARCHES} times 12 simulations of {shown}"
    return Case(arguments, expected, shown, _grown_by, changes_arguments=True)


def _simulation_variation(rng: np.random.Generator) -> Case:
    """With one move everywhere nothing is left to chance."""
    place = chain_at_random(rng)

    def use(function: Callable[..., Any], root: Node, generator: np.random.Generator) -> object:
        for _ in range(12):
            function(root, generator)
        return statistics(root)

    shown = f"12 simulations of a game with one move everywhere\n{outlined(place)}"
    return Case(
        lambda: (Node(TreeGame(place, (), SPARSE)), np.random.default_rng(3)),
        FROM_MODEL,
        shown,
        use,
        changes_arguments=True,
    )


def _simulation_cases() -> list[Case]:
    wins, loses = won_by(0), won_by(1)
    return [
        _simulation_case(turn_of(0, loses), "one forced move that loses"),
        _simulation_case(turn_of(0, wins, loses), "a move that wins and a move that loses"),
        _simulation_case(
            turn_of(0, turn_of(1, wins, loses), turn_of(1, wins, wins)),
            "two moves with two replies each; after the second one every reply wins for player 0",
        ),
        _simulation_case(
            turn_of(0, turn_of(1, turn_of(0, wins, loses), drawn()), turn_of(0, loses, wins)),
            "a small game of different lengths",
        ),
        _simulation_case(
            turn_of(
                0,
                turn_of(1, turn_of(0, turn_of(1, wins)), turn_of(0, turn_of(1, loses))),
                turn_of(1, turn_of(0, turn_of(0, turn_of(0, turn_of(0, wins))))),
                turn_of(1, turn_of(0, drawn(), loses), turn_of(1, wins)),
            ),
            "a game in which fewer and fewer moves are left",
        ),
    ]


@exhibit(
    start="""
        - node = search.select
        + state = root.state
        + node = search.select
        state = leaf.state =>
    """,
    faulty="state = root.state",
    cases=_simulation_cases,
    variation=_simulation_variation,
)
def museum_simulation(root: Node, rng: np.random.Generator) -> None:
    """One simulation of UCT, added to the tree below `root`."""
    node = search.select(root, search.ucb1())
    [leaf] = search.expand(node, rng)
    state = leaf.state
    while not state.is_terminal:
        state = state.child(search.uniform(state, rng))
    search.backpropagate(leaf, state.returns())


# museum_children


def _children_case(place: Place, shown: str, *players: int) -> Case:
    def arguments() -> tuple[State, int]:
        return TreeGame(place, (), SPARSE), place.player

    def use(function: Callable[..., Any], state: State, player: int) -> object:
        found = function(state, player)
        if not isinstance(found, list) or not all(isinstance(child, dict) for child in found):
            return found
        return {
            "whose turn it is in each child": tuple(child.get("player") for child in found),
            "positions that are the right ones": sum(
                child.get("state") == state.child(action)
                for child, action in zip(found, state.legal_actions(), strict=False)
            ),
        }

    expected = {
        "whose turn it is in each child": players,
        "positions that are the right ones": len(players),
    }
    return Case(arguments, expected, shown, use)


def _children_cases() -> list[Case]:
    first, second = turn_of(0, drawn()), turn_of(1, drawn())
    return [
        _children_case(turn_of(0, second), "player 0 moves, then player 1", 1),
        _children_case(turn_of(1, first), "player 1 moves, then player 0", 0),
        _children_case(turn_of(0, second, second), "two moves of player 0, then player 1", 1, 1),
        _children_case(turn_of(0, first), "player 0 moves twice: player 1 has to pass", 0),
        _children_case(
            turn_of(1, first, second, first),
            "after the second of three moves, player 1 moves again",
            *(0, 1, 0),
        ),
    ]


def _children_variation(rng: np.random.Generator) -> Case:
    players = [int(player) for player in rng.integers(0, 2, rng.integers(1, 5))]
    place = turn_of(int(rng.integers(2)), *(turn_of(player, drawn()) for player in players))
    if rng.random() < 0.3:
        place, players = place._replace(options=(*place.options, drawn())), [*players, 0]
    shown = f"player {place.player} moves, then player {' or '.join(map(str, players))}"
    return _children_case(place, shown, *players)


@exhibit(
    start="child.current_player => player",
    faulty='children.append({"state": child, "player": player})',
    cases=_children_cases,
    variation=_children_variation,
)
def museum_children(state: State, player: int) -> list[dict[str, Any]]:
    """The children of a node, each with the player to move there; in `state` that is `player`."""
    children = []
    for action in state.legal_actions():
        child = state.child(action)
        children.append({"state": child, "player": child.current_player})
    return children


# museum_backpropagate


def _way_case(place: Place, length: int, value: float, *expected: float) -> Case:
    """The case of a game with one line of play; `expected` is added, from the leaf upwards."""
    leaf_total, *others = expected

    def line() -> Grown:
        grown = Grown(0, 0)
        for _ in range(length):
            grown = Grown(1, 0.25, {0: grown})
        return grown

    def arguments() -> tuple[Node, float]:
        leaf = plant(TreeGame(place), line())
        while leaf.children:
            leaf = leaf.children[0]
        return leaf, value

    def use(function: Callable[..., Any], leaf: Node, value: float) -> object:
        function(leaf, value)
        way: list[Node] = [leaf]
        while way[-1].parent is not None:
            way.append(way[-1].parent)
        return {
            "visits, from the leaf to the root": tuple(node.visit_count for node in way),
            # Nobody moved into the root, so its total is left out.
            "totals, from the leaf to the root's child": tuple(n.total_value for n in way[:-1]),
        }

    facts = {
        "visits, from the leaf to the root": (1,) + (2,) * length,
        "totals, from the leaf to the root's child": (leaf_total, *(0.25 + t for t in others)),
    }
    shown = f"museum_backpropagate(leaf, {value:g}), and the leaf is the last of\n"
    shown += written(plant(TreeGame(place), line()))
    return Case(arguments, facts, shown, use, changes_arguments=True)


def _way_cases() -> list[Case]:
    end = drawn()
    return [
        _way_case(turn_of(0, end), 1, 1.0, 1.0),
        _way_case(turn_of(0, turn_of(1, end)), 2, 1.0, 1.0, -1.0),
        _way_case(turn_of(0, turn_of(0, end)), 2, 1.0, 1.0, 1.0),
        _way_case(turn_of(1, turn_of(0, turn_of(1, end))), 3, -1.0, -1.0, 1.0, -1.0),
        _way_case(turn_of(0, turn_of(1, turn_of(1, end))), 3, 1.0, 1.0, 1.0, -1.0),
        _way_case(
            turn_of(0, turn_of(0, turn_of(1, turn_of(1, turn_of(0, end))))),
            *(5, 0.5),
            *(0.5, -0.5, -0.5, 0.5, 0.5),
        ),
    ]


def _way_variation(rng: np.random.Generator) -> Case:
    place, length = drawn(), LONG if is_long(rng) else int(rng.integers(1, 20))
    for _ in range(length):
        place = turn_of(int(rng.integers(2)), place)
    case = _way_case(place, length, float(rng.choice((1, -1, 0.5))), *[0.0] * length)
    return replace(case, expected=FROM_MODEL)


@exhibit(
    start="""
        - value if node.mover == leaf.mover else -value
        + value
        + value = -value
    """,
    faulty="value = -value",
    cases=_way_cases,
    variation=_way_variation,
)
def museum_backpropagate(leaf: Node, value: float) -> None:
    """Count a result up to the root; `value` is what it was worth to the mover of `leaf`."""
    node: Node | None = leaf
    while node is not None:
        node.visit_count += 1
        node.total_value += value if node.mover == leaf.mover else -value
        node = node.parent
