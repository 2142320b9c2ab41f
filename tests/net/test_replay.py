"""What is drawn from the buffer is what was put in, turned at most."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab import games
from mctslab.net.checkpoint import load_checkpoint, save_checkpoint
from mctslab.net.encode import InputPlanes, turn
from mctslab.net.model import NetConfig, PolicyValueNet
from mctslab.net.replay import ReplayBuffer, Samples, samples_of
from tests.games.playing import random_game

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


def assert_same(one: Samples, other: Samples) -> None:
    for ours, theirs in zip(one, other, strict=True):
        np.testing.assert_array_equal(ours, theirs)


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


@pytest.mark.parametrize("num_games", [0, 1, 9])
def test_a_buffer_is_restored_exactly_from_a_checkpoint(tmp_path, num_games):
    replay, restored = buffer(60), buffer(60)
    for seed in range(num_games):
        replay.add(some_samples(seed))
    file = save_checkpoint(tmp_path / "a", PolicyValueNet(CONFIG), tensors=replay.tensors())
    restored.restore(load_checkpoint(file).tensors)
    for each in (replay, restored):
        each.add(some_samples(77))
    one, other, third = (
        each.draw(32, np.random.default_rng(seed))
        for each, seed in ((restored, 1), (replay, 1), (replay, 2))
    )
    assert_same(one, other)
    assert not np.array_equal(one.values, third.values)


def test_what_is_kept_of_another_buffer_is_refused():
    replay = buffer(60)
    replay.add(some_samples(1))
    other = NetConfig.for_game(STATE, num_filters=2, num_blocks=0)
    for size, config in ((3, CONFIG), (60, other)):
        with pytest.raises(ValueError, match="broadcast"):
            buffer(size, config=config).restore(replay.tensors())


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="capacity = 0"):
        buffer(0)
    with pytest.raises(ValueError, match="symmetries"):
        ReplayBuffer(5, CONFIG, ())
    replay, samples = buffer(), some_samples(1)
    with pytest.raises(ValueError, match="empty"):
        replay.draw(1, np.random.default_rng(1))
    for planes in (samples.planes[:, :2], samples.planes / 2):
        with pytest.raises(ValueError, match="Expected planes of zeros and ones"):
            replay.add(samples._replace(planes=planes))
    assert len(replay) == 0
