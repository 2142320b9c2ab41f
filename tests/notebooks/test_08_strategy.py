"""What the side road on the words of Othello says: each board shows what is said of it."""

import re

import numpy as np

from mctslab import arena, search
from mctslab.fast import EndgameSolver
from mctslab.games.reversi import Reversi
from tests.notebooks.reading import PROJECT, read
from tests.notebooks.walking import (
    BLACK,
    CORNERS,
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


def test_the_squares_have_their_names(names):
    marks = names["named"]

    assert named(marks["X"]) == {"b2", "g2", "b7", "g7"}
    assert named(marks["C"]) == {"b1", "g1", "a2", "h2", "a7", "h7", "b8", "g8"}
    assert set(marks["◆"]) == CORNERS
    assert set(marks["+"]) == of(Reversi(), BLACK) | of(Reversi(), WHITE)


def test_five_moves_give_a_corner_each_that_could_not_be_taken_before(names):
    gift = names["gift"]

    assert gift.current_player == BLACK
    assert not moves(gift, WHITE) & CORNERS
    for name, corner in {"b2": "a1", "g2": "h1", "b7": "a8", "g7": "h8", "a7": "a8"}.items():
        assert moves(play(gift, name), WHITE) & CORNERS == {square(corner)}
        assert names["corners_for_the_other"](gift, square(name)) == [square(corner)]


def test_all_black_discs_of_the_fortress_are_stable_and_every_white_one_can_be_turned(names):
    fortress, rng = names["fortress"], np.random.default_rng(4)
    black, never_turned = of(fortress, BLACK), of(fortress, WHITE)
    for _ in range(100):
        state = fortress
        while not state.is_terminal:
            state = state.child(search.uniform(state, rng))
            assert black <= of(state, BLACK)
            never_turned &= of(state, WHITE)

    assert set(names["square_bits"](names["stable"])) == black
    assert not never_turned
    assert sum(fortress.disc_counts()) > 32


def test_d8_is_quiet_and_g4_is_loud(names):
    quiet = names["quiet"]
    stones, before = quiet.board().stones, moves(quiet, BLACK)
    d8, g4 = play(quiet, "d8"), play(quiet, "g4")

    assert quiet.current_player == WHITE
    assert named(turned(stones, WHITE, square("d8"))) == {"d7"}
    assert square("d7") not in frontier(d8, WHITE)
    assert not moves(d8, BLACK) - before
    assert len(turned(stones, WHITE, square("g4"))) == 3
    assert len(moves(g4, BLACK) - before) == 7


def test_of_twelve_liberties_two_are_safe(names):
    narrow = names["narrow"]

    assert narrow.current_player == WHITE
    assert len(narrow.legal_actions()) == 12
    assert set(names["safe"]) == safe(narrow)
    assert len(safe(narrow)) == 2
    assert not (moves(narrow, BLACK) | moves(narrow, WHITE)) & CORNERS


def test_h3_is_a_move_that_only_black_has_and_after_it_white_runs_out_of_safe_ones(names):
    tempo, h3 = names["tempo"], square("h3")
    left = {action: len(safe(tempo.child(action))) for action in safe(tempo)}

    assert tempo.current_player == BLACK
    assert h3 in moves(tempo, BLACK) - moves(tempo, WHITE)
    assert not neighbours(h3) & empty(tempo), "no other empty square beside it"
    assert left.pop(h3) == 0
    assert min(left.values()) >= 1
    assert len(tempo.child(h3).legal_actions()) == 4
    assert not moves(tempo.child(h3), BLACK) & CORNERS, "White opens the way to the corner"


def test_one_disc_seven_columns_away_makes_a4_possible(names):
    far = names["far"]
    stones = list(far.board().stones)

    assert far.current_player == BLACK
    assert len(turned(stones, BLACK, square("a4"))) == 6
    stones[square("h4")] = WHITE
    assert not turned(stones, BLACK, square("a4"))


def test_white_creeps_along_the_edge_and_loses_it_with_one_move(names):
    record = re.findall("..", names["creeping"])
    edge = {square(name) for name in ("c1", "d1", "e1")}
    state, opened = Reversi(), {}
    for name in record:
        mover, child = state.current_player, play(state, name)
        if square(name) in edge:
            opened[name] = (mover, len(moves(child, BLACK) - moves(state, BLACK)))
        before, state = state, child

    assert opened == dict.fromkeys(("c1", "d1", "e1"), (WHITE, 1))
    assert record[-1] == "b1"
    assert edge <= of(before, WHITE)
    assert edge <= of(state, BLACK)


def test_the_unbalanced_edge_falls_to_a_wedge_whatever_white_answers(names):
    record = names["unbalanced"]
    before, wedged = names["after"](record[:28]), names["after"](record)
    left = [8 * row for row in range(8)]

    assert [before.board().stones[place] for place in left] == [-1, -1, *[WHITE] * 5, -1]
    assert before.current_player == BLACK
    assert not (moves(before, BLACK) | moves(before, WHITE)) & CORNERS
    assert record[28:] == "b2a1a2"
    for reply in replies(wedged):
        assert set(left[1:]) <= of(play(reply, "a8"), BLACK)
    # Along the edge nothing can turn the wedge, now or after any answer.
    for state in (wedged, *replies(wedged)):
        along = [run(state.board().stones, WHITE, s, d, 0) for s in empty(state) for d in (1, -1)]
        assert not any(square("a2") in found for found in along)


def test_the_stoner_trap_wins_a_corner_whatever_the_answer(names):
    stoner, right = names["stoner"], {square("h1"), square("h8")}
    sprung = play(stoner, "h6")

    assert stoner.current_player == WHITE
    assert square("g7") in of(stoner, WHITE)
    assert not (moves(stoner, WHITE) | moves(stoner, BLACK)) & right
    assert named(moves(sprung, WHITE) & right) == {"h1"}
    assert not moves(sprung, BLACK) & CORNERS
    for reply in replies(sprung):
        corner = "h8" if reply == play(sprung, "h7") else "h1"
        assert reply.current_player == WHITE
        assert square(corner) in moves(reply, WHITE)
    assert named(moves(play(sprung, "h7"), WHITE) & CORNERS) == {"h8"}


def test_only_the_move_into_the_odd_region_wins(names):
    parity = names["parity"]
    solved = EndgameSolver().solve_moves(parity)
    values = {parity.action_to_string(action): value for action, value in solved.items()}

    assert parity.current_player == WHITE
    assert named(empty(parity)) == {"h1", "g2", "h2", "a1", "b2", "a8", "b7"}
    assert values == {"b2": -8, "h2": 24, "b7": -14}


def test_moves_into_odd_regions_are_worth_some_discs_and_not_always(names):
    """In the stored games of equal players that the notebook does not play itself."""
    match = arena.load(PROJECT / "notebooks" / "results" / "08_quick_games.jsonl")
    histories = [match.states(game.number) for game in match.games[300:]]
    ends = [s for states in histories for s in states if len(empty(s)) == 8]
    gains = [names["parity_gain"](s) for s in ends if not s.is_terminal]
    gains = np.array([gain for gain in gains if gain is not None])

    assert len(gains) > 100
    assert gains.mean() > 1.96 * gains.std() / len(gains) ** 0.5
    assert 0.15 < np.mean(gains <= 0) < 0.5


def test_every_word_of_the_glossary_is_shown_on_the_road_or_here(notebook):
    road = notebook.parents[1] / "08_reversi.ipynb"
    text = "\n".join(
        cell.source
        for path in (road, notebook)
        for cell in read(path).cells
        if cell.cell_type == "markdown"
    )
    words = re.findall(r"\*{1,2}([^*\n]+)\*{1,2}|^#+ (.+)$", text, re.MULTILINE)
    shown = "\n".join(map("".join, words)).casefold()
    rows = (PROJECT / "GLOSSARY.md").read_text("utf-8").split("## Reversi")[1].split("\n## ")[0]
    terms = re.findall(r"^\| ([^|]+?) \|.*\| 08 \|$", rows, re.MULTILINE)

    assert len(terms) > 20
    assert [term for term in terms if term.casefold() not in shown] == []
