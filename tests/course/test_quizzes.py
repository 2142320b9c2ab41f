"""The questions that are answered from memory."""

import pytest

from mctslab.course import quizzes

NOTEBOOKS = [f"{number:02}" for number in range(2, 16)]


@pytest.mark.parametrize("notebook", NOTEBOOKS)
def test_a_notebook_asks_about_one_three_and_six_notebooks_back(notebook):
    asked = quizzes._questions_in("recall.toml")[notebook]
    number = int(notebook)
    wanted = [number - back for back in (1, 3, 6) if number - back >= 1]
    sources = [int(question["from"]) for question in asked]
    assert set(wanted) <= set(sources)
    assert len(asked) == 3
    assert max(sources) < number
    assert len(quizzes.recall(notebook).questions) == 3


def test_each_question_has_one_right_option_and_a_reason_for_each():
    files = [quizzes._questions_in(name) for name in ("recall.toml", "quiz.toml")]
    asked = [each for number in NOTEBOOKS for each in files[0][number]]
    asked += [each["after"] for each in files[1]["ideas"]]
    assert len(files[1]["ideas"]) == 12
    for question in asked:
        shown = quizzes._shown(question)
        assert shown["options"][shown["right"]] == question["right"][0]
        assert len(set(shown["options"])) == len(shown["options"]) >= 3
        assert all(reason.endswith((".", ")")) for reason in shown["reasons"]), question["asks"]
    places = [quizzes._shown(question)["right"] for question in asked]
    assert all(places.count(place) > len(places) / 6 for place in range(3))


def test_the_quiz_is_kept_and_the_gain_is_what_was_right(monkeypatch, tmp_path):
    monkeypatch.setenv("MCTSLAB_HOME", str(tmp_path))
    before = quizzes.quiz("before")
    assert str(quizzes.gain()) == ""
    assert not before.gives_reasons
    right = [question["right"] for question in before.questions]
    before.chosen = [right[0], *((place + 1) % 3 for place in right[1:])]
    assert quizzes.quiz("before").chosen == before.chosen
    assert str(quizzes.gain()) == "1 of 12 right before the course."
    after = quizzes.quiz("after")
    for number in range(1, 13):
        after.chosen = [question["right"] for question in after.questions][:number]
    assert after.closing == "Before the course, 1 of 12 were right."
    assert str(quizzes.gain()) == "1 of 12 right before the course, 12 of 12 right after it."
    rows = quizzes.gain()._repr_markdown_().splitlines()
    assert rows[2].endswith("| right | right |")
    assert rows[3].endswith("| wrong | right |")


def test_an_unknown_notebook_is_told():
    with pytest.raises(ValueError, match="not for '99'"):
        quizzes.recall("99")
