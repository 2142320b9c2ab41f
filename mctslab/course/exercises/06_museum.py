"""Notebook 06, the bug museum: four faults of UCT that were found in published programs."""

from collections.abc import Callable, Sequence
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
    by_depth,
    chain_at_random,
    drawn,
    is_long,
    outlined,
    plant,
    turn_of,
    won_by,
    written,
)
from mctslab.games.state import State
from mctslab.search.node import Node

# museum_reward


_FIRST: Final = "Player 0 has won here. In Python 0 counts as false, but it is a player."


_DRAW: Final = "Nobody has won here: `winner` is None, and a draw is worth 0 to both."


def _reward_cases() -> list[Case]:
    return [
        case(0, 0, expected=1).with_about(_FIRST),
        case(0, 1, expected=-1).with_about(_FIRST),
        case(1, 1, expected=1),
        case(1, 0, expected=-1),
        case(None, 0, expected=0).with_about(_DRAW),
        case(None, 1, expected=0).with_about(_DRAW),
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


def _grown(function: Callable[..., Any], root: Node, rng: np.random.Generator) -> dict[str, Any]:
    for _ in range(12):
        function(root, rng)
    return by_depth(root)


def _grown_often(function: Callable[..., Any], root: Node, rng: np.random.Generator) -> object:
    """How often each kind of tree occurs: the task does not fix the order of the draws."""
    trees = [_grown(function, Node(root.state), each) for each in rng.spawn(_SEARCHES)]
    return {name: tally(tree[name] for tree in trees) for name in trees[0]}


_SEARCHES: Final = 60


def _simulation_case(place: Place, shown: str) -> Case:
    def arguments() -> tuple[Node, np.random.Generator]:
        return Node(TreeGame(place, (), SPARSE)), np.random.default_rng(3)

    def package(root: Node, rng: np.random.Generator) -> None:
        leaf = search.expand(search.select(root, search.ucb1()), rng)[0]
        search.backpropagate(leaf, search.rollout(leaf.state, search.uniform, rng))

    return Case(
        arguments,
        _grown_often(package, *arguments()),
        f"{_SEARCHES} times 12 simulations of {shown}\n{outlined(place)}",
        _grown_often,
        changes_arguments=True,
    )


def _simulation_variation(rng: np.random.Generator) -> Case:
    """With one move everywhere nothing is left to chance."""
    place = chain_at_random(rng)
    return Case(
        lambda: (Node(TreeGame(place, (), SPARSE)), np.random.default_rng(3)),
        FROM_MODEL,
        f"12 simulations of a game with one move everywhere\n{outlined(place)}",
        _grown,
        changes_arguments=True,
    )


_CHOICE: Final = (
    "There is a choice of moves here: each simulation selects from the root down, "
    "and its rollout begins at the new leaf."
)


def _simulation_cases() -> list[Case]:
    wins, loses = won_by(0), won_by(1)
    fewer = turn_of(
        0,
        turn_of(1, turn_of(0, turn_of(1, wins)), turn_of(0, turn_of(1, loses))),
        turn_of(1, turn_of(0, turn_of(0, turn_of(0, turn_of(0, wins))))),
        turn_of(1, turn_of(0, drawn(), loses), turn_of(1, wins)),
    )
    return [
        _simulation_case(
            turn_of(0, wins, loses), "a move that wins and a move that loses"
        ).with_about(_CHOICE),
        _simulation_case(
            turn_of(0, turn_of(1, wins, loses), turn_of(1, wins, wins)),
            "two moves with two replies each",
        ).with_about(_CHOICE),
        _simulation_case(fewer, "a game in which fewer and fewer moves are left").with_about(
            _CHOICE
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


def _children_case(player: int, *players: int, num_ends: int = 0) -> Case:
    """A position in which it is one player's turn, then these players' in its children.

    In the first `num_ends` of the children the game is over.
    """
    children = [turn_of(each, drawn()) for each in players]
    children[:num_ends] = (drawn()._replace(player=each) for each in players[:num_ends])
    state = TreeGame(turn_of(player, *children), (), SPARSE)

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
    shown = f"player {player} moves, then player {' or '.join(map(str, players))}"
    return Case(lambda: (state, player), expected, shown, use)


def _children_cases() -> list[Case]:
    # In the last two a player moves twice, because the other one has to pass.
    return [_children_case(0, 1), _children_case(0, 0), _children_case(1, 0, 1, 0)]


def _children_variation(rng: np.random.Generator) -> Case:
    players = map(int, rng.integers(0, 2, rng.integers(2, 7)))
    return _children_case(*players, num_ends=int(rng.integers(2)))


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


def _way_case(movers: Sequence[int], value: float, *expected: float) -> Case:
    """The case of a game with one line of play, in which these players move.

    `expected` are the totals of all nodes below the root after that, first that of the leaf.
    """
    place, grown = drawn(), Grown(0, 0)
    for mover in reversed(movers):
        place, grown = turn_of(mover, place), Grown(1, 0.25, {0: grown})

    def way() -> list[Node]:
        found = [plant(TreeGame(place), grown)]
        while found[0].children:
            found.insert(0, found[0].children[0])
        return found

    def use(function: Callable[..., Any], leaf: Node, value: float) -> object:
        function(leaf, value)
        up = [leaf]
        while up[-1].parent is not None:
            up.append(up[-1].parent)
        # Nobody moved into the root, so its total is left out.
        return dict(
            zip(_WAY, ([n.visit_count for n in up], [n.total_value for n in up[:-1]]), strict=True)
        )

    facts = dict(zip(_WAY, ([1] + [2] * len(movers), list(expected)), strict=True))
    shown = f"museum_backpropagate(leaf, {value:g}), and the leaf is the last of\n"
    return Case(
        lambda: (way()[0], value), facts, shown + written(way()[-1]), use, changes_arguments=True
    )


_WAY: Final = ("visits, from the leaf to the root", "totals, from the leaf to the root's child")


def _way_cases() -> list[Case]:
    return [
        _way_case((0,), 1.0, 1.0),
        _way_case((0, 1), 1.0, 1.0, -0.75),
        _way_case((0, 0), 1.0, 1.0, 1.25),
        _way_case((0, 0, 1, 1, 0), 0.5, 0.5, -0.25, -0.25, 0.75, 0.75),
    ]


def _way_variation(rng: np.random.Generator) -> Case:
    length = LONG if is_long(rng) else int(rng.integers(1, 20))
    movers = [int(mover) for mover in rng.integers(0, 2, length)]
    return replace(_way_case(movers, float(rng.choice((1, -1, 0.5)))), expected=FROM_MODEL)


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
