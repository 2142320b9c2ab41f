"""An example of each widget of the notebooks, with something small in it."""

import tempfile
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np

from mctslab import course, draw, games, search, widgets
from mctslab.course import Truth
from mctslab.games import State
from tests.search.toys import Turn, WrittenOut
from tests.widgets.test_tree_explorer import after, grow

TTT: Final = games.TicTacToe()
THREATS: Final = search.with_priors(search.rollout_evaluator(), search.gomoku_prior)
FOUR: Final = games.Gomoku(size=6, in_a_row=4)
THREE: Final = WrittenOut(Turn(0, (Turn(1, (3, 5)), Turn(1, (2, 9, 8)), Turn(1, (7, 1)))))
"""Its nodes are the root 0, a 1 (2, 3), b 4 (5, 6, 7) and c 8 (9, 10)."""
NETS: Final = (("rollouts", THREATS), ("threats", search.threat_evaluator()))


def traced(state: State = TTT, num_simulations: int = 30) -> search.Trace:
    """A search, event by event."""
    trace = search.Trace()
    grow(state, num_simulations, trace=trace)
    return trace


def ask_share(name: str) -> Any:
    question = "How many random games does the first player win?"
    share = Truth(58.5, "The first player wins 58.5 % of them.", draw.board(TTT))
    return course.predict.number(name, question, share, low=0, high=100, unit="%")


def ask_choice(name: str, picture: Any = None) -> Any:
    picture = picture or grow(TTT, 9).table()
    more = "It is *deep*, see `draw.tree`.\n\nIt takes long."
    truth = Truth("this", "It is this.", picture, more)
    return course.predict.choice(name, "Which one is it?", ["this", "that", "both"], truth)


def ask_curve(name: str) -> Any:
    pulls, regret = [1, 2, 4, 8, 16, 32], [10, 22, 31, 38, 44, 49]
    said = "The regret of UCB1 grows ever more slowly."
    truth = Truth(regret, said, "pulls  1  32\nregret  10  49")
    options: Any = {"x_label": "pulls", "y_label": "regret (lost wins)"}
    return course.predict.curve(name, "How does it grow?", pulls, truth, low=0, high=100, **options)


def training() -> widgets.TrainingPanel:
    from mctslab.net import read_reference  # it loads PyTorch

    config = replace(read_reference("reversi6").settings, num_iterations=9)
    return widgets.TrainingPanel(config, tempfile.mkdtemp(), reference="reversi6")


def learning(num_frames: int = 12) -> widgets.LearningBoard:
    seen = widgets.LearningBoard(after(0, 4, 1))
    for block in np.linspace(0.05, 0.9, num_frames):
        seen.add([*[(1 - block) / 5] * 2, block, *[(1 - block) / 5] * 3], block - 1)
    return seen


EXAMPLES: Final[dict[str, Callable[[], Any]]] = {
    "GamePanel": lambda: widgets.GamePanel("reversi", white="uct:300"),
    "PhaseStepper": lambda: widgets.PhaseStepper(traced()),
    "BanditPlayground": lambda: widgets.BanditPlayground(num_pulls=100, num_runs=60),
    "BanditGame": lambda: widgets.BanditGame(num_pulls=5),
    "ConvolutionBoard": lambda: widgets.ConvolutionBoard(after(4, 0, 2, 6)),
    "TreeExplorer": lambda: widgets.TreeExplorer(grow(games.Reversi(), 90)),
    "SearchSliders": lambda: widgets.SearchSliders(FOUR, evaluator=THREATS, num_simulations=60),
    "NetPanel": lambda: widgets.NetPanel(*NETS, state=FOUR, num_simulations=100),
    "TrainingPanel": training,
    "LearningBoard": learning,
    "MinimaxByHand": lambda: widgets.MinimaxByHand(after(4, 0, 6, 2, 8, 5)),
    "AlphaBetaStepper": lambda: widgets.AlphaBetaStepper(THREE),
    "QuestionsWidget": lambda: course.recall("09"),
}

NEED_NO_KERNEL = (
    *("PhaseStepper", "TreeExplorer", "AlphaBetaStepper", "LearningBoard", "MinimaxByHand"),
    *("BanditPlayground", "BanditGame", "ConvolutionBoard", "QuestionsWidget"),
)
