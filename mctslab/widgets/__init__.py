"""Live boards for notebooks: a board to click on, and the panel on which games are played."""

from mctslab.widgets.bandit_playground import BanditPlayground
from mctslab.widgets.board import BoardWidget
from mctslab.widgets.game_panel import GamePanel
from mctslab.widgets.phase_stepper import PhaseStepper
from mctslab.widgets.tree_explorer import TreeExplorer

__all__ = ["BanditPlayground", "BoardWidget", "GamePanel", "PhaseStepper", "TreeExplorer"]
