"""The tactical positions of Gomoku: each is what it says."""

import hashlib
from collections import Counter
from itertools import pairwise

import numpy as np

from mctslab import players
from mctslab.arena import tactics
from mctslab.boards.board import square_bits
from mctslab.search import find_threats

ALL = tactics.load()
WINS = [tactic for tactic in ALL if tactic.kind == "win"]


def test_there_are_enough_of_every_kind_and_no_two_alike():
    counts = Counter((tactic.kind, tactic.plies, tactic.state.size) for tactic in ALL)
    for size in (9, 15):
        assert min(counts["win", plies, size] for plies in (3, 5, 7)) >= 16
        assert min(counts["complete", 1, size], counts["block", 1, size]) >= 8
    assert len({tactic.state for tactic in ALL}) == len(ALL) == counts.total() >= 100
    assert len({tactic.name for tactic in ALL}) == len(ALL)
    numbers = [int(tactic.name.rpartition("-")[2]) for tactic in ALL]
    assert all(new in (1, old + 1) for old, new in pairwise([0, *numbers]))


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


def test_the_shortest_wins_make_two_fives_at_once():
    for tactic in WINS:
        shortest = set(square_bits(find_threats(tactic.state).double_four))
        if other := fives(tactic, 1 - tactic.state.current_player):
            shortest &= other
        assert (tactic.plies == 3) == bool(shortest), tactic.name
        assert shortest <= tactic.solutions, tactic.name


def test_the_positions_are_those_whose_solutions_were_proved():
    """By an exhaustive search; who changes one has to prove it again."""
    text = tactics.FILE.read_text("utf-8")
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "75d755b4742dc4c9"
