"""What the side road on the faults of Reversi programs says is so."""

import numpy as np

from mctslab import search
from mctslab.course import exercises
from mctslab.games.reversi import Reversi
from tests.notebooks.squares import moves


def test_the_walk_finds_the_legal_moves(names):
    rng, state = np.random.default_rng(1), Reversi()
    while not state.is_terminal:
        assert set(names["walked_moves"](state)) == set(state.legal_actions()) - {64}
        state = state.child(search.uniform(state, rng))


def test_with_the_second_fault_two_games_of_three_end_as_they_should():
    """It ends a game at the first pass, so it shows in the games that have one."""
    faulty = {}
    exec(exercises.museum_next_player.stub, faulty)
    rng, right = np.random.default_rng(2), 0
    for _ in range(300):
        state, ends_early = Reversi(), False
        while not state.is_terminal:
            action = search.uniform(state, rng)
            ends_early = ends_early or action == state.pass_action
            mover, state = state.current_player, state.child(action)
            counts = len(moves(state, 0)), len(moves(state, 1))
            assert (faulty["museum_next_player"](mover, counts) is None) == (
                state.is_terminal or state.legal_actions() == (64,)
            )
        right += not ends_early
    assert 0.58 < right / 300 < 0.74
