"""Perfect players of Connect Four and of Reversi's endgame, and alpha-beta of Reversi: compiled.

Numba is loaded with the first solver, not with this package.
"""

from mctslab.solvers.alphabeta import SOLVE_FROM, alphabeta, check_limits, deepen, prepare_alphabeta
from mctslab.solvers.alphabeta_result import AlphaBetaResult
from mctslab.solvers.connect_four import ConnectFourSolver
from mctslab.solvers.endgame import EndgameSolver

__all__ = [
    "SOLVE_FROM",
    "AlphaBetaResult",
    "ConnectFourSolver",
    "EndgameSolver",
    "alphabeta",
    "check_limits",
    "deepen",
    "prepare_alphabeta",
]
