"""The readable search: Monte Carlo Tree Search as in the textbook's picture.

`mcts` is the search; `select`, `expand`, `simulate` and `backpropagate` are its four phases.
`puct_search` is the same with an evaluator instead of rollouts, the search of AlphaZero.
The classical search is here as well: `depth_limited_minimax` and `alpha_beta`.
"""

from mctslab.search.alphabeta import (
    WIN,
    EvaluationFunction,
    alpha_beta,
    depth_limited_minimax,
    minimax,
    no_evaluation,
)
from mctslab.search.checks import EvaluationError
from mctslab.search.evaluators import (
    Evaluation,
    Evaluator,
    rollout,
    rollout_evaluator,
    uniform,
    uniform_evaluator,
    with_priors,
)
from mctslab.search.knowledge.gomoku import gomoku_prior, heuristic, threat_evaluator, threat_value
from mctslab.search.knowledge.reversi import ReversiEvaluation
from mctslab.search.knowledge.roxanne import (
    FIVE_CLASSES,
    NINE_CLASSES,
    by_class,
    greedy,
    roxanne,
    roxanne_prior,
)
from mctslab.search.knowledge.threats import find_threats
from mctslab.search.mcts import Phases, backpropagate, expand, expand_all, mcts, select, simulate
from mctslab.search.node import Node
from mctslab.search.noise import DirichletNoise
from mctslab.search.puct_search import puct_search
from mctslab.search.result import (
    ChildStatistics,
    NotEnoughSimulationsError,
    SearchResult,
    draw_action,
    visit_probabilities,
)
from mctslab.search.selection import SelectionRule, SelectionScore, puct, ucb1
from mctslab.search.trace import Trace

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
    "Node",
    "NotEnoughSimulationsError",
    "Phases",
    "ReversiEvaluation",
    "SearchResult",
    "SelectionRule",
    "SelectionScore",
    "Trace",
    "alpha_beta",
    "backpropagate",
    "by_class",
    "depth_limited_minimax",
    "draw_action",
    "expand",
    "expand_all",
    "find_threats",
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
