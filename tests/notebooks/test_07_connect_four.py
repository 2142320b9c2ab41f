"""What notebook 07 says is so, and stays so with another seed."""

import json
import math
from functools import partial

import numpy as np
import pytest

from mctslab import arena, fast, games, players, search
from mctslab.fast import ConnectFourSolver
from mctslab.score import expected_score
from tests.notebooks.reading import NOTEBOOKS, PROJECT, read
from tests.notebooks.stored_games import plays_again

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "07_connect_four")
RESULTS = PROJECT / "notebooks" / "results"
EXAM = json.loads((RESULTS / "07_questions.json").read_text("utf-8"))
START = games.ConnectFour()


@pytest.fixture
def names(executed):
    return executed(NOTEBOOK).names


def position_after(moves):
    state = START
    for move in moves:
        state = state.child(state.string_to_action(move))
    return state


# What a search knows


@pytest.mark.parametrize("seed", range(5))
def test_the_win_rate_of_the_first_row_rises_while_yellow_plays_at_random(seed):
    rng = np.random.default_rng(seed)
    state, results = START, []
    while not state.is_terminal:
        action = search.uniform(state, rng)
        if state.current_player == 0:
            results.append(fast.mcts(state, num_simulations=2_000, rng=rng))
            action = results[-1].best_action
        state = state.child(action)

    best = [max(result.children, key=lambda child: child.visit_count) for result in results]
    assert state.returns() == (1, -1)
    assert best[-1].mean_value > best[0].mean_value + 0.5
    assert best[-1].mean_value == 1, "the last move ends the game"


@pytest.mark.parametrize("moves", ["", "4", "44351", "3545433"])
def test_the_better_a_move_looks_the_larger_is_its_share_and_every_move_gets_some(moves):
    rng = np.random.default_rng(3)
    result = fast.mcts(position_after(moves), num_simulations=2_000, rng=rng)
    visits = [child.visit_count for child in result.children]
    means = [child.mean_value for child in result.children]

    assert np.corrcoef(np.argsort(np.argsort(visits)), np.argsort(np.argsort(means)))[0, 1] > 0.9
    assert min(visits) > 10


# A budget


@pytest.mark.parametrize("seed", range(5))
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


def test_more_lines_of_four_pass_through_the_middle_column_than_through_any_other():
    passing = dict.fromkeys(range(7), 0)
    for row in range(6):
        for col in range(7):
            for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if row + 3 * up < 6 and 0 <= col + 3 * right < 7:
                    for column in {col + right * place for place in range(4)}:
                        passing[column] += 1

    assert max(passing, key=passing.get) == 3
    assert sorted(passing.values())[-2] < passing[3]


def test_the_slices_are_one_growing_search(names):
    results = names["results"]

    assert [result.num_simulations for result in results] == [100] * 100
    assert sum(child.visit_count for child in results[-1].children) == 10_000


@pytest.mark.parametrize("name", ["anytime", "reuse_tree"])
def test_the_students_own_function_is_used(executed, name):
    assert f"{name}: yours, from notebook 07" in executed(NOTEBOOK).text


# The examination


def test_questions_are_positions_where_it_matters():
    solver = ConnectFourSolver()
    for question in [each for each in EXAM if len(each["moves"]) >= 16][::8]:
        state = position_after(question["moves"])
        solved = fast.SolvedPosition(state, solver.solve_moves(state))
        assert solved.matters
        assert question["right"] == sorted(solved.outcome_keeping)
        assert question["plies"] == solver.distance(state)


def test_the_side_roads_read_the_same_questions():
    more = RESULTS.parent / "more" / "results"

    assert (more / "07_questions.json").read_bytes() == (RESULTS / "07_questions.json").read_bytes()


def test_there_are_two_hundred_questions_and_the_short_run_has_near_and_far_wins():
    assert len(EXAM) == len({question["moves"] for question in EXAM}) == 200
    assert all(12 <= len(question["moves"]) <= 18 for question in EXAM)
    wins = [question["plies"] for question in EXAM if question["plies"]]
    assert all(plies % 2 == 1 for plies in wins), "the player to move wins"
    assert len(wins) > 150, "in most positions"
    first = [question["plies"] or 0 for question in EXAM[:10]]
    assert min(filter(None, first)) < 10 < max(first)


def examine(budgets, seed, c=2**0.5, questions=EXAM):
    """What the searches find after each budget: [positions, budgets] of (right, differ, value)."""
    noted = []
    for question in questions:
        rng, root, spent, row = np.random.default_rng(seed), None, 0, []
        state = position_after(question["moves"])
        for budget in budgets:
            more, rule = budget - spent, search.ucb1(c)
            result = fast.mcts(state, num_simulations=more, selection=rule, rng=rng, root=root)
            root, spent = result.root, budget
            robust, highest = result.robust_child(), result.max_child()
            row.append((robust in question["right"], robust != highest, result.value))
        noted.append(row)
    return np.array(noted, dtype=float)


@pytest.fixture(scope="module")
def examined():
    """Half of the questions, searched with another seed."""
    return EXAM[::2], examine((10, 300, 1_000, 10_000, 100_000), seed=11, questions=EXAM[::2])


def test_the_notebooks_examination_is_this_one(names):
    noted = names["examine"]([10, 300])
    again = examine((10, 300), seed=1, questions=names["exam"])

    np.testing.assert_array_equal(names["are_right"](noted[:, :, 0]), again[:, :, 0])
    np.testing.assert_array_equal(noted[:, :, 2], again[:, :, 2])


def test_the_first_thousand_simulations_bring_most_and_then_it_levels_off(examined):
    ten, _, thousand, _, last = examined[1][:, :, 0].mean(axis=0)

    assert thousand > ten + 0.2
    assert -0.03 < last - thousand < 0.12
    assert 0.8 < last < 0.94, "it errs in about one of eight"


def test_random_moves_are_right_in_about_two_of_five_positions():
    shares = [len(q["right"]) / len(position_after(q["moves"]).legal_actions()) for q in EXAM]

    assert 0.35 < np.mean(shares) < 0.42


def test_near_wins_are_seen_and_far_ones_look_nearly_even(examined):
    questions, noted = examined
    plies = np.array([question["plies"] or 0 for question in questions])
    near, far = (plies % 2 == 1) & (plies < 10), (plies > 10)
    rates = (1 + noted[:, -1, 2]) / 2

    assert noted[near, -1, 0].mean() > 0.95
    assert noted[far, -1, 0].mean() < 0.95
    assert rates[near].mean() > 0.9
    assert 0.53 < rates[far].mean() < 0.68


def test_robust_child_and_max_child_seldom_differ(examined):
    assert examined[1][:, :, 1].mean(axis=0).max() < 0.15
    assert examined[1][:, 2:, 1].mean() < 0.04


def test_a_tiny_c_is_bad_and_a_large_one_does_little_harm():
    def share(c):
        return examine((10_000,), seed=12, c=c, questions=EXAM[::2])[:, 0, 0].mean()

    tiny, half, usual, large = (share(c) for c in (0.01, 0.5, math.sqrt(2), 10.0))
    assert tiny < min(half, usual, large) - 0.05
    assert abs(large - usual) < 0.1
    assert abs(half - usual) < 0.1


# The student's search in the arena


def test_at_equal_simulations_only_chance_decides_and_at_equal_time_the_compiled_one_wins(names):
    own = partial(names["my_player"], 100)
    equal = arena.match("connect_four", own, "uct:100", num_games=40, opening_plies=4, seed=21)
    # In the time of 100 simulations of the readable search the compiled one makes some ten
    # thousand; a fixed number makes the test the same on any machine.
    timed = arena.match("connect_four", own, "uct:10000", num_games=20, opening_plies=4, seed=21)

    assert equal.score.rate.low < 0.5 < equal.score.rate.high
    assert timed.score.rate.value < 0.25


def test_a_verdict_follows_the_interval(names):
    for score, said in (
        (arena.Score(55, 0, 45), "too close to half to tell"),
        (arena.Score(70, 0, 30), "more than half"),
        (arena.Score(30, 0, 70), "less than half"),
    ):
        assert names["verdict"](score) == said


# The kept tree


def test_more_is_kept_by_a_larger_budget_and_by_a_smaller_c(names, monkeypatch):
    monkeypatch.setitem(names["kept_share"].__globals__, "rng", np.random.default_rng(77))

    def kept(budget, c):
        return np.mean([names["kept_share"](budget, c) for _ in range(12)])

    assert kept(300, math.sqrt(2)) < 10 < kept(10_000, math.sqrt(2)) < 50
    assert 15 < kept(300, 0.3) < 35, "about a quarter"


def stored(name):
    return arena.load(RESULTS / f"07_reuse_{name}.jsonl")


def test_the_stored_matches_say_what_the_page_says():
    usual, small = stored("usual"), stored("small")

    assert len(usual.games) == len(small.games) == 2_000
    assert usual.score.rate.low < 0.5 < usual.score.rate.high
    assert small.score.rate.low > 0.5
    for match in (usual, small):
        elo = match.score.elo
        assert 13 < (elo.high - elo.low) / 2 < 18, "about fifteen Elo on either side"
        keeps, starts_over = (match.clock(name).seconds_per_move for name in match.names)
        assert keeps > 2.5 * starts_over


@pytest.mark.parametrize(("name", "c"), [("usual", 2**0.5), ("small", 0.3)])
@pytest.mark.parametrize("number", [0, 1_999])
def test_a_sample_of_the_stored_games_plays_again(name, c, number):
    starts_over = partial(players.UCTPlayer, 300, selection=search.ucb1(c))
    keeps = partial(starts_over, reuse_tree=True)
    pair = [arena.Contestant("keeps its tree", keeps), arena.Contestant("starts over", starts_over)]

    assert plays_again(RESULTS / f"07_reuse_{name}.jsonl", pair, number, seed=7)


def test_every_stored_file_is_read_by_the_notebook():
    sources = "\n".join(cell.source for cell in read(NOTEBOOK).cells)

    for path in RESULTS.glob("07_*"):
        assert path.stem in sources


def test_an_elo_difference_is_the_score_that_is_told():
    assert expected_score(0) == 0.5
    assert expected_score(100) == pytest.approx(0.64, abs=0.005)
    assert expected_score(400) == pytest.approx(10 / 11)


# The picture


def test_the_picture_shows_a_search_that_finds_the_only_winning_column_in_the_end(names):
    state, solver = position_after("3575255336144"), ConnectFourSolver()
    verdicts = solver.solve_moves(state)
    columns = [int(caption.split()[-1]) for caption in names["pictures"]]

    assert state.player_names[state.current_player] == "Yellow"
    assert [action for action, verdict in verdicts.items() if verdict == 1] == [2]
    assert solver.distance(state) == 29
    assert columns[-1] == 3
    assert 3 not in columns[:-1]
    assert len(set(columns)) > 2
