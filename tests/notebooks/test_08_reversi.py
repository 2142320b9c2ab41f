"""What notebook 08 says is so: each board shows what is said of it, and each claim holds again."""

import re
from itertools import chain, pairwise

import numpy as np
import pytest

from mctslab import arena, games, players, search
from mctslab.games.reversi import Reversi, after
from tests.notebooks.reading import NOTEBOOKS, PROJECT, read
from tests.notebooks.walking import (
    BLACK,
    EIGHT,
    WHITE,
    empty,
    frontier,
    moves,
    named,
    neighbours,
    of,
    play,
    run,
    square,
    turned,
)

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "08_reversi")


@pytest.fixture(scope="module")
def names(executed):
    return executed(NOTEBOOK).names


# The rules


def test_every_position_is_reached_by_legal_moves_from_the_first(names):
    code = "\n".join(cell.source for cell in read(NOTEBOOK).cells if cell.cell_type == "code")
    records = re.findall(r'"((?:[a-h][1-8]){8,})"', code)

    assert len(records) > 6
    for record in records:
        after(record)


def test_after_plays_the_passes_that_a_record_leaves_out():
    state = after("d3c3e6d2d1e1b2c1" + "a3")

    passed = play(Reversi(), "d3", "c3", "e6", "d2", "d1", "e1", "b2", "c1").child(64)
    assert state == play(passed, "a3")


def test_f5_turns_four_runs_of_one_disc_each(names):
    cross = names["cross"]
    runs = [run(cross.board().stones, BLACK, square("f5"), *step) for step in EIGHT]

    assert cross.current_player == BLACK
    assert [len(found) for found in runs if found] == [1, 1, 1, 1]
    assert named(turned(cross.board().stones, BLACK, square("f5"))) == {"e5", "e4", "f4", "f6"}
    assert {"d5", "d3", "f3", "f7"} <= named(of(cross, BLACK))


def test_black_must_pass_and_white_moves_twice_in_a_row(names):
    stuck = names["stuck"]

    assert stuck.current_player == BLACK
    assert not moves(stuck, BLACK)
    assert stuck.legal_actions() == (64,)
    assert stuck.child(64).current_player == WHITE
    assert moves(stuck, WHITE)
    assert max(disc // 8 for disc in of(stuck, WHITE)) == 1, "in the two upper rows"


def test_a_game_can_end_before_the_board_is_full_and_without_a_disc_of_one_colour(names):
    for state in (names["ended"], names["wiped"]):
        assert state.is_terminal
        assert not moves(state, BLACK)
        assert not moves(state, WHITE)
        assert empty(state)
    assert of(names["ended"], WHITE)
    assert not of(names["wiped"], WHITE)
    assert sum(names["wiped"].disc_counts()) == 4 + 9


# What is usual


def test_random_games_are_as_others_have_measured_them(names, monkeypatch):
    monkeypatch.setitem(names["random_game"].__globals__, "rng", np.random.default_rng(99))
    played = np.array([names["random_game"]() for _ in range(3_000)])
    passes, black, white = played.T

    def agrees(numbers, expected):
        return abs(np.mean(numbers) - expected) < 4 * np.std(numbers) / len(numbers) ** 0.5

    assert agrees(passes, 0.446)
    assert agrees(passes > 0, 0.3447)
    assert agrees(black > white, 0.4539)
    assert agrees(black < white, 0.5044)
    assert agrees(black - white, -0.88)
    assert np.mean(black + white < 64) < 0.03


def test_white_usually_makes_the_last_move(names):
    rng, last = np.random.default_rng(7), []
    for _ in range(400):
        state = Reversi()
        while not state.is_terminal:
            state = state.child(search.uniform(state, rng))
        moves_made = sum(state.disc_counts()) - 4
        last.append(WHITE if state.current_player == BLACK else BLACK)
        assert moves_made <= 60
    assert np.mean(last) > 0.6


def test_the_predictions_have_the_answers_of_the_text(names):
    assert 25 < 100 * np.mean(names["passes"] > 0) < 45
    rates = {name: rate.value for name, rate in names["rates"].items()}
    random, roxanne, own = rates.values()
    assert random > 0.5 > max(roxanne, own)


# Bitboards


def test_the_shifted_discs_come_out_where_it_is_said():
    far = games.Reversi()
    for name in re.findall("..", "c4e3f4g5g4g3f5f6h4h3g6b4"):
        far = far.child(square(name))

    def shifted(name):
        return named([square(name) - 3]).pop()

    assert {"a4", "b4", "c4"} & named(of(far, WHITE)) == {"b4", "c4"}
    assert (shifted("b4"), shifted("c4")) == ("g3", "h3")
    assert named([square("a4") - 1]) == {"h3"}


def test_the_flood_runs_over_six_discs_and_a_move_drops_out(names):
    *steps, dropped = names["steps"].values()
    sizes = [bits.bit_count() for bits in steps]

    assert all(before & ~after == 0 for before, after in pairwise(steps))
    assert sizes[-1] > sizes[-2], "the sixth step is needed"
    row = {square(name) for name in ("b4", "c4", "d4", "e4", "f4", "g4")}
    assert row <= set(names["square_bits"](steps[-1]))
    assert named(names["square_bits"](dropped)) == {"a4", "e6"}
    assert named(moves(names["position"], BLACK)) >= {"a4", "e6"}


def test_without_a_mask_a_move_is_found_that_is_none(names):
    late = names["late"]
    own, opponent = late.stones_of(0), late.stones_of(1)
    wrong = set(names["square_bits"](names["moves_left"](own, opponent, names["BOARD"])))
    right = set(names["square_bits"](names["moves_left"](own, opponent, names["INNER_COLUMNS"])))
    stones = late.board().stones

    assert late.current_player == BLACK
    assert right == {place for place in empty(late) if run(stones, BLACK, place, 0, 1)}
    assert len(right) == 1 < len(wrong) == 2
    assert not (wrong - right) & moves(late, BLACK)
    assert named(wrong - right) == {"h2"}
    assert {"c3", "b3", "a3"} <= named(of(late, WHITE))
    assert "d3" in named(of(late, BLACK))


@pytest.mark.parametrize("seed", range(5))
def test_the_legal_moves_are_those_that_a_walk_finds(names, seed):
    rng, state = np.random.default_rng(seed), Reversi()
    while not state.is_terminal:
        expected = moves(state, state.current_player)
        assert set(names["moves_of"](state, state.current_player)) == expected
        assert set(state.legal_actions()) == (expected or {64})
        for disc in map(int, rng.integers(0, 64, 3)):
            assert set(names["square_bits"](names["beside"](1 << disc))) == neighbours(disc)
        state = state.child(search.uniform(state, rng))


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
    assert set(names["square_bits"](names["outer"])) == (
        frontier(wall, WHITE) | frontier(wall, BLACK)
    )


def test_the_stronger_the_players_the_more_white_wins_from_the_wall(names):
    rng = np.random.default_rng(12)

    def share(name, number):
        wins = 0
        for _ in range(number):
            state = names["wall"]
            sides = [players.make(name, rng=rng) for _ in range(2)]
            while not state.is_terminal:
                state = state.child(sides[state.current_player].choose(state))
            wins += state.returns()[1] == 1
        return wins / number

    assert share("random", 600) < 0.58
    assert share("roxanne", 600) < 0.5
    weak, strong = share("uct:100:roxanne", 60), share("uct:1000:roxanne", 40)
    assert 0.55 < weak < strong
    assert strong > 0.8


# Experiments with other seeds


PLAYERS = ("uct:400:roxanne5", "uct:401:roxanne5")


def test_the_stored_games_are_played_anew_move_for_move(names):
    stored = names["quick_match"]
    again = arena.match("reversi", *PLAYERS, num_games=6, opening_plies=6, seed=8)

    assert stored.num_games == len(stored.games) == 600
    assert stored.num_different_games > 590
    for one, other in zip(again.games, stored.games, strict=False):
        assert (one.actions, one.returns) == (other.actions, other.returns)
    assert stored.score.rate.low < 0.5 < stored.score.rate.high, "equal players"


@pytest.fixture(scope="module")
def other_histories():
    match = arena.match("reversi", *PLAYERS, num_games=120, opening_plies=6, seed=77)
    return [match.states(game.number) for game in match.games]


MIDDLE = (22, 26, 30, 34, 38, 42)


def share(names, histories, lead, stages):
    """How often the leader wins, on average over some stages."""
    counts = [names["leader_wins"](histories, lead, num_discs) for num_discs in stages]
    return np.mean([won / number for won, number in counts])


def test_a_lead_in_discs_in_the_middle_is_worth_nothing_to_searches(names, other_histories):
    lead = names["disc_lead"]

    for histories in (names["histories"], other_histories):
        assert 0.38 < share(names, histories, lead, MIDDLE) < 0.54
    both = [*names["histories"], *other_histories]
    assert 0.4 < share(names, both, lead, MIDDLE) < 0.51
    assert share(names, names["histories"], lead, (62,)) > 0.75
    for stage, (low, high) in zip(names["stages"], names["ends"]["more discs"], strict=True):
        if stage <= 46:
            assert low < 0.5 < high


def test_a_lead_in_moves_is_worth_more_until_the_board_is_nearly_full(names, other_histories):
    discs, moves_ahead = names["disc_lead"], names["move_lead"]

    for histories in (names["histories"], other_histories):
        for stages in ((30, 34, 38), (42, 46), (50, 54)):
            by_moves = share(names, histories, moves_ahead, stages)
            assert by_moves > share(names, histories, discs, stages) + 0.03
        assert share(names, histories, moves_ahead, (42, 46, 50)) > 0.6
    position = names["wall"]
    assert moves_ahead(position) == len(moves(position, BLACK)) - len(moves(position, WHITE))


@pytest.mark.parametrize("seed", [3, 4])
def test_among_random_players_a_lead_in_discs_is_worth_little_too(names, seed):
    rng, at_random = np.random.default_rng(seed), []
    for _ in range(600):
        states = [Reversi()]
        while not states[-1].is_terminal:
            states.append(states[-1].child(search.uniform(states[-1], rng)))
        at_random.append(states)

    assert 0.47 < share(names, at_random, names["disc_lead"], MIDDLE) < 0.6


def test_every_file_is_read_by_the_notebook():
    files = {path.stem for path in (PROJECT / "notebooks" / "results").glob("08_*")}
    sources = "\n".join(cell.source for cell in read(NOTEBOOK).cells)

    assert files == {"08_quick_games"}
    assert '"08_quick_games"' in sources


@pytest.mark.parametrize(
    ("opponent", "low", "high"), [("random", 0.5, 0.7), ("roxanne", 0.1, 0.35)]
)
def test_greedy_is_better_than_chance_and_worse_than_a_list_of_squares(opponent, low, high):
    match = arena.match("reversi", "greedy", opponent, num_games=300, seed=5)

    assert low < match.score.rate.value < high


def test_greedy_loses_to_a_short_search():
    """The compiled search plays, which grows the same tree as the one that a student writes."""
    match = arena.match("reversi", "greedy", "uct:50", num_games=60, seed=8)

    assert match.score.rate.high < 0.5


def test_the_line_that_is_shown_to_a_friend_is_won_by_white(names):
    line = names["line"]

    assert line[0].disc_counts() == (23, 6)
    assert line[-1].returns() == (-1, 1)
    won = 0
    for seed in range(10):
        player = players.make("uct:1000:roxanne", rng=np.random.default_rng(seed))
        state = line[0]
        while not state.is_terminal:
            state = state.child(player.choose(state))
        won += state.returns()[WHITE] == 1
    assert won >= 7
