"""What notebook 10 says is so, and stays so with another seed."""

import functools
import math
from dataclasses import replace

import numpy as np
import pytest

from mctslab import arena, fast, games, search
from mctslab.arena.playing import play
from mctslab.arena.settings import fixture, make_settings
from mctslab.fast import EndgameSolver
from tests.notebooks.reading import NOTEBOOKS, PROJECT, read
from tests.notebooks.running import run_here

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "10_minimax_and_clocks")


@pytest.fixture
def names(executed):
    return executed(NOTEBOOK).names


@pytest.fixture
def seeded(names, monkeypatch):
    """The notebook's functions, drawing from another seed."""
    monkeypatch.setitem(names["quick_position"].__globals__, "rng", np.random.default_rng(77))
    return names


# Who wants which


@pytest.mark.parametrize("first_seed", [100, 200])
def test_the_estimates_move_from_the_means_towards_the_smaller_numbers(names, first_seed):
    seen = np.mean([names["estimates"](first_seed + n) for n in range(20)], axis=0)
    rates = np.array(names["rates"])

    assert seen[0, 0] > 0.47, "a begins near the mean of its replies"
    assert seen[:3, 0].max() > seen[:3, 1].max() - 0.03
    assert seen[-1, 0] < seen[-1, 1] - 0.08, "and ends below b"
    assert all(rates.min(axis=1) < seen[-1])
    assert all(seen[-1] < rates.min(axis=1) + 0.1)


# Looking ahead


@pytest.mark.parametrize("seed", range(4))
def test_alphabeta_has_the_value_of_minimax_and_looks_at_fewer_positions(names, seed):
    rng = np.random.default_rng(seed)
    state = games.Reversi()
    for _ in range(10 + seed):
        state = state.child(search.uniform(state, rng))
    shares = []
    for depth in (1, 2, 3):
        plain, num_plain = names["counted"](names["look_ahead"], state, depth)
        value, number = names["counted"](names["my_alphabeta"], state, depth)
        assert value == plain
        shares.append(number / num_plain)

    assert shares[0] == 1
    assert max(shares[1:]) < 0.6


def test_the_tree_of_twelve_takes_seven_looks_at_best_and_twelve_at_worst(names):
    best = names["best_first"]

    assert len(names["looked_at"](best)) == 3 * 2 + 2 - 1
    assert len(names["looked_at"](names["backwards"](best))) == 12
    assert names["worth"](best) == names["worth"](names["backwards"](best)) == 6


@pytest.mark.parametrize("seed", range(5))
def test_with_the_best_move_first_the_formula_says_how_many_are_looked_at(names, seed):
    rng = np.random.default_rng(seed)
    for depth in (2, 3, 4):
        numbers = rng.permutation(3**depth).reshape((3,) * depth).tolist()
        looks = len(names["looked_at"](names["in_order"](numbers)))
        assert looks == 3 ** math.ceil(depth / 2) + 3 ** (depth // 2) - 1


def test_what_was_cut_by_hand_is_what_alphabeta_cuts(names):
    seen = {(0, 0), (0, 1), (1, 0), (2, 0), (2, 1)}

    assert names["looked_at"]([[3, 5], [2, 9, 8], [7, 1]]) == seen


# The order of moves


@pytest.fixture(scope="module")
def counted(executed):
    """Nodes by depth in other positions than the notebook's, six plies deep."""
    names = executed(NOTEBOOK).names
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(names["quick_position"].__globals__, "rng", np.random.default_rng(5))
        patch.setitem(names["nodes_by_depth"].__globals__, "DEPTH", 6)
        positions = [names["quick_position"](20) for _ in range(12)]
        return {
            way: np.array([names["nodes_by_depth"](state, way) for state in positions])
            for way in names["ways"]
        }


def test_each_part_of_the_search_looks_at_fewer_positions(counted):
    means = [np.log(nodes[:, -1]).mean() for nodes in counted.values()]

    assert means[0] > means[1] + 0.5 > means[2] + 0.5


def test_a_ply_more_multiplies_the_work_by_a_few_only(counted):
    plain, _, best = (np.sqrt(nodes[:, -1] / nodes[:, -3]).mean() for nodes in counted.values())

    assert 3.5 < plain < 7
    assert 2.5 < best < 4.5


def test_the_best_case_is_that_of_knuth_and_moore(names):
    plain = np.array([[1 + 3, 1 + 3 + 9, 1 + 3 + 9 + 27]])
    found = names["best_case"](plain)[0]
    leaves = [3 ** math.ceil(d / 2) + 3 ** (d // 2) - 1 for d in range(1, 7)]

    assert list(found[:6]) == list(1 + np.cumsum(leaves))


# The horizon


def test_the_loss_of_the_corner_is_pushed_past_the_horizon(names):
    later = names["later"]
    g5, g7, a1 = map(later.string_to_action, ("g5", "g7", "a1"))
    for depth in range(3, 6):
        assert fast.alphabeta(later, depth=depth, solve_from=0).best_action == g7
    for depth in range(6, 10):
        result = fast.alphabeta(later, depth=depth, solve_from=0)
        assert result.best_action == g5
        assert a1 in result.principal_variation[1::2], "White takes the corner"
    before, after = (names["value_of"](later, g7, depth) for depth in (5, 6))
    assert before - after > 100
    assert all(names["value_of"](later, g5, depth) > -10 for depth in range(2, 9))


def test_two_moves_close_the_diagonal_and_white_opens_it_again(names):
    later = state = names["later"]
    a1 = later.string_to_action("a1")
    may_be_taken = []
    for move in ["g7", "f7", "f8", "g5", "h7"]:
        state = state.child(state.string_to_action(move))
        if state.current_player == 1:
            may_be_taken.append(a1 in state.legal_actions())

    assert may_be_taken == [False, False, True]
    delaying = [
        action for action in later.legal_actions() if a1 not in later.child(action).legal_actions()
    ]
    assert {later.action_to_string(action) for action in delaying} == {"f7", "g7"}


# The end


def test_the_solver_says_what_minimax_says(seeded):
    solver = EndgameSolver()
    for num_empty in (4, 5, 6, 7):
        state = seeded["endgame"](num_empty)
        assert 64 - sum(state.disc_counts()) == num_empty
        assert solver.solve(state) == seeded["discs_by_minimax"](state)


@pytest.mark.parametrize("num_empty", [6, 8])
def test_proofs_are_right(seeded, monkeypatch, num_empty):
    monkeypatch.setitem(seeded["proof"].__globals__, "solver", EndgameSolver())
    found = [seeded["proof"](num_empty) for _ in range(10)]

    assert all(is_right for _, is_right in found)
    assert sum(needed is not None for needed, _ in found) >= 8


# The matches that came along


def test_a_fixed_effort_is_one_move_for_a_position(names):
    state = names["later"]
    moves = {names["Steady"](500).choose(state) for _ in range(3)}

    assert len(moves) == 1
    assert names["Steady"](500).choose(names["late"]) in names["late"].legal_actions()


def test_from_twelve_empty_squares_on_it_plays_perfectly(seeded):
    solver = EndgameSolver()
    for num_empty in (8, 10, 12):
        state = seeded["endgame"](num_empty)
        values = solver.solve_moves(state)
        assert values[seeded["Steady"](50).choose(state)] == max(values.values())


def stored(name):
    return PROJECT / "notebooks" / "results" / f"10_{name}.jsonl"


FILES = sorted(path.stem.removeprefix("10_") for path in stored("").parent.glob("10_*.jsonl"))


def test_every_file_is_read_by_the_notebook(names):
    matches = ["one_clock", "uct_400_alphabeta_4", "uct_400_pos"]
    matches += [f"without_{term}" for term in names["evaluation"].counts(names["later"])]
    matches += [f"knowing_{name}" for name in names["knowledge"]]
    matches += [f"clock_uct_{seconds}" for seconds in names["clocked"]["uniform"]]
    matches += [f"clock_roxanne5_{seconds}" for seconds in names["clocked"]["five classes"]]

    assert sorted(matches) == FILES


def plays_again(name, entries, pairing, number):
    """Whether the same game is played once more, move for move."""
    kept = next(
        game
        for game in arena.read(stored(name)).games
        if (game.pairing, game.number) == (pairing, number)
    )
    settings = make_settings(
        games.Reversi(), entries, num_games=number + 1, seed=10, opening_plies=6
    )
    played = play(settings, fixture(pairing, number, seed=10))
    return played.actions == kept.actions


@pytest.mark.parametrize("term", ["corners", "mobility", "parity"])
def test_a_sample_of_the_ablation_plays_again(names, term):
    entries = [names["four_plies"]("all terms", names["evaluation"]), names["without"](term)]

    assert all(plays_again(f"without_{term}", entries, (0, 1), number) for number in (2, 7))


@pytest.mark.parametrize("name", ["nothing", "mobility"])
def test_a_sample_of_the_matches_with_less_knowledge_plays_again(names, name):
    weights = names["knowing"](names["knowledge"][name])
    one = arena.Contestant(name, functools.partial(names["Steady"], 5_000, weights))

    assert plays_again(f"knowing_{name}", [one, "uct:2500:roxanne5"], (0, 1), 3)


@pytest.mark.parametrize(("pairing", "number"), [((0, 1), 0), ((1, 4), 1), ((2, 8), 0)])
def test_a_sample_of_the_tournament_plays_again(names, pairing, number):
    assert plays_again("one_clock", names["entries"], pairing, number)


def test_what_each_term_is_worth_is_as_the_notebook_tells_it(names):
    terms = names["evaluation"].counts(names["later"])
    losses = {term: arena.load(stored(f"without_{term}")).elo for term in terms}

    for term in ("mobility", "x_squares"):
        assert losses[term].low > 130
        assert 170 < losses[term].value < 210
    for term in ("frontier", "stability"):
        assert losses[term].low > 0
        assert losses[term].value < 100
    for term in ("corners", "c_squares", "parity"):
        assert losses[term].low < 0 < losses[term].high


def test_alphabeta_is_ahead_at_every_effort(names):
    one_clock = names["one_clock"]
    points = [[score.points for score in row] for row in one_clock.scores()]
    ratings = arena.bradley_terry(one_clock.names, points, prior_draws=0.1)
    for effort in names["EFFORTS"]:
        for how in names["rollouts"]:
            opponent = names["by_mcts"][effort, how]
            ahead = ratings.difference(names["by_alphabeta"][2 * effort], opponent)
            assert ahead.value > 400
            assert ahead.low > 200
        five, uniform = (names["by_mcts"][effort, how] for how in ("five classes", "uniform"))
        assert ratings.difference(five, uniform).low > 0
    few = ratings.difference("alpha-beta 50", names["by_mcts"][25_000, "five classes"])
    assert few.low < 0 < few.high


# On a real clock


def clocked(names):
    """Each of the matches by the clock, with its rollouts and the seconds that were set."""
    for how, by_time in names["clocked"].items():
        for seconds, result in by_time.items():
            yield how, seconds, result


def test_by_the_clock_alphabeta_loses_no_game(names):
    results = [result for *_, result in clocked(names)]
    assert sum(len(result.games) for result in results) == 660
    assert sum(result.score.draws for result in results) == 2
    assert sum(result.score.losses for result in results) == 0


def test_better_rollouts_lose_by_fewer_discs_and_more_time_changes_nothing(names):
    discs = {how: [] for how in names["clocked"]}
    for how, _, result in clocked(names):
        discs[how].append(names["lead"](result))
    for leads in discs.values():
        assert max(low for _, low, _ in leads) < min(high for *_, high in leads)
    for uniform, five in zip(discs["uniform"], discs["five classes"], strict=False):
        assert 5 < uniform[0] - five[0] < 9.5
        assert uniform[1] > five[2]


def test_a_lead_is_told_from_the_first_players_side(names):
    for *_, result in clocked(names):
        value, low, high = names["lead"](replace(result, games=result.games[:2]))
        assert low <= value <= high
        assert value > 0
        ends = [game.states(result.first_state)[-1].disc_counts() for game in result.games[:2]]
        assert value == np.mean([abs(black - white) for black, white in ends])


def test_the_clock_and_the_tournament_do_not_contradict_each_other(names):
    for how, by_time in names["clocked"].items():
        least = max(result.elo.low for result in by_time.values())
        for effort in names["EFFORTS"]:
            pair = names["by_alphabeta"][2 * effort], names["by_mcts"][effort, how]
            difference = names["ratings"].difference(*pair)
            assert difference.high > least > 280
    for how in names["clocked"]:
        for less, more in ((250, 2_500), (2_500, 25_000)):
            gain = names["ratings"].difference(*(names["by_mcts"][n, how] for n in (more, less)))
            assert 200 < gain.value < 300


def test_mcts_used_all_its_time_and_alphabeta_more_in_all(names):
    for _, seconds, result in clocked(names):
        alphabeta, mcts = (result.clock(side) for side in result.names)
        own, others = (result.num_choices(side) for side in result.names)
        assert 1.03 < alphabeta.seconds / mcts.seconds < 1.55
        assert seconds < mcts.seconds / others < seconds + 0.001
        assert (alphabeta.seconds / own < 0.87 * seconds) == (seconds > 0.01)
        assert 0.6 < others / mcts.num_moves < 0.75
        assert own / alphabeta.num_moves > 0.96


def test_how_alphabeta_does_depends_on_what_it_knows(names):
    rates = {name: arena.load(stored(f"knowing_{name}")).score.rate for name in names["knowledge"]}

    assert rates["nothing"].high < 0.5
    assert rates["squares"].low < 0.5 < rates["squares"].high
    assert rates["mobility"].low < 0.5 < rates["mobility"].high
    assert rates["all"].low > 0.9


# From nothing


FEWER = {
    "FROM_NOTHING = False": "FROM_NOTHING = True",
    "EFFORTS = (250, 2_500, 25_000)": "EFFORTS = (100, 250, 500)",  # for the tournament
}


def test_everything_can_be_played_from_nothing(tmp_path):
    notebook = read(NOTEBOOK)
    for old, new in (*FEWER.items(), ('"my_results"', repr(str(tmp_path)))):
        (cell,) = (cell for cell in notebook.cells if old in cell.source)
        cell.source = cell.source.replace(old, new)
    names = run_here(notebook).names

    assert sorted(path.stem.removeprefix("10_") for path in tmp_path.glob("*.jsonl")) == FILES
    assert len(names["one_clock"].games) == 2 * math.comb(len(names["entries"]), 2)
    for name in ("uct_400_alphabeta_4", "without_corners", "knowing_squares"):
        few = arena.read(tmp_path / f"10_{name}.jsonl").games
        kept = arena.read(stored(name)).games[:2]
        assert [game.actions for game in few] == [game.actions for game in kept]
