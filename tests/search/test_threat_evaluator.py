"""The evaluator that judges Gomoku by its threats: what it calls certain is proved."""

import numpy as np
import pytest
from hypothesis import given, settings

from mctslab.arena import tactics
from mctslab.games import Gomoku
from mctslab.search import gomoku_prior, threat_evaluator
from mctslab.search.puct_search import evaluate
from tests.search.test_threats import positions
from tests.search.toys import play
from tests.tactics.prover import Prover


def value(state: Gomoku) -> float:
    """What the evaluator says to the player to move."""
    ((values,), _) = threat_evaluator()([state], np.random.default_rng(1))
    assert values[0] == -values[1]
    return values[state.current_player]


@settings(max_examples=60, deadline=None)
@given(positions())
def test_the_answer_is_one_and_the_priors_are_those_of_the_prior(state):
    values, priors = evaluate([state, state], threat_evaluator(), np.random.default_rng(1))
    assert values[0] == values[1]
    weights = gomoku_prior(state)
    assert priors[0] == pytest.approx([weight / sum(weights) for weight in weights])


@pytest.mark.parametrize(
    ("moves", "low", "high"),
    [
        ("C8 B8 D8 A1 E8 O1 F8 O15", 1, 1),  # a four of one's own
        ("C8 B8 D8 A1 E8 O1 F8", 0, 0),  # the other's four, which can be blocked
        ("C8 O2 D8 A1 E8 O1 F8", -1, -1),  # the other's open four, which cannot
        ("G8 A1 H8 O1 I8 O15", 1, 1),  # an open three, and nothing to fear
        ("C9 B9 D9 A1 E9 O1 F7 A15 F8 O15", 0.5, 0.9),  # a four and a three
        # A four to block at F8, which makes an open four along its column.
        ("A8 B8 F7 C8 F6 D8 F5 E8", 1, 1),
    ],
)
def test_values_by_hand(moves, low, high):
    assert low <= value(play(Gomoku(15), moves)) <= high


def test_what_is_certain_is_proved():
    """Along the games of the tactical positions, where fives and fours are common."""
    seen = {1: 0, -1: 0}
    for tactic in tactics.load()[::12]:
        state = Gomoku(tactic.state.size)
        board = tactic.state.board()
        stones = [[s for s, stone in enumerate(board.stones) if stone == p] for p in (0, 1)]
        for ply in range(sum(map(len, stones))):
            state = state.child(stones[ply % 2][ply // 2])
            if ply < 6:
                continue
            certain = value(state)
            prover = Prover(state)
            if certain == 1:
                assert prover.winning_moves(3)
            elif prover.winning_moves(3):
                raise AssertionError(f"a win within three plies is worth {certain}:\n{state}")
            if certain == -1:
                assert not prover.completing(prover.player)
                assert len(prover.completing(3 - prover.player)) >= 2
            if certain in seen:
                seen[certain] += 1
    assert min(seen.values()) >= 3
