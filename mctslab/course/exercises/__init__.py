"""The exercises, each by its name: `exercises.ucb1.check(your_function)`."""

from mctslab.course.exercises.nb01_games_and_trees import line_up_returns
from mctslab.course.exercises.nb01_games_and_trees import minimax_exercise as minimax
from mctslab.course.exercises.nb02_monte_carlo import estimate, playout
from mctslab.course.exercises.nb03_selection import select, ucb1

__all__ = ["estimate", "line_up_returns", "minimax", "playout", "select", "ucb1"]
