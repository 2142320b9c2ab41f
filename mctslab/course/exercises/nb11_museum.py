"""Notebook 11, the bug museum: three faults of PUCT that are found again and again.

Noise at every node that is expanded, a "virtual loss" that is only a visit, and the two brackets
that turn a temperature into nothing: each of them stands in public programs that learn by
self-play, and none of them stops the program from running.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from mctslab.course.exhibit import exhibit
from mctslab.course.expectations import Near
from mctslab.course.question import Case, Misconception, case
from mctslab.course.small_trees import Grown, plant, statistics, written
from mctslab.course.tree_game import TreeGame, drawn, turn_of
from mctslab.search.node import Node

# museum_expand

_CALLS: Final = 400
_SEED: Final = 11


def _expand_start(
    node: Node, priors: Sequence[float], alpha: float, weight: float, rng: np.random.Generator
) -> dict[int, float]:
    """The prior of each child with which `node` is expanded; the search's root gets noise."""
    shares = {}
    noise = rng.dirichlet([alpha] * len(priors))
    for action, prior, share in zip(node.state.legal_actions(), priors, noise, strict=True):
        shares[action] = (1 - weight) * prior + weight * share
    return shares


def _expanded(
    function: Callable[..., Any],
    node: Node,
    priors: Sequence[float],
    alpha: float,
    weight: float,
    rng: np.random.Generator,
) -> object:
    """What many calls gave: their means, and how much they scatter."""
    rows = []
    for _ in range(_CALLS):
        answer = function(node, list(priors), alpha, weight, rng)
        if not isinstance(answer, dict) or list(answer) != list(range(len(priors))):
            return answer
        rows.append([float(number) for number in answer.values()])
    numbers = np.array(rows)
    return {
        "mean of each prior, over many calls": tuple(numbers.mean(axis=0).tolist()),
        "standard deviation of each prior": tuple(numbers.std(axis=0).tolist()),
    }


def _expand_case(
    priors: tuple[float, ...], is_root: bool, alpha: float, weight: float, above: int = 1
) -> Case:
    number = len(priors)

    def arguments() -> tuple[Node, list[float], float, float, np.random.Generator]:
        place = turn_of(0, *([drawn()] * number))
        grown = Grown(0, 0)
        for _ in range(0 if is_root else above):
            place, grown = turn_of(1, place), Grown(2, 0, {0: grown})
        node = plant(TreeGame(place), grown)
        while node.children:
            node = node.children[0]
        return node, list(priors), alpha, weight, np.random.default_rng(_SEED)

    mixed = weight if is_root else 0.0
    # As in the exercise: the variance of a share is m (1 - m) / (number * alpha + 1).
    deviation = mixed * math.sqrt((1 - 1 / number) / number / (number * alpha + 1))
    means = tuple((1 - mixed) * prior + mixed / number for prior in priors)
    facts = {
        "mean of each prior, over many calls": Near(
            means, 5 * deviation / math.sqrt(_CALLS) + 1e-9
        ),
        "standard deviation of each prior": Near((deviation,) * number, 0.15 * deviation + 1e-9),
    }
    where = "the root" if is_root else "a node below the root"
    shown = f"museum_expand(node, {list(priors)}, {alpha}, {weight}, rng), {_CALLS} times, "
    return Case(arguments, facts, f"{shown}and node is {where}", _expanded)


def _expand_cases() -> list[Case]:
    return [
        _expand_case((0.4, 0.2, 0.1, 0.1, 0.1, 0.1), True, 0.3, 0.25),
        _expand_case((0.7, 0.2, 0.1), False, 0.3, 0.25),
        _expand_case((0.5, 0.3, 0.2, 0.0), False, 0.15, 0.5, above=2),
        _expand_case((0.6, 0.4, 0.0), True, 1.0, 0.5),
    ]


def _expand_variant(
    name: str,
    explanation: str,
    *,
    is_noisy: Callable[[Node], bool] = lambda node: node.parent is None,
    noise: Callable[[float, int, np.random.Generator], Any] = lambda alpha, number, rng: (
        rng.dirichlet([alpha] * number)
    ),
    mixed: Callable[[Any, Any, float], Any] = lambda priors, noise, weight: (
        (1 - weight) * priors + weight * noise
    ),
    otherwise: Callable[[Any, float], Any] = lambda priors, weight: priors,
) -> Misconception:
    """The noise at other nodes, another noise, or another mixture."""

    def expand(
        node: Node, priors: Sequence[float], alpha: float, weight: float, rng: np.random.Generator
    ) -> dict[int, float]:
        clean = np.array(priors)
        if is_noisy(node):
            shares = mixed(clean, noise(alpha, len(clean), rng), weight)
        else:
            shares = otherwise(clean, weight)
        return dict(zip(node.state.legal_actions(), map(float, shares), strict=True))

    return Misconception(name, explanation, expand)


@exhibit(
    title="A search that is noisy all the way down",
    start=_expand_start,
    faulty="shares[action] = (1 - weight) * prior + weight * share",
    cases=_expand_cases,
    misconceptions=(
        _expand_variant(
            "noise everywhere but at the root",
            "The root is the node without a parent, and it is the root that gets the noise.",
            is_noisy=lambda node: node.parent is not None,
        ),
        _expand_variant(
            "no noise anywhere",
            "At the root it is needed, or self-play tries the same moves for ever.",
            is_noisy=lambda node: False,
        ),
        _expand_variant(
            "noise at the moves of player 0 only",
            "Whose turn it is says nothing: only the node without a parent gets noise.",
            is_noisy=lambda node: node.state.current_player == 0,
        ),
        _expand_variant(
            "a share of the priors taken away below the root",
            "Where no noise is added nothing is to be taken away: the priors there are the "
            "evaluator's, and sum to 1.",
            otherwise=lambda priors, weight: (1 - weight) * priors,
        ),
        _expand_variant(
            "the mean of the noise everywhere else",
            "Below the root the priors stay as they are. Nobody asked for more even ones.",
            otherwise=lambda priors, weight: (1 - weight) * priors + weight / len(priors),
        ),
        _expand_variant(
            "the noise in place of the priors",
            "The noise was mixed in rightly, only at too many nodes.",
            mixed=lambda priors, noise, weight: noise,
        ),
        _expand_variant(
            "another noise in place of Dirichlet's",
            "The noise was right, only at too many nodes.",
            noise=lambda alpha, number, rng: rng.dirichlet([1 / alpha] * number),
        ),
    ),
    hints=(
        "When is a node expanded? How many times in a search, and how many of them are the root?",
        "The noise is for the choice of a move to play. Below the root nothing is played.",
        "Take the noise only `if node.parent is None`; else the share is the prior itself.",
    ),
    when_right="With the fault a search walks into moves that nobody would play, on both sides, "
    "and its values are those of such play.",
)
def museum_expand(
    node: Node, priors: Sequence[float], alpha: float, weight: float, rng: np.random.Generator
) -> dict[int, float]:
    """The prior of each child with which `node` is expanded; the search's root gets noise."""
    shares = {}
    noise = rng.dirichlet([alpha] * len(priors))
    for action, prior, share in zip(node.state.legal_actions(), priors, noise, strict=True):
        is_root = node.parent is None
        shares[action] = (1 - weight) * prior + weight * share if is_root else prior
    return shares


# museum_virtual_loss


def _virtual_loss_start(path: Sequence[Node]) -> None:
    """Count a loss, for its mover, at every node of a walk whose result is not known yet."""
    for node in path:
        visits, total = node.visit_count, node.total_value
        node.visit_count = visits + 1
        node.total_value = total


def _loss_case(path: tuple[int, ...], grown: Grown, *expected: tuple[int, float]) -> Case:
    def nodes() -> list[Node]:
        end = drawn()
        deep = turn_of(0, end, end)
        root = plant(TreeGame(turn_of(0, turn_of(1, deep, turn_of(1, end)), deep)), grown)
        found = [root]
        for action in path:
            found.append(next(each for each in found[-1].children if each.action == action))
        return found

    def use(function: Callable[..., Any], way: list[Node]) -> object:
        function(way)
        return statistics(way[0])

    facts = statistics(nodes()[0])
    for key, numbers in zip(list(facts), expected, strict=True):
        facts[key] = numbers
    shown = f"museum_virtual_loss(path), and path goes {_named(path)}, of\n"
    return Case(lambda: (nodes(),), facts, shown + written(nodes()[0]), use, changes_arguments=True)


def _named(path: tuple[int, ...]) -> str:
    return f"from the root by {', '.join(map(str, path))}" if path else "no farther than the root"


def _loss_cases() -> list[Case]:
    # Ply by ply: the root, its children, and the children of these.
    small = Grown(4, 1.0, {0: Grown(2, -2.0), 1: Grown(1, 1.0)})
    deep = Grown(
        9,
        2.0,
        {0: Grown(5, -3.0, {0: Grown(2, 1.5), 1: Grown(2, 0.5)}), 1: Grown(3, 2.0)},
    )
    return [
        _loss_case((), Grown(3, 1.0), (4, 0.0)),
        _loss_case((0,), small, (5, 0.0), (3, -3.0), (1, 1.0)),
        _loss_case((0, 1), deep, (10, 1.0), (6, -4.0), (3, 2.0), (2, 1.5), (3, -0.5)),
        _loss_case((1,), deep, (10, 1.0), (5, -3.0), (4, 1.0), (2, 1.5), (2, 0.5)),
    ]


def _loss_variant(
    name: str, explanation: str
) -> Callable[[Callable[[Node, Node], tuple[float, float]]], Misconception]:
    """Turn what a node and the leaf make of N and W into a virtual loss."""

    def make(after: Callable[[Node, Node], tuple[float, float]]) -> Misconception:
        def virtual_loss(path: Sequence[Node]) -> None:
            for node in path:
                visits, node.total_value = after(node, path[-1])
                node.visit_count = int(visits)

        return Misconception(name, explanation, virtual_loss)

    return make


@_loss_variant(
    "a virtual win",
    "W counts for the mover, who chose this node. To put the mover off, it has to go down.",
)
def _win(node: Node, leaf: Node) -> tuple[float, float]:
    return node.visit_count + 1, node.total_value + 1


@_loss_variant(
    "a loss without a visit",
    "The visit was right. What was missing is its result: a loss, which is -1.",
)
def _only_the_loss(node: Node, leaf: Node) -> tuple[float, float]:
    return node.visit_count, node.total_value - 1


@_loss_variant(
    "a loss for one player and a win for the other",
    "Each node's own mover is to be put off, on both sides: W goes down at every node.",
)
def _alternating(node: Node, leaf: Node) -> tuple[float, float]:
    return node.visit_count + 1, node.total_value + (-1 if node.mover == leaf.mover else 1)


@_loss_variant(
    "the mean kept as it was",
    "Then Q stays the same, and only the bonus shrinks. A loss pulls Q down.",
)
def _same_mean(node: Node, leaf: Node) -> tuple[float, float]:
    return node.visit_count + 1, node.total_value + node.mean_value


@_loss_variant(
    "the sum replaced by the loss",
    "W is a sum: the loss is added to what is there, `total - 1`.",
)
def _replaced(node: Node, leaf: Node) -> tuple[float, float]:
    return node.visit_count + 1, -1.0


@_loss_variant(
    "the sum turned to its opposite",
    "One loss is one result of -1, whatever the others were: `total - 1`.",
)
def _turned(node: Node, leaf: Node) -> tuple[float, float]:
    return node.visit_count + 1, -node.total_value


@_loss_variant(
    "the loss at the leaf only",
    "The choice falls at every node of the walk, so the next walk has to see it at each of them.",
)
def _at_the_leaf(node: Node, leaf: Node) -> tuple[float, float]:
    return node.visit_count + 1, node.total_value - (node is leaf)


@exhibit(
    title="A virtual loss that helps",
    start=_virtual_loss_start,
    faulty="node.total_value = total",
    cases=_loss_cases,
    misconceptions=(
        _win,
        _only_the_loss,
        _alternating,
        _same_mean,
        _replaced,
        _turned,
        _at_the_leaf,
    ),
    hints=(
        "A move has lost all of its 4 games, so its Q is -4 / 4. What is it after this function?",
        "-4 / 5 is more than -4 / 4. What would the fifth game, if lost, have made of W?",
        "A loss is worth -1 to the mover: `node.total_value = total - 1`.",
    ),
    when_right="With the fault the worst move is made to look better the more often it is tried.",
)
def museum_virtual_loss(path: Sequence[Node]) -> None:
    """Count a loss, for its mover, at every node of a walk whose result is not known yet."""
    for node in path:
        visits, total = node.visit_count, node.total_value
        node.visit_count = visits + 1
        node.total_value = total - 1


# museum_probabilities


def _probabilities_start(visits: Sequence[int], temperature: float) -> list[float]:
    """The probability of each move, in proportion to N ** (1 / temperature)."""
    weights = [n**1 / temperature for n in visits]
    total = sum(weights)
    return [weight / total for weight in weights]


def _probabilities_cases() -> list[Case]:
    # By hand: 3 ** 2 : 1 ** 2 is 9 : 1, and the roots of 16, 9, and 0 are 4, 3, and 0.
    return [
        case((6, 2), 1.0, expected=(0.75, 0.25)),
        case((3, 1), 0.5, expected=(0.9, 0.1)),
        case((16, 9, 0), 2.0, expected=(4 / 7, 3 / 7, 0.0)),
        case((2, 1, 1), 0.25, expected=(16 / 18, 1 / 18, 1 / 18)),
        case((5, 5), 0.1, expected=(0.5, 0.5)),
        case((40, 20), 0.2, expected=(32 / 33, 1 / 33)),
    ]


def _weights_variant(
    name: str, explanation: str
) -> Callable[[Callable[[float, float], float]], Misconception]:
    """Turn a wrong weight, of N and the temperature, into wrong probabilities."""

    def make(weight: Callable[[float, float], float]) -> Misconception:
        def probabilities(visits: Sequence[int], temperature: float) -> list[float]:
            weights = [weight(n, temperature) for n in visits]
            total = sum(weights)
            return [each / total for each in weights]

        return Misconception(name, explanation, probabilities)

    return make


@_weights_variant(
    "the temperature as the exponent",
    "The exponent is 1 / temperature: a low temperature is to make the most visited move surer.",
)
def _upside_down(n: float, temperature: float) -> float:
    return float(n**temperature)


@_weights_variant(
    "a whole number for the exponent",
    "`//` rounds down: with a temperature above 1 the exponent would be 0. Use `/`.",
)
def _floored(n: float, temperature: float) -> float:
    return float(n ** (1 // temperature))


@_weights_variant(
    "the exponential function of the visits",
    "That is a softmax, which is for logits. Visits are weights already: N ** (1 / temperature).",
)
def _softmax(n: float, temperature: float) -> float:
    return math.exp(n / temperature / 10)


@_weights_variant(
    "the square of the visits",
    "The exponent depends on the temperature: 1 / temperature.",
)
def _squared(n: float, temperature: float) -> float:
    return float(n**2)


@_weights_variant(
    "the exponent turned round",
    "With -1 / temperature the least visited move would be the likeliest.",
)
def _negative(n: float, temperature: float) -> float:
    return float(max(n, 1e-9) ** (-1 / temperature))


def _always_the_best(visits: Sequence[int], temperature: float) -> list[float]:
    return [float(n == max(visits)) / list(visits).count(max(visits)) for n in visits]


def _not_divided(visits: Sequence[int], temperature: float) -> list[float]:
    return [(n / sum(visits)) ** (1 / temperature) for n in visits]


@exhibit(
    title="A temperature without effect",
    start=_probabilities_start,
    faulty="weights = [n**1 / temperature for n in visits]",
    cases=_probabilities_cases,
    misconceptions=(
        _upside_down,
        _floored,
        _softmax,
        _squared,
        _negative,
        Misconception(
            "always the most visited move",
            "That is the limit for a temperature of 0. With 1 a move is drawn as often as it was "
            "visited.",
            _always_the_best,
        ),
        Misconception(
            "weights that do not sum to 1",
            "Shares of the visits, taken to a power, have to be divided by their sum again.",
            _not_divided,
        ),
    ),
    hints=(
        "Put in [3, 1] and 0.5 by hand, and see which operation Python does first.",
        "`n**1 / temperature` is `(n**1) / temperature`. What does a factor that all weights share "
        "do to the probabilities?",
        "Brackets: `n ** (1 / temperature)`.",
    ),
    when_right="With the fault every temperature is 1, and games that should be played in earnest "
    "are played by lot.",
)
def museum_probabilities(visits: Sequence[int], temperature: float) -> list[float]:
    """The probability of each move, in proportion to N ** (1 / temperature)."""
    weights = [n ** (1 / temperature) for n in visits]
    total = sum(weights)
    return [weight / total for weight in weights]
