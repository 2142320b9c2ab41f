"""What a game teaches; and what is drawn from the buffer is what was put in, turned at most."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab import games
from mctslab.net.encode import InputPlanes, encode, turn
from mctslab.net.model import NetConfig
from mctslab.net.replay import ReplayBuffer, Samples, policy_target, samples_of
from tests.games.own_games import DotsAndBoxes
from tests.games.playing import random_game

# Targets


@given(
    first_state=st.sampled_from(
        [games.TicTacToe(), games.ConnectFour(4, 4), games.Reversi(4), DotsAndBoxes(),
         games.Gomoku(size=4, in_a_row=3)]
    ),
    seed=st.integers(0, 10_000),
    untaught=st.integers(0, 3),
)  # fmt: skip
def test_samples_show_the_game_so_far_and_say_whether_the_player_to_move_won(
    first_state, seed, untaught
):
    """In Reversi a player can pass, in Dots and Boxes move again: turns need not alternate.

    An opening without policies makes no samples.
    """
    rng, inputs = np.random.default_rng(seed), InputPlanes(history=3)
    positions = list(random_game(first_state, rng))
    plies = range(untaught, len(positions) - 1)
    policies = rng.dirichlet(np.ones(first_state.num_actions), len(plies)).astype(np.float32)
    samples = samples_of(positions, policies, inputs)
    np.testing.assert_array_equal(samples.policies, policies)
    returns = positions[-1].returns()
    for ply, planes, value in zip(plies, samples.planes, samples.values, strict=True):
        np.testing.assert_array_equal(planes, encode(positions[: ply + 1], inputs))
        assert value == returns[positions[ply].current_player]


def test_a_policy_target_is_the_share_of_the_visits():
    policy = policy_target({2: 30, 0: 10, 8: 0}, 9)
    assert policy.tolist() == [0.25, 0, 0.75, 0, 0, 0, 0, 0, 0]


# The buffer

STATE = games.Gomoku(size=5, in_a_row=4)
CONFIG = NetConfig.for_game(STATE, inputs=InputPlanes(history=2), num_filters=2, num_blocks=0)


def some_samples(seed: int, state=STATE, config=CONFIG) -> Samples:
    rng = np.random.default_rng(seed)
    positions = list(random_game(state, rng))
    policies = [rng.dirichlet([1.0] * state.num_actions).astype(np.float32) for _ in positions[1:]]
    samples = samples_of(positions, policies, config.inputs)
    return samples._replace(values=rng.random(len(policies), np.float32))  # to tell them apart


def buffer(capacity=100, state=STATE, config=CONFIG) -> ReplayBuffer:
    return ReplayBuffer(capacity, config, state.symmetries())


def joined(*parts: Samples) -> Samples:
    return Samples(*(np.concatenate(each) for each in zip(*parts, strict=True)))


@given(capacity=st.integers(1, 60), seeds=st.lists(st.integers(0, 999), min_size=1, max_size=6))
def test_the_newest_stay(capacity, seeds):
    replay = buffer(capacity)
    games_played = [some_samples(seed) for seed in seeds]
    for samples in games_played:
        replay.add(samples)
    newest = joined(*games_played).values[-capacity:]
    assert len(replay) == len(newest)
    assert sorted(replay.tensors()["replay.values"].tolist()) == sorted(newest.tolist())


@pytest.mark.parametrize(
    "state", [STATE, games.Reversi(4), games.ConnectFour(4, 5)], ids=lambda state: state.game
)
def test_each_sample_is_drawn_in_every_symmetry_planes_and_policy_alike(state):
    config = NetConfig.for_game(state, num_filters=2, num_blocks=0)
    samples = some_samples(3, state, config)
    replay = buffer(200, state, config)
    replay.add(samples)
    symmetries = state.symmetries()
    by_value = {value: i for i, value in enumerate(samples.values.tolist())}
    seen = Counter()
    for planes, policy, value in zip(*replay.draw(8_000, np.random.default_rng(4)), strict=True):
        i = by_value[float(value)]
        turned = [turn(samples.planes[i], samples.policies[i], each) for each in symmetries]
        fitting = [
            number
            for number, (one, other) in enumerate(turned)
            if np.array_equal(planes, one) and np.array_equal(policy, other)
        ]
        assert len(fitting) == 1, "the policies are random: only one symmetry fits"
        seen[i, fitting[0]] += 1
    expected = 8_000 / (len(samples.values) * len(symmetries))
    assert len(seen) == len(samples.values) * len(symmetries)
    # All alike: the standard deviation is the root of what is expected.
    assert max(abs(count - expected) for count in seen.values()) < 5 * expected**0.5
