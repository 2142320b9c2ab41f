"""Self-play searches as the readable search does, and keeps to the rules of its settings."""

from collections import Counter

import numpy as np
import pytest

from mctslab import games
from mctslab.net.encode import InputPlanes, encode
from mctslab.net.evaluator import NetEvaluator
from mctslab.net.inference import Answer, TorchInference
from mctslab.net.model import NetConfig, PolicyValueNet
from mctslab.net.playing import Group
from mctslab.net.self_play import SelfPlay
from mctslab.net.training_config import SelfPlayConfig, TrainingConfig
from mctslab.search import DirichletNoise, puct_search
from mctslab.search.knowledge.gomoku import gomoku_prior
from tests.net.nets import lively_net

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


def searched_again(game, net, num_simulations):
    """The policies of a game as the readable search finds them, keeping its tree from move to move.

    Without noise and with the most visited move played, there is no chance in it.
    """
    evaluator = NetEvaluator(net, inference=TorchInference(net))
    root, policies = None, []
    for state, following in zip(game.positions, game.positions[1:], strict=False):
        known = 0
        if root is not None:
            played = next(c for c in root.children if c.action == state.last_action)
            known = played.visit_count if played.children else 0
        result = puct_search(
            state,
            evaluator=evaluator,
            num_simulations=max(1, num_simulations - known),
            rng=np.random.default_rng(0),
            root=root,
        )
        root = result.root
        visits = np.zeros(state.num_actions)
        for child in result.children:
            visits[child.action] = child.visit_count
        policies.append(visits / visits.sum())
        assert visits[following.last_action] == visits.max()
    return policies


@pytest.mark.parametrize("state", GAMES, ids=lambda state: f"{state.game}-{state.num_actions}")
def test_every_move_is_searched_as_the_readable_search_searches_it(state):
    """Move for move the same visits; in Reversi also where a player has to pass."""
    net = net_for(state)
    playing = self_play(state, num_games=1)
    finished = []
    while not finished:
        finished = playing.play(TorchInference(net), num_positions=90)
        # What is played in one go keeps its tree throughout.
    game = finished[0]
    expected = searched_again(game, net, QUIET.num_simulations)
    assert len(game.policies) == len(expected) == len(game.positions) - 1
    for policy, other in zip(game.policies, expected, strict=True):
        np.testing.assert_allclose(policy, other, atol=1e-6)


def test_games_side_by_side_do_not_disturb_each_other():
    """Several games at once, all without chance: each is the game that is played alone."""
    state = GAMES[0]
    net = net_for(state)
    alone = self_play(state, num_games=1).play(TorchInference(net), 30)[0]
    together = self_play(state, num_games=5).play(TorchInference(net), 5 * 30)
    assert len(together) >= 5
    for game in together[:5]:
        assert list(game.positions) == list(alone.positions)


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
    state = GAMES[0]
    net = net_for(state)
    config = SelfPlayConfig(num_simulations=12, opening_plies=3)
    played = []
    for seed in (1, 1, 2):
        finished = self_play(state, config, seed=seed).play(TorchInference(net), 150)
        played.append([[s.last_action for s in game.positions] for game in finished])
    assert played[0] == played[1]
    assert played[0] != played[2]
    assert len(played[0]) > 3


def test_noise_reaches_moves_that_the_net_would_never_try():
    state = games.TicTacToe()
    logits = np.full(9, -50.0, np.float32)
    logits[[0, 1, 2]] = 0

    def stubborn(planes):
        return Answer(np.tile(logits, (len(planes), 1)), np.zeros(len(planes), np.float32))

    def first_moves(noise):
        config = SelfPlayConfig(num_simulations=32, noise=noise, temperature_plies=0)
        playing = self_play(state, config, num_games=20)
        finished = playing.play(stubborn, 300)
        return Counter(np.flatnonzero(game.policies[0]).max() > 2 for game in finished)

    assert set(first_moves(None)) == {False}
    assert first_moves(DirichletNoise(alpha=1.0, weight=0.5))[True] > 10


def test_noise_of_no_weight_changes_nothing():
    state = games.Gomoku(size=5, in_a_row=4)
    net = net_for(state)
    policies = []
    for noise in (None, DirichletNoise(alpha=0.3, weight=0.0), DirichletNoise(alpha=0.3)):
        config = SelfPlayConfig(num_simulations=40, noise=noise, temperature_plies=0)
        game = self_play(state, config, num_games=1).play(TorchInference(net), 30)[0]
        policies.append(game.policies[0].tolist())
    assert policies[0] == policies[1] != policies[2]


def test_moves_are_drawn_at_first_and_then_the_most_visited():
    state = games.TicTacToe()
    config = SelfPlayConfig(num_simulations=60, temperature_plies=3)
    finished = self_play(state, config, num_games=40).play(TorchInference(net_for(state)), 400)
    always_the_most_visited = dict.fromkeys(range(5), True)
    for game in finished:
        for ply in range(5):
            policy = game.policies[ply]
            share = policy[game.positions[ply + 1].last_action]
            assert share > 0
            always_the_most_visited[ply] &= bool(share == policy.max())
    assert list(always_the_most_visited.values()) == [False, False, False, True, True]


def test_openings_are_random_and_teach_nothing():
    state = games.Gomoku(size=5, in_a_row=4)
    config = SelfPlayConfig(num_simulations=4, opening_plies=4)
    finished = self_play(state, config, num_games=30).play(TorchInference(net_for(state)), 900)
    lengths = Counter(len(game.positions) - 1 - len(game.policies) for game in finished)
    assert set(lengths) == {0, 1, 2, 3, 4}
    for game in finished:
        samples = game.finished(INPUTS).samples
        assert len(samples.values) == len(game.policies)
        np.testing.assert_allclose(samples.policies.sum(axis=1), 1, atol=1e-5)
        returns = game.positions[-1].returns()
        first_searched = game.positions[-1 - len(game.policies)]
        assert samples.values[0] == returns[first_searched.current_player]


def test_a_guide_plays_on_after_the_opening():
    state = games.Gomoku(size=6, in_a_row=4)
    config = SelfPlayConfig(num_simulations=4, opening_plies=1, guide="heuristic", guided_plies=3)
    finished = self_play(state, config, num_games=30).play(TorchInference(net_for(state)), 900)
    lengths = Counter(len(game.positions) - 1 - len(game.policies) for game in finished)
    assert set(lengths) == {0, 1, 2, 3, 4}
    for game in finished:
        guided = range(1, len(game.positions) - 1 - len(game.policies))  # the first can be random
        for ply in guided:
            weights = gomoku_prior(game.positions[ply])
            place = game.positions[ply].legal_actions().index(game.positions[ply + 1].last_action)
            assert weights[place] == max(weights)


def test_a_guide_can_teach_what_it_plays():
    state = games.Gomoku(size=6, in_a_row=4)
    config = SelfPlayConfig(
        num_simulations=4, opening_plies=1, guide="heuristic", guided_plies=3, guide_teaches=True
    )
    finished = self_play(state, config, num_games=30).play(TorchInference(net_for(state)), 900)
    lengths = Counter(len(game.positions) - 1 - len(game.policies) for game in finished)
    assert set(lengths) == {0, 1}  # random moves teach nothing
    surely = Counter()
    for game in finished:
        sure = [policy.max() == 1 for policy in game.policies]
        surely[sure.index(False) if False in sure else len(sure)] += 1
        played = np.array([each.last_action for each in game.positions[-len(game.policies) :]])
        samples = game.finished(INPUTS).samples
        for action, policy, is_sure in zip(played, samples.policies, sure, strict=True):
            assert not is_sure or policy[action] == 1
    assert {0, 1, 2, 3} <= set(surely)


def test_a_guide_for_another_game_is_refused_at_once():
    config = SelfPlayConfig(num_simulations=4, guide="heuristic", guided_plies=2)
    for seed in range(40):  # also where no ply of the first game is the guide's
        with pytest.raises(ValueError, match="Gomoku"):
            self_play(games.TicTacToe(), config, num_games=1, seed=seed)


def test_training_discounts_as_the_settings_say():
    config = TrainingConfig(
        num_filters=4,
        num_blocks=1,
        num_games=8,
        positions_per_iteration=300,
        self_play=SelfPlayConfig(num_simulations=4, opening_plies=3, discount=0.5),
    )
    finished = Group(config, 0).play(PolicyValueNet(config.net_config()).eval()).games
    assert finished
    for game in finished:
        decided = any(game.returns)
        plies_left = np.arange(len(game.samples.values), 0, -1)
        np.testing.assert_allclose(np.abs(game.samples.values), decided * 0.5**plies_left)


def test_a_net_with_a_memory_sees_the_positions_before_the_leaf():
    """What the net is shown is what `encode` makes of the game up to the leaf."""
    state = games.Gomoku(size=5, in_a_row=4)
    inputs = InputPlanes(history=3)
    answer = TorchInference(net_for(state, inputs))
    shown = []

    def watching(planes):
        shown.append(planes.copy())
        return answer(planes)

    playing = self_play(state, num_games=1, inputs=inputs)
    game = next(iter(playing.play(watching, 60)))
    known = {encode([state], inputs).tobytes()}
    waiting = [(state,)]
    for _ in range(3):  # every way of three moves, and what is then seen
        waiting = [(*way, way[-1].child(a)) for way in waiting for a in way[-1].legal_actions()]
        known |= {encode(way, inputs).tobytes() for way in waiting}
    near = [planes[0] for planes in shown if planes[0, :2].sum() <= 3]
    assert len(near) > 5
    assert all(planes.tobytes() in known for planes in near)
    assert len(game.positions) > 3


def test_the_time_is_shared_out():
    state = games.TicTacToe()
    playing = self_play(state)
    playing.play(TorchInference(net_for(state)), 20)
    assert playing.seconds.net > 0
    assert playing.seconds.trees > 0
    assert playing.num_positions >= 20


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="num_games = 0"):
        self_play(games.TicTacToe(), num_games=0)
    for field in ("num_simulations", "temperature_plies", "opening_plies"):
        with pytest.raises(ValueError, match=f"{field} = -1"):
            SelfPlayConfig(**{field: -1})
    for discount in (0, -0.5, 1.01, float("nan")):
        with pytest.raises(ValueError, match=f"discount = {discount}"):
            SelfPlayConfig(discount=discount)
