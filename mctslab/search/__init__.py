"""The readable search: Monte Carlo Tree Search as in the textbook's picture.

`mcts` is the search; `select`, `expand`, `simulate` and `backpropagate` are its four phases.
`puct_search` is the same with an evaluator in place of rollouts, the search of AlphaZero.
Beside it stands the classical search: `depth_limited_minimax` and `alpha_beta`.
"""

from mctslab.search.alphabeta import (
    WIN,
    EvaluationFunction,
    MinimaxResult,
    alpha_beta,
    depth_limited_minimax,
    no_evaluation,
)
from mctslab.search.evaluation import ReversiEvaluation
from mctslab.search.evaluators import (
    Evaluation,
    EvaluationError,
    Evaluator,
    PriorFunction,
    function_evaluator,
    rollout_evaluator,
    uniform_evaluator,
    with_priors,
)
from mctslab.search.gomoku_prior import gomoku_prior, heuristic
from mctslab.search.mcts import (
    Expansion,
    backpropagate,
    expand,
    expand_all,
    mcts,
    select,
    simulate,
)
from mctslab.search.minimax import minimax
from mctslab.search.node import Node
from mctslab.search.noise import DirichletNoise
from mctslab.search.puct_search import puct_search
from mctslab.search.result import ChildStatistics, NotEnoughSimulationsError, SearchResult
from mctslab.search.reuse import SearchRunningError
from mctslab.search.reversi_prior import roxanne_prior
from mctslab.search.rollouts import (
    FIVE_CLASSES,
    NINE_CLASSES,
    greedy,
    rollout,
    roxanne,
    uniform,
)
from mctslab.search.selection import Score, SelectionRule, puct, ucb1
from mctslab.search.temperature import draw_action, visit_probabilities
from mctslab.search.threat_evaluator import threat_evaluator, threat_value
from mctslab.search.threats import Threats, find_threats
from mctslab.search.trace import Trace
from mctslab.search.trace_data import TraceError
from mctslab.search.trace_file import TraceFileError

__all__ = [
    "FIVE_CLASSES",
    "NINE_CLASSES",
    "WIN",
    "ChildStatistics",
    "DirichletNoise",
    "Evaluation",
    "EvaluationError",
    "EvaluationFunction",
    "Evaluator",
    "Expansion",
    "MinimaxResult",
    "Node",
    "NotEnoughSimulationsError",
    "PriorFunction",
    "ReversiEvaluation",
    "Score",
    "SearchResult",
    "SearchRunningError",
    "SelectionRule",
    "Threats",
    "Trace",
    "TraceError",
    "TraceFileError",
    "alpha_beta",
    "backpropagate",
    "depth_limited_minimax",
    "draw_action",
    "expand",
    "expand_all",
    "find_threats",
    "function_evaluator",
    "gomoku_prior",
    "greedy",
    "heuristic",
    "mcts",
    "minimax",
    "no_evaluation",
    "puct",
    "puct_search",
    "rollout",
    "rollout_evaluator",
    "roxanne",
    "roxanne_prior",
    "select",
    "simulate",
    "threat_evaluator",
    "threat_value",
    "ucb1",
    "uniform",
    "uniform_evaluator",
    "visit_probabilities",
    "with_priors",
]
