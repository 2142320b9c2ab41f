"""What notebook 08 says is so: each board shows what is said of it, and each claim holds again."""

import re
from itertools import chain, pairwise

import numpy as np
import pytest

from mctslab import arena, games, players, search
from mctslab.fast import EndgameSolver
from mctslab.games.reversi import Reversi
from tests.notebooks.reading import NOTEBOOKS, read

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "08_reversi")
BLACK, WHITE = 0, 1
CORNERS = {0, 7, 56, 63}
EIGHT = [(rows, cols) for rows in (-1, 0, 1) for cols in (-1, 0, 1) if rows or cols]


@pytest.fixture(scope="module")
def names(executed):
    return executed(NOTEBOOK).names


# Reversi once more, by walking: slow, and written without the package's bitboards


def square(name):
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


def named(squares):
    return {"abcdefgh"[each % 8] + str(each // 8 + 1) for each in squares}


def neighbours(place):
    row, col = divmod(place, 8)
    return {8 * (row + r) + col + c for r, c in EIGHT if 0 <= row + r < 8 and 0 <= col + c < 8}


def run(stones, player, place, rows, cols):
    """The discs that a new disc of `player` on `place` turns in one direction."""
    row, col, found = place // 8 + rows, place % 8 + cols, []
    while 0 <= row < 8 and 0 <= col < 8 and stones[8 * row + col] == 1 - player:
        found.append(8 * row + col)
        row, col = row + rows, col + cols
    closed = 0 <= row < 8 and 0 <= col < 8 and stones[8 * row + col] == player
    return found if closed else []


def turned(stones, player, place):
    """The discs that turn when `player` plays on `place`; none where that is not legal."""
    if stones[place] >= 0:
        return set()
    return {disc for step in EIGHT for disc in run(stones, player, place, *step)}


def moves(state, player):
    """Where `player` could move now, whoever's turn it is."""
    stones = state.board().stones
    return {place for place in range(64) if turned(stones, player, place)}


def of(state, player):
    return {place for place, stone in enumerate(state.board().stones) if stone == player}


def empty(state):
    return of(state, -1)


def frontier(state, player):
    return {disc for disc in of(state, player) if neighbours(disc) & empty(state)}


def play(state, *moves):
    for name in moves:
        state = state.child(square(name))
    return state


def replies(state):
    return [state.child(action) for action in state.legal_actions()]


def safe(state):
    """The legal moves after which the opponent can take no corner."""
    other = 1 - state.current_player
    return {a for a in state.legal_actions() if not moves(state.child(a), other) & CORNERS}


# The rules


def test_every_position_is_reached_by_legal_moves_from_the_first(names):
    code = "\n".join(cell.source for cell in read(NOTEBOOK).cells if cell.cell_type == "code")
    records = re.findall(r'"((?:[a-h][1-8]){8,})"', code)

    assert len(records) > 15
    for record in records:
        if not record.startswith("g6b8d1"):  # the second half of one
            names["after"](record)


def test_after_plays_the_passes_that_a_record_leaves_out(names):
    state = names["after"]("d3c3e6d2d1e1b2c1" + "a3")

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
    assert max(disc // 8 for disc in of(stuck, WHITE)) <= 1, "along the upper edge"


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
    steps = list(names["steps"].values())
    sizes = [bits.bit_count() for bits in steps]

    assert all(before & ~after == 0 for before, after in pairwise(steps))
    assert sizes[-1] > sizes[-2], "the sixth step is needed"
    row = {square(name) for name in ("b4", "c4", "d4", "e4", "f4", "g4")}
    assert row <= set(names["square_bits"](steps[-1]))
    assert named(moves(names["far"], BLACK)) >= {"a4"}


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


@pytest.mark.parametrize("seed", range(5))
def test_the_legal_moves_are_those_that_a_walk_finds(names, seed):
    rng, state = np.random.default_rng(seed), Reversi()
    while not state.is_terminal:
        expected = moves(state, state.current_player)
        assert set(names["moves_of"](state, state.current_player)) == expected
        assert set(state.legal_actions()) == (expected or {64})
        walked = {s for s in empty(state) if any(names["turns"](state, s, *d) for d in EIGHT)}
        assert walked == expected
        for disc in map(int, rng.integers(0, 64, 3)):
            assert set(names["square_bits"](names["beside"](1 << disc))) == neighbours(disc)
        state = state.child(search.uniform(state, rng))


def test_the_nine_classes_are_those_of_the_policy(names):
    ranks = search.roxanne().ranks

    for rank, squares in enumerate(names["CLASSES"]):
        assert all(ranks[place] == rank for place in squares)
    in_a_class = sorted(chain.from_iterable(names["CLASSES"]))
    assert in_a_class == sorted(set(range(64)) - {27, 28, 35, 36})


# The words of Othello strategy


def test_the_squares_have_their_names(names):
    marks = names["named"]

    assert named(marks["X"]) == {"b2", "g2", "b7", "g7"}
    assert named(marks["C"]) == {"b1", "g1", "a2", "h2", "a7", "h7", "b8", "g8"}
    assert set(marks["◆"]) == CORNERS
    assert set(marks["+"]) == of(Reversi(), BLACK) | of(Reversi(), WHITE)


def test_five_moves_give_a_corner_each_that_could_not_be_taken_before(names):
    gift = names["gift"]
    given = {
        name: moves(play(gift, name), WHITE) & CORNERS for name in ["b2", "g2", "b7", "g7", "a7"]
    }

    assert gift.current_player == BLACK
    assert not moves(gift, WHITE) & CORNERS
    corners = {name: named(found) for name, found in given.items()}
    assert corners == {"b2": {"a1"}, "g2": {"h1"}, "b7": {"a8"}, "g7": {"h8"}, "a7": {"a8"}}
    for name, found in corners.items():
        assert names["corners_for_the_other"](gift, square(name)) == list(map(square, found))


def proven_stable(state, player):
    """Stable discs by the rule of the notebook, disc by disc."""
    discs, stable = of(state, player), set()

    def is_safe_along(disc, rows, cols):
        row, col = divmod(disc, 8)
        line = [(row + k * rows, col + k * cols) for k in range(-7, 8)]
        line = {8 * r + c for r, c in line if 0 <= r < 8 and 0 <= c < 8}
        ends = [(row + k * rows, col + k * cols) for k in (-1, 1)]
        held = any(not (0 <= r < 8 and 0 <= c < 8) or 8 * r + c in stable for r, c in ends)
        return held or not line & empty(state)

    while True:
        more = {d for d in discs if all(is_safe_along(d, *s) for s in EIGHT[:4])}
        if more == stable:
            return stable
        stable = more


def test_all_black_discs_of_the_fortress_are_stable_and_no_white_one_is(names):
    fortress = names["fortress"]
    stable = set(names["square_bits"](names["stable"]))

    assert stable == proven_stable(fortress, BLACK)
    assert not proven_stable(fortress, WHITE)
    assert sum(fortress.disc_counts()) > 32
    rng = np.random.default_rng(4)
    for _ in range(300):
        state = fortress
        while not state.is_terminal:
            state = state.child(search.uniform(state, rng))
            assert stable <= of(state, BLACK)


def test_the_wall_has_the_discs_and_the_other_side_has_the_moves(names):
    wall = names["wall"]
    wide_centre = {8 * row + col for row in range(2, 6) for col in range(2, 6)}
    internal = of(wall, WHITE) - frontier(wall, WHITE)

    assert wall.current_player == WHITE
    assert wall.disc_counts() == (23, 6)
    assert len(moves(wall, WHITE)) == 22
    assert named(moves(wall, BLACK)) == {"b1"}
    assert (len(frontier(wall, WHITE)), len(frontier(wall, BLACK))) == (2, 21)
    assert len(internal & wide_centre) == 4
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


def test_d8_is_quiet_and_g4_is_loud(names):
    quiet = names["quiet"]
    stones = quiet.board().stones

    def seen(name):
        child = play(quiet, name)
        return turned(stones, WHITE, square(name)), moves(child, BLACK) - moves(quiet, BLACK), child

    discs, new, child = seen("d8")
    assert (named(discs), new) == ({"d7"}, set())
    assert not discs & frontier(child, WHITE), "turned in the inside"
    assert quiet.current_player == WHITE
    discs, new, _ = seen("g4")
    assert (len(discs), len(new)) == (3, 7)


def test_of_twelve_liberties_two_are_safe(names):
    narrow = names["narrow"]

    assert narrow.current_player == WHITE
    assert len(narrow.legal_actions()) == 12
    assert set(names["safe"]) == safe(narrow)
    assert len(safe(narrow)) == 2
    assert not (moves(narrow, BLACK) | moves(narrow, WHITE)) & CORNERS


def test_h3_is_a_move_that_only_black_has_and_after_it_white_runs_out_of_safe_ones(names):
    tempo = names["tempo"]
    h3 = square("h3")
    left = {action: len(safe(tempo.child(action))) for action in safe(tempo)}

    assert tempo.current_player == BLACK
    assert h3 in moves(tempo, BLACK) - moves(tempo, WHITE)
    assert not neighbours(h3) & empty(tempo), "a hole"
    assert set(names["safe_moves"](tempo)) == safe(tempo)
    assert left.pop(h3) == 0
    assert min(left.values()) >= 1
    after = tempo.child(h3)
    assert after.current_player == WHITE
    assert len(after.legal_actions()) == 4
    assert not moves(after, BLACK) & CORNERS, "it is White who opens the way to the corner"
    assert h3 not in {disc for reply in replies(tempo) for disc in moves(reply, WHITE)}


def test_one_disc_seven_columns_away_makes_a4_possible(names):
    far = names["far"]
    stones = list(far.board().stones)

    assert far.current_player == BLACK
    assert len(turned(stones, BLACK, square("a4"))) == 6
    stones[square("h4")] = WHITE
    assert not turned(stones, BLACK, square("a4"))


def test_white_creeps_along_the_edge_and_loses_it_with_one_move(names):
    record = re.findall("..", names["creeping"])
    edge = [square(name) for name in ("c1", "d1", "e1")]
    state, opened = Reversi(), {}
    for ply, name in enumerate(record, start=1):
        mover, child = state.current_player, play(state, name)
        if square(name) in edge:
            opened[ply] = (mover, len(moves(child, BLACK) - moves(state, BLACK)))
        state = child

    assert opened == {20: (WHITE, 1), 22: (WHITE, 1), 24: (WHITE, 1)}
    assert len(record) == 27
    assert set(edge) <= of(names["after"](names["creeping"][:48]), WHITE)
    assert set(edge) <= of(state, BLACK)
    assert record[-1] == "b1"


def test_the_unbalanced_edge_falls_to_a_wedge_whatever_white_answers(names):
    record = names["unbalanced"]
    before = names["after"](record[:28])
    left = [8 * row for row in range(8)]
    contents = [before.board().stones[place] for place in left]

    assert contents == [-1, -1, WHITE, WHITE, WHITE, WHITE, WHITE, -1]
    assert before.current_player == BLACK
    assert not (moves(before, BLACK) | moves(before, WHITE)) & CORNERS
    assert record[28:] == "b2a1a2"
    wedged = names["after"](record)
    for reply in replies(wedged):
        assert square("a2") in of(reply, BLACK)
        taken = play(reply, "a8")
        assert set(left[1:]) <= of(taken, BLACK)
    # Along the edge nothing can turn the wedge, now or after any answer.
    for state in (wedged, *replies(wedged)):
        along = [run(state.board().stones, WHITE, s, d, 0) for s in empty(state) for d in (1, -1)]
        assert not any(square("a2") in found for found in along)


def test_the_stoner_trap_wins_a_corner_whatever_the_answer(names):
    stoner = names["stoner"]
    right = {square("h1"), square("h8")}

    assert stoner.current_player == WHITE
    assert square("g7") in of(stoner, WHITE)
    assert not (moves(stoner, WHITE) | moves(stoner, BLACK)) & right
    sprung = play(stoner, "h6")
    assert named(moves(sprung, WHITE) & right) == {"h1"}
    assert not moves(sprung, BLACK) & CORNERS
    assert sprung.current_player == BLACK
    prevented = []
    for action in sprung.legal_actions():
        reply = sprung.child(action)
        assert reply.current_player == WHITE
        assert moves(reply, WHITE) & right
        if square("h1") not in moves(reply, WHITE):
            prevented.append(action)
    assert named(prevented) == {"h7"}
    assert named(moves(play(sprung, "h7"), WHITE) & CORNERS) == {"h8"}


def regions(state):
    left, found = empty(state), []
    while left:
        region = {left.pop()}
        while more := {n for place in region for n in neighbours(place)} & left:
            region |= more
            left -= more
        found.append(region)
    return found


def best(state):
    """The final difference in discs for Black, by plain minimax."""
    if state.is_terminal:
        black, white = state.disc_counts()
        return black - white
    values = [best(child) for child in replies(state)]
    return max(values) if state.current_player == BLACK else min(values)


def test_only_the_move_into_the_odd_region_wins(names):
    parity = names["parity"]
    by_region = {frozenset(named(region)): len(region) for region in regions(parity)}
    values = {parity.action_to_string(a): -best(parity.child(a)) for a in parity.legal_actions()}

    assert sorted(by_region.values()) == [2, 2, 3]
    assert by_region[frozenset({"h1", "g2", "h2"})] == 3
    assert parity.current_player == WHITE
    assert values == {"b2": -8, "h2": 24, "b7": -14}
    assert {a: values[parity.action_to_string(a)] for a in parity.legal_actions()} == (
        EndgameSolver().solve_moves(parity)
    )


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


def test_moves_into_odd_regions_are_worth_some_discs_and_not_always(names, other_histories):
    ends = [s for states in other_histories for s in states if len(empty(s)) == 8]
    gains = [names["parity_gain"](s) for s in ends if not s.is_terminal]
    gains = np.array([gain for gain in gains if gain is not None])

    assert len(gains) > 40
    assert gains.mean() > 1.96 * gains.std() / len(gains) ** 0.5
    assert 0.15 < np.mean(gains <= 0) < 0.5


def test_a_lead_in_the_middle_is_worth_nothing_to_searches_and_something_to_chance(
    names, other_histories
):
    def share(histories, stages):
        counts = [names["leader_wins"](histories, num_discs) for num_discs in stages]
        return np.mean([won / number for won, number in counts])

    middle = (22, 26, 30, 34, 38, 42)
    stored = [names["quick_match"].states(game.number) for game in names["quick_match"].games]
    assert 0.4 < share([*stored, *other_histories], middle) < 0.51
    assert share(stored, (62,)) > 0.75

    rng = np.random.default_rng(3)
    at_random = []
    for _ in range(600):
        states = [Reversi()]
        while not states[-1].is_terminal:
            states.append(states[-1].child(search.uniform(states[-1], rng)))
        at_random.append(states)
    assert share(at_random, middle) > 0.52


@pytest.mark.parametrize(
    ("opponent", "low", "high"), [("random", 0.5, 0.7), ("roxanne", 0.1, 0.35)]
)
def test_greedy_is_better_than_chance_and_worse_than_a_list_of_squares(opponent, low, high):
    match = arena.match("reversi", "greedy", opponent, num_games=300, seed=5)

    assert low < match.score.rate.value < high
