"""What notebook 01 says is so."""

import math

import numpy as np

from mctslab import games


def test_the_player_made_of_minimax_never_loses_and_the_first_move_does_not_win(names):
    rng, perfect = np.random.default_rng(1), names["perfect"]
    ends = set()
    for game in range(60):
        state = games.TicTacToe()
        while not state.is_terminal:
            is_perfect = state.current_player == game % 2
            state = state.child(
                perfect(state, rng) if is_perfect else int(rng.choice(state.legal_actions()))
            )
        ends.add(state.returns()[game % 2])

    assert names["minimax"](games.TicTacToe(), {}) == (0, 0)
    assert ends == {0, 1}


def test_the_answers_to_the_predictions_are_what_was_counted(names):
    assert names["counted"].value == 255_168
    assert [sum(sizes) for sizes in names["counts"].values()] == [549_946, 5_478, 765]


def test_ten_to_the_power_of_240_has_241_digits(names):
    exponent = names["means"]["Gomoku"]

    assert len(str(10**240)) == 241
    assert names["digits"] == len(str(10 ** math.floor(exponent)))
    assert "lower bound" in names["answer"]
