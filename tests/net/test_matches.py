"""Games between a net and another side: whose turn it is, who has won, and when it is measured."""

import itertools

import numpy as np
import pytest

from mctslab.games import ConnectFour, TicTacToe
from mctslab.net.evaluation import net_mover, play_match
from mctslab.net.evaluator import NetEvaluator
from mctslab.net.run_log import read_log, read_strength
from mctslab.net.training import Run
from mctslab.net.training_config import Gate
from mctslab.score import Score
from mctslab.search import minimax, puct_search
from tests.games.playing import random_game
from tests.net.nets import net_with_history, small_net
from tests.net.runs import BENCHMARK, config


def match(first_state, ours, theirs, num_games=20, opening_plies=2):
    rules = Gate(num_games=num_games, opening_plies=opening_plies)
    return play_match(rules, first_state, ours, theirs, (0,))


class Perfect:
    """Plays Tic-Tac-Toe by minimax; with the other sign as badly as it can."""

    def __init__(self, sign=1):
        self.sign, self.memo = sign, {}

    def __call__(self, games):
        return [self.choose(game[-1]) for game in games]

    def choose(self, state):
        worth = lambda action: minimax(state.child(action), self.memo)[state.current_player]  # noqa: E731
        return max(state.legal_actions(), key=lambda action: self.sign * worth(action))


def test_wins_and_losses_are_those_of_our_side_in_both_roles():
    """The better side wins all; there is no random opening, which could decide the game.

    If both play the first legal move, whoever begins wins.
    """
    best, worst = Perfect(), Perfect(-1)
    for ours, theirs, score in (
        (best, worst, Score(wins=1)), (worst, best, Score(losses=1)), (best, best, Score(draws=1)),
    ):  # fmt: skip
        assert match(TicTacToe(), ours, theirs, num_games=2, opening_plies=0) == (score, score)
    first = lambda games: [game[-1].legal_actions()[0] for game in games]  # noqa: E731
    halves = Score(wins=1), Score(losses=1)
    assert match(TicTacToe(), first, first, num_games=2, opening_plies=0) == halves


@pytest.mark.parametrize("make", [small_net, net_with_history])
def test_a_net_moves_as_its_search_alone_does(make):
    """It sees the earlier positions of its game, too."""
    rng, state = np.random.default_rng(0), ConnectFour()
    evaluator = NetEvaluator(net := make(state))
    games = [[*itertools.islice(random_game(state, rng), n)] for n in (1, 2, 5, 8)]
    options = {"evaluator": evaluator, "num_simulations": 40, "rng": rng}
    alone = [puct_search(state, past=past, **options).best_action for *past, state in games]
    assert net_mover(net, 40)(games) == alone


# While it trains


def test_a_net_is_measured_now_and_then_and_in_the_end(whole):
    measured = read_strength(whole)
    assert [(each.iteration, each.opponent) for each in measured] == [
        (4, "random"), (4, "uct:40"), (6, "random"), (6, "uct:40"),
    ]  # fmt: skip
    positions = {each["number"]: each["num_positions"] for each in read_log(whole)}
    for each in measured:
        assert each.num_positions == positions[each.iteration]
        assert sum(each.as_first) == sum(each.as_second) == 2
        assert each.score == each.as_first + each.as_second
        assert each.num_simulations == 4


def test_a_stop_ends_the_matches_and_those_that_are_missing_are_played():
    run = Run(config())
    run.num_iterations = 4
    alone = list(BENCHMARK.measure(run))
    assert [each.opponent for each in alone] == ["random", "uct:40"]
    stops = iter([False, True])
    assert list(BENCHMARK.measure(run, stop=lambda: next(stops))) == alone[:1]
    assert list(BENCHMARK.measure(run, alone[:1])) == alone[1:]
