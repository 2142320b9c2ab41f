"""What notebook 10 says is so, and stays so with another seed."""

import functools
import itertools

import numpy as np
import pytest

from mctslab import arena, fast, games, players, search
from mctslab.arena.playing import play
from mctslab.arena.settings import fixture, make_settings
from mctslab.course import TreeGame
from mctslab.search.alphabeta_steps import alpha_beta_steps, returns_of_first, small_tree
from tests.notebooks.reading import NOTEBOOKS, PROJECT, read

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "10_minimax_and_clocks")


@pytest.fixture
def names(executed):
    return executed(NOTEBOOK).names


# Looking ahead


def test_each_ply_multiplies_the_positions_by_about_the_number_of_moves(names):
    assert len(names["midgame"].legal_actions()) == 11
    counts = [number for _, number in names["plain"]]
    assert counts == [11, 76, 950]
    _, fourth = names["counted"](names["look_ahead"], names["midgame"], 4)
    assert fourth == 9_179
    assert 6.5 < fourth / counts[-1] < 13


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


def test_what_was_cut_by_hand_is_what_alphabeta_cuts(names):
    seen = {(0, 0), (0, 1), (1, 0), (2, 0), (2, 1)}

    assert names["looked_at"]([[3, 5], [2, 9, 8], [7, 1]]) == seen


# The order of moves


def test_in_the_stepper_seven_leaves_can_be_reached_and_all_twelve(names):
    start = [[[1, 6], [4, 8]], [[-3, 2], [9, 5]], [[7, 3], [-1, 0]]]
    (cell,) = (cell.source for cell in read(NOTEBOOK).cells if cell.id == "stepper")
    assert str(start) in cell

    nodes = small_tree(TreeGame(names["written_out"](start)), 9, returns_of_first)
    inner = [place for place, node in enumerate(nodes) if node.children]
    found = set()
    for chosen in itertools.product(
        *(itertools.permutations(nodes[place].children) for place in inner)
    ):
        order = [[] for _ in nodes]
        for place, children in zip(inner, chosen, strict=True):
            order[place] = list(children)
        found.add(sum(step.kind == "leaf" for step in alpha_beta_steps(nodes, order)))
    assert (min(found), max(found)) == (7, 12)


@pytest.fixture(scope="module")
def compared(executed):
    """The notebook's comparison on other positions, as deep as in the text."""
    names = executed(NOTEBOOK).names
    with pytest.MonkeyPatch.context() as patch:
        scope = names["num_looks"].__globals__
        rng = np.random.default_rng(77)
        drawn = [names["by_roxanne"](20, rng) for _ in range(5)]
        patch.setitem(scope, "positions", [state for state in drawn if state.current_player == 0])
        patch.setitem(scope, "depths", range(1, 5))
        ways = {
            "plain": names["my_alphabeta"],
            "killer": names["with_order"](True, False),
            "history": names["with_order"](False, True),
            "both": names["with_order"](True, True),
        }
        for name, order in (
            ("by square", games.Reversi.legal_actions),
            ("best first", names["best_first"]),
        ):
            for windows in ("whole_windows", "null_windows"):
                ways[f"{windows}, {name}"] = names["in_order"](names[windows], order)
        yield {name: names["num_looks"](way) for name, way in ways.items()}


def geometric(new, old):
    return float(np.exp(np.log(new / old).mean()))


def test_killer_moves_and_the_history_heuristic_save_work(compared):
    plain = compared["plain"]
    assert geometric(compared["killer"], plain) < 0.9
    assert geometric(compared["history"], plain) < 0.8
    assert geometric(compared["both"], plain) < 0.7


def test_null_windows_save_something_with_good_moves_first_and_nothing_otherwise(compared):
    for order, low, high in (("by square", 0.95, 1.3), ("best first", 0.8, 0.97)):
        null, whole = (compared[f"{kind}_windows, {order}"] for kind in ("null", "whole"))
        assert low < geometric(null, whole) < high
    whole = "whole_windows, by square"
    assert list(compared[whole]) == list(compared["plain"]), "it is the same search"


@pytest.mark.parametrize("seed", [3, 4])
def test_every_way_of_searching_has_the_value_of_alphabeta(names, seed):
    state = names["by_roxanne"](20, np.random.default_rng(seed))
    while state.current_player == 1:
        state = state.child(state.legal_actions()[0])
    value, _ = names["counted"](names["my_alphabeta"], state, 3)
    for killer, history in ((True, False), (False, True), (True, True)):
        way = names["with_order"](killer, history)
        assert names["counted"](way, state, 3)[0] == value
    for windows in ("null_windows", "whole_windows"):
        way = names["in_order"](names[windows], names["best_first"])
        assert names["counted"](way, state, 3)[0] == value


def test_the_evaluation_returns_whole_numbers(names):
    rng = np.random.default_rng(10)
    for num_plies in (5, 15, 25, 35, 45, 50):
        value = names["evaluation"](names["by_roxanne"](num_plies, rng))
        assert value == round(value)


def test_a_null_window_answers_a_question_with_fewer_evaluations(names):
    value, number = names["counted"](names["my_alphabeta"], names["midgame"], 4)
    for bound in (-30, 0, 10, 30):
        answer, fewer = names["counted"](
            names["my_alphabeta"], names["midgame"], 4, bound, bound + 1
        )
        assert (answer > bound) == (value > bound)
        assert fewer < number / 2


@pytest.mark.parametrize("seed", range(5))
def test_with_the_best_move_first_eight_of_18_leaves_are_evaluated(names, seed):
    numbers = np.random.default_rng(seed).integers(-9, 10, (3, 3, 2)).tolist()
    tree, value = names["sorted_by_value"](numbers)
    assert len(names["looked_at"](tree)) <= 3 * 2 + 3 - 1
    assert value == max(min(map(max, branch)) for branch in numbers)


def test_the_picture_at_the_end_has_no_lucky_ties(names):
    assert len(names["looked_at"](names["tree"])) == 3 * 2 + 3 - 1


# The horizon


def test_the_lines_are_those_of_the_text(names):
    later = names["later"]
    lines = {}
    for depth in (4, 5, 6, 8):
        result = fast.alphabeta(later, depth=depth, solve_from=0)
        lines[depth] = " ".join(map(later.action_to_string, result.principal_variation))

    assert lines[4] == "g7 f7 f8 e8"
    assert lines[5] == "g7 f7 f8 g5 h7"
    assert lines[6].startswith("g5 ")
    assert lines[8].startswith("g5 ")


def test_the_loss_of_the_corner_is_pushed_past_the_horizon(names):
    later = names["later"]
    g5, g7, a1 = map(later.string_to_action, ("g5", "g7", "a1"))
    for depth in range(3, 6):
        assert fast.alphabeta(later, depth=depth, solve_from=0).best_action == g7
    for depth in range(6, 10):
        result = fast.alphabeta(later, depth=depth, solve_from=0)
        assert result.best_action == g5
        assert a1 in result.principal_variation[1::2], "White takes the corner"


def test_two_moves_close_the_diagonal_and_white_opens_it_again(names):
    later = state = names["later"]
    a1, h8 = map(later.string_to_action, ("a1", "h8"))
    may_be_taken = []
    for move in ["g7", "f7", "f8", "g5", "h7"]:
        state = state.child(state.string_to_action(move))
        if state.current_player == 1:
            may_be_taken.append(a1 in state.legal_actions())

    assert may_be_taken == [False, False, True]
    assert state.board().stones[h8] == -1, "still empty"
    delaying = [
        action for action in later.legal_actions() if a1 not in later.child(action).legal_actions()
    ]
    assert {later.action_to_string(action) for action in delaying} == {"f7", "g7"}


def test_with_quiescence_five_plies_are_enough_and_four_are_not(names):
    value_of, plain, quiet = names["value_of"], names["evaluation"], names["quiet"]

    assert value_of("g7", 5, plain) - value_of("g7", 6, plain) > 100
    assert value_of("g7", 5, plain) > value_of("g5", 5, plain)
    assert value_of("g7", 5, quiet) < value_of("g5", 5, quiet) - 100
    assert value_of("g7", 4, quiet) > value_of("g5", 4, quiet)
    end = names["later"]
    for move in ["g7", "f7", "f8", "e8"]:
        end = end.child(end.string_to_action(move))
    assert not names["CORNERS"] & set(end.legal_actions())


def test_a_quiet_position_is_evaluated_as_it_is(names):
    for state in (names["midgame"], games.Reversi()):
        if not names["CORNERS"] & set(state.legal_actions()):
            assert names["quiet"](state) == names["evaluation"](state)


# On the clock


def test_all_earlier_iterations_together_cost_less_than_the_last(names):
    for depth in (6, 7, 8):
        result = fast.alphabeta(names["midgame"], depth=depth, solve_from=0)
        nodes = [iteration.num_nodes for iteration in result.iterations]
        assert nodes[-1] > 0.5 * sum(nodes)


def test_a_fixed_effort_is_one_move_for_a_position(names):
    state = names["later"]
    moves = {names["Steady"](500).choose(state) for _ in range(3)}

    assert len(moves) == 1


def stored(name):
    return PROJECT / "notebooks" / "results" / f"10_{name}.jsonl"


def test_every_file_is_read_by_the_notebook(names):
    files = {path.stem for path in stored("").parent.glob("10_*.jsonl")}

    assert files == {f"10_knowing_{name}" for name in names["knowledge"]}


def plays_again(name, entries, number):
    """Whether the same game is played once more, move for move."""
    kept = next(game for game in arena.read(stored(name)).games if game.number == number)
    settings = make_settings(
        games.Reversi(), entries, num_games=number + 1, seed=10, opening_plies=6
    )
    played = play(settings, fixture((0, 1), number, seed=10))
    return played.actions == kept.actions


@pytest.mark.parametrize("name", ["nothing", "mobility"])
def test_a_sample_of_the_matches_with_less_knowledge_plays_again(names, name):
    weights = names["knowing"](names["knowledge"][name])
    one = arena.Contestant(name, functools.partial(names["Steady"], 5_000, weights))

    assert plays_again(f"knowing_{name}", [one, "uct:2500:roxanne5"], 3)


def test_mcts_took_two_thirds_of_the_time_of_alphabeta(names):
    shares = []
    for name in names["knowledge"]:
        match = arena.load(stored(f"knowing_{name}"))
        alphabeta, mcts = (match.clock(player).seconds_per_move for player in match.names)
        shares.append(mcts / alphabeta)

    assert 0.5 < min(shares) < max(shares) < 0.75
    assert 0.6 < np.mean(shares) < 0.72


def test_how_alphabeta_does_depends_on_what_it_knows(names):
    rates = {name: arena.load(stored(f"knowing_{name}")).score.rate for name in names["knowledge"]}

    assert rates["nothing"].high < 0.5
    assert rates["squares"].low < 0.5 < rates["squares"].high
    assert rates["mobility"].low < 0.5 < rates["mobility"].high
    assert rates["all"].low > 0.9


@pytest.mark.parametrize("seed", [20, 21])
def test_a_search_without_knowledge_wins_against_none_and_loses_against_all(names, seed):
    for knowledge, low, high in (("nothing", 0.55, 1), ("all", 0, 0.25)):
        evaluation = names["knowing"](names["knowledge"][knowledge])
        player = functools.partial(players.AlphaBetaPlayer, 2, evaluation=evaluation, solve_from=0)
        opponent = arena.Contestant(knowledge, player)
        played = arena.match(
            "reversi", "uct:100", opponent, num_games=10, seed=seed, opening_plies=4
        )
        assert low <= played.score.rate.value <= high
