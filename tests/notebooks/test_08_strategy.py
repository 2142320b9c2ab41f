"""What the side road on the words of Othello says: each board shows what is said of it."""

import re

import numpy as np
import pytest

from mctslab import arena, search
from mctslab.fast import EndgameSolver
from mctslab.games.reversi import Reversi
from tests.notebooks.reading import NOTEBOOKS, PROJECT, read
from tests.notebooks.walking import (
    BLACK,
    CORNERS,
    EIGHT,
    WHITE,
    empty,
    frontier,
    moves,
    named,
    neighbours,
    of,
    play,
    replies,
    run,
    safe,
    square,
    turned,
)

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "08_strategy")


@pytest.fixture(scope="module")
def names(executed):
    return executed(NOTEBOOK).names


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


# The experiment with other seeds


def test_moves_into_odd_regions_are_worth_some_discs_and_not_always(names):
    match = arena.match(
        "reversi",
        "uct:400:roxanne5",
        "uct:401:roxanne5",
        num_games=120,
        opening_plies=6,
        seed=77,
    )
    histories = [match.states(game.number) for game in match.games]
    ends = [s for states in histories for s in states if len(empty(s)) == 8]
    gains = [names["parity_gain"](s) for s in ends if not s.is_terminal]
    gains = np.array([gain for gain in gains if gain is not None])

    assert len(gains) > 40
    assert gains.mean() > 1.96 * gains.std() / len(gains) ** 0.5
    assert 0.15 < np.mean(gains <= 0) < 0.5


def test_every_word_of_the_glossary_is_shown_on_the_road_or_here():
    folder = PROJECT / "notebooks"
    text = "\n".join(
        cell.source
        for name in ("08_reversi.ipynb", "more/08_strategy.ipynb")
        for cell in read(folder / name).cells
        if cell.cell_type == "markdown"
    )
    named_words = re.findall(r"\*{1,2}([^*\n]+)\*{1,2}|^#+ (.+)$", text, re.MULTILINE)
    shown = "\n".join(emphasised or heading for emphasised, heading in named_words).casefold()
    rows = (PROJECT / "GLOSSARY.md").read_text("utf-8").split("## Reversi")[1].split("\n## ")[0]
    terms = re.findall(r"^\| ([^|]+?) \|.*\| 08 \|$", rows, re.MULTILINE)

    assert len(terms) > 20
    assert [term for term in terms if term.casefold() not in shown] == []
