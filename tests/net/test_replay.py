"""What is drawn from the buffer is what was put in, turned at most."""

import numpy as np
import pytest
import torch
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


def test_what_was_added_is_in_it_to_the_last_bit():
    replay = buffer()
    first, second = some_samples(1), some_samples(2)
    replay.add(first)
    replay.add(second)
    assert len(replay) == len(first.values) + len(second.values)
    assert_same(replay.all(), joined(first, second))


def test_a_game_without_samples_adds_nothing():
    replay = buffer()
    nothing = Samples(*(part[:0] for part in some_samples(1)))
    replay.add(nothing)
    assert len(replay) == 0
    replay.add(some_samples(1))
    replay.add(nothing)
    assert_same(replay.all(), some_samples(1))


@given(capacity=st.integers(1, 60), seeds=st.lists(st.integers(0, 999), min_size=1, max_size=6))
def test_the_newest_stay(capacity, seeds):
    replay = buffer(capacity)
    games_played = [some_samples(seed) for seed in seeds]
    for samples in games_played:
        replay.add(samples)
    newest = Samples(*(part[-capacity:] for part in joined(*games_played)))
    assert len(replay) == len(newest.values)
    assert_same(replay.all(), newest)


@pytest.mark.parametrize(
    "state", [STATE, games.Reversi(4), games.ConnectFour(4, 5)], ids=lambda state: state.game
)
def test_each_sample_is_drawn_in_every_symmetry_planes_and_policy_alike(state):
    config = NetConfig.for_game(state, num_filters=2, num_blocks=0)
    samples = some_samples(3, state, config)
    replay = buffer(200, state, config)
    replay.add(samples)
    by_value = {value: i for i, value in enumerate(samples.values.tolist())}
    seen = set()
    for planes, policy, value in zip(*replay.draw(4_000, np.random.default_rng(4)), strict=True):
        i = by_value[float(value)]
        fitting = [
            number
            for number, symmetry in enumerate(state.symmetries())
            if all(
                np.array_equal(one, other)
                for one, other in zip(
                    (planes, policy),
                    turn(samples.planes[i], samples.policies[i], symmetry),
                    strict=True,
                )
            )
        ]
        assert len(fitting) == 1, "the policies are random: only one symmetry fits"
        seen.add((i, fitting[0]))
    assert len(seen) == len(samples.values) * len(state.symmetries())


def test_every_sample_is_as_likely_as_any_other():
    replay = buffer(50)
    for seed in range(6):
        replay.add(some_samples(seed))
    drawn = replay.draw(20_000, np.random.default_rng(1)).values
    _, counts = np.unique(drawn, return_counts=True)
    assert len(counts) == 50
    # 400 of each expected, with a standard deviation of 20.
    assert 300 < counts.min() < counts.max() < 500


def test_the_same_seed_draws_the_same():
    replay = buffer()
    replay.add(some_samples(1))
    one, other, third = (replay.draw(16, np.random.default_rng(seed)) for seed in (5, 5, 6))
    assert_same(one, other)
    assert not np.array_equal(one.values, third.values)


@pytest.mark.parametrize("num_games", [0, 1, 9])
def test_a_buffer_is_restored_exactly_from_a_checkpoint(tmp_path, num_games):
    replay = buffer(60)
    for seed in range(num_games):
        replay.add(some_samples(seed))
    file = save_checkpoint(tmp_path / "a", PolicyValueNet(CONFIG), tensors=replay.tensors())
    restored = buffer(60)
    restored.restore(load_checkpoint(file).tensors)

    for each in (replay, restored):
        each.add(some_samples(77))
    assert_same(restored.all(), replay.all())
    assert_same(
        restored.draw(32, np.random.default_rng(1)), replay.draw(32, np.random.default_rng(1))
    )


def test_what_is_kept_of_another_buffer_is_refused():
    replay = buffer(60)
    replay.add(some_samples(1))
    kept = replay.tensors()
    with pytest.raises(ValueError, match="replay buffer does not fit"):
        buffer(10).restore(kept)
    other = NetConfig.for_game(STATE, num_filters=2, num_blocks=0)
    with pytest.raises(ValueError, match="does not fit: planes"):
        buffer(60, config=other).restore(kept)
    with pytest.raises(KeyError, match=r"replay\.values"):
        buffer(60).restore({n: t for n, t in kept.items() if n != "replay.values"})


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="capacity = 0"):
        buffer(0)
    with pytest.raises(ValueError, match="symmetries"):
        ReplayBuffer(5, CONFIG, ())
    replay = buffer()
    with pytest.raises(ValueError, match="empty"):
        replay.draw(1, np.random.default_rng(1))
    samples = some_samples(1)
    with pytest.raises(ValueError, match="Expected planes of zeros and ones"):
        replay.add(samples._replace(planes=samples.planes[:, :2]))
    with pytest.raises(ValueError, match="Expected planes of zeros and ones"):
        replay.add(samples._replace(planes=samples.planes / 2))
    assert len(replay) == 0
    assert isinstance(replay.tensors()["replay.num_added"], torch.Tensor)
