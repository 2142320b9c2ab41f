"""A solver that was interrupted, at whatever moment, gives the answers of a new one."""

import signal
from contextlib import suppress
from functools import partial

import numpy as np
import pytest

from mctslab.games import ConnectFour, Reversi
from mctslab.solvers import ConnectFourSolver, EndgameSolver
from tests.games.playing import late


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no such timer")
@pytest.mark.parametrize(
    ("kind", "position", "longest"),
    [
        (ConnectFourSolver, partial(late, ConnectFour(), 18), 0.002),
        (EndgameSolver, partial(late, Reversi(), 9), 0.0005),
    ],
)
def test_after_ctrl_c_a_solver_gives_the_answers_of_a_new_one(kind, position, longest):
    solver, new, rng = kind(), kind(), np.random.default_rng(1)
    states = [position(rng) for _ in range(30)]
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        for state in states:
            with suppress(KeyboardInterrupt):
                signal.setitimer(signal.ITIMER_REAL, max(1e-6, rng.random() * longest))
                solver.solve(state)
                signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert [solver.solve(state) for state in states] == [new.solve(state) for state in states]
