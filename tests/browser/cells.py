"""A cell for each widget of the notebooks, which shows it with something small in it."""

from typing import Final

TOP: Final = r"""
import tempfile
import numpy as np
from mctslab import course, draw, games, search, widgets
from mctslab.course import Place, TreeGame, turn_of
ttt, rng = games.TicTacToe(), np.random.default_rng(1)
late = ttt.child(4).child(0).child(6).child(2).child(8).child(5)
threats = search.with_priors(search.rollout_evaluator(), search.gomoku_prior)
gomoku = games.Gomoku(size=6, in_a_row=4)
nets = [("rollouts", threats), ("threats", search.threat_evaluator())]
share = course.Truth(58.5, "The first player wins 58.5 % of them.", draw.board(ttt))
tree = course.Truth("this", "It is this.", search.mcts(ttt, num_simulations=9, rng=rng).table(),
                    "Its tree is *deep*, see `draw.tree`.\n\nThis takes a while.")
regret = course.Truth([10, 22, 31, 38, 44, 49], "The regret of UCB1 grows ever more slowly.",
                      "pulls  1  32\nregret  10  49")
def ask_share(name):
    question = "How many random games does the first player win?"
    return course.predict.number(name, question, share, low=0, high=100, unit="%")
def ask_choice(name):
    return course.predict.choice(name, "Which one is it?", ["this", "that", "both"], tree)
def ask_curve(name):
    return course.predict.curve(name, "How does it grow?", [1, 2, 4, 8, 16, 32], regret, low=0,
                                high=100, x_label="pulls", y_label="regret (lost wins)")
def end(value): return Place(0, returns=(value, -value))
replies = [turn_of(1, *map(end, values)) for values in ([3, 5], [2, 9, 8], [7, 1])]
trace, rng_of_trace = search.Trace(), np.random.default_rng(1)
traced = search.mcts(ttt, num_simulations=30, rng=rng_of_trace, trace=trace)
"""
"""What the cells need; the first cell of a notebook."""

CELLS: Final = {
    "GamePanel": 'widgets.GamePanel("reversi", white="uct:300")',
    "PhaseStepper": "widgets.PhaseStepper(trace)",
    "BanditPlayground": "widgets.BanditPlayground(num_pulls=100, num_runs=60)",
    "BanditGame": "widgets.BanditGame(num_pulls=5)",
    "ConvolutionBoard": "widgets.ConvolutionBoard(ttt.child(4).child(0).child(2).child(6))",
    "TreeExplorer": """\
widgets.TreeExplorer(search.mcts(games.Reversi(), num_simulations=90, rng=rng))""",
    "SearchSliders": "widgets.SearchSliders(gomoku, evaluator=threats, num_simulations=60)",
    "NetPanel": "widgets.NetPanel(*nets, state=games.Gomoku(size=9), num_simulations=100)",
    "TrainingPanel": """\
from mctslab.net import TrainingConfig, read_reference
earlier = read_reference("reversi6")
config = TrainingConfig.from_entries({**earlier.settings, "seed": 1, "num_iterations": 9})
widgets.TrainingPanel(config, tempfile.mkdtemp(), reference="reversi6")""",
    "LearningBoard": """\
seen = widgets.LearningBoard(ttt.child(0).child(4).child(1))
for block in np.linspace(0.05, 0.9, 12):
    seen.add([*[(1 - block) / 5] * 2, block, *[(1 - block) / 5] * 3], block - 1)
seen""",
    "MinimaxByHand": "widgets.MinimaxByHand(late)",
    "AlphaBetaStepper": "widgets.AlphaBetaStepper(TreeGame(turn_of(0, *replies)))",
}
"""By its name; `_` is the widget afterwards."""
