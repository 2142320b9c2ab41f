"""The exercises, by their names: `exercises.ucb1.check(your_function)`."""

from mctslab.course.exercise import Exercise
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
from mctslab.course.exercises.nb08_museum import museum_flips, museum_next_player
from mctslab.course.exercises.nb08_reversi import frontier, mobility, roxanne_move
from mctslab.course.exercises.nb09_museum import museum_gate
from mctslab.course.exercises.nb09_roxanne_rollouts import (
    bias_and_variance,
    games_needed,
    match_score,
)
from mctslab.course.exercises.nb10_minimax_and_clocks import alphabeta_exercise as alphabeta
from mctslab.course.exercises.nb10_minimax_and_clocks import deepen
from mctslab.course.exercises.nb10_museum import negamax_exhibit as museum_negamax
from mctslab.course.exercises.nb10_museum import table_exhibit as museum_table
from mctslab.course.exercises.nb11_museum import (
    museum_expand,
    museum_probabilities,
    museum_virtual_loss,
)
from mctslab.course.exercises.nb11_puct import gather, noisy_priors, puct
from mctslab.course.exercises.nb11_variants import progressive_bias, rave_backup
from mctslab.course.exercises.nb12_museum import museum_legal_priors, museum_mirror
from mctslab.course.exercises.nb12_net import encode, loss, residual_block, symmetries
from mctslab.course.exercises.nb13_museum import museum_play, museum_values
from mctslab.course.exercises.nb13_self_play import play_move, promotion_gate, self_play_targets
from mctslab.course.exercises.nb14_nets import misjudged_position, misjudges, museum_match_move
from mctslab.course.exercises.nb15_your_own_game import breakthrough_moves, breakthrough_winner

__all__ = [
    "alphabeta",
    "anytime",
    "backpropagate",
    "bias_and_variance",
    "breakthrough_moves",
    "breakthrough_winner",
    "deepen",
    "encode",
    "estimate",
    "expand",
    "frontier",
    "games_needed",
    "gather",
    "line_up_returns",
    "loss",
    "match_score",
    "minimax",
    "misjudged_position",
    "misjudges",
    "mobility",
    "museum_backpropagate",
    "museum_best_move",
    "museum_children",
    "museum_expand",
    "museum_flips",
    "museum_gate",
    "museum_labels",
    "museum_legal_priors",
    "museum_match_move",
    "museum_mirror",
    "museum_negamax",
    "museum_next_player",
    "museum_play",
    "museum_probabilities",
    "museum_result",
    "museum_reward",
    "museum_simulation",
    "museum_table",
    "museum_values",
    "museum_virtual_loss",
    "noisy_priors",
    "play_move",
    "playout",
    "progressive_bias",
    "promotion_gate",
    "puct",
    "rave_backup",
    "residual_block",
    "reuse_tree",
    "rollout",
    "roxanne_move",
    "select",
    "self_play_targets",
    "symmetries",
    "ucb1",
    "uct",
]


def all_exercises() -> dict[str, Exercise]:
    """Every exercise by its name, in the order of the notebooks."""
    found: list[Exercise] = [globals()[name] for name in __all__]
    return {each.name: each for each in sorted(found, key=lambda each: each.notebook)}
