"""Questions that a student answers from memory: three at the top of a notebook, and twelve twice.

    course.recall("05")  # about three earlier notebooks
    course.quiz("before")  # in notebook 00, without reasons
    course.quiz("after")  # in notebook 15: the same misconceptions, in other positions
    course.gain()  # how many were right before and after

Questions that come again after a while make knowledge last better than the same questions at once
(Latimier, Peyre and Ramus 2021: g = 0.74 over 29 studies). They are in `recall.toml` and
`quiz.toml`.
"""

import tomllib
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from mctslab.course.keeping import progress

if TYPE_CHECKING:
    from mctslab.widgets.questions import QuestionsWidget

Time = Literal["before", "after"]
_HERE: Final = Path(__file__).parent


def recall(notebook: str) -> "QuestionsWidget":
    """Three questions about earlier notebooks, for the top of a notebook such as "05".

    Raises:
        ValueError: there are no questions for this notebook.
    """
    from mctslab.widgets.questions import QuestionsWidget  # slow to load: only where it is shown

    questions = _questions_in("recall.toml")
    if notebook not in questions:
        raise ValueError(f"There are questions for {', '.join(questions)}, not for {notebook!r}.")
    return QuestionsWidget("Do you remember?", [*map(_shown, questions[notebook])])


def quiz(time: Time) -> "QuestionsWidget":
    """Twelve questions about what people often get wrong, asked before the course and after it.

    The answers are kept with the progress. Before the course nothing is said about them.

    Args:
        time: "before" or "after".
    """
    from mctslab.widgets.questions import QuestionsWidget

    questions = [_shown(each[time]) for each in _questions_in("quiz.toml")["ideas"]]
    number = len(questions)
    card = (
        QuestionsWidget("Before the course: what do you think?", questions, gives_reasons=False)
        if time == "before"
        else QuestionsWidget("After the course: what do you think now?", questions)
    )

    def keep(_change: object) -> None:
        answers = list(card.chosen)
        progress.change(lambda content: content.quizzes.update({time: answers}))

    kept = progress.load().quizzes.get(time, [])
    card.chosen = [answer for answer in kept[:number] if 0 <= answer < 3]
    before = gain().before
    if time == "after" and None not in before:
        card.closing = f"Before the course, {sum(map(bool, before))} of {number} were right."
    card.observe(keep, "chosen")
    return card


@dataclass(frozen=True, slots=True)
class Gain:
    """How many of the twelve questions were right before and after the course.

    Attributes:
        ideas: What each question is about.
        before: Whether each was right before; None: not answered.
        after: Whether each was right after the course; None: not answered.
    """

    ideas: tuple[str, ...]
    before: tuple[bool | None, ...]
    after: tuple[bool | None, ...]

    def __str__(self) -> str:
        """In a sentence, as far as the questions were answered."""
        asked = {"before the course": self.before, "after it": self.after}
        parts = [
            f"{sum(map(bool, right))} of {len(right)} right {when}"
            for when, right in asked.items()
            if None not in right
        ]
        return f"{', '.join(parts)}." if parts else ""

    def _repr_markdown_(self) -> str:
        """A table with a row for each idea."""
        signs = {True: "right", False: "wrong", None: "–"}
        rows = [
            f"| {idea} | {signs[before]} | {signs[after]} |"
            for idea, before, after in zip(self.ideas, self.before, self.after, strict=True)
        ]
        return "\n".join(["| | before | after |", "|---|---|---|", *rows, "", str(self)])


def gain() -> Gain:
    """What the twelve questions have shown so far; a teacher can ask for it as homework."""
    ideas = _questions_in("quiz.toml")["ideas"]
    answers = progress.load().quizzes

    def right(time: Time) -> tuple[bool | None, ...]:
        given = answers.get(time, [])
        places = [_shown(each[time])["right"] for each in ideas]
        missing = [None] * (len(places) - len(given))
        return (*(a == p for a, p in zip(given, places, strict=False)), *missing)

    return Gain(tuple(each["idea"] for each in ideas), right("before"), right("after"))


def _questions_in(name: str) -> dict[str, Any]:
    return tomllib.loads((_HERE / name).read_text("utf-8"))


def _shown(question: dict[str, Any]) -> dict[str, Any]:
    """A question as the page gets it; its options are in an order that is always the same."""
    options = [question["right"], *question["wrong"]]
    order = np.random.default_rng(zlib.crc32(question["asks"].encode())).permutation(len(options))
    return {
        "asks": question["asks"],
        "options": [options[place][0] for place in order],
        "reasons": [" ".join(options[place][1:]) for place in order],
        "right": int(np.argmin(order)),
    }
