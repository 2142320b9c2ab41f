"""Notebook 11, PUCT: priors, the score, a simulation, noise at the root, and virtual losses."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from mctslab import search
from mctslab.course.checking.cases import FROM_MODEL, Case, Words, case
from mctslab.course.exercise import exercise
from mctslab.course.noise import OFTEN, noise_expected, noise_seen
from mctslab.course.positions import after_random_moves, lines_on
from mctslab.course.tree_game import (
    Grown,
    TreeGame,
    drawn,
    game_of,
    node_at,
    outlined,
    place_at_random,
    place_of,
    plant,
    priors_in,
    rooted,
    statistics,
    tree_at_random,
    turn_of,
    written,
)
from mctslab.course.valued_games import Judge
from mctslab.games.gomoku import Gomoku
from mctslab.games.state import State
from mctslab.search.node import Node
from mctslab.search.selection import SelectionRule

# row_weights


def _rows_variation(rng: np.random.Generator) -> Case:
    size = int(rng.integers(4, 7))
    first: State = Gomoku(size=size, in_a_row=4)
    state = first
    while state is first or state.is_terminal:
        state = after_random_moves(rng, first, int(rng.integers(1, 12)))
    rows, length = lines_on(size, size, 4), 4
    text = f"row_weights(state, rows) with all rows of {length} squares of\n{state}"
    return Case(lambda: (state, [*rows]), shown=text)


@exercise(variation=_rows_variation, points=2)
def row_weights(state: State, rows: Sequence[Sequence[int]]) -> list[float]:
    """A weight for each legal action; the action k places a stone on the square k.

    Every square begins with 1. Each of the `rows` that has k stones of one player, at least one,
    and none of the other, adds 10 ** k to all of its squares. The weights are a list.
    """
    stones = state.board().stones
    weights = [1.0] * len(stones)
    for row in rows:
        inside = [stones[square] for square in row]
        for player in (0, 1):
            if inside.count(player) and not inside.count(1 - player):
                for square in row:
                    weights[square] += 10 ** inside.count(player)
    return [weights[action] for action in state.legal_actions()]


# puct


def _puct_variation(rng: np.random.Generator) -> Case:
    visits = int(rng.integers(0, 30)) if rng.random() < 0.9 else 0
    prior, c = float(rng.uniform(0, 1)), float(rng.uniform(0, 5))
    total_value = float(rng.uniform(-visits, visits)) if visits else 0.0
    return case(total_value, visits, prior, visits + int(rng.integers(1, 500)), c)


@exercise(variation=_puct_variation)
def puct(
    total_value: float, visit_count: int, prior: float, parent_visit_count: int, c: float
) -> float:
    """The PUCT score of a child, from W, n, P and the parent's N; without a visit its Q is 0."""
    value = total_value / visit_count if visit_count else 0.0
    return value + c * prior * math.sqrt(parent_visit_count) / (1 + visit_count)


# puct_simulation


def _simulation_variation(rng: np.random.Generator) -> Case:
    options = [place_at_random(rng, 3) for _ in range(rng.integers(1, 4))]
    place, number = turn_of(int(rng.integers(2)), *options), int(rng.integers(1, 12))

    def arguments() -> tuple[Any, ...]:
        return Node(game_of(place)), Judge(), search.puct(1.25), np.random.default_rng(1)

    def seen(function: Callable[..., Any], root: Node, judge: Judge, *others: Any) -> object:
        for _ in range(number):
            function(root, lambda states, rng: judge(states), *others)
        needless = ", ".join(dict.fromkeys(judge.ends()))
        called = {"ends of the game that were evaluated": Words(needless or "none")}
        return {**called, **statistics(root), **priors_in(root)}

    times = "once" if number == 1 else f"{number} times"
    text = f"puct_simulation(root, evaluator, search.puct(1.25), rng), {times}\n"
    text += "Where there are one, two or three moves, the value for player 0 is 0.75, 0.5 or -0.25."
    text += f"\nThe priors are as 2 : 1 of two, and as 2 : 3 : 1 of three.\n{outlined(place)}"
    return Case(arguments, shown=text, use=seen, changes_arguments=True)


@exercise(variation=_simulation_variation, points=2)
def puct_simulation(
    root: Node, evaluator: Callable[..., Any], rule: SelectionRule, rng: np.random.Generator
) -> None:
    """One simulation: a walk to a leaf, its value, its children with their priors, and the backup.

    `evaluator([state], rng)` returns a list with the value of the state, for both players, and a
    list with the priors of its legal actions. A finished game is not evaluated: its returns count.
    """
    leaf = search.select(root, rule)
    if leaf.state.is_terminal:
        returns = leaf.state.returns()
    else:
        (returns,), (priors,) = evaluator([leaf.state], rng)
        for action, prior in zip(leaf.state.legal_actions(), priors, strict=True):
            leaf.children.append(search.Node(parent=leaf, action=action, prior=prior))
        leaf.untried_actions.clear()
    search.backpropagate(leaf, returns)


# noisy_priors


def _over_many_draws(function: Callable[..., Any], node: Node, *others: Any) -> object:
    """Facts about many answers, and whether the tree still has the evaluator's priors."""
    seen = noise_seen(lambda: function(node, *others), len(node.children))
    left = {_LEFT: [child.prior for child in node.children]}
    return left | seen if isinstance(seen, dict) else seen


_LEFT: Final = "the priors in the tree after that"


def _noise_case(priors: Sequence[float], *, is_root: bool, player: int = 0) -> Case:
    """A node whose children have these priors: the root, or its only child after this player."""
    alpha, weight = 0.3, 0.25

    def arguments() -> tuple[Node, float, float, np.random.Generator]:
        new = dict.fromkeys(range(len(priors)), Grown(0, 0))
        place, grown = turn_of(0, *[drawn()] * len(priors)), Grown(3, 1, new)
        if not is_root:
            place, grown = turn_of(player, place), Grown(9, 1, {0: grown})
        node = node_at(plant(TreeGame(place), grown), () if is_root else (0,))
        for child, prior in zip(node.children, priors, strict=True):
            child.prior = prior
        return node, alpha, weight, np.random.default_rng(11)

    facts = {_LEFT: list(priors), **noise_expected(priors, alpha, weight if is_root else 0.0)}
    where = "the root" if is_root else "a child of the root"
    shown = f"{OFTEN}noisy_priors(node, {alpha}, {weight}, rng), where node is {where}, and its"
    shown += f" children have the priors {', '.join(f'{prior:.3g}' for prior in priors)}"
    return Case(arguments, facts, shown, _over_many_draws, changes_arguments=True)


def _noise_cases() -> list[Case]:
    return [
        _noise_case((0.7, 0.2, 0.1), is_root=False),
        _noise_case((0.4, 0.2, 0.1, 0.1, 0.1, 0.1), is_root=True).with_about(
            "The node is the root here. The noise of all children is one draw, so the new "
            "priors still sum to 1."
        ),
    ]


def _noise_variation(rng: np.random.Generator) -> Case:
    """Without noise: below the root, or at a root with a single move."""
    priors = rng.dirichlet(np.ones(rng.integers(1, 6))).tolist()
    is_root = bool(len(priors) == 1 and rng.random() < 0.5)
    made = _noise_case(priors, is_root=is_root, player=int(rng.integers(2)))
    return replace(made, expected=FROM_MODEL, use=None, shown=made.shown.removeprefix(OFTEN))


@exercise(cases=_noise_cases, variation=_noise_variation, points=2)
def noisy_priors(node: Node, alpha: float, weight: float, rng: np.random.Generator) -> list[float]:
    """The priors that selection uses for the children of `node`, in their order.

    At the root a share `weight` of them is fresh Dirichlet noise, and elsewhere there is no noise.
    The tree keeps the evaluator's own priors.
    """
    priors = [child.prior for child in node.children]
    if node.parent is not None:
        return priors
    noise = rng.dirichlet([alpha] * len(priors))
    return [(1 - weight) * p + weight * float(n) for p, n in zip(priors, noise, strict=True)]


# gather


def _gather_variation(rng: np.random.Generator) -> Case:
    place, grown = tree_at_random(rng, 5, 60)
    c, number = float(rng.uniform(0.5, 4)), int(rng.integers(1, 9))

    def arguments() -> tuple[Node, SelectionRule, int]:
        root, rng = rooted(place, grown), np.random.default_rng(1)
        nodes = [root]
        for node in nodes:
            nodes += node.children
            shares = rng.dirichlet([1.0] * len(node.children)) if node.children else ()
            for child, share in zip(node.children, shares, strict=True):
                child.prior = round(float(share), 2)
        return root, search.puct(c), number

    def use(function: Callable[..., Any], root: Node, *others: Any) -> object:
        """The leaves by their places, and what is left in the tree."""
        leaves = function(root, *others)
        if not isinstance(leaves, list | tuple):
            return leaves
        places = tuple(place_of(leaf, root) for leaf in leaves)
        return {"the leaves": places, **statistics(root)}

    shown = f"gather(root, search.puct({c:g}), {number})\n"
    shown += written(arguments()[0], with_priors=True)
    return Case(arguments, shown=shown, use=use, changes_arguments=True)


@exercise(variation=_gather_variation, points=3)
def gather(root: Node, rule: SelectionRule, number: int) -> list[Node]:
    """The leaves of `number` walks down the tree, to be evaluated at once.

    Until all are found, a finished walk counts at each of its nodes as a visit that the node's
    mover has lost. Afterwards N and W of every node are what they were.
    """
    leaves, passed = [], []
    for _ in range(number):
        leaves.append(search.select(root, rule))
        node: Node | None = leaves[-1]
        while node is not None:
            node.visit_count += 1
            node.total_value -= 1
            passed.append(node)
            node = node.parent
    for node in passed:
        node.visit_count -= 1
        node.total_value += 1
    return leaves
