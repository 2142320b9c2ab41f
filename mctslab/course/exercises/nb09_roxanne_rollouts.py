"""Notebook 09: the score of a match, how many games are needed, and how estimates go wrong."""

import math
import statistics
from collections.abc import Sequence

import numpy as np

from mctslab.course.checking.comparing import Near, OneOf
from mctslab.course.exercise import exercise
from mctslab.course.question import Case, Edit, Mistake, case, mistakes_in

# match_score


def _score_case(wins: int, draws: int, losses: int, *expected: float) -> Case:
    return case(wins, draws, losses, expected=Near(expected, within=4e-4))


def _score_cases() -> list[Case]:
    # The ends of Wilson's interval are the p for which the score is z standard errors away from p:
    # (score - p)² = z² p (1 - p) / n. These were found by halving, with z = 1.95996.
    return [
        _score_case(5, 0, 5, 0.5, 0.23659, 0.76341),
        _score_case(7, 0, 3, 0.7, 0.39678, 0.89221),
        _score_case(4, 6, 0, 0.7, 0.39678, 0.89221),
        _score_case(0, 0, 8, 0.0, 0.0, 0.32441),
        _score_case(8, 0, 0, 1.0, 0.67559, 1.0),
        _score_case(55, 10, 35, 0.6, 0.50200, 0.69060),
        _score_case(280, 40, 180, 0.6, 0.55645, 0.64204),
        _score_case(0, 20, 0, 0.5, 0.29928, 0.70072),
        _score_case(3, 5, 2, 0.55, 0.27367, 0.79858),
    ]


def _score_variation(rng: np.random.Generator) -> Case:
    wins, draws, losses = map(int, rng.integers(0, 60, 3))
    return _score_case(wins, draws, losses + 1, *match_score.model_answer(wins, draws, losses + 1))


@exercise(
    title="The score of a match, with its interval",
    cases=_score_cases,
    variation=_score_variation,
    hints=(
        "First compute the points k, one for a win and one half for a draw. The number n is the "
        "number of all games.",
        "The middle of the interval is (k + z²/2) / (n + z²), with z = 1.96.",
        "Each end is z / (n + z²) times the square root of k (n - k) / n + z²/4 away from it.",
    ),
    when_right="`arena.Score(wins, draws, losses).rate` contains the same three numbers.",
    mistakes=mistakes_in("""
        a draw counted as a loss
            A draw is half a point. If it counts as nothing, a player who draws many games with a
            strong opponent looks hopeless.
            wins + draws / 2 => wins
        a draw counted as a win
            A draw is half a point. If both sides got a whole one, there would be more points than
            games.
            draws / 2 => draws
        draws left out
            A drawn game was played, and it shows that the two players are close. It counts as a
            game with half a point.
            wins + draws / 2, wins + draws + losses => wins, wins + losses
        the points of draws without their games
            n is the number of all games, which are wins, draws and losses.
            - wins + draws / 2, wins + draws + losses
            + min(wins + draws / 2, wins + losses), wins + losses
        the interval of notebook 02
            The score plus and minus 1.96 standard errors has no width at all if every game was won.
            Wilson's interval works in that case, too.
            (k + z**2 / 2) / (n + z**2) => k / n
            - z / (n + z**2) * math.sqrt(k * (n - k) / n + z**2 / 4)
            + z * math.sqrt(k * (n - k) / n) / n
        the interval laid around the score itself
            The middle of the interval is not the score. It lies a little closer to one half, at
            (k + z²/2) / (n + z²).
            (k + z**2 / 2) / (n + z**2) => k / n
        the middle of the interval instead of the score
            The score is the share of the points, k / n. Only the two ends come from Wilson's
            formula.
            return k / n => return middle
        z forgotten
            Without z = 1.96 the interval reaches one standard error to each side. It then contains
            the true score in only 68% of all matches.
            1.96 => 1
        the z of a 90% interval
            1.645 is for 90%. For 95% you need 1.96.
            1.96 => 1.645
        z where z² belongs
            In (k + z²/2) / (n + z²) and under the root you need the square of z.
            (k + z**2 / 2) / (n + z**2) => (k + z / 2) / (n + z)
            - z / (n + z**2) * math.sqrt(k * (n - k) / n + z**2 / 4)
            + z / (n + z) * math.sqrt(k * (n - k) / n + z / 4)
        the score between the two ends
            Return the score first, then the lower end, then the upper end.
            k / n, middle - margin => middle - margin, k / n
    """),
)
def match_score(wins: int, draws: int, losses: int) -> tuple[float, float, float]:
    """The score of a match, where a draw is half a point, and the ends of its Wilson interval.

    The interval is that for 95%, with z = 1.96.
    """
    k, n, z = wins + draws / 2, wins + draws + losses, 1.96
    middle = (k + z**2 / 2) / (n + z**2)
    margin = z / (n + z**2) * math.sqrt(k * (n - k) / n + z**2 / 4)
    return k / n, middle - margin, middle + margin


# games_needed


def _needed_cases() -> list[Case]:
    # By hand: 1.96² = 3.8416; at a score of one half, 3.8416 / 4 = 0.9604 games over half_width².
    return [
        case(0.1, 0.5, expected=97),  # 0.9604 / 0.01 = 96.04
        case(0.2, 0.5, expected=25),  # 24.01
        case(0.05, 0.5, expected=385),  # 384.16
        case(0.03, expected=1068, shown="games_needed(0.03)"),  # 1067.1
        case(0.03, 0.75, expected=801),  # 3.8416 * 0.1875 / 0.0009 = 800.3
        case(0.05, 0.9, expected=139),  # 3.8416 * 0.09 / 0.0025 = 138.3
        case(0.05, 0.1, expected=139),
        case(0.245, 0.5, expected=16),  # 0.9604 / 0.060025, a whole number
    ]


def _needed_variation(rng: np.random.Generator) -> Case:
    half_width, score = float(rng.uniform(0.01, 0.3)), float(rng.uniform(0.05, 0.95))
    exact = 1.96**2 * score * (1 - score) / half_width**2
    choices = {math.ceil(exact), math.ceil(exact * (1.959964 / 1.96) ** 2)}  # of either 1.96
    return case(half_width, score, expected=OneOf(tuple(choices)))


@exercise(
    title="How many games are needed",
    cases=_needed_cases,
    variation=_needed_variation,
    hints=(
        "The margin on each side is 1.96 standard errors: half_width = 1.96 * sqrt(p (1 - p) / n).",
        "Square both sides of this equation and solve it for n.",
        "n = 1.96² p (1 - p) / half_width², rounded up to a whole number.",
    ),
    when_right="`arena.games_needed` does the same.",
    mistakes=mistakes_in("""
        the half width taken for the whole
            Plus and minus 3% is an interval that is 6% wide. `half_width` is the part on one
            side. Or your variance is that of results from -1 to 1, which is four times as large as
            that of points from 0 to 1, score * (1 - score).
            half_width**2 => (half_width / 2) ** 2
        the half width doubled
            `half_width` is already the margin on one side, as in plus and minus 3%. Use it as it
            is.
            half_width**2 => (2 * half_width) ** 2
        the half width without its square
            The margin shrinks with the square root of the number of games. So half the margin needs
            four times as many games, not twice as many.
            half_width**2 => half_width
        z forgotten
            The margin of a 95% interval is 1.96 standard errors. With one standard error the
            interval is right in only two of three matches.
            1.96**2 *  =>
        z without its square
            Solve half_width = z * sqrt(score * (1 - score) / n) for n. Then everything outside the
            root is squared.
            1.96**2 => 1.96
        the z of a 90% interval
            1.645 is for 90%. For 95% you need 1.96.
            1.96**2 => 1.645**2
        the score not used
            Results vary most between equal players. With a score of 0.9 they vary less, and fewer
            games are enough. The variance of one game is score * (1 - score).
            score * (1 - score) => 0.5 * (1 - 0.5)
        the score instead of the variance
            A game that is won with probability p has the variance p (1 - p), not p.
            score * (1 - score) => score
        the standard deviation instead of the variance
            Under the root is p (1 - p). If you solve for n, the root disappears.
            score * (1 - score) => math.sqrt(score * (1 - score))
        a number of games that was rounded down
            With one game fewer the interval is a little too wide. Round up, not down.
            math.ceil => math.floor
        a number of games with a fraction
            Nobody can play a tenth of a game. Return the smallest whole number that is enough, with
            `math.ceil`.
            math.ceil =>
    """),
)
def games_needed(half_width: float, score: float = 0.5) -> int:
    """The smallest number of games after which a score near `score` is known to within
    `half_width`, by the simple 95% interval and if no game is drawn."""
    return math.ceil(1.96**2 * score * (1 - score) / half_width**2)


# bias_and_variance

Playouts = Sequence[Sequence[float]]
Pair = tuple[float, float]


def _parts_case(playouts: Playouts, exact: Sequence[float], *expected: Pair) -> Case:
    """A case with what is expected for a variance that was divided by n, and by n - 1."""

    def arguments() -> tuple[list[list[float]], list[float]]:
        return [list(results) for results in playouts], list(exact)

    shown = f"bias_and_variance({[list(results) for results in playouts]}, {list(exact)})"
    return Case(arguments, OneOf(expected), shown)


def _parts_cases() -> list[Case]:
    return [
        # The mean is 1/2, and the squared deviations add up to 3 * 1/4 + 9/4 = 3.
        _parts_case([(1, 1, 1, -1)], (1,), (1 / 4, 3 / 4), (1 / 4, 1)),
        # Means 0 and 1, so the biases are -1 and 2; the deviations of the first add up to 2.
        _parts_case([(1, -1), (1, 1)], (1, -1), (5 / 2, 1 / 2), (5 / 2, 1)),
        # Biases of 1 and -1 do not cancel.
        _parts_case([(1, 1, 1, 1, 1, 1), (1, -1)], (0, 1), (1, 1 / 2), (1, 1)),
        # Means 0 and 1/2; the deviations add up to 2 and 1/2.
        _parts_case([(0, 0, 1, -1), (0, 1)], (0, 0), (1 / 8, 3 / 8), (1 / 8, 7 / 12)),
        # Means 0, 1 and -1/2, biases -1, 1 and 1/2; the deviations add up to 4, 0 and 3.
        _parts_case(
            [(1, 1, -1, -1), (1, 1, 1, 1), (-1, -1, -1, 1)],
            (1, 0, -1),
            *((3 / 4, 7 / 12), (3 / 4, 7 / 9)),
        ),
    ]


def _parts_variation(rng: np.random.Generator) -> Case:
    playouts = [
        tuple(map(int, rng.choice((-1, 0, 1), rng.integers(2, 12))))
        for _ in range(rng.integers(1, 5))
    ]
    exact = [float(each) for each in rng.choice((-1, 0, 1), len(playouts))]
    means = [sum(results) / len(results) for results in playouts]
    bias = sum((mean - value) ** 2 for mean, value in zip(means, exact, strict=True)) / len(exact)
    variances = [
        [statistics.pvariance(results) for results in playouts],
        [statistics.variance(results) for results in playouts],
    ]
    return _parts_case(playouts, exact, *((bias, statistics.mean(each)) for each in variances))


def _either_way(text: str) -> list[Mistake]:
    """Each mistake with a variance that is divided by n, and with one that is divided by n - 1."""
    other = Edit("np.var(results)", "np.var(results, ddof=1)")
    return [*mistakes_in(text), *mistakes_in(text, other)]


@exercise(
    title="Bias and variance of an estimate",
    cases=_parts_cases,
    variation=_parts_variation,
    hints=(
        "Go from move to move. Each move has the results of its rollouts, their mean, and an exact "
        "value.",
        "The bias of a move is the mean of its results minus its exact value. Its variance is that "
        "of its results around their own mean.",
        "Make two lists, one of the squared biases and one of the variances (`np.var`), and return "
        "the mean of each.",
    ),
    when_right="You may divide by n or by n - 1 in the variance. Both count as right here.",
    mistakes=(
        *_either_way("""
            the biases averaged before they are squared
                If one move is overrated and another one underrated, their biases cancel, although
                both are errors. Square each move's bias first.
                np.mean(np.square(biases)) => np.mean(biases) ** 2
            biases that were not squared
                In a mean, biases of different signs cancel. Square each move's bias first.
                np.mean(np.square(biases)) => np.mean(biases)
            the bias without its sign instead of its square
                The squared error is the square of the bias plus the variance divided by n. Only
                squares can be added like this.
                np.square(biases) => np.abs(biases)
            the root of the mean square
                Leave the bias squared. It will be added to a variance, which is a square, too.
                np.mean(np.square(biases)) => math.sqrt(np.mean(np.square(biases)))
            the standard deviation instead of the variance
                The variance is the square of the standard deviation, so take no root.
                np.mean(variances) => np.mean(np.sqrt(variances))
            the variance of the mean instead of that of one rollout
                Don't divide by the number of rollouts. The task is the variance of a single one.
                 for results in playouts =>  / len(results) for results in playouts
            the error of single rollouts instead of the bias
                The bias is the error of the mean of a move's results. The squared error of single
                results contains both the bias and the variance.
                np.mean(results) - value for => np.mean((np.array(results) - value) ** 2) for
                np.square(biases) => biases
            the two numbers in the wrong order
                Return the squared bias first, then the variance.
                - float(np.mean(np.square(biases))), float(np.mean(variances))
                + float(np.mean(variances)), float(np.mean(np.square(biases)))
        """),
        *mistakes_in("""
            the spread around the exact value instead of that around the mean
                A variance is measured around the mean of the results themselves. Measured around
                the exact value, it would contain the bias once more.
                - np.var(results) for results in playouts
                + np.mean((np.array(r) - v) ** 2) for r, v in zip(playouts, exact)
                or
                - np.var(results) for results in playouts
                + sum((np.array(r) - v) ** 2) / (len(r) - 1) for r, v in zip(playouts, exact)
            the results of all moves in one list
                Each move has a mean and a variance of its own. In one list, the differences between
                the moves would count as chance.
                - ...
                + together = np.concatenate(playouts)
                + return (together.mean() - np.mean(exact)) ** 2, together.var()
                or
                - ...
                + together = np.concatenate(playouts)
                + return (together.mean() - np.mean(exact)) ** 2, together.var(ddof=1)
            the spread of the moves' means instead of the variance
                How far the moves lie apart is what we want to see. The variance is that of the
                results of one and the same move.
                np.mean(variances) => np.var([np.mean(results) for results in playouts])
                or
                np.mean(variances) => np.var([np.mean(results) for results in playouts], ddof=1)
        """),
    ),
)
def bias_and_variance(playouts: Playouts, exact: Sequence[float]) -> tuple[float, float]:
    """The squared bias of a move's mean, and the variance of one result, averaged over the moves.

    `playouts` has a list for each move, the results of its rollouts, and `exact` has the move's
    true value.
    """
    biases = [np.mean(results) - value for results, value in zip(playouts, exact, strict=True)]
    variances = [np.var(results) for results in playouts]
    return float(np.mean(np.square(biases))), float(np.mean(variances))
