"""The same search as `mctslab.search`, on flat arrays and compiled: the same tree, much faster.

Numba is loaded with the first search, not with this package.
"""

from mctslab.fast.batched_trees import BatchedTrees
from mctslab.fast.cache import CACHE_VARIABLE, cache_folder
from mctslab.fast.classic.alphabeta import SOLVE_FROM, alphabeta, deepen, prepare_alphabeta
from mctslab.fast.classic.alphabeta_result import AlphaBetaResult, Limits
from mctslab.fast.classic.connect_four import ConnectFourSolver, SolvedPosition
from mctslab.fast.classic.endgame import EndgameSolver
from mctslab.fast.flat import flat_monte_carlo
from mctslab.fast.mcts import mcts, why_not
from mctslab.fast.parallel import root_parallel
from mctslab.fast.puct_search import puct_search, why_not_puct
from mctslab.fast.running import SlowSearchWarning
from mctslab.fast.translate import NotCompilableError
from mctslab.fast.tree import find

__all__ = [
    "CACHE_VARIABLE",
    "SOLVE_FROM",
    "AlphaBetaResult",
    "BatchedTrees",
    "ConnectFourSolver",
    "EndgameSolver",
    "Limits",
    "NotCompilableError",
    "SlowSearchWarning",
    "SolvedPosition",
    "alphabeta",
    "cache_folder",
    "deepen",
    "find",
    "flat_monte_carlo",
    "mcts",
    "prepare_alphabeta",
    "puct_search",
    "root_parallel",
    "why_not",
    "why_not_puct",
]
