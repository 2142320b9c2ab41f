"""Notebook 11, PUCT: priors, the score, a simulation, noise at the root, and virtual losses."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

import numpy as np

from mctslab import search
from mctslab.course.checking.comparing import Words
from mctslab.course.exercise import exercise
from mctslab.course.noise import NUM_CALLS, OFTEN, noise_expected, noise_seen
from mctslab.course.positions import after, after_random_moves
from mctslab.course.question import FROM_MODEL, Case, case
from mctslab.course.tree_game import (
    IN_ORDER,
    LONG,
    SPARSE,
    Grown,
    Place,
    TreeGame,
    drawn,
    is_long,
    named,
    outlined,
    path_to,
    place_at_random,
    place_of,
    plant,
    statistics,
    turn_of,
    won_by,
    written,
)
from mctslab.games.gomoku import Gomoku
from mctslab.games.state import State
from mctslab.games.tictactoe import TicTacToe
from mctslab.search.evaluators import Evaluation
from mctslab.search.node import Node
from mctslab.search.selection import SelectionRule

# row_weights

_LINES: Final = (
    (0, 1, 2),
    (3, 4, 5),
    (6, 7, 8),
    (0, 3, 6),
    (1, 4, 7),
    (2, 5, 8),
    (0, 4, 8),
    (2, 4, 6),
)
"""The rows of Tic-Tac-Toe."""


def _rows_case(moves: Sequence[int], *weights: float) -> Case:
    """A position of Tic-Tac-Toe; the weights are those of the empty squares."""
    state = after(TicTacToe(), moves)
    return Case(
        lambda: (state, [*_LINES]),
        list(weights),
        f"row_weights(state, rows) with the eight rows of\n{state}",
    )


def _rows_cases() -> list[Case]:
    # By hand.
    return [
        _rows_case((4,), *[11] * 8),
        _rows_case((4, 0), 21, 21, 21, 11, 21, 11, 1),
        _rows_case((4, 0, 2), 11, 21, 21, 111, 11, 11),
    ]


def _rows_variation(rng: np.random.Generator) -> Case:
    size = int(rng.integers(4, 7))
    first: State = Gomoku(size=size, in_a_row=4)
    state = first
    while state is first or state.is_terminal:
        state = after_random_moves(rng, first, int(rng.integers(1, 12)))
    rows = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row, col in np.ndindex(size, size):
            ends = row + 3 * down, col + 3 * right
            if all(0 <= end < size for end in ends):
                rows.append(tuple((row + i * down) * size + col + i * right for i in range(4)))
    text = f"row_weights(state, rows) with all rows of four squares of\n{state}"
    return Case(lambda: (state, [*rows]), FROM_MODEL, text)


@exercise(cases=_rows_cases, variation=_rows_variation)
def row_weights(state: State, rows: Sequence[Sequence[int]]) -> list[float]:
    """A weight for each legal action, which puts a stone on the square of this number.

    Every square begins with 1. Each of the `rows` that has k stones of one player, at least one,
    and none of the other, adds 10 ** k to all of its squares.
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


def _puct_cases() -> list[Case]:
    # Computed with decimals of forty digits.
    return [
        case(3.0, 5, 0.2, 16, 1.0, expected=0.7333333333333333333),
        case(0.0, 0, 0.5, 9, 1.0, expected=1.5),
        case(6.0, 8, 0.3, 50, 1.25, expected=1.044627825494394802),
    ]


def _puct_variation(rng: np.random.Generator) -> Case:
    visits = int(rng.integers(0, 30)) if rng.random() < 0.9 else 0
    prior, c = float(rng.uniform(0, 1)), float(rng.uniform(0, 5))
    total_value = float(rng.uniform(-visits, visits)) if visits else 0.0
    parent_visits = visits + int(rng.integers(1, 500))
    return case(total_value, visits, prior, parent_visits, c, expected=FROM_MODEL)


@exercise(cases=_puct_cases, variation=_puct_variation)
def puct(
    total_value: float, visit_count: int, prior: float, parent_visit_count: int, c: float
) -> float:
    """The PUCT score of a child, from W, n, P and the parent's N; without a visit its Q is 0."""
    value = total_value / visit_count if visit_count else 0.0
    return value + c * prior * math.sqrt(parent_visit_count) / (1 + visit_count)


# puct_simulation


@dataclass(frozen=True, slots=True)
class _Noted:
    """An evaluator with a value for each place, whose priors are as 2 to 3 to 1."""

    values: Mapping[tuple[int, ...], float]
    finished: list[tuple[int, ...]] = field(default_factory=list)
    """The ends of the game that it was called for, which needed no evaluator."""

    def __call__(self, states: Sequence[State], rng: np.random.Generator) -> Evaluation:
        values, priors = [], []
        for state in states:
            assert isinstance(state, TreeGame)
            self.finished.extend([state.path] * state.is_terminal)
            places = tuple(state.numbers.index(action) for action in state.path)
            value, number = self.values.get(places, 0.0), len(state.legal_actions())
            values.append((value, -value))
            ratio = [place % number + 1 for place in range(1, number + 1)]
            priors.append([2 * part / (number * (number + 1)) for part in ratio])
        return Evaluation(values, priors)


def _simulation_case(
    place: Place,
    values: Mapping[tuple[int, ...], float],
    number: int,
    actions: tuple[int, ...] = IN_ORDER,
) -> Case:
    """Some simulations; the package's search makes the tree to compare with."""
    first = TreeGame(place, numbers=actions)

    def arguments() -> tuple[Any, ...]:
        return Node(first), _Noted(values), search.puct(1.25), np.random.default_rng(1)

    result = search.puct_search(
        first, evaluator=_Noted(values), num_simulations=number, rng=np.random.default_rng(1)
    )
    assert isinstance(result.root, Node)
    times = "once" if number == 1 else f"{number} times"
    text = f"puct_simulation(root, evaluator, search.puct(1.25), rng), {times}\n"
    text += f"The moves are {', '.join(map(str, actions[:3]))} and so on, with priors in the ratio "
    text += "2 : 3 : 1 (2 : 1 of two). The game, with the evaluator's values for player 0:"
    text += f"\n{outlined(place, values)}"
    wanted = _tree_seen(result.root, ())

    def seen(function: Callable[..., Any], root: Node, evaluator: _Noted, *others: Any) -> object:
        for _ in range(number):
            function(root, evaluator, *others)
        return _tree_seen(root, evaluator.finished)

    return Case(arguments, wanted, text, seen, changes_arguments=True)


def _tree_seen(root: Node, finished: Sequence[tuple[int, ...]]) -> dict[str, object]:
    """N, W and P of every node, and where the evaluator was not needed."""
    needless = ", ".join(named(path) for path in dict.fromkeys(finished))
    nodes = [root]
    priors: dict[str, object] = {}
    for node in nodes:
        nodes += node.children
        if node.parent is not None:
            priors[f"P of {named(path_to(node))}"] = node.prior
    called = Words(needless or "none")
    return {"ends of the game that were evaluated": called, **statistics(root), **priors}


def _simulation_cases() -> list[Case]:
    end, reply = won_by(1), turn_of(1, drawn(), won_by(0))
    return [
        _simulation_case(turn_of(0, drawn(), end, drawn()), {(): 0.5}, 1),
        _simulation_case(turn_of(0, drawn(), end), {(): 0.25}, 3),
        _simulation_case(turn_of(0, end, reply, reply), {(): 0.5, (1,): 0.75, (2,): -0.5}, 7),
    ]


def _simulation_variation(rng: np.random.Generator) -> Case:
    place = turn_of(
        int(rng.integers(2)), *[place_at_random(rng, 3) for _ in range(rng.integers(1, 4))]
    )
    values: dict[tuple[int, ...], float] = {}
    waiting: list[tuple[Place, tuple[int, ...]]] = [(place, ())]
    for here, path in waiting:
        if here.returns is None:
            values[path] = round(float(rng.uniform(-1, 1)), 2)
        waiting += [(option, (*path, move)) for move, option in enumerate(here.options)]
    return _simulation_case(place, values, int(rng.integers(1, 12)), SPARSE)


@exercise(cases=_simulation_cases, variation=_simulation_variation)
def puct_simulation(
    root: Node, evaluator: Callable[..., Any], rule: SelectionRule, rng: np.random.Generator
) -> None:
    """One simulation: a walk to a leaf, its value, its children with their priors, and the backup.

    `evaluator([state], rng)` returns a list with the value of the state, for both players, and a
    list with the priors of its legal actions. The end of a game has its returns instead.
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


def _judged_tree(priors: Sequence[float], below: Sequence[float]) -> Node:
    """A root with children that have these priors, the first of which has children as well."""
    deep = turn_of(1, *([drawn()] * len(below)))
    place = turn_of(len(below) % 2, deep, *([drawn()] * (len(priors) - 1)))
    new = dict.fromkeys(range(len(below)), Grown(0, 0))
    others = dict.fromkeys(range(1, len(priors)), Grown(0, 0))
    root = plant(TreeGame(place), Grown(9, 1, {0: Grown(3, 1, new), **others}))
    for node, shares in ((root, priors), (root.children[0], below)):
        for child, prior in zip(node.children, shares, strict=True):
            child.prior = prior
    return root


def _over_many_draws(
    function: Callable[..., Any], node: Node, alpha: float, weight: float, rng: np.random.Generator
) -> object:
    """Facts about many answers, and whether the tree still has the evaluator's priors."""
    answers = []
    for _ in range(NUM_CALLS):
        answer = function(node, alpha, weight, rng)
        if not isinstance(answer, list | tuple | np.ndarray) or len(answer) != len(node.children):
            return answer
        if not all(isinstance(each, int | float | np.number) for each in answer):
            return answer
        answers.append([float(number) for number in answer])
    return {_LEFT: [child.prior for child in node.children], **noise_seen(answers)}


_LEFT: Final = "the priors in the tree after that"


def _noise_case(
    priors: Sequence[float], below: Sequence[float], at_the_root: bool, alpha: float, weight: float
) -> Case:
    def arguments() -> tuple[Node, float, float, np.random.Generator]:
        root = _judged_tree(priors, below)
        return root if at_the_root else root.children[0], alpha, weight, np.random.default_rng(11)

    here = priors if at_the_root else below
    facts = {_LEFT: list(here), **noise_expected(here, alpha, weight if at_the_root else 0.0)}
    where = "the root" if at_the_root else "a child of the root"
    shown = f"{OFTEN}noisy_priors(node, {alpha}, {weight}, rng), where node is {where}, and its"
    shown += f" children have the priors {', '.join(f'{prior:.3g}' for prior in here)}"
    return Case(arguments, facts, shown, _over_many_draws, changes_arguments=True)


_ONE_DRAW: Final = (
    "The node is the root here. The noise of all children is one draw, so the new "
    "priors still sum to 1."
)


def _noise_cases() -> list[Case]:
    return [
        _noise_case((0.7, 0.2, 0.1), (0.6, 0.4), False, 0.3, 0.25),
        _noise_case((0.4, 0.2, 0.1, 0.1, 0.1, 0.1), (0.6, 0.4), True, 0.3, 0.25).with_about(
            _ONE_DRAW
        ),
        _noise_case((0.6, 0.4), (1.0,), True, 1.0, 0.25).with_about(_ONE_DRAW),
    ]


def _noise_variation(rng: np.random.Generator) -> Case:
    """Without noise: below the root, or at a root with a single move."""
    priors = rng.dirichlet(np.ones(rng.integers(1, 6))).tolist()
    is_root = bool(len(priors) == 1 and rng.random() < 0.5)
    made = _noise_case(priors, priors, is_root, 0.3, 0.25)
    return replace(made, expected=FROM_MODEL, use=None, shown=made.shown.removeprefix(OFTEN))


@exercise(cases=_noise_cases, variation=_noise_variation)
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


class Judged(NamedTuple):
    """A node of a small tree: P, N and W, and the nodes below it; a leaf has none."""

    prior: float
    visit_count: int
    total_value: float
    below: "tuple[Judged, ...]" = ()
    is_end: bool = False


def _place(judged: Judged, player: int) -> Place:
    """Turns alternate; a leaf has two moves that have not been tried."""
    below = [_place(child, 1 - player) for child in judged.below]
    return drawn() if judged.is_end else turn_of(player, *(below or [drawn(), drawn()]))


def _planted(judged: Judged) -> Node:
    root = Node(TreeGame(_place(judged, 0)))
    waiting = [(root, judged)]
    while waiting:
        node, its = waiting.pop()
        node.prior, node.visit_count, node.total_value = its[:3]
        for action, child in enumerate(its.below):
            node.untried_actions.remove(action)
            node.children.append(Node(parent=node, action=action))
            waiting.append((node.children[-1], child))
    return root


def _gathered(function: Callable[..., Any], root: Node, rule: SelectionRule, number: int) -> object:
    """The leaves by their places, and what is left in the tree."""
    leaves = function(root, rule, number)
    if not isinstance(leaves, list | tuple):
        return leaves
    places = tuple(place_of(leaf, root) for leaf in leaves)
    return {"the leaves": places, **statistics(root)}


def _gather_case(judged: Judged, c: float, *leaves: tuple[int, ...]) -> Case:
    def arguments() -> tuple[Node, SelectionRule, int]:
        return _planted(judged), search.puct(c), len(leaves)

    root = _planted(judged)
    facts = {"the leaves": tuple(Words(named(path)) for path in leaves), **statistics(root)}
    shown = f"gather(root, search.puct({c:g}), {len(leaves)})\n{written(root, with_priors=True)}"
    return Case(arguments, facts, shown, _gathered, changes_arguments=True)


def _gather_cases() -> list[Case]:
    # By hand.
    first = Judged(1.0, 1, 0.0, (Judged(0.6, 0, 0.0), Judged(0.4, 0, 0.0)))
    at_the_end = Judged(1.0, 9, 5.0, (Judged(0.8, 6, 6.0, is_end=True), Judged(0.2, 2, -1.0)))
    deep = Judged(
        *(1.0, 7, -2.0),
        (
            Judged(
                *(0.5, 5, 2.5), (Judged(0.3, 1, -1.0), Judged(0.4, 3, -1.5), Judged(0.3, 0, 0.0))
            ),
            Judged(0.5, 1, -0.5),
        ),
    )
    return [
        _gather_case(first, 1.0, (0,), (1,)),
        _gather_case(at_the_end, 1.0, (0,), (0,), (0,)),
        _gather_case(deep, 2.0, (0, 2), (1,), (0, 1), (0, 1), (1,)),
    ]


def _judged_at_random(rng: np.random.Generator, depth: int, prior: float) -> Judged:
    visits = int(rng.integers(1, 9))
    value = float(rng.uniform(-visits, visits))
    if depth == 0 or rng.random() < 0.3:
        return Judged(prior, visits, value, is_end=bool(rng.integers(2)))
    shares = rng.dirichlet([1.0] * int(rng.integers(1, 4)))
    below = tuple(_judged_at_random(rng, depth - 1, float(share)) for share in shares)
    visits = 1 + sum(child.visit_count for child in below)
    return Judged(prior, visits, float(rng.uniform(-visits, visits)), below)


def _gather_variation(rng: np.random.Generator) -> Case:
    judged = _judged_at_random(rng, 4, 1.0)
    if is_long(rng):
        for above in range(LONG):
            value = float(rng.uniform(-above, above))
            judged = Judged(1.0, judged.visit_count + 1, value, (judged,))
        half = judged._replace(prior=0.5)
        judged = Judged(1.0, 2 * half.visit_count + 1, 0.0, (half, half))
    number = int(rng.integers(1, 9))
    case = _gather_case(judged, float(rng.uniform(0.5, 4)), *[()] * number)
    return replace(case, expected=FROM_MODEL)


@exercise(cases=_gather_cases, variation=_gather_variation)
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
