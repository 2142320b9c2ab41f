"""The exercises, each by its name: `exercises.ucb1.check(your_function)`."""

from mctslab.course.exercises.nb01_games_and_trees import line_up_returns
from mctslab.course.exercises.nb01_games_and_trees import minimax_exercise as minimax
from mctslab.course.exercises.nb02_monte_carlo import estimate, playout
from mctslab.course.exercises.nb03_selection import select, ucb1
from mctslab.course.exercises.nb04_expansion import expand
from mctslab.course.exercises.nb05_simulation import rollout
from mctslab.course.exercises.nb06_backpropagation import backpropagate, uct
from mctslab.course.exercises.nb06_museum import (
    museum_backpropagate,
    museum_children,
    museum_reward,
    museum_simulation,
)
from mctslab.course.exercises.nb07_connect_four import anytime, reuse_tree
from mctslab.course.exercises.nb07_museum import museum_best_move, museum_labels, museum_result
from mctslab.course.exercises.nb10_minimax_and_clocks import alphabeta_exercise as alphabeta
from mctslab.course.exercises.nb10_minimax_and_clocks import deepen
from mctslab.course.exercises.nb10_museum import negamax_exhibit as museum_negamax
from mctslab.course.exercises.nb10_museum import table_exhibit as museum_table

__all__ = [
    "alphabeta",
    "anytime",
    "backpropagate",
    "deepen",
    "estimate",
    "expand",
    "line_up_returns",
    "minimax",
    "museum_backpropagate",
    "museum_best_move",
    "museum_children",
    "museum_labels",
    "museum_negamax",
    "museum_result",
    "museum_reward",
    "museum_simulation",
    "museum_table",
    "playout",
    "reuse_tree",
    "rollout",
    "select",
    "ucb1",
    "uct",
]
