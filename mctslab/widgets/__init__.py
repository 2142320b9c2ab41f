"""Live boards for notebooks: a board to click on, and the panel on which games are played."""

from mctslab.widgets.board import BoardWidget
from mctslab.widgets.game_panel import GamePanel

__all__ = ["BoardWidget", "GamePanel"]
