"""A question that a student answers before the page shows the answer: a range, a choice or a curve.

The page draws the question and says how it came out. The answer is sent to the page only after a
prediction was made, or when the student would rather see it, so that nobody can read it before:
neither on the page nor in the saved notebook.
"""

import json
import threading
from base64 import b64encode
from collections.abc import Callable, Mapping
from html import escape
from typing import Any, Final

import traitlets

from mctslab.widgets.front_end import CommandedWidget, StillPicture, bundled, joined, svg_image

Guess = str | list[float]
"""The chosen option, the two ends of a range, or the values of a curve."""


class PredictionWidget(StillPicture, CommandedWidget):
    """A question and, as soon as a prediction was made, the answer below it.

    Args:
        kind: "number", "choice" or "curve".
        name: The prediction's name.
        question: The question, a sentence or two.
        form: What the page needs for the question, such as `low`, `high` and `unit`.
        answer: What the page shows after the prediction: `value`, `sentence`, and as HTML
            `pictures`, a list, and `more`.
        keep: Called with each prediction and its confidence in percent; it returns remarks for the
            student.
    """

    _esm = bundled("prediction.js")
    _css = joined("common.css", "prediction.css")

    kind = traitlets.Unicode().tag(sync=True)
    question = traitlets.Unicode().tag(sync=True)
    form = traitlets.Dict(help="what the page needs to ask").tag(sync=True)
    guess = traitlets.Any(None, allow_none=True, help="what was predicted").tag(sync=True)
    answer = traitlets.Dict(help="empty until the student has answered").tag(sync=True)
    sealed = traitlets.Unicode(help="the answer, for a page without a kernel").tag(sync=True)
    message = traitlets.Unicode(help="remarks about the progress file").tag(sync=True)

    def __init__(
        self,
        kind: str,
        name: str,
        question: str,
        form: dict[str, Any],
        answer: dict[str, Any],
        keep: Callable[[Any, int | None], list[str]],
    ) -> None:
        self._lock = threading.RLock()
        self.prediction, self._hidden_answer, self._keep = name, answer, keep
        super().__init__(kind=kind, question=question, form=form)

    def make(self, guess: Guess, confidence: int | None = None) -> None:
        """Make the prediction, and show the answer.

        Args:
            guess: The chosen option, the two ends of a range, or the values of a curve.
            confidence: How sure you are of an option, in percent.
        """
        self.show(guess, self._keep(guess, confidence))

    def show(self, guess: Guess | None, remarks: list[str] | None = None) -> None:
        """Show the answer together with the prediction; None: no prediction was made."""
        with self.hold_sync():
            self.guess, self.message = guess, " ".join(remarks or [])
            self.answer = self._hidden_answer
        self.renew_still()

    def _handle_command(self, content: Any) -> None:
        match content:
            case {"command": "predict", "guess": guess, "confidence": confidence}:
                self.make(guess, confidence)
            case {"command": "see"} if not self.answer:
                self.show(None)

    def without_python(self) -> dict[str, Any]:
        """The question without a prediction, and the answer in a form that nobody reads at once."""
        sealed = b64encode(json.dumps(self._hidden_answer).encode()).decode()
        return {"guess": None, "answer": {}, "sealed": sealed}

    def still_note(self) -> str:
        """The question."""
        return self.question

    def still_html(self) -> str:
        """The answer if the page has it."""
        return answer_html(self.answer) if self.answer else f"<p><em>{_NOT_YET}</em></p>"


_NOT_YET: Final = "Run this cell again to predict; the answer appears after that."


def answer_html(answer: Mapping[str, Any]) -> str:
    """The answer of a prediction as HTML, for a page that runs no script."""
    shown = "".join(
        svg_image(each, "") if each.lstrip().startswith("<svg") else each
        for each in answer["pictures"]
    )
    return f"{shown}<p>{escape(answer['sentence'])}</p>{answer['more']}"
