"""Variants of the search, a side road of notebook 11: progressive bias, and RAVE's statistics."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mctslab.course.exercise import exercise
from mctslab.course.question import FROM_MODEL, Case, case, mistakes_in
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
        float(rng.uniform(0, 5)),
        visits + int(rng.integers(1, 500)),
        float(rng.uniform(0, 3)),
        expected=FROM_MODEL,
    )


@exercise(
    title="Progressive bias",
    cases=_bias_cases,
    variation=_bias_variation,
    hints=(
        "The score has three parts: the win rate, UCB1's bonus for few visits, and the heuristic, "
        "which is divided by something that grows with the visits.",
        "A child without a visit scores `math.inf`, as in UCB1. Otherwise the win rate is "
        "(1 + W / n) / 2, and the bonus is c times the square root of ln(N) / n.",
        "The third part is `heuristic / (1 + visit_count)`, outside the square root.",
    ),
    when_right="The search with your score is the first of the five that will race.",
    mistakes=mistakes_in("""
        a heuristic that never fades
            Divide it by 1 + n. Otherwise it still counts as much after a thousand visits, when the
            results of the games know better.
            heuristic / (1 + visit_count) => heuristic
        the heuristic divided by n
            It is divided by 1 + n, so that it is halved by the first visit.
            heuristic / (1 + visit_count) => heuristic / visit_count
        the heuristic divided by the parent's visits
            It fades with the visits of the child itself: a move that has hardly been tried still
            depends on it, however often its siblings have been tried.
            heuristic / (1 + visit_count) => heuristic / (1 + parent_visit_count)
        the heuristic inside the bonus
            The heuristic is a term of its own, it does not multiply UCB1's bonus.
            - return win_rate + bonus + heuristic / (1 + visit_count)
            + return win_rate + bonus * heuristic / (1 + visit_count)
        the heuristic divided by a square root
            It is divided by 1 + n itself, so that it fades faster than UCB1's bonus.
            (1 + visit_count) => math.sqrt(1 + visit_count)
        no bonus for few visits
            Progressive bias is added to UCB1, it does not replace its bonus.
            win_rate + bonus => win_rate
        the heuristic subtracted
            A promising move gets a higher score: add the heuristic.
            bonus + heuristic => bonus - heuristic
        the mean value instead of the win rate
            W / n is between -1 and 1, and UCB1's bonus belongs to rewards between 0 and 1:
            (1 + W / n) / 2.
            (1 + total_value / visit_count) / 2 => total_value / visit_count
        the logarithm forgotten
            UCB1's bonus is c times the square root of ln(N) / n.
            math.log(parent_visit_count) => parent_visit_count
        the two visit counts swapped in the bonus
            The logarithm is that of the parent's visits N, and the denominator is n.
            math.log(parent_visit_count) / visit_count => math.log(visit_count) / parent_visit_count
        only the heuristic for a child without a visit
            As in UCB1, a child without a visit comes before all others: return `math.inf`.
            return math.inf => return heuristic
    """),
)
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
    function(leaf, moves, returns, amaf)
    facts = {}
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


@exercise(
    title="All moves as first",
    cases=_rave_cases,
    variation=_rave_variation,
    hints=(
        "Walk from the leaf up to the root, as in backpropagation. What changes on the way is the "
        "set of moves that were played after the node: at the leaf it is the rollout, and each "
        "step upwards adds one move.",
        "Begin with `played = set(moves)`. At each node count every (player, action) in it. Before "
        "you go on to the parent, add `(node.mover, node.action)`, the move that led to the node.",
        "`visits, total = amaf.get((node, player, action), (0, 0.0))`, and then "
        "`amaf[node, player, action] = visits + 1, total + returns[player]`.",
    ),
    when_right="With it you can build RAVE and GRAVE, which differ in one number.",
    mistakes=mistakes_in("""
        the moves in the tree left out
            The moves between a node and the leaf were played after it as well: add
            `(node.mover, node.action)` on the way up.
            played.add((node.mover, node.action)) =>
        the moves of the rollout left out
            At the leaf, the moves played after it are those of the rollout: begin with them.
            set(moves) => set()
        a move that was played twice counted twice
            In Connect Four a player can play the same column several times in a rollout. It is one
            move, and this is one simulation: use a set.
            set(moves) => list(moves)
            played.add => played.append
        the move into a node counted at the node itself
            That move was played before the node was reached. It counts from the parent upwards:
            count first, and add it then.
            - for player, action in played:
            -     visits, total = amaf.get((node, player, action), (0, 0.0))
            -     amaf[node, player, action] = visits + 1, total + returns[player]
            - played.add((node.mover, node.action))
            + if node.parent is not None:
            +     played.add((node.mover, node.action))
            + for player, action in played:
            +     visits, total = amaf.get((node, player, action), (0, 0.0))
            +     amaf[node, player, action] = visits + 1, total + returns[player]
        the root left out
            The root's entries are the most useful ones: use `while node is not None`.
            node is not None => node.parent is not None
        only the leaf
            Every node from the leaf up to the root gets entries: go on to `node.parent`.
            while => if
        the result of player 0 for both players
            A move of player 1 counts with the result for player 1: `returns[player]`.
            returns[player] => returns[0]
        the result for the node's mover
            The result counts for the player who plays the move, whoever chose the node:
            `returns[player]`.
            returns[player] => returns[node.mover]
        the other player's result
            The result counts for the player who plays the move: `returns[player]`.
            returns[player] => returns[1 - player]
        only the moves of the player to move
            Count the moves of both players. RAVE looks up only one of them, but GRAVE can look up
            the other, too.
            - visits, total = amaf.get((node, player, action), (0, 0.0))
            - amaf[node, player, action] = visits + 1, total + returns[player]
            + if player == node.state.current_player:
            +     visits, total = amaf.get((node, player, action), (0, 0.0))
            +     amaf[node, player, action] = visits + 1, total + returns[player]
        the earlier entries overwritten
            `amaf` has the sums of all simulations so far: add to them.
            visits + 1, total + returns[player] => 1, returns[player]
        only wins counted
            A draw and a loss are visits, too, and a loss subtracts from the total.
            - for player, action in played:
            + for player, action in [each for each in played if returns[each[0]] > 0]:
        the mean kept instead of the sum
            Keep the number of visits and the sum of the results; the mean is computed where it is
            needed.
            total + returns[player] => total + (returns[player] - total) / (visits + 1)
        a move given to the player who is to move after it
            `node.action` was chosen by `node.mover`. `node.state.current_player` moves next.
            (node.mover, => (node.state.current_player,
        a move that the rollout repeats counted twice
            In a list a move of the tree that is also in the rollout stands twice. A set has it
            once.
            = set(moves) => = list(set(moves))
            played.add => played.append
    """),
)
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
