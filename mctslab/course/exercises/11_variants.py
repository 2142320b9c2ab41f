"""Variants of the search, a side road of notebook 11: progressive bias, and RAVE's statistics."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mctslab.course.exercise import exercise
from mctslab.course.question import FROM_MODEL, Case, case
from mctslab.course.tree_game import (
    SPARSE,
    Grown,
    Place,
    TreeGame,
    drawn,
    named,
    node_at_random,
    path_to,
    plant,
    tree_at_random,
    turn_of,
    written,
)
from mctslab.search.node import Node

# progressive_bias


def _bias_cases() -> list[Case]:
    # Computed with decimals of forty digits.
    return [
        case(0.0, 0, 0.5, 7, 1.0, expected=math.inf),
        case(0.0, 1, 0.5, 1, 1.0, expected=0.75),
        case(3.0, 3, 0.8, 9, 0.0, expected=1.2),
        case(-2.0, 4, 1.0, 20, 1.0, expected=1.315409191301142669),
        case(2.0, 8, 0.0, 40, 0.5, expected=0.9645253789351548747),
        case(1.0, 2, 3.0, 5, 2.0, expected=3.544122577994101480),
        case(-5.0, 5, 5.0, 30, 0.5, expected=1.245716491431609419),
    ]


def _bias_variation(rng: np.random.Generator) -> Case:
    visits = int(rng.integers(0, 30))
    total_value = float(rng.uniform(-visits, visits)) if visits else 0.0
    return case(
        total_value,
        visits,
        float(rng.uniform(-5, 5)),
        visits + int(rng.integers(1, 500)),
        float(rng.uniform(0, 3)),
        expected=FROM_MODEL,
    )


@exercise(cases=_bias_cases, variation=_bias_variation)
def progressive_bias(
    total_value: float, visit_count: int, heuristic: float, parent_visit_count: int, c: float
) -> float:
    """The UCB1 score of a child plus heuristic / (1 + n); without a visit it is infinite.

    The arguments are W and n of the child, its heuristic, the N of its parent, and the c of UCB1.
    """
    if visit_count == 0:
        return math.inf
    win_rate = (1 + total_value / visit_count) / 2
    bonus = c * math.sqrt(math.log(parent_visit_count) / visit_count)
    return win_rate + bonus + heuristic / (1 + visit_count)


# rave_backup

Returns = tuple[float, float]
Moves = Sequence[tuple[int, int]]
"""(player, action) for each move of a rollout."""


def _key(path: tuple[int, ...], player: int, action: int) -> str:
    return f"visits and total of player {player}'s action {action} at {named(path)}"


def _counted(
    function: Callable[..., Any], leaf: Node, moves: Moves, returns: Returns, amaf: dict[Any, Any]
) -> object:
    """The entries of `amaf` after the call, by the places of their nodes."""
    played = list(moves)
    function(leaf, moves, returns, amaf)
    facts = {} if list(moves) == played else {"the caller's list of moves": list(moves)}
    for key, entry in amaf.items():
        match key:
            case (Node() as node, player, action):
                facts[_key(path_to(node), player, action)] = tuple(entry)
            case _:  # whatever a student's function has put there
                facts[f"the key {key!r}"] = entry
    return dict(sorted(facts.items()))


def _rave_case(
    place: Place,
    grown: Grown,
    path: tuple[int, ...],
    moves: Moves,
    returns: Returns,
    expected: dict[tuple[tuple[int, ...], int, int], tuple[int, float]],
    before: dict[tuple[tuple[int, ...], int, int], tuple[int, float]] | None = None,
    numbers: tuple[int, ...] = SPARSE,
) -> Case:
    known = before or {}

    def arguments() -> tuple[object, ...]:
        root = plant(TreeGame(place, (), numbers), grown)
        amaf = {(_at(root, at), player, action): n_w for (at, player, action), n_w in known.items()}
        return _at(root, path), list(moves), returns, amaf

    shown = (
        f"rave_backup(leaf, {list(moves)}, {returns}, amaf), and the leaf is {named(path)}\n"
        + written(plant(TreeGame(place, (), numbers), grown))
        + "".join(f"\namaf has {_key(*key)}: {n_w}" for key, n_w in known.items())
    )
    facts = dict(sorted((_key(*key), n_w) for key, n_w in expected.items()))
    return Case(arguments, facts, shown, _counted, changes_arguments=True)


def _at(root: Node, path: tuple[int, ...]) -> Node:
    node = root
    for action in path:
        node = next(child for child in node.children if child.action == action)
    return node


def _rave_cases() -> list[Case]:
    end = drawn()
    alternating = turn_of(0, turn_of(1, turn_of(0, end)), turn_of(1, end))
    twice = turn_of(0, turn_of(0, turn_of(1, end)))
    grown = Grown(4, 1, {3: Grown(2, 0, {3: Grown(1, 0)}), 7: Grown(1, 1)})
    chain = Grown(3, 1, {3: Grown(2, 1, {3: Grown(1, 1)})})
    win, loss = (1.0, -1.0), (-1.0, 1.0)
    return [
        _rave_case(end, Grown(1, 0), (), ((0, 12),), win, {((), 0, 12): (1, 1)}),
        _rave_case(
            alternating, grown, (7,), ((1, 12), (0, 18)), win,
            {
                ((7,), 1, 12): (1, -1), ((7,), 0, 18): (1, 1),
                ((), 1, 12): (1, -1), ((), 0, 18): (1, 1), ((), 0, 7): (1, 1),
            },
        ),
        # A move that is played twice counts once; the same move by the other player is another.
        _rave_case(
            alternating, grown, (), ((0, 12), (1, 12), (0, 12)), loss,
            {((), 0, 12): (1, -1), ((), 1, 12): (1, 1)},
        ),
        _rave_case(
            alternating, grown, (3, 3), ((0, 7),), win,
            {
                ((3, 3), 0, 7): (1, 1),
                ((3,), 0, 7): (1, 1), ((3,), 1, 3): (1, -1),
                ((), 0, 7): (5, 3), ((), 1, 3): (1, -1), ((), 0, 3): (1, 1),
            },
            {((), 0, 7): (4, 2)},
        ),
        # A draw is a visit, too; and player 0 moves twice.
        _rave_case(
            twice, chain, (3, 3), (), (0.0, 0.0),
            {((3,), 0, 3): (1, 0), ((), 0, 3): (3, 1)},
            {((), 0, 3): (2, 1)},
        ),
    ]  # fmt: skip


def _rave_variation(rng: np.random.Generator) -> Case:
    place, grown = tree_at_random(rng, 6, 40)
    root = plant(TreeGame(place, (), SPARSE), grown)
    path = path_to(node_at_random(rng, root))
    length = int(rng.integers(0, 8))
    moves = [(int(rng.integers(2)), int(rng.choice(SPARSE))) for _ in range(length)]
    result = float(rng.choice((-1, 0, 1, 0.25)))
    before = {
        (path[: rng.integers(len(path) + 1)], int(rng.integers(2)), int(rng.choice(SPARSE))): (
            int(visits := rng.integers(1, 9)),
            float(rng.uniform(-visits, visits)),
        )
        for _ in range(rng.integers(4))
    }
    made = _rave_case(place, grown, path, tuple(moves), (result, -result), {}, before)
    return replace(made, expected=FROM_MODEL)


@exercise(cases=_rave_cases, variation=_rave_variation)
def rave_backup(
    leaf: Node,
    moves: list[tuple[int, int]],
    returns: tuple[float, float],
    amaf: dict[tuple[Node, int, int | None], tuple[float, float]],
) -> None:
    """Count a simulation for all moves that were played after each node from `leaf` to the root.

    `moves` are the moves of the rollout, each as (player, action). `amaf[node, player, action]` is
    a pair: the number of simulations through `node` in which the player played this action later,
    and the sum of their returns for that player. A move that is played twice counts once.
    """
    played: set[tuple[int, int | None]] = set(moves)
    node: Node | None = leaf
    while node is not None:
        for player, action in played:
            visits, total = amaf.get((node, player, action), (0, 0.0))
            amaf[node, player, action] = visits + 1, total + returns[player]
        played.add((node.mover, node.action))
        node = node.parent
