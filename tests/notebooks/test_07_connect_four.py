"""What notebook 07 says is so, and stays so with another seed."""

import json
import math
import re
import time

import numpy as np
import pytest

from mctslab import fast, games
from mctslab.solvers import ConnectFourSolver
from tests.notebooks.reading import PROJECT

RESULTS = PROJECT / "notebooks" / "results"
EXAM = json.loads((RESULTS / "07_questions.json").read_text("utf-8"))
START = games.ConnectFour()


# A budget


@pytest.mark.parametrize("seed", range(3))
def test_the_search_settles_on_the_middle_column_without_being_sure(seed):
    shares = []
    for num_simulations in (300, 10_000):
        rng = np.random.default_rng(seed)
        result = fast.mcts(START, num_simulations=num_simulations, rng=rng)
        visits = {child.action: child.visit_count for child in result.children}
        shares.append(visits[3] / num_simulations)

    assert result.best_action == 3
    assert shares[1] > shares[0]
    assert (1 + result.value) / 2 < 0.67


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


def examine(names, budgets, monkeypatch, c=2**0.5):
    """Half of the questions, searched with another seed: right, differ and value.

    The side road on the constant c has the same cells.
    """
    exam = [question | {"state": names["position_after"](question["moves"])} for question in EXAM]
    monkeypatch.setitem(names, "exam", exam[::2])
    random = np.random.default_rng  # the cells begin with seed 1, here with another
    monkeypatch.setattr(np.random, "default_rng", lambda seed: random(seed + 10))
    robust, highest, values = np.moveaxis(names["examine"](budgets, c), 2, 0)
    return names["are_right"](robust), robust != highest, values


@pytest.fixture(scope="module")
def examined(names):
    with pytest.MonkeyPatch.context() as patch:
        return examine(names, (10, 300, 1_000, 10_000, 100_000), patch)


def test_the_first_thousand_simulations_bring_most_and_then_it_levels_off(examined):
    ten, _, thousand, _, last = examined[0].mean(axis=0)

    assert thousand > ten + 0.2
    assert -0.03 < last - thousand < 0.12
    assert 0.8 < last < 0.94, "it errs in about one of eight"


def test_near_wins_are_seen_and_far_ones_look_nearly_even(examined):
    right, _, values = examined
    plies = np.array([question["plies"] or 0 for question in EXAM[::2]])
    near, far = (plies % 2 == 1) & (plies < 10), (plies > 10)
    rates = (1 + values[:, -1]) / 2

    assert right[near, -1].mean() > 0.95 > right[far, -1].mean()
    assert rates[near].mean() > 0.9
    assert 0.53 < rates[far].mean() < 0.68


# The kept tree


def test_more_is_kept_by_a_larger_budget_and_by_a_smaller_c(names, monkeypatch):
    monkeypatch.setitem(names, "rng", np.random.default_rng(77))

    def kept(budget, c):
        return np.mean([names["kept_share"](budget, c) for _ in range(12)])

    assert kept(300, math.sqrt(2)) < 10 < kept(10_000, math.sqrt(2)) < 50
    assert 15 < kept(300, 0.3) < 35, "about a quarter"


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


@pytest.mark.parametrize("seed", range(3))
def test_the_endgame_looks_open_until_the_tree_is_deep(names, seed):
    rates = [
        (1 + fast.mcts(names["endgame"], num_simulations=n, rng=rng).value) / 2
        for n, rng in zip((300, 30_000), np.random.default_rng(seed).spawn(2), strict=True)
    ]
    assert 0.35 < rates[0] < 0.5
    assert rates[1] < 0.05


def test_the_endgames_threat_is_found(names):
    stones = names["endgame"].board().stones
    found = names["threats"](stones, names["FOURS"], 1)
    assert max(found) == names["marks"]["!"][0], "the lowest of Yellow's"
    assert len(names["FOURS"]) == 69


# The rung


def test_the_player_of_the_rung_keeps_its_tree_and_starts_over_in_a_new_game(names):
    player, rng, state = names["KeepsItsTree"](), np.random.default_rng(3), START
    state = state.child(player(state, rng))
    reply = max(player.root.children, key=lambda child: child.visit_count).children[0].action
    state = state.child(reply)
    player(state, rng)
    assert player.root.state == state
    assert player.root.visit_count > 200
    player(START, rng)
    assert (player.root.state, player.root.visit_count) == (START, 200)


def test_the_kept_tree_comes_from_a_game_that_opens_in_the_middle(names):
    assert names["move"] == 3
    assert names["kept"].state == START.child(3).child(names["reply"])
