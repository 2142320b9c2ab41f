"""Interrupts at random moments in every search that leaves a tree or a table behind.

    python -m tests.benchmarks.interrupts

A timer sends the signal of Ctrl-C at a random moment of a search. Afterwards the tree must be sound
and must be usable for another search, and a solver must give the same answers as a new one.
"""

import argparse
import signal
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from mctslab import fast, games, search
from mctslab.fast.tree import ArrayNode, as_plain
from mctslab.games import State
from mctslab.search import Node, SearchResult
from mctslab.solvers.connect_four import ConnectFourSolver
from mctslab.solvers.endgame import EndgameSolver
from tests.games.playing import late
from tests.search.interrupting import SEARCHES, check_sound

_STATE = games.ConnectFour(4, 4)
_COMPILED: dict[str, Callable[..., SearchResult]] = {
    "fast.mcts": partial(fast.mcts, _STATE, num_simulations=300),
    "fast.mcts, solver": partial(fast.mcts, _STATE, num_simulations=300, solver=True),
    "fast.puct_search, noise": partial(
        fast.puct_search, _STATE, num_simulations=100, evaluator=search.rollout_evaluator(),
        noise=search.DirichletNoise(0.3), batch_size=4,
    ),
    "fast.flat_monte_carlo": partial(fast.flat_monte_carlo, _STATE, num_simulations=400),
}  # fmt: skip


def main() -> None:
    """Print how many searches were interrupted before they were over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=10_000, help="for all searches together")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = np.random.default_rng(arguments.seed)
    kinds = {**SEARCHES, **_COMPILED}
    share = -(-arguments.times // (len(kinds) + 2))
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        for name, searched in kinds.items():
            number = sum(_tree_survives(name, searched, rng) for _ in range(share))
            print(f"{name}: {number} of {share} interrupted, every tree sound", flush=True)
        for name, solver in _SOLVERS.items():
            number = _solver_survives(*solver, share, rng)
            print(f"solver, {name}: {number} of {share} interrupted, same answers", flush=True)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _interrupted(run: Callable[[], object], longest: float, rng: np.random.Generator) -> bool:
    """Whether `run` was interrupted, within `longest` seconds, before it had ended."""
    try:
        signal.setitimer(signal.ITIMER_REAL, max(1e-6, rng.random() * longest))
        run()
        signal.setitimer(signal.ITIMER_REAL, 0)
    except KeyboardInterrupt:
        return True
    return False


def _tree_survives(
    name: str, searched: Callable[..., SearchResult], rng: np.random.Generator
) -> bool:
    seed = int(rng.integers(1 << 32))
    began = time.perf_counter()
    searched(rng=np.random.default_rng(seed))
    took = time.perf_counter() - began
    first = {"num_simulations": 5} if "solver" in name else {}  # more could prove the root
    root = searched(rng=np.random.default_rng(seed), **first).root
    again = partial(searched, root=root, rng=np.random.default_rng(seed + 1))
    was_interrupted = _interrupted(again, took, rng)
    if isinstance(root, ArrayNode):
        root = ArrayNode(root.tree)
    _check(name, root)
    visits = root.visit_count
    after = searched(root=root, rng=rng)  # nobody holds it
    assert after.root.visit_count == visits + after.num_simulations
    return was_interrupted


def _check(name: str, root: Node) -> None:
    if "flat" in name:
        assert len({child.visit_count for child in root.children}) == 1
        assert root.visit_count == sum(child.visit_count for child in root.children)
    elif "transpositions" not in name:
        check_sound(as_plain(root) if isinstance(root, ArrayNode) else root)


def _solver_survives(
    kind: Callable[[], Any],
    position: Callable[[np.random.Generator], State],
    longest: float,
    times: int,
    rng: np.random.Generator,
) -> int:
    """How many of its calls, each in a position of its own, were interrupted within `longest`."""
    solver, number = kind(), 0
    for _ in range(times):
        state = position(rng)
        number += _interrupted(partial(solver.solve, state), longest, rng)
        if rng.random() < 0.02:
            assert solver.solve(state) == kind().solve(state)
    return number


_SOLVERS: Final = {
    "Connect Four": (ConnectFourSolver, partial(late, games.ConnectFour(), 18), 0.002),
    "endgame": (EndgameSolver, partial(late, games.Reversi(), 9), 0.0005),
}
"""Each solver, how a position for it is drawn, and the longest time before an interrupt."""


if __name__ == "__main__":
    main()
