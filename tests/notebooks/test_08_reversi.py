"""What notebook 08 says is so, and stays so with another seed."""

from itertools import chain

import numpy as np
import pytest

from mctslab import arena, search
from mctslab.course import exercises
from mctslab.course.checking.judging import judge
from tests.notebooks.squares import BLACK, WHITE, frontier, moves, named, of

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


# Bitboards


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

    assert share("roxanne", 400) < 0.5
    assert 0.55 < share("uct:100:roxanne", 60) < 0.8 < share("uct:1000:roxanne", 40)


@pytest.mark.parametrize(("name", "is_most"), [("random", False), ("uct:100:roxanne", True)])
def test_white_wins_clearly_more_than_half_only_between_players_that_look_ahead(
    names, monkeypatch, name, is_most
):
    monkeypatch.setitem(names, "rng", np.random.default_rng(3))
    low, _ = arena.wilson(names["white_wins"](name, 200), 200)

    assert (low > 0.5) == is_most


def test_the_hints_of_frontier_lead_to_a_right_answer_without_names_from_below():
    *_, hint = exercises.frontier.hints
    assert "beside`" not in "".join(exercises.frontier.hints)
    assert all(part in hint for part in ("~(own | opponent)", "& INNER_COLUMNS", "`own & near`"))

    def frontier(own, opponent):
        INNER_COLUMNS = sum(0b01111110 << 8 * row for row in range(8))
        empty = (1 << 64) - 1 & ~(own | opponent)
        near = empty << 8 | empty >> 8
        for step in (1, 7, 9):
            inner = empty & INNER_COLUMNS
            near |= inner << step | inner >> step
            near |= (empty << step) & INNER_COLUMNS | (empty >> step) & INNER_COLUMNS
        return (own & near).bit_count()

    assert str(judge(exercises.frontier, frontier)).startswith("✓")


# Experiments with other seeds


MIDDLE = (22, 26, 30, 34, 38, 42)


@pytest.fixture(scope="module")
def other_histories():
    options = {"num_games": 120, "opening_plies": 6, "seed": 77}
    match = arena.match("reversi", "uct:400:roxanne5", "uct:401:roxanne5", **options)
    return [game.states(match.first_state) for game in match.games]


def share(names, histories, lead, stages):
    """How often the leader wins, on average over some stages."""
    counts = [names["leader_wins"](histories, lead, num_discs) for num_discs in stages]
    return np.mean([won / number for won, number in counts])


def test_a_lead_in_discs_in_the_middle_predicts_nothing(names, other_histories):
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
