"""What notebook 07 says is so."""

import json
import re
import time

import pytest

from mctslab import games
from mctslab.solvers import ConnectFourSolver
from tests.notebooks.reading import PROJECT

RESULTS = PROJECT / "notebooks" / "results"
EXAM = json.loads((RESULTS / "07_questions.json").read_text("utf-8"))
START = games.ConnectFour()


# The examination


def assert_matters(question, state, solver):
    """The solver gives the same answer, and not every move is as good."""
    verdicts = solver.solve_moves(state)
    best = max(verdicts.values())
    assert 12 <= len(question["moves"]) <= 18
    assert question["right"] == [each for each in verdicts if verdicts[each] == best]
    assert min(verdicts.values()) < best
    assert question["plies"] == solver.distance(state)


def test_there_are_two_hundred_questions_and_their_answers_are_the_solvers(names):
    assert len(EXAM) == len({question["moves"] for question in EXAM}) == 200
    assert sum(question["plies"] is not None for question in EXAM) > 150, "in most one can win"
    solver = ConnectFourSolver()
    more = RESULTS.parent / "more" / "results"
    assert (more / "07_questions.json").read_bytes() == (RESULTS / "07_questions.json").read_bytes()
    for question in [each for each in EXAM if len(each["moves"]) >= 16][::8]:
        assert_matters(question, names["position_after"](question["moves"]), solver)


# Stop


@pytest.mark.parametrize("seconds", [0, 0.3])
def test_stop_ends_the_search_at_once_with_a_move(names, seconds):
    start, stop = names["buttons"]
    for _ in range(2):  # a second search begins with a tree of its own
        start.click()
        time.sleep(seconds)
        stop.click()
        assert re.search(r"Stopped after \d+ ms; it plays column [1-7]\.", names["sentence"].value)
        assert "<svg" in names["view"].value
        assert len(names["results"]) < 20_000 * (seconds + 0.3)
    stop.click()  # nothing runs


# The endgame


def test_the_endgame_is_decided_by_counting_eight_squares(names):
    endgame, marks = names["endgame"], names["marks"]
    below, threat = (marks[mark][0] for mark in ("×", "!"))
    safe = {square for mark, (square,) in marks.items() if mark not in ("×", "!")}
    columns = {square % 7 for square in (*safe, below)}

    assert below == threat + 7
    assert {endgame.action_square(action) % 7 for action in endgame.legal_actions()} == columns
    assert len(safe) == 8

    def filled(state, left):
        """Whoever fills the safe squares in whatever order, it is Red's turn, and Yellow wins."""
        moves = {state.action_square(action): action for action in state.legal_actions()}
        if not left:
            assert state.current_player == 0
            assert [*moves] == [below]
            after = state.child(moves[below])
            assert not after.is_terminal
            assert after.child(moves[below]).returns() == (-1, 1)
            return
        for square in left & moves.keys():
            after = state.child(moves[square])
            assert not after.is_terminal
            filled(after, left - {square})
        if state.current_player == 0:  # Red takes × earlier
            assert state.child(moves[below]).child(moves[below]).returns() == (-1, 1)

    filled(endgame, safe)


def test_the_endgames_threat_is_found(names):
    stones = names["endgame"].board().stones
    found = names["threats"](stones, names["FOURS"], 1)
    assert max(found) == names["marks"]["!"][0], "the lowest of Yellow's"
    assert len(names["FOURS"]) == 69
