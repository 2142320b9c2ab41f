"""The same search as `mctslab.search`, on flat arrays and compiled: the same tree, much faster.

Numba is loaded with the first search, not with this package.
"""

from mctslab.fast.alphabeta import alphabeta, deepen
from mctslab.fast.alphabeta_result import AlphaBetaResult, Iteration
from mctslab.fast.cache import CACHE_VARIABLE, cache_folder
from mctslab.fast.flat import flat_monte_carlo
from mctslab.fast.forest import Forest
from mctslab.fast.mcts import MAX_NODES, SlowSearchWarning, mcts, why_not
from mctslab.fast.parallel import ParallelRoot, root_parallel
from mctslab.fast.puct_search import puct_search, why_not_puct
from mctslab.fast.translate import NotCompilableError
from mctslab.fast.tree import ArrayNode, find

__all__ = [
    "CACHE_VARIABLE",
    "MAX_NODES",
    "AlphaBetaResult",
    "ArrayNode",
    "Forest",
    "Iteration",
    "NotCompilableError",
    "ParallelRoot",
    "SlowSearchWarning",
    "alphabeta",
    "cache_folder",
    "deepen",
    "find",
    "flat_monte_carlo",
    "mcts",
    "puct_search",
    "root_parallel",
    "why_not",
    "why_not_puct",
]
