"""What the side road on the faults of Reversi programs says is so."""

import numpy as np
import pytest

from mctslab import search
from mctslab.course import exercises
from mctslab.games.reversi import Reversi
from tests.notebooks.reading import NOTEBOOKS
from tests.notebooks.walking import moves

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "08_museum")


@pytest.fixture(scope="module")
def names(executed):
    return executed(NOTEBOOK).names


@pytest.mark.parametrize("seed", range(5))
def test_the_walk_finds_the_legal_moves(names, seed):
    rng, state = np.random.default_rng(seed), Reversi()
    while not state.is_terminal:
        expected = moves(state, state.current_player)
        assert set(names["walked_moves"](state)) == expected
        assert set(state.legal_actions()) == (expected or {64})
        state = state.child(search.uniform(state, rng))


def test_all_positions_of_the_game_agree(names):
    assert len(names["agreed"]) >= 50
    assert all(names["agreed"])


def test_with_the_second_fault_two_games_of_three_end_as_they_should():
    """It ends a game at the first pass, so it shows in the games that have one."""
    faulty = {}
    exec(exercises.museum_next_player.stub, faulty)
    rng, right = np.random.default_rng(2), 0
    for number in range(400):
        state, ends_early = Reversi(), False
        while not state.is_terminal:
            action = search.uniform(state, rng)
            ends_early = ends_early or action == state.pass_action
            mover, state = state.current_player, state.child(action)
            if number < 60:  # to walk over the squares takes long
                counts = len(moves(state, 0)), len(moves(state, 1))
                assert (faulty["museum_next_player"](mover, counts) is None) == (
                    state.is_terminal or state.legal_actions() == (64,)
                )
        right += not ends_early
    assert 0.6 < right / 400 < 0.72


def perft(state, depth, children):
    """How many ways there are to play `depth` plies."""
    if depth == 0:
        return 1
    return sum(perft(child, depth - 1, children) for child in children(state))


def test_three_plies_find_the_first_fault_and_a_pass_comes_later():
    def children(state):
        assert state.legal_actions() != (64,)
        return [state.child(action) for action in state.legal_actions()]

    assert [perft(Reversi(), depth, children) for depth in (1, 2, 3)] == [4, 12, 56]
