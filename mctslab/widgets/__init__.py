"""Live boards for notebooks: panels for games, nets and training, trees."""

from mctslab.widgets.alphabeta_stepper import AlphaBetaStepper
from mctslab.widgets.bandit_game import BanditGame
from mctslab.widgets.bandit_playground import BanditPlayground
from mctslab.widgets.convolution_board import ConvolutionBoard
from mctslab.widgets.game_panel import GamePanel
from mctslab.widgets.learning_board import LearningBoard
from mctslab.widgets.minimax_by_hand import MinimaxByHand
from mctslab.widgets.net_panel import NetPanel
from mctslab.widgets.net_positions import named_positions
from mctslab.widgets.phase_stepper import PhaseStepper
from mctslab.widgets.search_sliders import SearchSliders
from mctslab.widgets.training_panel import TrainingPanel
from mctslab.widgets.tree_explorer import TreeExplorer

__all__ = [
    "AlphaBetaStepper",
    "BanditGame",
    "BanditPlayground",
    "ConvolutionBoard",
    "GamePanel",
    "LearningBoard",
    "MinimaxByHand",
    "NetPanel",
    "PhaseStepper",
    "SearchSliders",
    "TrainingPanel",
    "TreeExplorer",
    "named_positions",
]
