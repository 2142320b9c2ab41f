"""Predictions: a student answers a question first, and then sees the result of the experiment.

    course.predict.number(
        "random-first-player",
        "How many of 100 random games does the first player win?",
        course.Truth(58.5, "The first player wins 58.5 of 100."),
        low=0, high=100,
    )

The cell runs the experiment and shows nothing of it; the result is sent to the page only after the
prediction, or when the student prefers to see it without one. Predictions are stored with the
progress, and the map of the course shows how often they came true. `after` keeps off the page what
would give the answer away.
"""

import re
from collections.abc import Callable, Sequence
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
    """

    def came_true(guess: Any) -> bool:
        return bool(guess[0] <= truth.value <= guess[1])

    is_whole = all(isinstance(each, Integral) for each in (truth.value, low, high))
    form = {"low": low, "high": high, "unit": unit, "sure": SURE, "is_whole": is_whole}
    return _ask("number", name, question, form, truth, lambda guess: len(guess) == 2, came_true)


def choice(name: str, question: str, options: Sequence[str], truth: Truth) -> "PredictionWidget":
    """Ask which option is right, and how sure the student is.

    Args:
        name: A name that no other prediction of the course has.
        question: What is asked.
        options: The options, at least two.
        truth: The result; its value is one of the options.
    """
    form = {"options": list(options), "least": round(100 / len(options))}
    return _ask(
        *("choice", name, question, form, truth),
        lambda guess: guess in options,
        lambda guess: guess == truth.value,
    )


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
    """
    form = {"x": [f"{each:,}" for each in x], "low": low, "high": high}
    form |= {"x_label": x_label, "y_label": y_label}
    return _ask(
        *("curve", name, question, form, truth), lambda guess: len(guess) == len(x), lambda _: None
    )


def _ask(
    kind: str,
    name: str,
    question: str,
    form: dict[str, Any],
    truth: Truth,
    fits: Callable[[Any], bool],
    came_true: Callable[[Any], bool | None],
) -> "PredictionWidget":
    """The question on a page; if it was answered earlier, the answer is shown at once.

    A prediction that no longer `fits`, because the question has changed, is made again.
    """
    from mctslab.widgets.prediction import PredictionWidget  # slow to load: only where it is shown

    def keep(guess: Any, confidence: int | None) -> list[str]:
        sure = SURE if kind == "number" else confidence
        made = Prediction(guess, sure, came_true(guess))
        return progress.change(lambda content: content.predictions.setdefault(name, made))

    pictures = truth.picture if isinstance(truth.picture, list) else [truth.picture]
    answer = {
        "value": np.asarray(truth.value).tolist(),  # in numbers that JSON has
        "sentence": truth.sentence,
        "pictures": [markup(each) for each in pictures if each is not None],
        "more": paragraphs(truth.more),
    }
    card = PredictionWidget(kind, name, question, form, answer, keep)
    made = progress.load().predictions.get(name)
    if is_quick():
        card.show(None)
    elif made is not None and fits(made.guess):
        card.show(made.guess)
    return card


_MARKED: Final = re.compile(r"`([^`]+)`|\*\*(\S(?:[^*]*\S)?)\*\*|\*(\S(?:[^*]*\S)?)\*")
"""Code, strong words or emphasis; in code a star is a star."""


def paragraphs(text: str) -> str:
    """The HTML for paragraphs of text.

    >>> paragraphs("*Two* of `a < b`.")
    '<p><em>Two</em> of <code>a &lt; b</code>.</p>'
    """

    def tagged(found: re.Match[str]) -> str:
        tag = ("code", "strong", "em")[(found.lastindex or 1) - 1]
        return f"<{tag}>{found[found.lastindex or 1]}</{tag}>"

    paragraphs = re.split(r"\n\s*\n\s*", text.strip()) if text.strip() else []
    return "".join(f"<p>{_MARKED.sub(tagged, escape(each))}</p>" for each in paragraphs)


def markup(picture: Any) -> str:
    """The HTML for an object that a notebook can show."""
    if isinstance(picture, str):
        return f"<pre>{escape(picture)}</pre>"
    if hasattr(picture, "_repr_html_"):
        return str(picture._repr_html_())
    if hasattr(picture, "_repr_svg_"):
        return str(picture._repr_svg_())
    bundle = picture._repr_mimebundle_()
    return str(bundle.get("text/html") or bundle["image/svg+xml"])


# What stands below a question


def after(name: str, *pictures: Any, more: str = "") -> None:
    """Show pictures as soon as the question has been answered; until then, a line that says so.

    Until then the page and the saved notebook contain nothing of them.

    Args:
        name: The name of the prediction, whose cell must have run.
        pictures: Each as `Truth` takes one: a chart, a board, a tree, a table or a text.
        more: Paragraphs below them, also as `Truth` takes them.

    Raises:
        ValueError: no question of this name has been asked in this kernel.
    """
    from IPython.display import HTML, display  # slow to load

    card = _latest_card(name)
    if card is None:
        raise ValueError(f"The question {name!r} has not been asked: run its cell above first.")
    shown = "".join(map(markup, pictures)) + paragraphs(more)
    if card.answer:
        display(HTML(shown))  # type: ignore[no-untyped-call]
        return
    handle: Any = display(HTML(_waiting(card)), display_id=True)  # type: ignore[no-untyped-call]
    card.observe(lambda _change: handle.update(HTML(shown)), "answer")  # type: ignore[no-untyped-call]
    # A page without a kernel cannot wait, so there the reader opens it.
    opened = f"<details><summary>After your prediction</summary>{shown}</details>"
    card.observe(lambda _change: handle.update(HTML(opened)), "sealed")  # type: ignore[no-untyped-call]


def _latest_card(name: str) -> "PredictionWidget | None":
    """The card that asked this question last; ipywidgets knows every widget of the kernel."""
    from ipywidgets.widgets.widget import _instances

    from mctslab.widgets.prediction import PredictionWidget

    cards = [each for each in _instances.values() if isinstance(each, PredictionWidget)]
    return next((card for card in reversed(cards) if card.prediction == name), None)


def _waiting(card: "PredictionWidget") -> str:
    question = escape(card.question)
    return f"<p><em>Answer the question above first, then this appears:</em> {question}</p>"
