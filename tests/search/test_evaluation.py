"""The terms of the evaluation of Reversi, against the same counted square by square."""

from dataclasses import replace

import numpy as np
import pytest

from mctslab import games
from mctslab.games import Reversi
from mctslab.search import ReversiEvaluation
from mctslab.search.knowledge.reversi import HEAVIEST, TERMS
from tests.games.playing import random_game
from tests.search import squares as by_hand
from tests.search.squares import Discs

NOTHING = ReversiEvaluation(0, 0, 0, 0, 0, 0, 0)
SIZES = (4, 6, 8, 10)


def random_boards(size: int, number: int = 150) -> list[tuple[int, int, int]]:
    """Discs thrown onto a board, from none to full, and the positions of two random games."""
    rng = np.random.default_rng(size)
    board = (1 << size * size) - 1
    positions = [(0, 0, 0), (board, 0, 0), (0, board, 0)]
    for share in rng.random(number):
        kinds = rng.choice(3, size * size, p=(1 - share, share / 2, share / 2)).tolist()
        own, opponent = (sum(1 << bit for bit, k in enumerate(kinds) if k == p) for p in (1, 2))
        positions.append((own, opponent, 0))
    for _ in range(2):
        positions += [state.compilable().position for state in random_game(Reversi(size), rng)]
    return positions


# Each term, counted for one player (1 or -1) on a board


def corners(discs: Discs, player: int, size: int) -> int:
    ends = (0, size - 1)
    return sum(discs.get((row, col)) == player for row in ends for col in ends)


def beside_open_corners(discs: Discs, player: int, size: int, diagonally: bool) -> int:
    open_corners = {(r, c) for r in (0, size - 1) for c in (0, size - 1)} - discs.keys()
    found = {
        (r, c)
        for row, col in open_corners
        for r, c in by_hand.beside((row, col), size)
        if diagonally == (r != row and c != col)
    }
    return sum(discs.get(each) == player for each in found)


def frontier(discs: Discs, player: int, size: int) -> int:
    return sum(
        disc == player and any(each not in discs for each in by_hand.beside(square, size))
        for square, disc in discs.items()
    )


def parity(discs: Discs, player: int, size: int) -> int:
    wanted = 1 if player == 1 else 0
    return sum(number % 2 == wanted for number in by_hand.regions(discs, size))


COUNTED = {
    "corners": corners,
    "x_squares": lambda *board: beside_open_corners(*board, diagonally=True),
    "c_squares": lambda *board: beside_open_corners(*board, diagonally=False),
    "frontier": frontier,
    "parity": parity,
    "stability": lambda *board: len(by_hand.stable(*board)),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", COUNTED)
def test_a_term_counts_what_is_counted_square_by_square(name, size):
    geometry = games.reversi.geometry(size)
    differing = 0
    for position in random_boards(size):
        discs = by_hand.discs_of(position, size)
        ours, theirs = (COUNTED[name](discs, player, size) for player in (1, -1))
        assert TERMS[name](position, geometry) == (ours, theirs), discs
        differing += ours != theirs
    assert differing > 20


# The evaluation


@pytest.mark.parametrize("name", TERMS)
def test_a_term_can_be_switched_off_and_changes_sides_with_the_mover(name):
    full = ReversiEvaluation()
    weight = getattr(full, name)
    alone, without = replace(NOTHING, **{name: weight}), replace(full, **{name: 0})
    *line, _ = random_game(Reversi(6), np.random.default_rng(5))
    for state in line:
        first, second = full.counts(state)[name]
        assert alone(state) == weight * (first - second)
        assert alone(state) + without(state) == full(state)
        assert name not in without.counts(state)
        value = full.for_mover(state.compilable().position, games.reversi.geometry(6))
        assert full(state) == (value if state.current_player == 0 else -value)


def test_mobility_is_the_number_of_legal_moves():
    for state in random_game(Reversi(6), np.random.default_rng(2)):
        if not state.is_terminal and state.legal_actions() != (state.pass_action,):
            counts = ReversiEvaluation().counts(state)["mobility"]
            assert counts[state.current_player] == len(state.legal_actions())


def test_at_the_end_of_a_game_discs_are_counted():
    for seed in range(5):
        (*_, last) = random_game(Reversi(), np.random.default_rng(seed))
        black, white = last.disc_counts()
        assert ReversiEvaluation()(last) == black - white
        assert NOTHING(last) == black - white


def test_what_cannot_be_is_refused():
    words = "frontier must be a whole number from -1000 to 1000, got "
    for weight in [1.5, "many", None, True, HEAVIEST + 1, -HEAVIEST - 1]:
        with pytest.raises(ValueError, match=words):
            ReversiEvaluation(frontier=weight)
    with pytest.raises(ValueError, match=r"Reversi only; this is Tic-Tac-Toe"):
        ReversiEvaluation()(games.TicTacToe())
