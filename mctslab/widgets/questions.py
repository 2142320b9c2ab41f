"""Questions with options, one after the other: what a student still knows.

The page asks and answers; no message goes to the kernel.
"""

from collections.abc import Sequence
from html import escape
from typing import Any

import anywidget
import traitlets

from mctslab.widgets.front_end import StillPicture, bundled, joined


class QuestionsWidget(StillPicture, anywidget.AnyWidget):
    """Questions of which each has one right option.

    Args:
        title: Above the questions.
        questions: Each with `asks`, `options`, the place of the one that is `right`, and `reasons`,
            one for each option.
        gives_reasons: Whether the page says what is right, and why; otherwise it only thanks.
        closing: Below the count at the end.
    """

    _esm = bundled("questions.js")
    _css = joined("common.css", "prediction.css", "questions.css")

    title = traitlets.Unicode().tag(sync=True)
    questions = traitlets.List(traitlets.Dict()).tag(sync=True)
    chosen = traitlets.List(traitlets.Int(), help="the options, in order").tag(sync=True)
    gives_reasons = traitlets.Bool(True).tag(sync=True)
    closing = traitlets.Unicode(help="what is said at the end").tag(sync=True)

    def __init__(
        self,
        title: str,
        questions: Sequence[dict[str, Any]],
        *,
        gives_reasons: bool = True,
        closing: str = "",
    ) -> None:
        super().__init__(
            title=title, questions=list(questions), gives_reasons=gives_reasons, closing=closing
        )

    def still_note(self) -> str:
        """The title."""
        return f"{self.title} Run this cell again to answer."

    def still_html(self) -> str:
        """Each question, and below it a line to open with the answer and its reason."""
        return "".join(map(self._question_html, self.questions))

    def _question_html(self, question: dict[str, Any]) -> str:
        options = "".join(f"<li>{escape(option)}</li>" for option in question["options"])
        right = question["right"]
        answer = f"{question['options'][right]} {question['reasons'][right]}"
        opened = f"<details><summary>The answer</summary><p>{escape(answer)}</p></details>"
        shown = opened if self.gives_reasons else ""
        return f"<p>{escape(question['asks'])}</p><ul>{options}</ul>{shown}"
