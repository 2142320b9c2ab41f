"""The same search as `mctslab.search`, on flat arrays and compiled: the same tree, much faster.

Numba is loaded with the first search, not with this package.
"""

from mctslab.fast.compile.cache import CACHE_VARIABLE, cache_folder
from mctslab.fast.compile.translate import NotCompilableError
from mctslab.fast.flat import flat_monte_carlo
from mctslab.fast.forest import CompiledForest
from mctslab.fast.mcts import mcts, why_not
from mctslab.fast.puct_search import puct_search, why_not_puct
from mctslab.fast.running import SlowSearchWarning

__all__ = [
    "CACHE_VARIABLE",
    "CompiledForest",
    "NotCompilableError",
    "SlowSearchWarning",
    "cache_folder",
    "flat_monte_carlo",
    "mcts",
    "puct_search",
    "why_not",
    "why_not_puct",
]
