"""Self-play searches as the readable search does, and keeps to the rules of its settings."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from mctslab import games
from mctslab.net.encode import InputPlanes, encode_batch
from mctslab.net.evaluator import NetEvaluator
from mctslab.net.inference import Answer, TorchInference, remembered
from mctslab.net.replay import samples_of
from mctslab.net.self_play import self_play, think
from mctslab.net.training_config import SelfPlayConfig, TrainingConfig
from mctslab.search import DirichletNoise, puct_search
from tests.net.nets import lively_net

GAMES = [
    games.Gomoku(size=5, in_a_row=4),
    games.Gomoku(size=9, in_a_row=5),
    games.Reversi(4),
    games.ConnectFour(4, 5),
    games.TicTacToe(),
]
PLAIN = SelfPlayConfig(opening_plies=0, gumbel=None, solver=False)
QUIET = replace(PLAIN, num_simulations=24, noise=None, temperature_plies=0)


def settings(state, playing=QUIET, num_games=3, **more):
    small = {"num_filters": 4, "num_blocks": 1, "value_hidden": 4, "num_shares": 1}
    return TrainingConfig(game=state, self_play=playing, num_games=num_games, **small | more)


def net_for(state):
    return lively_net(settings(state).net_config())


def played(state, playing=QUIET, num_games=3, iteration=0, share=0, **more):
    """The games of a small net."""
    config = settings(state, playing, num_games, **more)
    return self_play(config, iteration, share, net_for(state))


def positions_of(game, state):
    return list(itertools.accumulate(game.actions, lambda s, a: s.child(a), initial=state))


@pytest.mark.parametrize("state", GAMES, ids=lambda state: f"{state.game}-{state.num_actions}")
def test_every_move_is_searched_as_the_readable_search_searches_it(state):
    """Move for move the same visits, in Reversi also where a player has to pass; and a plain loop.

    Without noise and with the most visited move played there is no chance in it, so all games side
    by side are the same.
    """
    net, rng = net_for(state), np.random.default_rng(0)
    evaluator = NetEvaluator(net, inference=TorchInference(net))
    game, *others = played(state)
    assert {tuple(each.actions) for each in others} == {tuple(game.actions)}
    positions, policies = positions_of(game, state), game.samples.policies
    plies = zip(positions[:-1], game.actions, policies, strict=True)
    for before, action, policy in itertools.islice(plies, 0, None, 5 if len(policies) > 20 else 1):
        result = puct_search(before, evaluator=evaluator, num_simulations=24, rng=rng)
        shares = np.full(state.num_actions, -1.0)
        for child in result.children:
            shares[child.action] = child.visit_count / 23
        np.testing.assert_allclose(policy, shares, atol=1e-6)
        assert action == result.best_action  # of equal visits the higher mean value
    assert positions[-1].returns() == game.returns
    expected = samples_of(positions, policies, InputPlanes())
    for part, right in zip(game.samples, expected, strict=True):
        np.testing.assert_array_equal(part, right)


def test_a_share_is_a_function_of_seed_iteration_and_its_number():
    playing = SelfPlayConfig(num_simulations=6, opening_plies=3)
    found = [
        [
            game.actions
            for game in played(GAMES[0], playing, 6, iteration, share, seed=seed, num_shares=2)
        ]
        for iteration, share, seed in ((3, 0, 1), (3, 0, 1), (3, 1, 1), (4, 0, 1), (3, 0, 2))
    ]
    assert found[0] == found[1]
    assert [len(each) for each in found] == [3] * 5
    assert len({str(each) for each in found}) == 4
    parts = [len(played(GAMES[0], playing, 5, share=share, num_shares=3)) for share in range(3)]
    assert parts == [2, 2, 1]


def test_noise_reaches_moves_that_the_net_would_never_try():
    state, logits = games.TicTacToe(), np.full(9, -50.0, np.float32)
    logits[[0, 1, 2]] = 0

    def stubborn(planes):
        return Answer(np.tile(logits, (len(planes), 1)), np.zeros(len(planes), np.float32))

    def num_others(noise):
        config = settings(state, replace(QUIET, num_simulations=32, noise=noise))
        roots = think([[state]] * 20, config, stubborn, np.random.default_rng(1))
        return sum((policy[3:] > 0).any() for policy in roots.policies())

    assert num_others(None) == num_others(DirichletNoise(1.0, 0.0)) == 0
    assert num_others(DirichletNoise(alpha=1.0, weight=0.5)) > 10


def test_moves_are_drawn_at_first_and_then_the_most_visited():
    playing = replace(PLAIN, num_simulations=60, temperature_plies=3)
    always_the_most_visited = dict.fromkeys(range(5), True)
    for game in played(games.TicTacToe(), playing, 40):
        for ply in range(5):
            policy = game.samples.policies[ply]
            share = policy[game.actions[ply]]
            assert share > 0
            always_the_most_visited[ply] &= bool(share == policy.max())
    assert list(always_the_most_visited.values()) == [False, False, False, True, True]


def test_random_moves_teach_nothing():
    state = games.Gomoku(size=6, in_a_row=4)
    finished = played(state, SelfPlayConfig(num_simulations=4, opening_plies=4), 60)
    lengths = [len(game.actions) - len(game.samples.values) for game in finished]
    assert set(lengths) == set(range(5))
    for game, num_opening in zip(finished, lengths, strict=True):
        positions = positions_of(game, state)
        for before, policy in zip(positions[num_opening:-1], game.samples.policies, strict=True):
            assert set(np.flatnonzero(policy >= 0)) == set(before.legal_actions())
            assert policy[policy >= 0].sum() == pytest.approx(1, abs=1e-5)
        first_taught = positions[num_opening]
        assert game.samples.values[0] == game.returns[first_taught.current_player]


def test_a_net_computes_all_games_at_once_and_a_position_only_once():
    state, asked, sizes = GAMES[0], [], []

    def counting(planes):
        asked.extend(plane.tobytes() for plane in planes)
        sizes.append(len(planes))
        return answer(planes)

    answer, rng = TorchInference(net_for(state)), np.random.default_rng(1)
    think([[state]] * 16, settings(state), counting, rng)
    assert sizes == [16] * 24
    asked.clear()
    with_memory = remembered(counting)
    for _ in range(2):
        think([[state]] * 16, settings(state), with_memory, rng)
    assert len(asked) == len(set(asked)) > 10
    planes = encode_batch([[state], [state.child(3)], [state]], InputPlanes())
    for ours, theirs in zip(with_memory(planes), answer(planes), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-6)
