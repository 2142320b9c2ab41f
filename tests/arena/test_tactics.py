"""The tactical positions of Gomoku: each is what it says."""

import hashlib
from itertools import pairwise

import numpy as np

from mctslab import players
from mctslab.arena import tactics

ALL = tactics.load()


def fives(tactic, player):
    """The squares that complete a five for `player`, by the rules of the game."""
    state = tactic.state
    found = set()
    for action in state.legal_actions():
        before = state
        if player != state.current_player:  # who plays anywhere else first
            before = state.child(next(a for a in state.legal_actions() if a != action))
        after = before.child(action)
        if after.is_terminal and after.returns()[player] == 1:
            found.add(action)
    return found


def test_fives_are_completed_and_blocked():
    for tactic in ALL:
        mover = tactic.state.current_player
        own, other = fives(tactic, mover), fives(tactic, 1 - mover)
        if tactic.kind == "complete":
            assert tactic.solutions == own, tactic.name
        elif tactic.kind == "block":
            assert not own, tactic.name
            assert tactic.solutions == other, tactic.name
            assert len(other) == 1
        else:
            assert not own, tactic.name
            assert len(tactic.solutions) <= 4
            assert not other or tactic.solutions == other, tactic.name  # to win, block first
        if tactic.kind != "win":
            for seed in range(3):
                heuristic = players.make("heuristic", rng=np.random.default_rng(seed))
                assert tactics.solves(heuristic, tactic), tactic.name


def test_the_positions_are_those_whose_solutions_were_proved():
    """By an exhaustive search; who changes one has to prove it again, and count the kinds."""
    assert len({tactic.state for tactic in ALL}) == len({tactic.name for tactic in ALL}) == 160
    numbers = [int(tactic.name.rpartition("-")[2]) for tactic in ALL]
    assert all(new in (1, old + 1) for old, new in pairwise([0, *numbers]))
    text = tactics.FILE.read_text("utf-8")
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "75d755b4742dc4c9"
