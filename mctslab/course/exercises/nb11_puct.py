"""Notebook 11, PUCT: the score, noise at the root, and virtual losses."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from mctslab import search
from mctslab.course.checking.comparing import Near, Words, same
from mctslab.course.exercise import exercise
from mctslab.course.question import FROM_MODEL, Case, case, mistakes_in
from mctslab.course.tree_game import (
    LONG,
    Grown,
    Place,
    TreeGame,
    drawn,
    is_long,
    named,
    place_of,
    plant,
    shortened,
    statistics,
    turn_of,
)
from mctslab.search.node import Node
from mctslab.search.selection import SelectionRule

# puct


def _puct_cases() -> list[Case]:
    # Computed with decimals of forty digits.
    return [
        case(3.0, 5, 0.2, 16, 1.0, expected=0.7333333333333333333),
        case(0.0, 0, 0.5, 9, 1.0, expected=1.5),
        case(-2.0, 4, 0.1, 25, 2.0, expected=-0.3),
        case(0.0, 0, 0.0, 40, 1.25, expected=0.0),
        case(0.0, 0, 0.25, 1, 1.25, expected=0.3125),
        case(6.0, 8, 0.3, 50, 1.25, expected=1.044627825494394802),
        case(1.0, 1, 1.0, 2, 0.5, expected=1.353553390593273762),
        case(-30.0, 60, 0.05, 1000, 5.0, expected=-0.3703984565504762569),
        case(12.5, 20, 0.4, 21, 0.0, expected=0.625),
    ]


def _puct_variation(rng: np.random.Generator) -> Case:
    visits, prior = int(rng.integers(0, 30)), float(rng.uniform(0, 1))
    total_value = float(rng.uniform(-visits, visits)) if visits else 0.0
    parent_visits = visits + int(rng.integers(1, 500))
    return case(
        total_value, visits, prior, parent_visits, float(rng.uniform(0, 5)), expected=FROM_MODEL
    )


@exercise(
    title="The PUCT score",
    cases=_puct_cases,
    variation=_puct_variation,
    hints=(
        "The score is a sum: Q, which is the mean result, plus a bonus.",
        "Q is W / n, and 0 if n is 0. The bonus is c times P times the square root of the "
        "parent's visits, divided by 1 + n.",
        "`value = total_value / visit_count if visit_count else 0.0`, and for the bonus "
        "`c * prior * math.sqrt(parent_visit_count) / (1 + visit_count)`.",
    ),
    when_right="The package's `search.puct(c)` scores the children of a node in the same way.",
    mistakes=mistakes_in("""
        a division by the zero visits of a new child
            A child without a visit has no mean. Its Q is 0 here, and its bonus can be computed
            because the denominator is 1 + n.
             if visit_count else 0.0 =>
        an infinite score for a child without a visit
            That is UCB1, which tries every move once. In PUCT the prior decides whether a move is
            tried at all: Q is 0, and the bonus is finite.
            - value = total
            + if visit_count == 0:
            +     return math.inf
            + value = total
        a child without a visit counted as lost
            That is a first-play urgency of -1. It is possible, but here the Q of such a child is 0.
            else 0.0 => else -1.0
        the prior forgotten
            The bonus is proportional to P. Without it, the evaluator's opinion of the moves is not
            used at all.
            c * prior => c
        the 1 in the denominator forgotten
            It is 1 + n, so that a child without a visit has a finite bonus, proportional to its
            prior.
            - value = total
            + if visit_count == 0:
            +     return math.inf
            + value = total
            (1 + visit_count) => visit_count
        the denominator inside the square root
            Only N is inside the square root. The bonus falls with 1 + n itself, faster than in
            UCB1.
            - math.sqrt(parent_visit_count) / (1 + visit_count)
            + math.sqrt(parent_visit_count / (1 + visit_count))
        the square root forgotten
            The bonus grows with the square root of the parent's visits. With N itself, every move
            would always be tried in proportion to its prior, however bad it is.
            math.sqrt(parent_visit_count) => parent_visit_count
        the logarithm of UCB1
            UCB1 has the square root of the logarithm of N, PUCT has the square root of N.
            - math.sqrt(parent_visit_count) / (1 + visit_count)
            + math.sqrt(math.log(parent_visit_count) / (1 + visit_count))
        the prior inside the square root
            Only N is inside the square root; c and P are in front of it.
            prior * math.sqrt(parent_visit_count) => math.sqrt(prior * parent_visit_count)
        the child's visits inside the square root
            The square root is of the parent's visits: the bonus of a child that is never chosen has
            to grow while the others are.
            math.sqrt(parent_visit_count) => math.sqrt(visit_count)
        the two visit counts swapped
            The parent's visits are inside the square root and the child's in the denominator, so
            that the bonus shrinks when the child itself is visited.
            - math.sqrt(parent_visit_count) / (1 + visit_count)
            + math.sqrt(visit_count) / (1 + parent_visit_count)
        the brackets of the denominator forgotten
            A division comes before an addition: `/ 1 + n` divides by 1 and then adds n. Write
            `/ (1 + n)`.
            (1 + visit_count) => 1 + visit_count
        the whole score multiplied by the prior
            The prior belongs to the bonus only. The results of the simulations count in full.
            - value + c * prior * math.sqrt(parent_visit_count) / (1 + visit_count)
            + prior * (value + c * math.sqrt(parent_visit_count) / (1 + visit_count))
        the value from the other player's point of view
            `total_value` counts for the player who chooses among the children, and this player
            wants it to be large: no sign is flipped.
            return value => return -value
        a win rate instead of Q
            UCB1 uses (1 + Q) / 2, because its theory needs rewards between 0 and 1. PUCT uses Q
            unchanged, between -1 and 1.
            return value => return (1 + value) / 2
        the sum instead of the mean
            Q is the mean result, W / n. The sum grows with every visit.
            total_value / visit_count if visit_count else 0.0 => total_value
        the sum divided by 1 + n
            The 1 belongs to the bonus. Q is the mean over n visits.
            value = total_value / visit_count if visit_count else 0.0 =>
            - value + c * prior * math.sqrt(parent_visit_count)
            + (total_value + c * prior * math.sqrt(parent_visit_count))
        c left out
            c multiplies the bonus. With c = 0 only Q counts; with a large c mostly the prior.
            c * prior => prior
    """),
)
def puct(
    total_value: float, visit_count: int, prior: float, parent_visit_count: int, c: float
) -> float:
    """The PUCT score of a child, from W, n, P and the parent's N; without a visit its Q is 0."""
    value = total_value / visit_count if visit_count else 0.0
    return value + c * prior * math.sqrt(parent_visit_count) / (1 + visit_count)


# noisy_priors


_DRAWS: Final = 400
_SEED: Final = 11


def _judged_tree(priors: Sequence[float], below: Sequence[float]) -> Node:
    """A root with children that have these priors, the first of which has children as well."""
    end = drawn()
    deep = turn_of(1, *([end] * len(below)))
    place = turn_of(len(below) % 2, deep, *([end] * (len(priors) - 1)))
    new = Grown(0, 0)
    grown = Grown(9, 1, {0: Grown(3, 1, dict.fromkeys(range(len(below)), new))})
    root = plant(TreeGame(place), grown)
    for action in list(root.untried_actions):
        root.children.append(Node(parent=root, action=action))
        root.untried_actions.remove(action)
    for node, shares in ((root, priors), (root.children[0], below)):
        for child, prior in zip(node.children, shares, strict=True):
            child.prior = prior
    return root


def _over_many_draws(
    function: Callable[..., Any], node: Node, alpha: float, weight: float, rng: np.random.Generator
) -> object:
    """Facts about many answers, and whether the tree still has the evaluator's priors."""
    clean = [child.prior for child in node.children]
    answers = []
    for _ in range(_DRAWS):
        answer = function(node, alpha, weight, rng)
        if (problem := _no_list_of(len(clean), answer)) is not None:
            return problem
        answers.append([float(number) for number in answer])
        if [child.prior for child in node.children] != clean:
            return {"the priors in the tree after a call": [c.prior for c in node.children]}
    drawn_ = np.array(answers)
    first, again = (function(node, alpha, weight, np.random.default_rng(7)) for _ in range(2))
    return {
        "a second call with the same seed": Words("the same" if same(first, again) else "another"),
        "the priors in the tree after a call": clean,
        "the sums of the results, from ... to": (drawn_.sum(axis=1).min(), drawn_.sum(1).max()),
        "the mean of each, over many calls": tuple(drawn_.mean(axis=0).tolist()),
        "the standard deviation of each": tuple(drawn_.std(axis=0).tolist()),
        "the smallest of each": tuple(drawn_.min(axis=0).tolist()),
    }


def _no_list_of(number: int, answer: object) -> object | None:
    """What is wrong with an answer that is not a list of numbers of that length; None if it is
    one."""
    if not isinstance(answer, list | tuple | np.ndarray) or len(answer) != number:
        return answer
    is_number = [isinstance(each, int | float | np.number) for each in answer]
    return None if all(is_number) else answer


def _noise_case(
    priors: Sequence[float], below: Sequence[float], at_the_root: bool, alpha: float, weight: float
) -> Case:
    def arguments() -> tuple[Node, float, float, np.random.Generator]:
        root = _judged_tree(priors, below)
        node = root if at_the_root else root.children[0]
        return node, alpha, weight, np.random.default_rng(_SEED)

    here = priors if at_the_root else below
    mixed = weight if at_the_root else 0.0
    number = len(here)
    means = tuple((1 - mixed) * prior + mixed / number for prior in here)
    # The variance of a share of Dir(alpha, ...): m (1 - m) / (number * alpha + 1), with m its mean.
    deviation = mixed * math.sqrt((1 - 1 / number) / number / (number * alpha + 1))
    near = 5 * deviation / math.sqrt(_DRAWS) + 1e-9
    facts = {
        "a second call with the same seed": Words("the same"),
        "the priors in the tree after a call": list(here),
        "the sums of the results, from ... to": Near((1.0, 1.0), 1e-9),
        "the mean of each, over many calls": Near(means, near),
        "the standard deviation of each": Near((deviation,) * number, 0.15 * deviation + 1e-9),
        "the smallest of each": Near(
            tuple((1 - mixed) * prior for prior in here), 0.35 * mixed / number + 1e-9
        ),
    }
    where = "the root" if at_the_root else "a child of the root"
    shown = f"noisy_priors(node, {alpha}, {weight}, rng), {_DRAWS} times, where node is {where}, "
    shown += f"and its children have the priors {', '.join(map(str, here))}"
    return Case(arguments, facts, shown, _over_many_draws)


def _noise_cases() -> list[Case]:
    return [
        _noise_case((0.7, 0.2, 0.1), (0.6, 0.4), False, 0.3, 0.25),
        _noise_case((0.4, 0.2, 0.1, 0.1, 0.1, 0.1), (0.6, 0.4), True, 0.3, 0.25),
        _noise_case((0.5, 0.3, 0.1, 0.1, 0.0), (0.9, 0.1, 0.0), True, 0.15, 0.5),
        _noise_case((0.5, 0.3, 0.2, 0.0), (0.9, 0.1, 0.0), False, 0.15, 0.5),
        _noise_case((0.6, 0.4), (1.0,), True, 1.0, 0.25),
    ]


def _noise_variation(rng: np.random.Generator) -> Case:
    """Without noise: below the root, or at a root with a single move."""
    priors = rng.dirichlet(np.ones(rng.integers(1, 6))).tolist()
    is_root = bool(len(priors) == 1 and rng.random() < 0.5)

    def arguments() -> tuple[Node, float, float, np.random.Generator]:
        root = _judged_tree(priors, priors)
        return (root if is_root else root.children[0]), 0.3, 0.25, np.random.default_rng(_SEED)

    where = "the root" if is_root else "a child of the root"
    shown = f"noisy_priors(node, 0.3, 0.25, rng), where node is {where}, and its children have the "
    return Case(arguments, FROM_MODEL, shown + f"priors {', '.join(f'{p:.2f}' for p in priors)}")


@exercise(
    title="Noise at the root",
    cases=_noise_cases,
    variation=_noise_variation,
    hints=(
        "Is `node` the root? If not, return the priors of its children.",
        "At the root, draw a share for each child, `rng.dirichlet([alpha] * number)`, and mix: "
        "(1 - weight) times the prior plus weight times the share.",
        "The root is where `node.parent is None`. Build a new list; `child.prior` is only read.",
    ),
    when_right="The package's searches take `noise=search.DirichletNoise(alpha, weight)`.",
    mistakes=mistakes_in("""
        noise at every node
            Only the root gets it, because only there a move is chosen to be played. Deeper down,
            the noise would lead both players into bad moves, and the values would be those of such
            play. The root is the node without a parent: `node.parent is None`.
            - if node.parent is not None:
            -     return priors
        noise everywhere but at the root
            The root is the node that has no parent: `node.parent is None`.
            is not None => is None
        no noise at all
            At the root, a share `weight` of the priors has to be noise.
            - if node.parent is not None:
            -     return priors
            - ...
            + return priors
        the noise written into the tree
            `child.prior` comes from the evaluator. Once it contains noise, the next search of the
            same tree mixes noise into noise. Return a list, and leave the nodes unchanged.
            - noise = rng.dirichlet([alpha] * len(priors))
            - ...
            + noise = rng.dirichlet([alpha] * len(priors))
            + for child, share in zip(node.children, noise, strict=True):
            +     child.prior = float((1 - weight) * child.prior + weight * share)
            + return [child.prior for child in node.children]
        the two weights swapped
            `weight` is the share of the noise: the priors keep 1 - weight.
            (1 - weight) * p + weight * float(n) => weight * p + (1 - weight) * float(n)
        noise added, but nothing subtracted
            Then the priors sum to 1 + weight, which has the effect of a larger c. They keep a share
            of 1 - weight.
            (1 - weight) * p + weight * float(n) => p + weight * float(n)
        noise added, and everything divided by the sum
            This sums to 1, but the noise has a share of weight / (1 + weight). Mix (1 - weight) of
            the priors with weight of the noise, which sums to 1 by itself.
            (1 - weight) * p + weight * float(n) => (p + weight * float(n)) / (1 + weight)
        the priors multiplied by the noise
            Then a small prior stays small whatever the noise is, although such moves are what the
            noise is for. Add them, with weights.
            - return [(1
            + total = max(np.dot(priors, noise), 1e-300)
            + return [(1
            weight * float(n) => weight * p * float(n) / total
        the noise instead of the priors
            The evaluator's priors keep a share of 1 - weight.
            (1 - weight) * p + weight * float(n) => float(n)
        the same number added to every prior
            `rng.dirichlet([alpha])` draws one share, which is 1. Draw one for each child:
            `rng.dirichlet([alpha] * len(node.children))`.
            rng.dirichlet([alpha] * len(priors)) => rng.dirichlet([alpha]).repeat(len(priors))
        a Dirichlet distribution with alpha 1
            `alpha` determines how few moves share the noise: `[alpha] * number`.
            [alpha] => [1.0]
        alpha divided among the moves
            Every move gets the whole `alpha`: `[alpha] * number`.
            [alpha] => [alpha / len(priors)]
        uniform random numbers, divided by their sum
            These shares are all similar. Dirichlet noise with a small alpha gives nearly everything
            to a few moves, so that these are really tried: `rng.dirichlet`.
            - rng.dirichlet([alpha] * len(priors))
            + rng.random(len(priors))
            + noise /= noise.sum()
    """),
)
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
    if judged.is_end:
        return drawn()
    below = [_place(child, 1 - player) for child in judged.below]
    return turn_of(player, *(below or [drawn(), drawn()]))


def _grown(judged: Judged) -> Grown:
    below = {action: _grown(child) for action, child in enumerate(judged.below)}
    return Grown(judged.visit_count, judged.total_value, below)


def _planted(judged: Judged) -> Node:
    root = plant(TreeGame(_place(judged, 0)), _grown(judged))
    waiting = [(root, judged)]
    while waiting:
        node, its = waiting.pop()
        node.prior = its.prior
        waiting += zip(node.children, its.below, strict=True)
    return root


def _with_priors(root: Node) -> str:
    """The tree as text: every node with its P, N and Q."""
    lines = []
    waiting = [(root, 0)]
    while waiting:
        node, depth = waiting.pop()
        name = "root" if node.action is None else f"action {node.action}: P={node.prior:g},"
        value = f"Q={node.mean_value:+.2f}" if node.visit_count else "not visited"
        end = ", the game is over" if node.state.is_terminal else ""
        lines.append("  " * depth + f"{name} N={node.visit_count}, {value}{end}")
        waiting += [(child, depth + 1) for child in reversed(node.children)]
    return shortened(lines)


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
    shown = f"gather(root, search.puct({c:g}), {len(leaves)})\n{_with_priors(root)}"
    return Case(arguments, facts, shown, _gathered, changes_arguments=True)


def _gather_cases() -> list[Case]:
    # By hand; if two scores are close, they are given next to the case.
    first = Judged(1.0, 1, 0.0, (Judged(0.6, 0, 0.0), Judged(0.4, 0, 0.0)))
    shared = Judged(
        *(1.0, 7, -2.0),
        (
            Judged(
                *(0.5, 5, 2.5), (Judged(0.3, 1, -1.0), Judged(0.4, 3, -1.5), Judged(0.3, 0, 0.0))
            ),
            Judged(0.5, 1, -0.5),
        ),
    )
    deep = Judged(
        *(1.0, 5, -0.5),
        (
            Judged(0.2, 2, 0.5, (Judged(0.8, 0, 0.0), Judged(0.2, 1, -0.5))),
            Judged(0.8, 2, 0.0, (Judged(0.4, 0, 0.0), Judged(0.6, 1, 0.0))),
        ),
    )
    at_the_end = Judged(*(1.0, 9, 5.0), (Judged(0.8, 6, 6.0, is_end=True), Judged(0.2, 2, -1.0)))
    return [
        _gather_case(first, 1.0, (0,)),
        _gather_case(first, 1.0, (0,), (1,)),
        _gather_case(at_the_end, 1.0, (0,), (0,), (0,)),
        _gather_case(shared, 2.0, (0, 2), (1,), (0, 1), (0, 1), (1,)),
        _gather_case(deep, 2.0, (1, 0), (1, 1), (0, 0), (1, 1), (1, 1)),
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


@exercise(
    title="A batch of leaves",
    cases=_gather_cases,
    variation=_gather_variation,
    hints=(
        "`search.select(root, rule)` is a walk. If nothing changes in the tree, the next walk ends "
        "at the same leaf.",
        "After each walk go up from its leaf to the root, as in backpropagation: one more visit, "
        "and a loss, at every node. When all leaves are found, undo exactly these changes.",
        "Keep a list of all nodes that you have changed, one entry for each change. In the end, "
        "for each entry: `node.visit_count -= 1` and `node.total_value += 1`.",
    ),
    when_right="The package gathers its batches in the same way.",
    mistakes=mistakes_in("""
        no loss that affects the next walk
            If nothing has changed in the tree when the next walk begins, every walk goes to the
            same leaf. Undo the losses when the batch is complete, not before.
            - ...
            + return [search.select(root, rule) for _ in range(number)]
        a visit without a loss
            If N grows and W stays the same, Q moves towards 0: a bad move looks better than before
            and is tried. The walk counts as lost, so W has to go down by 1 as well.
            node.total_value -= 1 =>
            node.total_value += 1 =>
        a loss without a visit
            Both statistics change: without the visit the bonus stays the same, and Q can fall below
            -1.
            node.visit_count += 1 =>
            node.visit_count -= 1 =>
        a virtual win
            W counts for the mover, the player who chose this node. A loss subtracts 1.
            total_value -= 1 => total_value += 1
            total_value += 1 => total_value -= 1
        a loss for one player, and a win for the other
            Every node of the walk has to become less attractive for its own mover, whoever that is:
            W goes down everywhere.
            - node.total_value -= 1
            - passed.append(node)
            + loss = 1 if node.mover == leaves[-1].mover else -1
            + node.total_value -= loss
            + passed.append((node, loss))
            for node in passed => for node, loss in passed
            node.total_value += 1 => node.total_value += loss
        a loss at the leaf only
            Every node on the walk gets it, up to the root, because a choice is made at every level.
            node = node.parent => break
        no loss at the leaf
            Begin at the leaf itself, because the next walk has to avoid the leaf.
            node = leaves[-1] => node = leaves[-1].parent
        the root left out
            The root's visits are the N in the bonus of its children, so the root counts too.
            node is not None => node.parent is not None
        losses that are never taken back
            They stand for results that are not known yet. When the batch is complete, all of them
            have to be undone; otherwise they stay in the means forever.
            - for node in passed:
            - ...
            - return leaves
            + return leaves
        only the visits undone
            W has gone down as well: add what was subtracted.
            node.total_value += 1 =>
        only the losses undone
            N has grown as well. The real visits are counted when the values are known, in phase 4.
            node.visit_count -= 1 =>
        a leaf that was reached twice restored only once
            Each walk has counted a loss of its own: undo as many as were added.
            - passed.append(node)
            + if leaves[-1] not in leaves[:-1]:
            +     passed.append(node)
        only the last walk undone
            Every walk of the batch has left losses in the tree.
            - leaves.append
            + passed.clear()
            + leaves.append
        only different leaves returned
            Two walks can end at the same leaf, and both are simulations: both have to be counted
            when its value is known. Return the leaf twice.
            return leaves => return list(dict.fromkeys(leaves))
        a batch that is filled with different leaves
            A walk that ends where another one has ended is a simulation, too. If no other leaf is
            worth a visit, the search for other leaves never ends.
            range(number) => range(3 * number)
            return leaves => return list(dict.fromkeys(leaves))[:number]
        the statistics set to zero in the end
            The statistics from before the batch belong to the search. Undo only your own changes.
            node.visit_count -= 1 => node.visit_count = 0
            node.total_value += 1 => node.total_value = 0.0
    """),
)
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
