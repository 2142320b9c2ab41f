"""Notebook 09: the score of a match, how many games it takes, and how estimates go wrong."""

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from mctslab.course.exercise import exercise
from mctslab.course.expectations import Near, OneOf
from mctslab.course.question import Case, Function, Misconception, case, misconception

_Z: Final = 1.96

# match_score

Triple = tuple[float, float, float]


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
    ]


def _wilson(points: float, number: float, z: float = _Z) -> Triple:
    total = number + z * z
    half = z * math.sqrt(points * (number - points) / number + z * z / 4)
    centre = points + z * z / 2
    return points / number, (centre - half) / total, (centre + half) / total


@misconception(
    "a draw counted as a loss",
    "A draw is half a point. Whoever holds many draws against a strong player would look hopeless.",
)
def _draw_lost(wins: int, draws: int, losses: int) -> Triple:
    return _wilson(wins, wins + draws + losses)


@misconception(
    "a draw counted as a win",
    "A draw is half a point: counted whole for both sides, there would be more points than games.",
)
def _draw_won(wins: int, draws: int, losses: int) -> Triple:
    return _wilson(wins + draws, wins + draws + losses)


@misconception(
    "draws left out",
    "A drawn game was played, and says that the two are near each other. It counts as a game, with "
    "half a point.",
)
def _draws_left_out(wins: int, draws: int, losses: int) -> Triple:
    return _wilson(wins, wins + losses)


@misconception(
    "the points of draws without their games",
    "The number of tries is that of all games: wins, draws and losses.",
)
def _draws_not_played(wins: int, draws: int, losses: int) -> Triple:
    return _wilson(min(wins + draws / 2, wins + losses), wins + losses)


@misconception(
    "the interval of notebook 02",
    "Score plus and minus 1.96 standard errors has no width at all when every game was won. "
    "Wilson's interval is right there, too.",
)
def _wald(wins: int, draws: int, losses: int) -> Triple:
    number = wins + draws + losses
    score = (wins + draws / 2) / number
    margin = _Z * math.sqrt(score * (1 - score) / number)
    return score, score - margin, score + margin


@misconception(
    "the interval laid around the score itself",
    "The middle of the interval is not the score: it lies a little nearer to one half, at "
    "(k + z²/2) / (n + z²).",
)
def _around_the_score(wins: int, draws: int, losses: int) -> Triple:
    score, low, high = _wilson(wins + draws / 2, wins + draws + losses)
    return score, score - (high - low) / 2, score + (high - low) / 2


@misconception(
    "the middle of the interval in place of the score",
    "The score is the share of the points, k / n. Only the two ends come from Wilson's formula.",
)
def _middle_for_score(wins: int, draws: int, losses: int) -> Triple:
    _, low, high = _wilson(wins + draws / 2, wins + draws + losses)
    return (low + high) / 2, low, high


@misconception(
    "z forgotten",
    "Without z = 1.96 the interval reaches one standard error to each side, and catches the true "
    "score in 68 % of all matches only.",
)
def _no_z(wins: int, draws: int, losses: int) -> Triple:
    return _wilson(wins + draws / 2, wins + draws + losses, z=1.0)


@misconception(
    "the z of a 90 % interval",
    "1.645 is for 90 %. For 95 % it takes 1.96.",
)
def _ninety_percent(wins: int, draws: int, losses: int) -> Triple:
    return _wilson(wins + draws / 2, wins + draws + losses, z=1.645)


@misconception(
    "z where z² belongs",
    "In (k + z²/2) / (n + z²), and under the root, it is the square of z.",
)
def _z_not_squared(wins: int, draws: int, losses: int) -> Triple:
    points, number = wins + draws / 2, wins + draws + losses
    half = _Z * math.sqrt(points * (number - points) / number + _Z / 4)
    centre, total = points + _Z / 2, number + _Z
    return points / number, (centre - half) / total, (centre + half) / total


@misconception(
    "the score between the two ends",
    "The order is score, low, high.",
)
def _score_in_the_middle(wins: int, draws: int, losses: int) -> Triple:
    score, low, high = _wilson(wins + draws / 2, wins + draws + losses)
    return low, score, high


@exercise(
    title="The score of a match, with its interval",
    cases=_score_cases,
    misconceptions=(
        _draw_lost,
        _draw_won,
        _draws_left_out,
        _draws_not_played,
        _wald,
        _around_the_score,
        _middle_for_score,
        _no_z,
        _ninety_percent,
        _z_not_squared,
        _score_in_the_middle,
    ),
    hints=(
        "First the points k: one for a win, one half for a draw. The number of tries n is that of "
        "all games.",
        "The middle of the interval is (k + z²/2) / (n + z²), with z = 1.96.",
        "To either side it is z / (n + z²) times the root of k (n - k) / n + z²/4.",
    ),
    when_right="`arena.Score(wins, draws, losses).rate` gives the same three numbers.",
)
def match_score(wins: int, draws: int, losses: int) -> tuple[float, float, float]:
    """The score of a match, a draw being half a point, and the ends of Wilson's 95 % interval."""
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
    ]


_Variance = Callable[[float], float]


def _needed(
    half_width: float, score: float, z: float = _Z, variance: _Variance = lambda p: p * (1 - p)
) -> int:
    return math.ceil(z**2 * variance(score) / half_width**2)


@misconception(
    "the half width taken for the whole",
    "Plus and minus 3 % is an interval 6 % wide. `half_width` is what lies on one side.",
)
def _whole_width(half_width: float, score: float = 0.5) -> int:
    return _needed(half_width / 2, score)


@misconception(
    "the half width doubled",
    "`half_width` is the margin on one side already, as in plus and minus 3 %: take it as it is.",
)
def _doubled_width(half_width: float, score: float = 0.5) -> int:
    return _needed(2 * half_width, score)


@misconception(
    "the half width without its square",
    "The margin shrinks with the root of the number of games. So half the margin takes four times "
    "as many games, not twice as many.",
)
def _width_not_squared(half_width: float, score: float = 0.5) -> int:
    return math.ceil(_Z**2 * score * (1 - score) / half_width)


@misconception(
    "z forgotten",
    "The margin of a 95 % interval is 1.96 standard errors. One standard error would be right in "
    "two matches of three only.",
)
def _needed_without_z(half_width: float, score: float = 0.5) -> int:
    return _needed(half_width, score, z=1.0)


@misconception(
    "z without its square",
    "Solve half_width = z * sqrt(score * (1 - score) / n) for n: everything outside the root gets "
    "squared.",
)
def _z_unsquared(half_width: float, score: float = 0.5) -> int:
    return math.ceil(_Z * score * (1 - score) / half_width**2)


@misconception(
    "the z of a 90 % interval",
    "1.645 is for 90 %. For 95 % it takes 1.96.",
)
def _needed_at_ninety(half_width: float, score: float = 0.5) -> int:
    return _needed(half_width, score, z=1.645)


@misconception(
    "the score not used",
    "Results vary most between equal players. With a score of 0.9 they vary less, and fewer games "
    "will do: the variance of one game is score * (1 - score).",
)
def _always_even(half_width: float, score: float = 0.5) -> int:
    return _needed(half_width, 0.5)


@misconception(
    "the score in place of the variance",
    "One game, won with probability p, has the variance p (1 - p), not p.",
)
def _score_for_variance(half_width: float, score: float = 0.5) -> int:
    return _needed(half_width, score, variance=lambda p: p)


@misconception(
    "the standard deviation in place of the variance",
    "Under the root stands p (1 - p); solved for n, the root is gone.",
)
def _deviation_for_variance(half_width: float, score: float = 0.5) -> int:
    return _needed(half_width, score, variance=lambda p: math.sqrt(p * (1 - p)))


@misconception(
    "a number of games that was rounded down",
    "With one game fewer the interval is a little too wide. Round up.",
)
def _rounded_down(half_width: float, score: float = 0.5) -> int:
    return _needed(half_width, score) - 1


@misconception(
    "a number of games with a fraction",
    "Nobody plays a tenth of a game. Give the least whole number that is enough: `math.ceil`.",
)
def _with_fraction(half_width: float, score: float = 0.5) -> float:
    return _Z**2 * score * (1 - score) / half_width**2


@exercise(
    title="How many games it takes",
    cases=_needed_cases,
    misconceptions=(
        _whole_width,
        _doubled_width,
        _width_not_squared,
        _needed_without_z,
        _z_unsquared,
        _needed_at_ninety,
        _always_even,
        _score_for_variance,
        _deviation_for_variance,
        _rounded_down,
        _with_fraction,
    ),
    hints=(
        "The margin on each side is 1.96 standard errors: half_width = 1.96 * sqrt(p (1 - p) / n).",
        "Square both sides, and solve for n.",
        "n = 1.96² p (1 - p) / half_width², rounded up to a whole number.",
    ),
    when_right="`arena.games_needed` does the same.",
)
def games_needed(half_width: float, score: float = 0.5) -> int:
    """The least number of games after which a score near `score` has a 95 % interval of plus and
    minus `half_width`, where a game is won or lost and the simple formula is used."""
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


def _parts_mistake(name: str, explanation: str) -> Callable[[Function], tuple[Misconception, ...]]:
    """Turn a function of the biases, the variances and all else into two wrong answers.

    One takes the variance by n, the other by n - 1: the mistake lies elsewhere.
    """

    def with_ddof(answer: Function, ddof: int) -> Misconception:
        def parts(playouts: Playouts, exact: Sequence[float]) -> object:
            biases = [float(np.mean(r)) - v for r, v in zip(playouts, exact, strict=True)]
            variances = [float(np.var(results, ddof=ddof)) for results in playouts]
            return answer(np.array(biases), np.array(variances), playouts, exact)

        return Misconception(name, explanation, parts)

    return lambda answer: (with_ddof(answer, 0), with_ddof(answer, 1))


Numbers = np.typing.NDArray[np.float64]


@_parts_mistake(
    "the biases averaged before they are squared",
    "One move overrated and another one underrated would cancel, and are two errors. Square each "
    "move's bias first.",
)
def _cancelled(biases: Numbers, variances: Numbers, *_: object) -> object:
    return biases.mean() ** 2, variances.mean()


@_parts_mistake(
    "biases that were not squared",
    "Biases of both signs cancel in a mean. Square each move's bias first.",
)
def _signed(biases: Numbers, variances: Numbers, *_: object) -> object:
    return biases.mean(), variances.mean()


@_parts_mistake(
    "the bias without its sign in place of its square",
    "The squared error is the square of the bias plus the variance over n. Only squares can be "
    "added like this.",
)
def _absolute(biases: Numbers, variances: Numbers, *_: object) -> object:
    return np.abs(biases).mean(), variances.mean()


@_parts_mistake(
    "the root of the mean square",
    "Leave the bias squared: it will be added to a variance, which is a square, too.",
)
def _rooted(biases: Numbers, variances: Numbers, *_: object) -> object:
    return math.sqrt((biases**2).mean()), variances.mean()


@_parts_mistake(
    "the standard deviation in place of the variance",
    "The variance is the square of the standard deviation.",
)
def _deviation(biases: Numbers, variances: Numbers, *_: object) -> object:
    return (biases**2).mean(), np.sqrt(variances).mean()


@_parts_mistake(
    "the variance of the mean in place of that of one playout",
    "Don't divide by the number of playouts here: the variance of a single one is asked for.",
)
def _of_the_mean(
    biases: Numbers, variances: Numbers, playouts: Playouts, exact: Sequence[float]
) -> object:
    numbers = np.array([len(results) for results in playouts])
    return (biases**2).mean(), (variances / numbers).mean()


@_parts_mistake(
    "the error of single playouts in place of the bias",
    "The bias is the error of the mean of a move's playouts. The squared error of single playouts "
    "is bias and variance together.",
)
def _error_of_playouts(
    biases: Numbers, variances: Numbers, playouts: Playouts, exact: Sequence[float]
) -> object:
    errors = [np.mean((np.array(r) - v) ** 2) for r, v in zip(playouts, exact, strict=True)]
    return np.mean(errors), variances.mean()


@_parts_mistake(
    "the spread around the exact value in place of that around the mean",
    "A variance is taken around the playouts' own mean. Around the exact value, the bias is in it "
    "once more.",
)
def _around_exact(
    biases: Numbers, variances: Numbers, playouts: Playouts, exact: Sequence[float]
) -> object:
    errors = [np.mean((np.array(r) - v) ** 2) for r, v in zip(playouts, exact, strict=True)]
    return (biases**2).mean(), np.mean(errors)


@_parts_mistake(
    "the playouts of all moves thrown together",
    "Each move has a mean and a variance of its own. Together, the differences between the moves "
    "would count as chance.",
)
def _pooled(
    biases: Numbers, variances: Numbers, playouts: Playouts, exact: Sequence[float]
) -> object:
    together = np.concatenate([np.array(results, dtype=float) for results in playouts])
    return (together.mean() - np.mean(exact)) ** 2, together.var()


@_parts_mistake(
    "the spread of the moves' means in place of the variance",
    "How far the moves lie apart is what one wants to see. The variance is that of the playouts of "
    "one and the same move.",
)
def _between_moves(
    biases: Numbers, variances: Numbers, playouts: Playouts, exact: Sequence[float]
) -> object:
    return (biases**2).mean(), np.var([np.mean(results) for results in playouts])


@_parts_mistake(
    "the two numbers in the wrong order",
    "First the squared bias, then the variance.",
)
def _swapped(biases: Numbers, variances: Numbers, *_: object) -> object:
    return variances.mean(), (biases**2).mean()


@exercise(
    title="Bias and variance of an estimate",
    cases=_parts_cases,
    misconceptions=(
        *_cancelled,
        *_signed,
        *_absolute,
        *_rooted,
        *_deviation,
        *_of_the_mean,
        *_error_of_playouts,
        *_around_exact,
        *_pooled,
        *_between_moves,
        *_swapped,
    ),
    hints=(
        "Go from move to move. Each has its playouts, their mean, and an exact value.",
        "A move's bias is the mean of its playouts minus its exact value; its variance is that of "
        "its playouts around their own mean.",
        "Two lists, the squares of the biases and the variances (`np.var`); the answer is the mean "
        "of each.",
    ),
    when_right="Whether you divided by n or by n - 1 in the variance: both count as right here.",
)
def bias_and_variance(playouts: Playouts, exact: Sequence[float]) -> tuple[float, float]:
    """The squared bias of a move's mean, and the variance of one playout, averaged over the moves.

    `playouts` holds for each move the results of many playouts, `exact` what the move is worth.
    """
    biases = [np.mean(results) - value for results, value in zip(playouts, exact, strict=True)]
    variances = [np.var(results) for results in playouts]
    return float(np.mean(np.square(biases))), float(np.mean(variances))
