"""A project of somebody else, with types; it is checked and not run (test_extend.py)."""

import copy
import pickle
from collections.abc import Sequence
from functools import partial

import numpy as np
from torch import Tensor, nn

from mctslab import arena, draw, fast, games, net, players, search
from mctslab.games import State, contract
from mctslab.net import NetConfig, TrainingConfig
from mctslab.search import SearchResult
from mctslab.widgets import GamePanel, PhaseStepper


class TakeAway(State):
    def __init__(self, heap: int = 7, player: int = 0) -> None:
        self.heap, self.player = heap, player

    @property
    def current_player(self) -> int:
        return self.player

    def legal_actions(self) -> tuple[int, ...]:
        return tuple(range(1, min(3, self.heap) + 1))

    def child(self, action: int) -> "TakeAway":
        return TakeAway(self.heap - action, 1 - self.player)

    @property
    def is_terminal(self) -> bool:
        return self.heap == 0

    def returns(self) -> tuple[float, float]:
        return (-1.0, 1.0) if self.player == 0 else (1.0, -1.0)


def even(states: Sequence[State], rng: np.random.Generator) -> tuple[np.ndarray, None]:
    return np.zeros(len(states)), None


def bolder(visits: int, prior: float, parent_visits: int, c: float) -> float:
    return c * prior * parent_visits / (1 + visits)


evaluator = search.rollout_evaluator(search.by_class([0, 1, 1, 1]))
result: SearchResult = fast.mcts(TakeAway(), num_simulations=9, evaluator=evaluator, rng=1)
numbers: dict[str, object] = result.to_dict()
search.puct_search(TakeAway(), num_simulations=9, evaluator=even, rng=None)
player: players.Player = players.make("uct:50", rng=1)
score: float = arena.match(TakeAway(), "uct:9", "random", num_games=2, seed=1).score.rate.value
spiel: State = games.from_openspiel("hex(board_size=5)")


class MyNet(nn.Module):
    def __init__(self, config: NetConfig) -> None:
        super().__init__()
        size = config.inputs.count * config.rows * config.cols
        self.hidden = nn.Sequential(nn.Flatten(), nn.Linear(size, 32), nn.ReLU())
        self.policy = nn.Linear(32, config.num_actions)
        self.value = nn.Linear(32, 1)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        features = self.hidden(planes)
        return self.policy(features), self.value(features)[:, 0].tanh()


def corner_first(state: State) -> int:
    return min(state.legal_actions(), key=lambda move: move not in (0, 2, 6, 8))


def with_history(
    states: Sequence[State], rng: np.random.Generator, before: Sequence[Sequence[State]] = ()
) -> tuple[np.ndarray, np.ndarray]:
    return np.zeros((len(states), 2)), np.ones((len(states), 9))


def cautious(state: State, rng: np.random.Generator) -> int:
    return int(rng.choice(state.legal_actions()))


training = TrainingConfig(game="tictactoe", num_games=4, num_iterations=1, steps_per_iteration=2)
net.train(training, "runs/mine", make_net=MyNet)
mine = net.player("runs/mine", 20, make_net=MyNet, device="cpu", rng=1)
move: int = mine.choose(games.TicTacToe())
loaded = net.load("runs/mine", make_net=MyNet, device="auto")
search.puct_search(games.TicTacToe(), num_simulations=9, evaluator=loaded, rng=1)
search.puct_search(games.TicTacToe(), num_simulations=9, evaluator=with_history, rng=1)
own = search.rollout_evaluator(cautious)
fast.puct_search(
    TakeAway(),
    num_simulations=9,
    evaluator=own,
    selection=search.puct(1.5, exploration=bolder),
    rng=1,
)
again: SearchResult = pickle.loads(pickle.dumps(copy.deepcopy(result)))
best: int = again.best_action
children = [(child.action, child.visit_count, child.mean_value) for child in again.children]
bold = partial(players.UCTPlayer, 50, selection=search.ucb1(2.0))
start = games.TicTacToe()
print(arena.match(start, first=corner_first, second=bold, num_games=4, seed=1))
print(arena.match("tictactoe", players.UCTPlayer(9, rng=None), player, num_games=4, seed=1))
print(contract.check(TakeAway()))
trace = search.Trace()
search.mcts(TakeAway(), num_simulations=40, rng=1, trace=trace)
draw.tree(result, boards=True)
PhaseStepper(trace)
GamePanel(TakeAway(), white="uct:200")
