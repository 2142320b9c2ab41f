"""What notebook 10 says is so, and stays so with another seed."""

import itertools

import numpy as np
import pytest

from mctslab import arena, fast, games
from tests.notebooks.reading import PROJECT

# Looking ahead


def test_each_ply_multiplies_the_positions_by_about_the_number_of_moves(names):
    counts = [number for _, number in names["plain"]]

    assert counts == [11, 76, 950]
    assert all(6.5 < after / before < 13 for before, after in itertools.pairwise(counts))


def test_what_was_cut_by_hand_is_what_alphabeta_cuts(names):
    seen = {(0, 0), (0, 1), (1, 0), (2, 0), (2, 1)}

    assert names["looked_at"]([[3, 5], [2, 9, 8], [7, 1]]) == seen


# The order of moves


@pytest.fixture(scope="module")
def compared(names):
    """The notebook's comparison on other positions: evaluations by position, of each way."""
    rng = np.random.default_rng(77)
    drawn = [names["by_roxanne"](20, rng) for _ in range(5)]
    ways = {
        "plain": names["my_alphabeta"],
        "killer": names["with_order"](True, False),
        "history": names["with_order"](False, True),
        "both": names["with_order"](True, True),
    }
    for name, windows, order in (
        ("null", "null_windows", games.Reversi.legal_actions),
        ("best first", "whole_windows", names["best_first"]),
        ("best first, null", "null_windows", names["best_first"]),
    ):
        ways[name] = names["in_order"](names[windows], order)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(names, "positions", [each for each in drawn if each.current_player == 0])
        patch.setitem(names, "depths", range(1, 5))
        return {name: names["num_looks"](way) for name, way in ways.items()}


def geometric(new, old):
    return float(np.exp(np.log(new / old).mean()))


def test_killer_moves_and_the_history_heuristic_save_work(compared):
    for way, most in (("killer", 0.9), ("history", 0.8), ("both", 0.7)):
        assert geometric(compared[way], compared["plain"]) < most


def test_null_windows_save_something_with_good_moves_first_and_nothing_otherwise(compared):
    assert 0.95 < geometric(compared["null"], compared["plain"]) < 1.3
    assert 0.8 < geometric(compared["best first, null"], compared["best first"]) < 0.97


def test_every_way_of_searching_has_the_value_of_alphabeta(names):
    state = names["by_roxanne"](20, np.random.default_rng(3))
    assert state.current_player == 0
    ways = [names["with_order"](*ideas) for ideas in ((True, False), (False, True), (True, True))]
    ways += [
        names["in_order"](names[windows], names["best_first"])
        for windows in ("null_windows", "whole_windows")
    ]

    value, _ = names["counted"](names["my_alphabeta"], state, 3)
    assert [names["counted"](way, state, 3)[0] for way in ways] == [value] * 5


# The horizon


def test_up_to_five_plies_g7_pushes_the_loss_of_the_corner_away_and_six_see_it(names):
    later = names["later"]
    lines = {}
    for depth in range(3, 10):
        result = fast.alphabeta(later, depth=depth, solve_from=0)
        lines[depth] = [*map(later.action_to_string, result.principal_variation)]

    assert lines[4] == ["g7", "f7", "f8", "e8"]
    assert lines[5] == ["g7", "f7", "f8", "g5", "h7"]
    assert [line[0] for line in lines.values()] == ["g7"] * 3 + ["g5"] * 4
    assert all("a1" in lines[depth][1::2] for depth in range(6, 10)), "White takes the corner"


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


# On the clock


def test_all_earlier_iterations_together_cost_less_than_the_last(names):
    for depth in (6, 7, 8):
        result = fast.alphabeta(names["midgame"], depth=depth, solve_from=0)
        nodes = [iteration.num_nodes for iteration in result.iterations]
        assert nodes[-1] > 0.5 * sum(nodes)


def test_how_alphabeta_does_depends_on_what_it_knows(names):
    rates, shares = {}, []
    for name in names["knowledge"]:
        match = arena.load(PROJECT / "notebooks" / "results" / f"10_knowing_{name}.jsonl")
        alphabeta, mcts = (match.cost(player).seconds_per_move for player in match.names)
        rates[name] = match.score.rate
        shares.append(mcts / alphabeta)

    assert rates["nothing"].high < 0.5
    assert rates["squares"].low < 0.5 < rates["squares"].high
    assert rates["mobility"].low < 0.5 < rates["mobility"].high
    assert rates["all"].low > 0.9
    assert 0.5 < min(shares) < max(shares) < 0.75
    assert 0.6 < np.mean(shares) < 0.72, "MCTS took two thirds of the time"
