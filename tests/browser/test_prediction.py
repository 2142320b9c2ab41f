"""Predictions on the page: made by mouse and by keyboard, answered only afterwards."""

import re
import secrets

import pytest
from playwright.sync_api import expect

from mctslab import course
from tests.browser.examples import ask_choice, ask_curve, ask_share
from tests.browser.modules import exports_of
from tests.browser.panel import COVERED, box_of, middle_of, shows

SEE, PREDICT = "I'd rather see it", "Predict, and see the answer"


def open_question(bridge, ask, *more):
    question = bridge.show(ask(secrets.token_hex(4), *more))
    shows(question, {".answer:visible": 0})
    return question


def predict(question, option="", confidence="70"):
    if option:
        question.get_by_text(option, exact=True).click()
        question.get_by_label("How sure you are").select_option(confidence)
    question.get_by_role("button", name=PREDICT).click()


def refused(question, words):
    """Try to predict without an answer: the page says what is missing, and sends nothing."""
    predict(question)
    shows(question, {"[role=alert] >> nth=-1": words, ".answer:visible": 0})


def border_of(question):
    return question.evaluate("e => getComputedStyle(e).borderLeft")


def test_a_range_is_chosen_by_keys_and_the_truth_comes_after(bridge):
    question = open_question(bridge, ask_share)
    assert "58.5" not in bridge.page.content()
    assert "58.5" not in bridge.page.evaluate("JSON.stringify([...models.values()].at(-1).state)")
    expect(question).to_contain_text("Move the two sliders until you are 80% sure")
    refused(question, "Move a slider first: the whole scale is not an answer.")
    first, last = question.get_by_label("From"), question.get_by_label("To")
    for handle, key, words in (
        (first, "End", "80% sure that it is exactly 100%"),
        (last, "Home", "exactly 0%"),
        (last, "End", "Move the two sliders"),
        (last, "ArrowLeft", "between 0 and 99%"),
    ):
        handle.press(key)
        expect(question).to_contain_text(words)
    shows(question, {"[role=alert] >> nth=-1": ""})
    predict(question)
    said = "Your range contains it. The first player wins 58.5 % of them."
    shows(question, {".sentence": said, ".verdict path": 1, ".answer:focus": 1})
    assert "solid" in border_of(question)
    expect(question.locator(".picture svg")).to_be_visible()
    bridge.page.add_style_tag(content="svg { display: block }")  # as in marimo
    assert question.locator(".verdict svg").evaluate("e => getComputedStyle(e).display") == "inline"
    truth, track = (box_of(question.locator(name)) for name in (".truth", ".track"))
    place = (truth["x"] + truth["width"] - track["x"]) / track["width"]
    assert place == pytest.approx(0.585, abs=0.01)


def test_a_choice_is_seen_without_a_prediction_asked_for_again_made_and_kept(bridge):
    name = secrets.token_hex(4)
    question = bridge.show(ask_choice(name))
    plain, see = border_of(question), question.get_by_role("button", name=SEE)
    see.press("Enter")
    shows(question, {".sentence": re.compile(r"^\s*It is this\."), ".verdict": 0})
    shows(question, {".is-true": "this", ".answer:focus": 1})
    assert border_of(question) == plain

    bridge.put(ask_choice(name))
    expect(see).to_be_visible()
    refused(question, "Choose one of the options.")
    question.get_by_text("that", exact=True).click()
    refused(question, "Say how sure you are.")
    predict(question, "that")
    shows(question, {".verdict path": 1, ".is-true": "this", ".is-missed": "that"})
    assert "dashed" in border_of(question)
    expect(question.locator(".picture table")).to_be_visible()
    shows(question, {".more p": "It is deep, see draw.tree.", ".more code": "draw.tree"})
    shows(question, {".more p + p": "It takes long."})

    bridge.put(ask_choice(name))
    shows(question, {".sentence": "you chose “that”. It is this.", "button:visible": 0})


def test_a_curve_is_drawn_by_mouse_and_by_keys(bridge):
    question = open_question(bridge, ask_curve)
    refused(question, "Draw the whole curve first: 6 of its 6 points are still missing.")
    points = question.get_by_role("slider")
    assert question.evaluate(COVERED, "[role=slider], .tick")[1] == 0
    points.first.focus()
    bridge.page.keyboard.press("ArrowDown")
    expect(points.first).to_have_attribute("aria-valuenow", "49")
    bridge.page.keyboard.press("ArrowRight")
    expect(points.nth(1)).to_be_focused()
    (x, y), (end, low) = (middle_of(points.nth(number)) for number in (2, 5))
    bridge.page.mouse.move(x - 9, y - 27)
    bridge.page.mouse.down()
    bridge.page.mouse.move(end, low - 67, steps=2)  # a fast mouse: the points between are there
    bridge.page.mouse.up()
    refused(question, "1 of its 6 points is still missing.")
    points.nth(1).press("Enter")
    expect(points.last).not_to_have_attribute("aria-valuenow", "50")
    plain = border_of(question)
    values = [float(point.get_attribute("aria-valuenow") or 0) for point in points.all()]
    assert values[:2] == [49, 50]
    assert 50 < values[2] < values[3] < values[4] < values[5]
    predict(question)
    shows(question, {".sentence": re.compile(r"On average your curve is \d+ away from it\.")})
    shows(question, {".verdict path": 0, "[role=slider]": 0})
    expect(question.locator("path.truth")).to_have_attribute("d", re.compile("(L[^L]+){5}$"))
    assert border_of(question) == plain, "a curve is neither right nor wrong"


def test_without_a_kernel_the_page_judges_and_the_browser_keeps_the_guess(bridge):
    asked = ask_choice(secrets.token_hex(4))
    for trait, value in asked.without_python().items():
        asked.set_trait(trait, value)
    question = bridge.show(asked)
    assert "It is this" not in question.inner_html()
    assert "It is this" not in bridge.page.evaluate("[...models.values()].at(-1).get('sealed')")
    predict(question, "that")
    words = "It came out differently: you chose “that”. It is this."
    shows(question, {".sentence": words})
    asked.guess, asked.answer = None, {}  # as on a page that is opened again
    shows(bridge.show(asked), {".sentence": words})
    bridge.page.evaluate("localStorage.clear()")


# Functions, without a page

script = exports_of("common.js", "prediction.js")


def test_a_picture_brings_no_script_no_frame_and_no_link(script):
    left = script.evaluate(
        """source => {
            const box = document.createElement('div');
            box.append(...parseHtml(source));
            document.body.append(box);
            return box.innerHTML;
        }""",
        "<style>p { color: red }</style><p onclick='ran = 1'>one <a href='x.html'>two</a></p>"
        "<script>ran = 1</script><img src='x:' onerror='ran = 1'><iframe src='x.html'></iframe>"
        "<svg onload='ran = 1'><script>ran = 1</script><g xlink:href='javascript:0'></g></svg>",
    )
    assert left == ('<style>p { color: red }</style><p>one two</p><img src="x:"><svg><g></g></svg>')
    assert script.evaluate("() => globalThis.ran ?? 'nothing ran'") == "nothing ran"


# Questions that are answered from memory


def answer(card, right):
    """Choose the right option, or the first wrong one, of the question in view, by keys."""
    options = card.locator(".option")
    labels = options.all_inner_texts()
    asked = next(each for each in card.owner.questions if each["options"] == labels)
    places = [place for place in range(3) if (place == asked["right"]) == right]
    options.nth(places[0]).press("Enter")
    return asked


def test_questions_are_answered_one_by_one_with_reasons(bridge):
    owner = course.recall("09")
    card = bridge.show(owner)
    card.owner = owner
    for number, right in enumerate((True, False, True), start=1):
        shows(card, {".muted": f"Question {number} of 3"})
        asked = answer(card, right)
        shows(card, {".is-true": 1, ".is-missed": 0 if right else 1})
        expect(card.get_by_role("status")).to_contain_text(asked["reasons"][asked["right"]])
        last = number == 3
        card.get_by_role("button", name="How many" if last else "Next").press("Enter")
    shows(card, {"[role=status]": "2 of 3 are right."})
    card.get_by_role("button", name="Ask again").click()
    shows(card, {".muted": "Question 1 of 3", ".is-true": 0})


def test_before_the_course_nothing_is_said_and_an_answer_can_be_taken_back(bridge):
    owner = course.quiz("before")
    card = bridge.show(owner)
    card.owner = owner
    answer(card, False)
    shows(card, {".muted": "Question 2 of 12", ".is-true": 0})
    card.get_by_role("button", name="Back").click()
    for number in range(12):
        shows(card, {".muted": f"Question {number + 1} of 12"})
        answer(card, number < 4)
    shows(card, {"[role=status]": "Your answers are kept.", ".option": 0})
    assert [a == q["right"] for a, q in zip(owner.chosen, owner.questions, strict=True)] == [
        *[True] * 4, *[False] * 8
    ]  # fmt: skip
    assert course.quiz("before").chosen == owner.chosen
