"""How self-play chooses: Gumbel's root against a search written plainly, and caps of its length."""

import itertools
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from mctslab import games
from mctslab.fast import BatchedTrees
from mctslab.net import planning as formulas
from mctslab.net.encode import InputPlanes
from mctslab.net.evaluator import NetEvaluator
from mctslab.net.inference import Answer, TorchInference
from mctslab.net.planning import Budgets, VisitPlanner
from mctslab.net.run_folder import train
from mctslab.net.run_log import read_log
from mctslab.net.training_config import Gumbel, PlayoutCap, SelfPlayConfig
from mctslab.search import DirichletNoise, puct_search
from tests.net.runs import config, is_as, train_in_parts
from tests.net.test_self_play import net_for, self_play

GAMES = [games.Gomoku(size=5, in_a_row=4), games.Reversi(4), games.ConnectFour(4, 5)]
CAP = PlayoutCap(num_simulations=4, full_share=0.5)


class PlainGumbel:
    """The search of one position with Gumbel's root: every move has a readable search of its own.

    What `puct_search` finds in a child after k simulations is what k walks through it find.
    """

    def __init__(self, state, net, options, noise):
        self.state, self.options, self.noise = state, options, noise
        self.evaluator = NetEvaluator(net, inference=TorchInference(net))
        evaluation = self.evaluator([state], np.random.default_rng(0))
        self.legal = list(state.legal_actions())
        self.priors, self.visits = np.zeros(state.num_actions), np.zeros(state.num_actions, int)
        self.priors[self.legal] = evaluation.priors[0]
        self.value = np.array(evaluation.values[0][state.current_player])
        self.logits = formulas.log_priors(self.priors, self.priors > 0)
        self.found = cache(self.found)

    def found(self, action, visits):
        """What a move is worth after so many simulations, to the player who makes it."""
        player, child = self.state.current_player, self.state.child(action)
        if child.is_terminal:
            return child.returns()[player]
        rng = np.random.default_rng(0)
        result = puct_search(child, evaluator=self.evaluator, num_simulations=int(visits), rng=rng)
        same_player = child.current_player == player
        return result.root.mean_value if same_player else -result.root.mean_value

    def scores(self):
        each = enumerate(self.visits)
        totals = np.array([visits * self.found(a, visits) if visits else 0 for a, visits in each])
        completed = formulas.completed_values(self.visits, totals, self.priors, self.value)
        return self.logits + formulas.sigma(completed, self.visits, self.options)

    def run(self, num_simulations):
        """The policy of such a search."""
        considered = min(self.options.num_considered, len(self.legal))
        for planned in formulas.considered_visits(considered, num_simulations):
            scores = self.noise + self.scores()
            candidates = [a for a in self.legal if self.visits[a] == planned]
            self.visits[max(candidates, key=lambda a: scores[a])] += 1
        return formulas.improved_policy(self.scores())


@pytest.mark.parametrize("state", GAMES, ids=lambda state: state.game)
def test_gumbel_searches_every_move_as_a_plain_search_does(state):
    """Over a whole game, with the same noise; the moves are the best of the most searched."""
    net, gumbel = net_for(state), Gumbel(num_considered=6, c_visit=10, c_scale=0.3)
    options = SelfPlayConfig(num_simulations=14, gumbel=gumbel, temperature_plies=3)
    game = self_play(state, options, num_games=1, seed=5).play(TorchInference(net), 40)[0]
    rng = np.random.default_rng(5)
    rng.integers(1)  # the length of the opening
    for ply, (before, after) in enumerate(itertools.pairwise(game.positions)):
        noise = rng.gumbel(size=state.num_actions)
        plain = PlainGumbel(before, net, gumbel, noise)
        np.testing.assert_allclose(game.policies[ply], plain.run(13), atol=1e-5)
        scores = plain.scores() + (noise if ply < 3 else 0)
        most = np.flatnonzero(plain.visits == plain.visits.max())
        assert after.last_action == max(most, key=lambda action: scores[action])


def always(logits):
    """Stands for a net that says the same of every position."""
    return lambda planes: Answer(
        np.tile(np.float32(logits), (len(planes), 1)), np.zeros(len(planes), np.float32)
    )


def test_after_the_temperature_plies_the_noise_has_no_say_in_the_move():
    """If all else is equal, the net's favourite move is played then; before, a random one."""
    priors = np.array([0.4, 0.2, 0.1, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05])
    options = SelfPlayConfig(num_simulations=10, gumbel=Gumbel(9, c_scale=0.0))
    first_moves = []
    for plies in (0, 1):
        playing = self_play(
            games.TicTacToe(), replace(options, temperature_plies=plies), num_games=200
        )
        finished = playing.play(always(np.log(priors)), 2_500)
        first_moves.append(np.array([game.actions[0] for game in finished]))
    greedy, drawn = first_moves
    assert set(greedy) == {0}
    shares = np.bincount(drawn, minlength=9) / len(drawn)
    np.testing.assert_allclose(shares, priors, atol=4 * np.sqrt(0.25 / len(drawn)))


# Caps


def test_a_short_search_is_short_and_has_no_noise():
    trees = BatchedTrees([[games.TicTacToe()]] * 400, capacity=200)
    rng = np.random.default_rng(1)
    budgets = Budgets(trees, 9, PlayoutCap(num_simulations=3, full_share=0.3), rng)
    planner = VisitPlanner(trees, budgets, 0, rng, DirichletNoise(1.0, 0.5))
    for tree in range(400):
        budgets.begin(tree)
        planner.begin(tree)
    assert 0.2 < budgets.is_full.mean() < 0.4
    assert budgets.num_visits.tolist() == np.where(budgets.is_full, 9, 3).tolist()
    for visits in range(1, 10):
        walks = trees.gather(planner.first_actions())
        trees.apply(walks, np.zeros(len(walks)), np.zeros((len(walks), 9)))
        planner.prepare()
        expected = budgets.num_visits <= visits
        assert budgets.spent() == np.flatnonzero(expected).tolist()
    is_even = np.isclose(trees.roots().priors, 1 / 9).all(axis=1)
    assert (is_even == ~budgets.is_full).all()
    choices = list(planner.choices(range(400), [0] * 400))
    assert [choice.policy is not None for choice in choices] == budgets.is_full.tolist()


@pytest.mark.parametrize("gumbel", [None, Gumbel(num_considered=4)])
def test_only_what_was_searched_fully_is_learnt(gumbel):
    state = games.Gomoku(size=5, in_a_row=4)
    options = SelfPlayConfig(num_simulations=9, playout_cap=CAP, gumbel=gumbel)
    playing = self_play(state, options, num_games=20)
    finished = playing.play(TorchInference(net_for(state)), 1_500)
    policies = [policy for game in finished for policy in game.policies]
    share = np.mean([policy is not None for policy in policies])
    assert abs(share - 0.5) < 4 * np.sqrt(0.25 / len(policies))
    for game in finished:
        taught = [policy for policy in game.policies if policy is not None]
        policies = game.finished(InputPlanes()).samples.policies
        np.testing.assert_array_equal(policies.reshape(-1, 25), np.reshape(taught, (-1, 25)))
    again = self_play(state, options, num_games=20)
    again.restore(playing.tensors())
    for game, kept in zip(playing._games, again._games, strict=True):
        assert game.positions == kept.positions
        assert [p is None for p in game.policies] == [p is None for p in kept.policies]
    # A short search has no noise, not even Gumbel's: it plays what it thinks best, always the same.
    plies = options.temperature_plies if gumbel else 0
    short = replace(options, playout_cap=replace(CAP, full_share=1e-9), temperature_plies=plies)
    finished = self_play(state, short, num_games=5).play(TorchInference(net_for(state)), 150)
    assert len({tuple(game.actions) for game in finished}) == 1


# Training


@pytest.mark.parametrize("gumbel", [None, Gumbel(num_considered=3)])
def test_a_run_goes_on_exactly(tmp_path, gumbel):
    cap = PlayoutCap(num_simulations=3, full_share=0.4)
    playing = SelfPlayConfig(num_simulations=8, opening_plies=2, playout_cap=cap, gumbel=gumbel)
    settings = config(self_play=playing, num_iterations=4)
    train(settings, tmp_path / "whole")
    train_in_parts(tmp_path / "parts", settings)
    assert is_as(tmp_path / "parts", tmp_path / "whole")
    assert any(each["policy_entropy"] for each in read_log(tmp_path / "whole"))


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_games_without_a_long_search_are_no_trouble(tmp_path):
    """They teach nothing, and what is said of an iteration is said of the others."""
    cap = PlayoutCap(num_simulations=2, full_share=0.1)
    playing = SelfPlayConfig(num_simulations=4, playout_cap=cap)
    train(config(self_play=playing, num_iterations=10), tmp_path)
    log = [each for each in read_log(tmp_path) if each["num_games"]]
    assert len(log) >= 6
    assert log[-1]["value_loss"] > 0


# Proofs


@pytest.mark.parametrize("gumbel", [None, Gumbel(num_considered=4)])
def test_a_move_that_wins_at_once_is_played_and_learnt_as_certain(gumbel):
    """Whatever the noise, the temperature and the net say; without proofs it is often missed."""
    state = games.Gomoku(size=4, in_a_row=3)
    missed = []
    for solver in (True, False):
        options = SelfPlayConfig(num_simulations=6, gumbel=gumbel, solver=solver)
        finished = self_play(state, options, num_games=20).play(TorchInference(net_for(state)), 600)
        missed.append(0)
        for game in finished:
            for before, after, policy in zip(
                game.positions, game.positions[1:], game.policies, strict=False
            ):
                children = {action: before.child(action) for action in before.legal_actions()}
                ends = [action for action, child in children.items() if child.is_terminal]
                wins = [action for action in ends if any(children[action].returns())]
                if wins:
                    missed[-1] += not (after.is_terminal and policy[wins].sum() > 0.999)
    assert missed[0] == 0 < missed[1]
