"""The student's functions are kept when they pass, and found again after a restart."""

import contextlib
import linecache
import math
import re
import textwrap

import numpy as np
import pytest

from mctslab import course, games, search
from mctslab.course import exercises
from mctslab.course.keeping import parts, progress
from tests.search.toys import statistics

OWN_SELECT = """
    from mctslab.course import exercises

    def select(root, rule):
        \"\"\"Mine.\"\"\"
        place = root
        while place.is_fully_expanded and place.children:
            place = rule.best_child(place)
        return place

    exercises.select.check(select)
"""


@pytest.fixture(autouse=True)
def folder(home):
    return home / "mine"


def in_a_cell(code, names=None):
    """Run code as the only cell of a notebook, or after others; returns their names."""
    code = textwrap.dedent(code)
    names = names or {"__name__": "__main__", "In": [""]}
    names["In"].append(code)
    file = f"<cell {len(names['In'])}>"
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    exec(compile(code, file, "exec"), names)
    return names


# An answer with helpers in this file, as they may stand in a notebook

HALF = 0.5


def bonus(visit_count, parent_visit_count):
    """The bonus of UCB1, for c = 2."""
    return math.sqrt(math.log(parent_visit_count) / visit_count) / HALF


def ucb1(win_rate, visit_count, parent_visit_count, c):
    """An answer with a helper, which has a constant and an import."""
    if visit_count == 0:
        return np.inf
    return win_rate + c * HALF * bonus(visit_count, parent_visit_count)


def wrong(win_rate, visit_count, parent_visit_count, c):
    return 0.25


# Kept


def test_a_line_says_of_one_or_several_functions_where_they_come_from(capsys):
    exercises.ucb1.check(wrong)
    assert course.mine("ucb1") is exercises.ucb1.model_answer
    exercises.ucb1.check(ucb1)
    expand, own, select = course.mine("expand", "ucb1", "select")
    assert (expand, select) == (exercises.expand.model_answer, exercises.select.model_answer)
    assert own(0.25, 4, 10, 2.0) == ucb1(0.25, 4, 10, 2.0)
    course.mine("loss", "puct", "encode", "symmetries")

    lines = capsys.readouterr().out.splitlines()
    names, origins = zip(*(line.split(": ", 1) for line in lines), strict=True)
    assert names == ("ucb1", *("expand", "ucb1", "select"), *("loss, encode", "puct", "symmetries"))
    reason = "the package's, until yours passes its check in "
    assert [origin.removeprefix(reason) for origin in origins if reason in origin] == [
        "notebook 03_selection.",
        "notebook 04_expansion.",
        "notebook 03_selection.",
        "notebook 12_policy_value_net.",
        "notebook 11_puct.",
        "notebook 12_what_samples_teach.",
    ]


def test_a_function_comes_back_with_its_helpers_constants_and_imports(folder):
    assert exercises.select.check(search.select).notes == (), "the package's is not the student's"
    assert exercises.ucb1.check(ucb1).notes == ()

    own = course.mine("ucb1")
    assert own is not ucb1
    assert own(0.25, 4, 10, 2.0) == pytest.approx(1.767427129385146351)
    assert own.__globals__.keys() - {"__builtins__"} == {
        "__name__", "np", "math", "HALF", "bonus", "ucb1"
    }  # fmt: skip
    assert "def bonus(" in (folder / "ucb1.py").read_text("utf-8")
    assert sorted(path.name for path in folder.iterdir()) == ["ucb1.py"]


def test_a_search_comes_back_and_keeps_the_parts_of_earlier_notebooks_inside(capsys):
    in_a_cell(OWN_SELECT)
    day = progress.datetime.now().date()
    in_a_cell("""
        from mctslab import course, search
        from mctslab.course import exercises
        select, expand = course.mine("select"), course.mine("expand")

        def own_uct(state, num_simulations, rng):
            root = search.Node(state)
            for _ in range(num_simulations):
                leaf = expand(select(root, search.ucb1()), rng)
                returns = search.rollout(leaf.state, search.uniform, rng)
                search.backpropagate(leaf, returns)
            return root

        exercises.uct.check(own_uct)
        print(select.__doc__)
    """)
    said = capsys.readouterr().out
    line = f"select: yours, from notebook 03_selection, checked on {day.day} {day:%B %Y}."
    assert said.startswith(f"{line}\n")
    assert said.endswith("\nMine.\n")
    parts.path_of("select").unlink()

    source = parts.path_of("uct").read_text("utf-8")
    assert "Mine." in source
    assert "expand = exercises.expand.model_answer" in source
    root = course.mine("uct")(games.TicTacToe(), 20, np.random.default_rng(1))
    assert root.visit_count == 20


def test_a_function_that_is_broken_later_stays_as_it_was_when_it_passed(capsys):
    for answer, words in ((ucb1, "."), (wrong, "; later versions of yours have not passed.")):
        exercises.ucb1.check(answer)
        assert course.mine("ucb1")(0.5, 1, 1, 1.0) == 0.5
        assert re.search(r"\d{4}(.*)\n$", capsys.readouterr().out)[1] == words


def in_another_function():
    own = ucb1

    def answer(win_rate, visit_count, parent_visit_count, c):
        return own(win_rate, visit_count, parent_visit_count, c)

    return answer


OF_THE_CELL = """
import math
{}

def ucb1(rate, n, parent, c):
    return rate + factor * c * math.sqrt(math.log(parent) / n) if n else math.inf
"""


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lambda rate, n, parent, c: ucb1(rate, n, parent, c), "not a function written with `def`"),
        (in_another_function(), "it uses `own` of the function in which it was defined."),
        ("globals()['factor'] = 1.0", "it uses `factor`, which no cell of this notebook defines."),
        (
            "factor = 3.0\n(lambda: globals().update(factor=1.0))()",
            "it gives other results without its notebook.",
        ),
    ],
)
def test_what_cannot_be_kept_is_not_returned_later_and_it_is_said(answer, reason, capsys):
    if isinstance(answer, str):
        answer = in_a_cell(OF_THE_CELL.format(answer))["ucb1"]
    exercises.ucb1.check(ucb1)
    result = exercises.ucb1.check(answer)

    assert result.outcome == "right"
    (note,) = result.notes
    said = '`course.mine("ucb1")` cannot return this function later, because '
    assert note == f"{said}{reason}." or (note.startswith(said) and reason in note)
    assert "bonus" in parts.find("ucb1").source, "the one before, which was kept"


def locked(home):
    home.mkdir()
    return progress.FileLock(progress.file().with_suffix(".lock"))


def nothing_can_be_written(home):
    home.write_text("a file where the folder should be")


@pytest.mark.parametrize("spoilt", [locked, nothing_can_be_written])
def test_a_pass_that_cannot_be_saved_is_said_and_what_can_be_kept_is(spoilt, home, monkeypatch):
    monkeypatch.setattr(progress, "_SECONDS_FOR_LOCK", 0.05)
    with spoilt(home) or contextlib.nullcontext():
        result = exercises.ucb1.check(ucb1)

        assert result.outcome == "right"
        assert re.search(r"Your progress (was|is) not saved", str(result))
        is_kept = "cannot return this function later, because" not in str(result)
        assert is_kept == (spoilt is not nothing_can_be_written)
        assert parts.find("ucb1").origin.startswith("yours, from" if is_kept else "the package's")


def test_an_unknown_part_is_answered_with_the_one_that_is_meant():
    with pytest.raises(AttributeError, match=r"no exercise 'selct'\. Did you mean 'select'\?"):
        course.mine("selct")
    with pytest.raises(AttributeError, match="no exercise 'all_exercises'"):
        course.mine("all_exercises")
    with pytest.raises(AttributeError, match="no exercise 'lost'"):
        course.check_parts(lost=exercises.loss.model_answer)


@pytest.mark.parametrize("content", [b"\xff\x00", b"ucb1 = 3", b"1 / 0\ndef f(): 1"])
def test_a_damaged_file_is_not_returned_and_the_next_check_replaces_it(content, folder, capsys):
    exercises.ucb1.check(ucb1)
    (folder / "ucb1.py").write_bytes(content)

    assert course.mine("ucb1") is exercises.ucb1.model_answer
    assert "because yours cannot be loaded" in capsys.readouterr().out
    exercises.ucb1.check(ucb1)
    assert course.mine("ucb1") is not exercises.ucb1.model_answer


# Results of another type than the package's

GENERATED = """
import numpy as np

def symmetries(planes, policy):
    n = planes.shape[1]
    for turns in range(8):
        images = np.rot90(planes, turns, (1, 2)), np.rot90(policy[: n * n].reshape(n, n), turns)
        image, shares = [each[..., ::-1] if turns > 3 else each for each in images]
        yield image, np.append(shares, policy[n * n :])
"""


def test_a_generator_passes_and_can_be_used_like_a_list_further_down(capsys):
    assert exercises.symmetries.check(in_a_cell(GENERATED)["symmetries"]).outcome == "right"
    own = course.mine("symmetries")
    planes, policy = own(np.ones((1, 3, 3)), np.arange(10))[7]

    assert (planes.shape, policy[-1], len(policy)) == ((1, 3, 3), 9, 10)
    course.check_parts(symmetries=own)
    assert "All 1 parts are right." in capsys.readouterr().out


def test_lists_become_an_array_and_moves_plain_numbers_as_a_game_needs_them():
    def encode(state):
        return exercises.encode.model_answer(state).tolist()

    def breakthrough_moves(stones, cols, player):
        moves = exercises.breakthrough_moves.model_answer(stones, cols, player)
        return {tuple(np.array(move)) for move in moves}

    assert exercises.encode.check(encode).outcome == "right"
    assert course.mine("encode")(games.TicTacToe()).shape == (4, 3, 3)
    assert exercises.breakthrough_moves.check(breakthrough_moves).outcome == "right"
    moves = course.mine("breakthrough_moves")((-1, -1, 0, -1), 2, 0)
    assert sorted(moves) == [(2, 0), (2, 1)]
    assert {type(square) for move in moves for square in move} == {int}


# A program of several parts


def test_the_packages_four_phases_assembled_grow_the_packages_tree():
    """Their `expand` returns a list, which its check accepts, too."""
    phases = ("select", "expand", "rollout", "backpropagate")
    assembled = course.assemble(*(getattr(search, name) for name in phases))
    trace, first = search.Trace(), games.ConnectFour()
    root = assembled(first, 60, np.random.default_rng(3), trace=trace)
    same = search.mcts(first, num_simulations=60, rng=np.random.default_rng(3)).root
    assert statistics(root) == statistics(same)
    assert [len(trace), any(each.rollouts[0].plies for each in trace.simulations)] == [60, True]


def test_wrong_parts_are_named_with_their_mistakes_and_their_notebooks():
    puct = exercises.puct.wrong_answer(exercises.puct.mistakes[0])
    with pytest.raises(ValueError, match="Not right") as caught:
        course.check_parts(
            puct=puct,
            backpropagate=exercises.backpropagate.model_answer,
            select=lambda root, rule: None,
        )

    message = str(caught.value)
    assert message.startswith("Not right: puct, select.\n")
    assert exercises.puct.mistakes[0].name in message
    assert "Its exercise is in notebook 03." in message
    assert "backpropagate" not in message
