"""What notebook 08 says is so: each board shows what is said of it, and each claim holds again."""

from itertools import chain, pairwise

import numpy as np
import pytest

from mctslab import arena, search
from mctslab.games.reversi import Reversi, after
from tests.notebooks.walking import (
    BLACK,
    EIGHT,
    WHITE,
    empty,
    frontier,
    moves,
    named,
    of,
    play,
    run,
    square,
)

# The rules


def test_after_plays_the_passes_that_a_record_leaves_out():
    passed = play(Reversi(), "d3", "c3", "e6", "d2", "d1", "e1", "b2", "c1").child(64)

    assert after("d3c3e6d2d1e1b2c1a3") == play(passed, "a3")


def test_f5_turns_four_runs_of_one_disc_each(names):
    cross = names["cross"]
    runs = [run(cross.board().stones, BLACK, square("f5"), *step) for step in EIGHT]

    assert cross.current_player == BLACK
    assert sorted(map(len, runs)) == [0, 0, 0, 0, 1, 1, 1, 1]
    assert named(chain.from_iterable(runs)) == {"e5", "e4", "f4", "f6"}
    assert {"d5", "d3", "f3", "f7"} <= named(of(cross, BLACK))


def test_black_must_pass_and_white_moves_twice_in_a_row(names):
    stuck = names["stuck"]

    assert stuck.current_player == BLACK
    assert not moves(stuck, BLACK)
    assert stuck.legal_actions() == (64,)
    assert moves(stuck, WHITE)
    assert max(disc // 8 for disc in of(stuck, WHITE)) == 1, "in the two upper rows"


def test_a_game_can_end_before_the_board_is_full_and_without_a_disc_of_one_colour(names):
    ended, wiped = names["ended"], names["wiped"]

    for state in (ended, wiped):
        assert state.is_terminal
        assert not moves(state, BLACK) | moves(state, WHITE)
        assert empty(state)
    assert of(ended, WHITE)
    assert not of(wiped, WHITE)
    assert sum(wiped.disc_counts()) == 4 + 9


# What is usual


def test_random_games_are_as_others_have_measured_them(names, monkeypatch):
    monkeypatch.setitem(names, "rng", np.random.default_rng(99))
    passes, black, white = np.array([names["random_game"]() for _ in range(3_000)]).T

    for numbers, expected in (
        (passes, 0.446),
        (passes > 0, 0.3447),
        (black > white, 0.4539),
        (black < white, 0.5044),
        (black - white, -0.88),
    ):
        assert abs(np.mean(numbers) - expected) < 4 * np.std(numbers) / len(numbers) ** 0.5
    assert np.mean(black + white < 64) < 0.03


def test_white_usually_makes_the_last_move():
    rng, last = np.random.default_rng(7), []
    for _ in range(200):
        state = Reversi()
        while not state.is_terminal:
            mover, state = state.current_player, state.child(search.uniform(state, rng))
        last.append(mover == WHITE)
    assert np.mean(last) > 0.6


# Bitboards


def test_the_shifted_discs_come_out_where_it_is_said(names):
    def shifted(name, by):
        return named([square(name) - by]).pop()

    assert {"b4", "c4"} <= named(of(names["position"], WHITE))
    assert [shifted("b4", 3), shifted("c4", 3), shifted("a4", 1)] == ["g3", "h3", "h3"]


def test_the_flood_runs_over_six_discs_and_a_move_drops_out(names):
    *steps, dropped = names["steps"].values()

    assert all(before & ~after == 0 for before, after in pairwise(steps))
    assert steps[-1].bit_count() > steps[-2].bit_count(), "the sixth step is needed"
    row = {square(name) for name in ("b4", "c4", "d4", "e4", "f4", "g4")}
    assert row <= set(names["square_bits"](steps[-1]))
    assert named(names["square_bits"](dropped)) == {"a4", "e6"}
    assert named(moves(names["position"], BLACK)) >= {"a4", "e6"}


def test_without_a_mask_a_move_is_found_that_is_none(names):
    late = names["late"]
    own, opponent = late.stones_of(0), late.stones_of(1)
    wrong, right = (
        set(names["square_bits"](names["moves_left"](own, opponent, mask)))
        for mask in (names["BOARD"], names["INNER_COLUMNS"])
    )

    assert late.current_player == BLACK
    assert right < moves(late, BLACK)
    assert named(wrong - right) == {"h2"}
    assert square("h2") not in moves(late, BLACK)
    assert {"c3", "b3", "a3"} <= named(of(late, WHITE))
    assert "d3" in named(of(late, BLACK))


def test_the_nine_classes_are_those_of_the_policy(names):
    ranks = search.roxanne().ranks

    for rank, squares in enumerate(names["CLASSES"]):
        assert all(ranks[place] == rank for place in squares)
    in_a_class = sorted(chain.from_iterable(names["CLASSES"]))
    assert in_a_class == sorted(set(range(64)) - {27, 28, 35, 36})


def test_the_wall_has_the_discs_and_the_other_side_has_the_moves(names):
    wall = names["wall"]
    wide_centre = {8 * row + col for row in range(2, 6) for col in range(2, 6)}
    internal = of(wall, WHITE) - frontier(wall, WHITE)

    assert wall.current_player == WHITE
    assert wall.disc_counts() == (23, 6)
    assert len(moves(wall, WHITE)) == 22
    assert named(moves(wall, BLACK)) == {"b1"}
    assert (len(frontier(wall, WHITE)), len(frontier(wall, BLACK))) == (2, 21)
    assert len(internal & wide_centre) == len(internal) == 4
    outer = frontier(wall, WHITE) | frontier(wall, BLACK)
    assert set(names["square_bits"](names["outer"])) == outer


def test_the_stronger_the_players_the_more_white_wins_from_the_wall(names, monkeypatch):
    monkeypatch.setitem(names, "rng", np.random.default_rng(12))

    def share(name, number):
        return names["white_wins"](name, number) / number

    assert share("random", 400) < 0.58
    assert share("roxanne", 400) < 0.5
    assert 0.55 < share("uct:100:roxanne", 60) < 0.8 < share("uct:1000:roxanne", 40)


# Experiments with other seeds


MIDDLE = (22, 26, 30, 34, 38, 42)


@pytest.fixture(scope="module")
def other_histories():
    options = {"num_games": 120, "opening_plies": 6, "seed": 77}
    match = arena.match("reversi", "uct:400:roxanne5", "uct:401:roxanne5", **options)
    return [match.states(game.number) for game in match.games]


def share(names, histories, lead, stages):
    """How often the leader wins, on average over some stages."""
    counts = [names["leader_wins"](histories, lead, num_discs) for num_discs in stages]
    return np.mean([won / number for won, number in counts])


def test_the_stored_games_are_between_equals(names):
    match = names["quick_match"]

    assert match.num_different_games > 590
    assert match.score.rate.low < 0.5 < match.score.rate.high


def test_a_lead_in_discs_in_the_middle_is_worth_nothing_to_searches(names, other_histories):
    histories, lead = names["histories"], names["disc_lead"]

    assert 0.38 < share(names, other_histories, lead, MIDDLE) < 0.54
    assert 0.4 < share(names, histories + other_histories, lead, MIDDLE) < 0.51
    assert share(names, histories, lead, (62,)) > 0.75
    for stage, (low, high) in zip(names["stages"], names["ends"]["more discs"], strict=True):
        assert low < 0.5 < high or stage > 46


def test_a_lead_in_moves_is_worth_more_until_the_board_is_nearly_full(names, other_histories):
    discs, moves_ahead = names["disc_lead"], names["move_lead"]

    for histories in (names["histories"], other_histories):
        for stages in ((30, 34, 38), (42, 46), (50, 54)):
            by_moves = share(names, histories, moves_ahead, stages)
            assert by_moves > share(names, histories, discs, stages) + 0.03
        assert share(names, histories, moves_ahead, (42, 46, 50)) > 0.6


def test_among_random_players_a_lead_in_discs_is_worth_little_too(names, monkeypatch):
    monkeypatch.setitem(names, "rng", np.random.default_rng(3))
    at_random = [names["random_history"]() for _ in range(600)]

    assert 0.47 < share(names, at_random, names["disc_lead"], MIDDLE) < 0.6


@pytest.mark.parametrize(
    ("opponent", "num_games", "low", "high"),
    [("random", 300, 0.5, 0.7), ("roxanne", 300, 0.1, 0.35), ("uct:50", 40, 0, 0.35)],
)
def test_greedy_beats_chance_and_loses_to_a_list_of_squares_and_to_a_short_search(
    opponent, num_games, low, high
):
    """The compiled search plays, which grows the same tree as the one that a student writes."""
    match = arena.match("reversi", "greedy", opponent, num_games=num_games, seed=5)

    assert low <= match.score.rate.value < high


def test_the_line_that_is_shown_to_a_friend_is_won_by_white(names):
    """That White usually wins from there is tested above."""
    assert names["line"][0].disc_counts() == (23, 6)
    assert names["line"][-1].returns() == (-1, 1)
