"""Self-play searches as the readable search does, and keeps to the rules of its settings."""

import itertools
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from mctslab import games
from mctslab.net.encode import InputPlanes
from mctslab.net.evaluator import NetEvaluator
from mctslab.net.inference import Answer, TorchInference
from mctslab.net.model import NetConfig, PolicyValueNet
from mctslab.net.playing import Group
from mctslab.net.self_play import SelfPlay
from mctslab.net.training_config import SelfPlayConfig
from mctslab.search import DirichletNoise, puct_search
from mctslab.search.knowledge.gomoku import gomoku_prior
from tests.net.nets import lively_net
from tests.net.runs import config

GAMES = [
    games.Gomoku(size=5, in_a_row=4),
    games.Gomoku(size=9, in_a_row=5),
    games.Reversi(4),
    games.ConnectFour(4, 5),
    games.TicTacToe(),
]
INPUTS = InputPlanes()
QUIET = SelfPlayConfig(num_simulations=24, noise=None, temperature_plies=0)


def net_for(state, inputs=INPUTS):
    config = NetConfig.for_game(state, inputs=inputs, num_filters=4, num_blocks=1, value_hidden=4)
    return lively_net(config)


def self_play(state, config=QUIET, *, num_games=3, seed=1, inputs=INPUTS):
    rng = np.random.default_rng(seed)
    return SelfPlay(state, config, inputs, num_games=num_games, rng=rng)


def played(state, config, num_positions, **options):
    """The finished games of a small net."""
    return self_play(state, config, **options).play(TorchInference(net_for(state)), num_positions)


def searched_again(game, net, num_simulations):
    """The policies of a game as the readable search finds them, keeping its tree from move to move.

    Without noise and with the most visited move played, there is no chance in it.
    """
    evaluator = NetEvaluator(net, inference=TorchInference(net))
    root, policies, rng = None, [], np.random.default_rng(0)
    for state, following in itertools.pairwise(game.positions):
        known = 0
        if root is not None:
            child = next(c for c in root.children if c.action == state.last_action)
            known = child.visit_count if child.children else 0
        options = {"num_simulations": max(1, num_simulations - known), "root": root}
        result = puct_search(state, evaluator=evaluator, rng=rng, **options)
        root = result.root
        visits = np.zeros(state.num_actions)
        for child in result.children:
            visits[child.action] = child.visit_count
        policies.append(visits / visits.sum())
        assert visits[following.last_action] == visits.max()
    return policies


@pytest.mark.parametrize("state", GAMES, ids=lambda state: f"{state.game}-{state.num_actions}")
def test_every_move_is_searched_as_the_readable_search_searches_it(state):
    """Move for move the same visits; in Reversi also where a player has to pass.

    Of several games side by side, all without chance, each is the game that is played alone.
    """
    net = net_for(state)
    playing = self_play(state, num_games=2)
    finished = []
    while not finished:
        finished = playing.play(TorchInference(net), num_positions=180)
        # What is played in one go keeps its tree throughout.
    game, other = finished[:2]
    assert game.positions == other.positions
    expected = searched_again(game, net, QUIET.num_simulations)
    assert len(game.policies) == len(expected) == len(game.positions) - 1
    for policy, other in zip(game.policies, expected, strict=True):
        np.testing.assert_allclose(policy, other, atol=1e-6)


def test_the_net_evaluates_all_games_at_once():
    state = GAMES[0]
    answer, sizes = TorchInference(net_for(state)), []

    def counting(planes):
        sizes.append(len(planes))
        return answer(planes)

    self_play(state, num_games=16).play(counting, 64)
    assert max(sizes) == 16
    assert np.mean(sizes) > 12  # a leaf at the end of a game is not evaluated


def test_the_same_seed_plays_the_same_games():
    config = SelfPlayConfig(num_simulations=12, opening_plies=3)
    one, same, other = (
        [game.actions for game in played(GAMES[0], config, 150, seed=seed)] for seed in (1, 1, 2)
    )
    assert one == same != other
    assert len(one) > 3


def test_noise_reaches_moves_that_the_net_would_never_try():
    logits = np.full(9, -50.0, np.float32)
    logits[[0, 1, 2]] = 0

    def stubborn(planes):
        return Answer(np.tile(logits, (len(planes), 1)), np.zeros(len(planes), np.float32))

    def first_moves(noise):
        config = SelfPlayConfig(num_simulations=32, noise=noise, temperature_plies=0)
        finished = self_play(games.TicTacToe(), config, num_games=20).play(stubborn, 300)
        return Counter(np.flatnonzero(game.policies[0]).max() > 2 for game in finished)

    assert set(first_moves(None)) == set(first_moves(DirichletNoise(1.0, 0.0))) == {False}
    assert first_moves(DirichletNoise(alpha=1.0, weight=0.5))[True] > 10


def test_moves_are_drawn_at_first_and_then_the_most_visited():
    config = SelfPlayConfig(num_simulations=60, temperature_plies=3)
    always_the_most_visited = dict.fromkeys(range(5), True)
    for game in played(games.TicTacToe(), config, 400, num_games=40):
        for ply in range(5):
            policy = game.policies[ply]
            share = policy[game.actions[ply]]
            assert share > 0
            always_the_most_visited[ply] &= bool(share == policy.max())
    assert list(always_the_most_visited.values()) == [False, False, False, True, True]


def test_openings_are_random_and_teach_nothing():
    config = SelfPlayConfig(num_simulations=4, opening_plies=4)
    finished = played(games.Gomoku(size=5, in_a_row=4), config, 900, num_games=30)
    assert {len(game.actions) - len(game.policies) for game in finished} == {0, 1, 2, 3, 4}
    for game in finished:
        samples = game.finished(INPUTS).samples
        assert len(samples.values) == len(game.policies)
        np.testing.assert_allclose(samples.policies.sum(axis=1), 1, atol=1e-5)
        first_searched = game.positions[-1 - len(game.policies)]
        assert samples.values[0] == game.positions[-1].returns()[first_searched.current_player]


GUIDED = SelfPlayConfig(num_simulations=4, opening_plies=1, guide="heuristic", guided_plies=3)


def test_a_guide_plays_on_after_the_opening():
    finished = played(games.Gomoku(size=6, in_a_row=4), GUIDED, 900, num_games=30)
    assert {len(game.actions) - len(game.policies) for game in finished} == {0, 1, 2, 3, 4}
    for game in finished:
        for ply in range(1, len(game.actions) - len(game.policies)):  # the first can be random
            weights = gomoku_prior(game.positions[ply])
            place = game.positions[ply].legal_actions().index(game.actions[ply])
            assert weights[place] == max(weights)


def test_a_guide_can_teach_what_it_plays():
    config = replace(GUIDED, guide_teaches=True)
    finished = played(games.Gomoku(size=6, in_a_row=4), config, 900, num_games=30)
    # Random moves teach nothing.
    assert {len(game.actions) - len(game.policies) for game in finished} == {0, 1}
    surely = set()
    for game in finished:
        sure = [policy.max() == 1 for policy in game.policies]
        surely.add(sure.index(False) if False in sure else len(sure))
        policies = game.finished(INPUTS).samples.policies
        actions = game.actions[-len(policies) :]
        for action, policy, is_sure in zip(actions, policies, sure, strict=True):
            assert not is_sure or policy[action] == 1
    assert {0, 1, 2, 3} <= surely


def test_a_guide_for_another_game_is_refused_at_once():
    config = SelfPlayConfig(num_simulations=4, guide="heuristic", guided_plies=2)
    for seed in range(40):  # also where no ply of the first game is the guide's
        with pytest.raises(ValueError, match="Gomoku"):
            self_play(games.TicTacToe(), config, num_games=1, seed=seed)


def test_training_discounts_as_the_settings_say():
    playing = SelfPlayConfig(num_simulations=4, opening_plies=3, discount=0.5)
    settings = config(num_games=8, positions_per_iteration=300, self_play=playing)
    finished = Group(settings, 0).play(PolicyValueNet(settings.net_config()).eval()).games
    assert finished
    for game in finished:
        plies_left = np.arange(len(game.samples.values), 0, -1)
        expected = any(game.returns) * 0.5**plies_left
        np.testing.assert_allclose(np.abs(game.samples.values), expected)


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="num_games = 0"):
        self_play(games.TicTacToe(), num_games=0)
    for field in ("num_simulations", "temperature_plies", "opening_plies"):
        with pytest.raises(ValueError, match=f"{field} = -1"):
            SelfPlayConfig(**{field: -1})
    for discount in (0, -0.5, 1.01, float("nan")):
        with pytest.raises(ValueError, match=f"discount = {discount}"):
            SelfPlayConfig(discount=discount)
