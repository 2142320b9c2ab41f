"""Predictions: a student answers a question first, and then sees the result of the experiment.

    course.predict.number(
        "random-first-player",
        "How many of 100 random games does the first player win?",
        course.Truth(58.5, "The first player wins 58.5 of 100."),
        low=0, high=100,
    )

The cell runs the experiment and shows nothing of it; the result is sent to the page only after the
prediction, or when the student prefers to see it without one. Predictions are stored with the
progress, and the map of the course shows how often they came true.
"""

import math
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from numbers import Integral
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from mctslab.course.experiments import is_quick
from mctslab.course.keeping import progress
from mctslab.course.keeping.progress import Prediction

if TYPE_CHECKING:
    from mctslab.widgets.prediction import PredictionWidget

SURE: Final = 80
"""How sure a student should be, in percent, that a range contains the true number."""


@dataclass(frozen=True, slots=True)
class Truth:
    """The result of an experiment, and all that is said about it.

    Attributes:
        value: The number, the option, or the values of the curve.
        sentence: The result in one sentence, with its interval.
        picture: A chart, a board, a tree or a table to show with it, or a list of these; a text
            keeps its line breaks.
        more: What the result means, below the picture: paragraphs with an empty line between them,
            in which `code`, *emphasis* and **strong words** are marked as in a notebook.
    """

    value: float | str | Sequence[float]
    sentence: str
    picture: object = None
    more: str = ""


def number(
    name: str, question: str, truth: Truth, *, low: float, high: float, unit: str = ""
) -> "PredictionWidget":
    """Ask for a range that contains the true number with a probability of 80%.

    Args:
        name: A name that no other prediction of the course has.
        question: The question.
        truth: The result; its value is the number.
        low: The left end of the scale.
        high: The right end of the scale. Between two whole ends and with a whole true number, only
            whole numbers can be predicted.
        unit: Of the number, such as "%".

    Raises:
        ValueError: the scale is empty, or the true number is not on it.
    """
    if not _finite(low) < _finite(high):
        raise ValueError(f"the scale from {low!r} to {high!r} is empty: low must be below high.")
    true = _finite(truth.value)
    if not low <= true <= high:
        raise ValueError(f"the true value {true:g} is not on the scale from {low:g} to {high:g}.")

    def judge(guess: Any, _confidence: object) -> Prediction:
        first, last = _numbers(guess, 2, low, high)
        if first > last:
            raise ValueError(
                f"the range begins at {first:g} but ends at {last:g}, which is smaller."
            )
        return Prediction(progress.today(), [first, last], SURE, first <= true <= last)

    is_whole = all(isinstance(each, Integral) for each in (truth.value, low, high))
    form = {"low": low, "high": high, "unit": unit, "sure": SURE, "is_whole": is_whole}
    return _ask("number", name, question, form, truth, judge)


def choice(name: str, question: str, options: Sequence[str], truth: Truth) -> "PredictionWidget":
    """Ask which option is right, and how sure the student is.

    Args:
        name: A name that no other prediction of the course has.
        question: What is asked.
        options: The options, at least two.
        truth: The result; its value is one of the options.

    Raises:
        ValueError: there are not enough options, or the true one is none of them.
    """
    if len(options) < 2:
        raise ValueError(f"there must be at least two options to choose from, not {list(options)}.")
    if truth.value not in options:
        raise ValueError(f"the true option {truth.value!r} is none of {list(options)}.")
    least = round(100 / len(options))

    def judge(guess: Any, confidence: Any) -> Prediction:
        if guess not in options:
            raise ValueError("Choose one of the options.")
        if not isinstance(confidence, int) or not least <= confidence <= 100:
            raise ValueError(f"Say how sure you are, from {least} to 100%.")
        return Prediction(progress.today(), guess, confidence, guess == truth.value)

    return _ask("choice", name, question, {"options": list(options), "least": least}, truth, judge)


def curve(
    name: str,
    question: str,
    x: Sequence[float],
    truth: Truth,
    *,
    low: float,
    high: float,
    x_label: str = "",
    y_label: str = "",
) -> "PredictionWidget":
    """Ask for a curve, drawn on axes; the true curve is drawn on the same axes afterwards.

    Args:
        name: A name that no other prediction of the course has.
        question: What is asked.
        x: Where the curve has a value, from left to right, at equal distances.
        truth: The result; its value has one number for each of `x`.
        low: The lower end of the y axis.
        high: The upper end of the y axis.
        x_label: What the x axis shows, with its unit.
        y_label: What the y axis shows, with its unit.

    Raises:
        ValueError: the true curve does not fit the axes.
    """
    if len(x) < 2 or not _finite(low) < _finite(high):
        raise ValueError(
            f"a curve needs two values of x at least, and axes from low to high: not x={list(x)}, "
            f"low={low!r}, high={high!r}."
        )
    _numbers(x, len(x), -math.inf, math.inf)
    _numbers(truth.value, len(x), low, high)

    def judge(guess: Any, _confidence: object) -> Prediction:
        return Prediction(progress.today(), _numbers(guess, len(x), low, high), None, None)

    form = {"x": [f"{each:,}" for each in x], "low": low, "high": high}
    form |= {"x_label": x_label, "y_label": y_label}
    return _ask("curve", name, question, form, truth, judge)


def _ask(
    kind: str,
    name: str,
    question: str,
    form: dict[str, Any],
    truth: Truth,
    judge: Callable[[Any, Any], Prediction],
) -> "PredictionWidget":
    """The question on a page; if it was answered earlier, the answer is shown at once."""
    from mctslab.widgets.prediction import PredictionWidget  # slow to load: only where it is shown

    def keep(guess: Any, confidence: int | None) -> list[str]:
        return progress.record_prediction(name, judge(guess, confidence))

    pictures = truth.picture if isinstance(truth.picture, list) else [truth.picture]
    answer = {
        "value": np.asarray(truth.value).tolist(),  # in numbers that JSON has
        "sentence": truth.sentence,
        "pictures": [_markup(each) for each in pictures if each is not None],
        "more": _paragraphs(truth.more),
    }
    asked = PredictionWidget(kind, question, form, answer, keep)
    made = progress.predictions().get(name)
    if is_quick():
        asked.show(None)
    elif made is not None:
        with suppress(ValueError):  # the question has changed since then, so it needs a new answer
            asked.show(judge(made.guess, made.confidence).guess)
    return asked


def _numbers(values: Any, count: int, low: float, high: float) -> list[float]:
    if not isinstance(values, list | tuple | range) and not hasattr(values, "tolist"):
        raise ValueError(f"{values!r} is not a list of {count} numbers.")
    numbers = [_finite(value) for value in values]
    if len(numbers) != count:
        raise ValueError(f"there are {len(numbers)} numbers where {count} are expected.")
    for value in numbers:
        if not low <= value <= high:
            raise ValueError(f"{value:g} is not on the scale from {low:g} to {high:g}.")
    return numbers


def _finite(value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{value!r} is not a finite number.")
    return number


_MARKED: Final = re.compile(r"`([^`]+)`|\*\*(\S(?:[^*]*\S)?)\*\*|\*(\S(?:[^*]*\S)?)\*")
"""Code, strong words or emphasis; in code a star is a star."""


def _paragraphs(text: str) -> str:
    """The HTML for paragraphs of text.

    >>> _paragraphs("*Two* of `a < b`.")
    '<p><em>Two</em> of <code>a &lt; b</code>.</p>'
    """

    def tagged(found: re.Match[str]) -> str:
        tag = ("code", "strong", "em")[(found.lastindex or 1) - 1]
        return f"<{tag}>{found[found.lastindex or 1]}</{tag}>"

    paragraphs = re.split(r"\n\s*\n\s*", text.strip()) if text.strip() else []
    return "".join(f"<p>{_MARKED.sub(tagged, escape(each))}</p>" for each in paragraphs)


def _markup(picture: Any) -> str:
    """The HTML for an object that a notebook can show."""
    if isinstance(picture, str):
        return f"<pre>{escape(picture)}</pre>"
    if hasattr(picture, "_repr_mimebundle_"):
        bundle = picture._repr_mimebundle_()
        return str(bundle.get("text/html") or bundle["image/svg+xml"])
    for method in ("_repr_html_", "_repr_svg_"):
        if hasattr(picture, method):
            return str(getattr(picture, method)())
    raise ValueError(f"a {type(picture).__name__} cannot be shown on a page.")
