"""Predictions: asked first, judged, kept, and answered only afterwards."""

import json
from base64 import b64decode

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from mctslab import course, draw, games
from mctslab.course import predict
from mctslab.course.keeping import progress
from mctslab.course.predict import Truth
from tests.widgets.browser_messages import send


@pytest.fixture(autouse=True)
def _not_quick(home, monkeypatch):
    monkeypatch.delenv("MCTSLAB_QUICK", raising=False)


def range_question(value=58.5, **options):
    truth = Truth(value, "It is 58.5.", options.pop("picture", None), options.pop("more", ""))
    return predict.number("share", "How many?", truth, low=0, high=100, unit="%", **options)


def choice_question():
    truth = Truth("UCT", "UCT finds it.")
    return predict.choice("finder", "Which one?", ["flat", "UCT", "both"], truth)


def curve_question():
    truth = Truth([0, 2, 4], "It grows.")
    return predict.curve("growth", "How does it grow?", range(2, 5), truth, low=0, high=10)


def test_the_answer_does_not_reach_the_page_before_the_prediction():
    asked = range_question()
    assert "58.5" not in str(asked.get_state()), "all that the page knows"
    assert "58.5" not in str(asked._still()), "all that the saved notebook knows"
    asked.make([50, 60])
    assert asked.answer == {"value": 58.5, "sentence": "It is 58.5.", "pictures": [], "more": ""}
    assert asked.sealed == "", "with Python it is not on the page"
    assert "58.5" in asked._still()["text/html"]
    alone = asked.without_python()
    assert (alone["guess"], alone["answer"]) == (None, {})
    assert "58.5" not in alone["sealed"]
    assert json.loads(b64decode(alone["sealed"])) == asked.answer


@pytest.mark.parametrize(
    ("make", "guess", "confidence", "kept"),
    [
        (range_question, [58.5, 58.5], None, (80, True)),
        (range_question, [0, 58.4], None, (80, False)),
        (range_question, [58.6, 100], None, (80, False)),
        (choice_question, "flat", 60, (60, False)),
        (choice_question, "UCT", 33, (33, True)),
        (curve_question, [0, 0, 0], None, (None, None)),
    ],
)
def test_what_was_predicted_and_whether_it_came_true_is_kept(make, guess, confidence, kept):
    make().make(guess, confidence)
    (found,) = progress.load().predictions.values()
    assert found == progress.Prediction(guess, *kept)
    assert make().guess == guess


@pytest.mark.parametrize("make", [range_question, choice_question, curve_question])
def test_who_would_rather_see_it_is_shown_the_answer_and_nothing_is_kept(make):
    asked = make()
    send(asked, {"command": "see"})
    assert (asked.guess, asked.answer) == (None, asked._hidden_answer)
    assert progress.load().predictions == {}
    assert make().answer == {}, "it is asked again"


def test_what_a_result_means_and_pictures_of_any_kind_are_shown_with_it_and_not_before():
    pictures = [
        *("a < b", games.TicTacToe(), draw.board(games.TicTacToe())),
        draw.side_by_side({"a": draw.board(games.TicTacToe())}),
    ]
    more = """
        Each *game* is **one** draw of `a < b * c * d`,

        so 2 * 3 * 4 of them are <b>few</b>.
    """
    asked = range_question(more=more, picture=pictures)
    assert "a &lt; b" not in str(asked.get_state())
    asked.make([50, 60])
    first, second = asked.answer["more"].removesuffix("</p>").split("</p><p>")
    assert first == (
        "<p>Each <em>game</em> is <strong>one</strong> draw of <code>a &lt; b * c * d</code>,"
    )
    assert second == "so 2 * 3 * 4 of them are &lt;b&gt;few&lt;/b&gt;."
    begins = ["<pre>a &lt; b</pre>", "<svg", "<svg", "<div"]
    shown = zip(asked.answer["pictures"], begins, strict=True)
    assert all(picture.startswith(begin) for picture, begin in shown)


def test_what_the_page_sends_is_a_prediction_and_the_first_one_counts():
    asked = choice_question()
    send(asked, {"command": "predict", "guess": "flat", "confidence": 60})
    send(asked, {"command": "see"})
    assert (asked.guess, asked.answer["value"]) == ("flat", "UCT")
    made = {"finder": progress.Prediction("flat", 60, False)}
    choice_question().make("UCT", 100)
    assert progress.load().predictions == made

    changed = {"finder": progress.Prediction("PUCT", 60, True)}
    progress.change(lambda content: content.predictions.update(changed))
    assert choice_question().answer == {}, "the question has changed since then"


def test_what_reveals_waits_for_the_answer_and_then_appears(request):
    InteractiveShell.instance()  # without one nothing is displayed
    request.addfinalizer(InteractiveShell.clear_instance)
    with pytest.raises(ValueError, match="'shares' has not been asked: run its cell above first"):
        course.after("shares", "X won 58.5")
    card = range_question()
    with capture_output() as waiting:
        course.after("share", "X won 58.5", more="So *X* is ahead.")
    assert "58.5" not in str([each.data for each in waiting.outputs])
    with capture_output() as answered:
        card.show(None)
        course.after("share", "X won 58.5")
    filled, at_once = [each.data["text/html"] for each in answered.outputs]
    assert filled == "<pre>X won 58.5</pre><p>So <em>X</em> is ahead.</p>"
    assert at_once == "<pre>X won 58.5</pre>"


def test_a_short_run_needs_nobody_and_has_smaller_budgets(monkeypatch):
    assert course.budget(2_000, quick=20) == 2_000
    monkeypatch.setenv("MCTSLAB_QUICK", "1")
    assert course.budget(2_000, quick=20) == 20
    monkeypatch.delenv("MCTSLAB_QUICK")
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert course.budget(2_000, quick=20) == 20
    asked = range_question()
    assert asked.answer["sentence"] == "It is 58.5."
    assert (asked.guess, progress.load().predictions) == (None, {})
