"""Variants of the search, a side road of notebook 11: progressive bias, and RAVE's statistics."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from mctslab.course.checking.cases import Case, case
from mctslab.course.exercise import exercise
from mctslab.course.tree_game import (
    SPARSE,
    named,
    node_at,
    path_at_random,
    path_to,
    rooted,
    tree_at_random,
    written,
)
from mctslab.search.node import Node

# progressive_bias


def _bias_variation(rng: np.random.Generator) -> Case:
    visits = int(rng.integers(0, 30)) if rng.random() < 0.9 else 0
    total_value = float(rng.uniform(-visits, visits)) if visits else 0.0
    parent_visits = visits + int(rng.integers(1, 500))
    heuristic, c = float(rng.uniform(-5, 5)), float(rng.uniform(0, 3))
    return case(total_value, visits, heuristic, parent_visits, c)


@exercise(variation=_bias_variation)
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


Amaf = Mapping[tuple[tuple[int, ...], int, int], tuple[int, float]]
"""Visits and total of a player's action after the node at a path."""


def _named(amaf: Amaf) -> dict[str, object]:
    """The entries by their keys in words."""
    return {
        f"visits and total of player {player}'s action {action} at {named(path)}": entry
        for (path, player, action), entry in sorted(amaf.items())
    }


def _counted(
    function: Callable[..., Any], leaf: Node, moves: Moves, returns: Returns, amaf: dict[Any, Any]
) -> object:
    """The entries of `amaf` after the call, by the places of their nodes."""
    played = list(moves)
    function(leaf, moves, returns, amaf)
    known, others = {}, dict[str, object]()
    if list(moves) != played:
        others["the caller's list of moves"] = list(moves)
    for key, entry in amaf.items():
        match key:
            case (Node() as node, int() as player, int() as action):
                known[path_to(node), player, action] = tuple(entry)
            case _:  # whatever a student's function has put there
                others[f"the key {key!r}"] = entry
    return _named(known) | others


def _rave_variation(rng: np.random.Generator) -> Case:
    place, grown = tree_at_random(rng, 6, 40)
    path = path_at_random(rng, place, grown)

    def move() -> tuple[int, int]:
        return int(rng.integers(2)), int(rng.choice(SPARSE))

    moves = [move() for _ in range(rng.integers(8))]
    before = {}
    for _ in range(rng.integers(4)):
        visits = int(rng.integers(1, 9))
        at = path[: rng.integers(len(path) + 1)]
        before[(at, *move())] = (visits, float(rng.uniform(-visits, visits)))
    result = float(rng.choice((-1, 0, 1, 0.25)))

    def arguments() -> tuple[object, ...]:
        root = rooted(place, grown)
        amaf = {(node_at(root, at), *move): entry for (at, *move), entry in before.items()}
        return node_at(root, path), list(moves), (result, -result), amaf

    shown = f"rave_backup(leaf, {list(moves)}, {(result, -result)}, amaf), and the leaf is "
    shown += f"{named(path)}\n{written(rooted(place, grown))}"
    shown += "".join(f"\namaf has {key}: {entry}" for key, entry in _named(before).items())
    return Case(arguments, shown=shown, use=_counted, changes_arguments=True)


@exercise(variation=_rave_variation, points=2)
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
