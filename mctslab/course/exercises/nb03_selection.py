"""Notebook 03, selection: a score that balances good moves against unknown ones."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from mctslab.course.checking.comparing import Words
from mctslab.course.exercise import exercise
from mctslab.course.question import FROM_MODEL, Case, case, mistakes_in
from mctslab.course.tree_game import (
    IN_ORDER,
    SPARSE,
    Grown,
    Place,
    TreeGame,
    drawn,
    forced,
    named,
    place_of,
    plant,
    tree_at_random,
    turn_of,
    won_by,
    written,
)
from mctslab.search.node import Node
from mctslab.search.selection import SelectionRule
from mctslab.search.selection import ucb1 as ucb1_rule

# ucb1


def _ucb1_cases() -> list[Case]:
    # Computed with decimals of forty digits.
    return [
        case(0.5, 1, 1, 1.0, expected=0.5),
        case(0.0, 0, 5, 1.0, expected=math.inf),
        case(0.0, 0, 5, 0.0, expected=math.inf),
        case(0.5, 2, 8, 1.0, expected=1.519666990168808968),
        case(0.5, 8, 8, 1.0, expected=1.009833495084404484),
        case(0.0, 1, 10, 1.0, expected=1.517427129385146351),
        case(0.25, 4, 10, 2.0, expected=1.767427129385146351),
        case(1.0, 3, 7, 0.5, expected=1.402689929210978376),
        case(0.6, 30, 100, 1.5, expected=1.187697000119199905),
        case(0.75, 20, 1000, 0.0, expected=0.75),
    ]


def _ucb1_variation(rng: np.random.Generator) -> Case:
    visits = int(rng.integers(0, 20))
    rate = float(rng.uniform(0, 1)) if visits else 0.0
    parent_visits = visits + int(rng.integers(1, 1_000))
    c = float(rng.choice((0, 1, 3)) * rng.uniform())
    return case(rate, visits, parent_visits, c, expected=FROM_MODEL)


@exercise(
    title="The UCB1 score",
    cases=_ucb1_cases,
    variation=_ucb1_variation,
    hints=(
        "The score is a sum: how good the child has been, plus a bonus for being tried rarely.",
        "The bonus is c times the square root of a fraction. The numerator is the natural "
        "logarithm of the parent's visits, the denominator is the child's visits.",
        "Before you divide: what if `visit_count` is 0? Such a child comes before every other, "
        "and `math.inf` is larger than every number.",
    ),
    when_right="The package's `search.ucb1(c)` scores the children of a node in the same way.",
    mistakes=mistakes_in("""
        the logarithm forgotten
            The bonus is c times the square root of ln N / n. Without the logarithm it grows as fast
            as the square root of N, and every move keeps being tried about as often as the best
            one.
            math.log(parent_visit_count) => parent_visit_count
        the two visit counts swapped
            The logarithm is of the parent's visits, and the child's visits are in the denominator,
            so that the bonus shrinks when the child itself is visited.
            math.log(parent_visit_count) / visit_count => math.log(visit_count) / parent_visit_count
        the child's visits used twice
            The logarithm is of the parent's visits. With the child's own visits, the bonus of a
            move that is never chosen never grows, so it is never tried again.
            math.log(parent_visit_count) => math.log(visit_count)
        the square root forgotten
            The bonus is the square root of ln N / n, because the error of a mean shrinks with the
            square root of the number of samples, not with the number itself.
            - math.sqrt(math.log(parent_visit_count) / visit_count)
            + math.log(parent_visit_count) / visit_count
        the logarithm of the fraction
            The logarithm is of the parent's visits alone, and then you divide: ln(N) / n. The
            logarithm of N / n is a different number.
            math.log(parent_visit_count) / visit_count => math.log(parent_visit_count / visit_count)
        c inside the square root
            c multiplies the square root. Inside it, only the square root of c has an effect.
            - c * math.sqrt(math.log(parent_visit_count) / visit_count)
            + math.sqrt(c * math.log(parent_visit_count) / visit_count)
        the 2 counted twice
            Some books write the bonus as the square root of 2 ln N / n, which is the case c = root
            2. With c in front there is no 2 inside the square root.
            math.log(parent_visit_count) => 2 * math.log(parent_visit_count)
        a logarithm to the base 10
            The formula has the natural logarithm: math.log, not math.log10.
            math.log( => math.log10(
        a logarithm to the base 2
            The formula has the natural logarithm: math.log, not math.log2.
            math.log( => math.log2(
        a division by the zero visits of a new child
            A child that was never visited comes before all others: return math.inf before you
            divide.
            - if visit_count == 0:
            -     return math.inf
        no bonus for a child without visits
            Nothing is known about it, so it has to be tried first: its score is infinite.
            return math.inf => return win_rate
        one added to the visits to avoid a division by zero
            That changes every score, and an old child can win against a new one. A child without
            visits needs a case of its own: its score is infinite.
            - if visit_count == 0:
            -     return math.inf
            / visit_count => / (visit_count + 1)
        the bonus subtracted
            UCB1 is optimistic: it adds the bonus, so that uncertain moves get tried. If you
            subtract it, the search avoids everything it does not know.
            win_rate + c => win_rate - c
        the win rate divided by the visits once more
            The win rate is already the wins divided by the visits.
            win_rate + c => win_rate / visit_count + c
        c left out
            c multiplies the bonus. With c = 0 only the win rate counts; with a large c the search
            tries everything.
            c * math => math
    """),
)
def ucb1(win_rate: float, visit_count: int, parent_visit_count: int, c: float) -> float:
    """The UCB1 score of a child; without a visit it comes before all others."""
    if visit_count == 0:
        return math.inf
    return win_rate + c * math.sqrt(math.log(parent_visit_count) / visit_count)


# select


def _select_case(
    place: Place, grown: Grown, c: float, *path: int, numbers: tuple[int, ...] = IN_ORDER
) -> Case:
    def arguments() -> tuple[Node, SelectionRule]:
        return plant(TreeGame(place, (), numbers), grown), ucb1_rule(c)

    def where(function: Callable[..., Any], root: Node, rule: SelectionRule) -> object:
        return place_of(function(root, rule), root)

    root, rule = arguments()
    return Case(arguments, Words(named(path)), f"select(root, {rule!r})\n{written(root)}", where)


def _line(number: int) -> Grown:
    """A tree with one node on each level."""
    return Grown(1, 0) if number == 0 else Grown(number + 1, 0, {0: _line(number - 1)})


def _select_cases() -> list[Case]:
    # Every walk was worked out by hand; the comments contain the scores that decide.
    end = drawn()
    later = turn_of(1, end, end)
    two_moves = turn_of(0, later, later)
    reply = turn_of(1, turn_of(0, end, end), turn_of(0, end, end), turn_of(0, end, end))
    two_plies = turn_of(0, turn_of(1, turn_of(0, end, end), turn_of(0, end, end)), reply)
    losing = turn_of(0, reply, turn_of(1, won_by(1), turn_of(0, end, end)))
    moving_twice = turn_of(0, turn_of(0, turn_of(0, end, end), end), later)
    return [
        _select_case(two_moves, Grown(0, 0), 1.4),
        _select_case(end, Grown(3, 0), 1.4),
        _select_case(two_moves, Grown(1, 1, {0: Grown(1, 1)}), 1.4),
        # 0.75 + 0.06 against 0.95 + 0.08.
        _select_case(two_moves, Grown(12, 7.6, {0: Grown(8, 4), 1: Grown(4, 3.6)}), 0.1, 1),
        # 0.80 + 0.85 against 0.50 + 1.20: the bonus decides.
        _select_case(two_moves, Grown(9, 3.6, {0: Grown(6, 3.6), 1: Grown(3, 0)}), 1.4, 1),
        _select_case(two_moves, Grown(4, 4, {0: Grown(4, 4), 1: Grown(0, 0)}), 1.4, 1),
        # 0.75 + 0.50 against 0.38 + 0.61; then 0.08 + 0.64 against 0.50 + 0.70.
        _select_case(
            two_plies,
            Grown(20, 4, {0: Grown(12, 6, {0: Grown(6, -5), 1: Grown(5, 0)}), 1: Grown(8, -2)}),
            1.0,
            0,
            1,
        ),
        # 0.53 + 0.39 against 0 + 0.82; then 0.28 + 0.58, 0.25 + 1.22, and 0.88 + 0.61.
        _select_case(
            two_plies,
            Grown(
                25,
                -4,
                {
                    0: Grown(5, -5),
                    1: Grown(20, 1, {0: Grown(9, -4), 1: Grown(2, -1), 2: Grown(8, 6)}),
                },
            ),
            1.0,
            1,
            2,
        ),
        # 0.00 + 0.09 against 0.21 + 0.06; then 1.00 + 0.07 against 0.25 + 0.10, and the end.
        _select_case(
            losing,
            Grown(10, -7, {0: Grown(3, -3), 1: Grown(7, -4, {0: Grown(4, 4), 1: Grown(2, -1)})}),
            0.1,
            1,
            0,
        ),
        _select_case(forced(6, end), _line(6), 1.0, 0, 0, 0, 0, 0, 0),
        # Player 0 moves twice. 0.83 + 0.30 against 0.50 + 0.43; then 1.00 + 0.39, 0.50 + 0.47.
        _select_case(
            moving_twice,
            Grown(9, 4, {0: Grown(6, 4, {0: Grown(3, 3), 1: Grown(2, 0)}), 1: Grown(3, 0)}),
            0.5,
            0,
            0,
        ),
    ]


def _select_variation(rng: np.random.Generator) -> Case:
    place, grown = tree_at_random(rng, 7, 80)
    case = _select_case(place, grown, float(rng.uniform(0, 2)), numbers=SPARSE)
    return replace(case, expected=FROM_MODEL)


@exercise(
    title="Walk down the tree",
    cases=_select_cases,
    variation=_select_variation,
    hints=(
        "Begin at the root. As long as the node has no untried action, go to one of its children.",
        "The walk goes on while `node.is_fully_expanded` and `node.children` is not empty. (At "
        "the end of a game there are no children.)",
        "One step is `node = rule.best_child(node)`.",
    ),
    when_right="The package's `search.select` does the same.",
    mistakes=mistakes_in("""
        a walk that ends after one step
            It takes the best child of the root and stops. The walk continues as long as everything
            at the node has been tried: use `while` instead of `if`, and ask the rule about the node
            at which the walk is, not about the root.
            while => if
        a walk past untried moves
            It continues wherever there are children. At a node with an untried move the walk has to
            end, because that move comes first.
            while node.is_fully_expanded and node.children: => while node.children:
        a walk past the end of the game
            At the end of a game nothing is untried, but there are no children either. The walk has
            to stop there as well.
            while node.is_fully_expanded and node.children: => while node.is_fully_expanded:
        the lowest score taken at the opponent's turn
            The statistics of a node belong to the player who chose the move into it. Where the
            opponent chooses, they are already from the opponent's point of view, so the highest
            score is right at every step.
            - node = rule.best_child(node)
            + ours = node.state.current_player == root.state.current_player
            + best = max if ours else min
            + node = best(node.children, key=lambda child: rule.score(node, child).total)
            or
            node = root => node, best, other = root, max, min
            - node = rule.best_child(node)
            + node = best(node.children, key=lambda child: rule.score(node, child).total)
            + best, other = other, best
        the mean value negated at the opponent's turn
            The statistics of a node belong to the player who chose the move into it: at the
            opponent's turn they show what is good for the opponent. No sign has to be flipped.
            - node = root
            + def turned(child):
            +     score = rule.score(node, child)
            +     ours = node.state.current_player == root.state.current_player
            +     value = score.exploitation if ours else 1 - score.exploitation
            +     return value + score.exploration
            +
            + node = root
            rule.best_child(node) => max(node.children, key=turned)
        a choice by the mean value alone
            Without the bonus, a move that was unlucky once is never tried again. The rule's score
            has both parts; `rule.best_child(node)` compares by their sum.
            rule.best_child(node) => max(node.children, key=lambda child: child.mean_value)
        a choice by the number of visits
            The most visited child is the move to play when the search is over. During the search
            the rule's score decides which child is next.
            rule.best_child(node) => max(node.children, key=lambda child: child.visit_count)
        a loop that never leaves the root
            Inside the loop everything has to be about `node`, the place that the walk has reached:
            its children, and whether it is fully expanded.
            - while node.is_fully_expanded and node.children:
            -     node = rule.best_child(node)
            + while root.is_fully_expanded and root.children:
            +     node = rule.best_child(root)
        the last node's parent returned
            The walk ends at a node with an untried action, or where the game is over. Return that
            node itself.
            node = root => node = before = root
            node = rule.best_child(node) => before, node = node, rule.best_child(node)
            return node => return before
        an action returned instead of a node
            The next phase adds a child to the node where the walk ended: return that node.
            return node => return node.action
    """),
)
def select(root: Node, rule: SelectionRule) -> Node:
    """Walk from the root to a node with an untried action, or to the end of a game."""
    node = root
    while node.is_fully_expanded and node.children:
        node = rule.best_child(node)
    return node
