"""Notebook 06, the bug museum: four faults of UCT that were found in published programs."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from mctslab import search
from mctslab.course.checking.cases import Case, case
from mctslab.course.exercise import exercise
from mctslab.course.tree_game import (
    LONG,
    Grown,
    Place,
    by_depth,
    chain_at_random,
    drawn,
    game_of,
    is_long,
    node_at,
    outlined,
    rooted,
    tallied,
    turn_of,
    way_up,
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


@exercise(
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


_SEARCHES: Final = 60


def _simulation_case(place: Place, *, has_choice: bool = False) -> Case:
    def grown(function: Callable[..., Any], root: Node, rng: np.random.Generator) -> Node:
        for _ in range(12):
            function(root, rng)
        return root

    def once(function: Callable[..., Any], root: Node, rng: np.random.Generator) -> object:
        return by_depth(grown(function, root, rng))

    def often(function: Callable[..., Any], root: Node, rng: np.random.Generator) -> object:
        """How often each kind of tree occurs: the task does not fix the order of the draws."""
        return tallied(grown(function, Node(root.state), each) for each in rng.spawn(_SEARCHES))

    times = f"{_SEARCHES} times " if has_choice else ""
    return Case(
        lambda: (Node(game_of(place)), np.random.default_rng(3)),
        shown=f"{times}12 simulations of this game\n{outlined(place)}",
        use=often if has_choice else once,
        changes_arguments=True,
    )


def _simulation_variation(rng: np.random.Generator) -> Case:
    """With one move everywhere nothing is left to chance."""
    return _simulation_case(chain_at_random(rng))


def _simulation_cases() -> list[Case]:
    wins, loses = won_by(0), won_by(1)
    fewer = turn_of(
        0,
        turn_of(1, turn_of(0, turn_of(1, wins)), turn_of(0, turn_of(1, loses))),
        turn_of(1, turn_of(0, turn_of(0, turn_of(0, turn_of(0, wins))))),
        turn_of(1, turn_of(0, drawn(), loses), turn_of(1, wins)),
    )
    places = (turn_of(0, wins, loses), fewer)
    return [_simulation_case(place, has_choice=True) for place in places]


@exercise(
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


def _children_variation(rng: np.random.Generator) -> Case:
    """A position in which it is one player's turn, then these players' in its children.

    In the first `num_ends` of the children the game is over.
    """
    player, *players = map(int, rng.integers(0, 2, rng.integers(2, 7)))
    num_ends = int(rng.integers(2))
    children = [turn_of(each, drawn()) for each in players]
    children[:num_ends] = (drawn()._replace(player=each) for each in players[:num_ends])
    state = game_of(turn_of(player, *children))

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

    shown = f"player {player} moves, then player {' or '.join(map(str, players))}"
    return Case(lambda: (state, player), shown=shown, use=use)


@exercise(
    start="child.current_player => player",
    faulty='children.append({"state": child, "player": player})',
    variation=_children_variation,
    points=2,
)
def museum_children(state: State, player: int) -> list[dict[str, Any]]:
    """The children of a node, each with the player to move there; in `state` that is `player`."""
    children = []
    for action in state.legal_actions():
        child = state.child(action)
        children.append({"state": child, "player": child.current_player})
    return children


# museum_backpropagate


def _way_variation(rng: np.random.Generator) -> Case:
    """The case of a game with one line of play, in which these players move."""
    length = LONG if is_long(rng) else int(rng.integers(1, 20))
    movers = [int(mover) for mover in rng.integers(0, 2, length)]
    value = float(rng.choice((1, -1, 0.5)))
    end = drawn()._replace(player=int(rng.integers(0, 2)))

    def leaf() -> Node:
        place, grown = end, Grown(0, 0)
        for mover in reversed(movers):
            place, grown = turn_of(mover, place), Grown(1, 0.25, {3: grown})
        return node_at(rooted(place, grown), [3] * len(movers))

    def use(function: Callable[..., Any], leaf: Node, value: float) -> object:
        function(leaf, value)
        way = way_up(leaf)
        return {
            "visits, from the leaf to the root": [node.visit_count for node in way],
            # Nobody moved into the root, so its total is left out.
            "totals, from the leaf to the root's child": [node.total_value for node in way[:-1]],
        }

    shown = f"museum_backpropagate(leaf, {value:g}), and the leaf is the last of\n"
    shown += written(way_up(leaf())[-1])
    return Case(lambda: (leaf(), value), shown=shown, use=use, changes_arguments=True)


@exercise(
    start="""
        - value if node.mover == leaf.mover else -value
        + value
        + value = -value
    """,
    faulty="value = -value",
    variation=_way_variation,
    points=2,
)
def museum_backpropagate(leaf: Node, value: float) -> None:
    """Count a result up to the root; `value` is what it was worth to the mover of `leaf`."""
    node: Node | None = leaf
    while node is not None:
        node.visit_count += 1
        node.total_value += value if node.mover == leaf.mover else -value
        node = node.parent
