"""What a page shows only after a prediction, because it would give the answer away."""

from html import escape
from typing import TYPE_CHECKING, Any

from mctslab.course import predict

if TYPE_CHECKING:
    from mctslab.widgets.prediction import PredictionWidget


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
    shown = "".join(map(predict.markup, pictures)) + predict.paragraphs(more)
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
