"""A run that is interrupted and resumed ends where one that was not ends, to the last bit."""

import numpy as np
import pytest
import torch

from mctslab import games
from mctslab.net.checkpoint import load_checkpoint, save_checkpoint
from mctslab.net.learning import make_optimizer, optimizer_tensors, restore_optimizer, training_step
from mctslab.net.model import NetConfig
from mctslab.net.replay import ReplayBuffer, policy_target, samples_of
from tests.games.playing import random_game
from tests.net.nets import lively_net

STATE = games.Gomoku(size=5, in_a_row=4)
CONFIG = NetConfig.for_game(STATE, num_filters=6, num_blocks=1, value_hidden=5)


def filled_buffer() -> ReplayBuffer:
    replay = ReplayBuffer(100, CONFIG, STATE.symmetries())
    for seed in range(4):
        positions = list(random_game(STATE, np.random.default_rng(seed)))
        policies = [policy_target({state.last_action: 1}, 25) for state in positions[1:]]
        replay.add(samples_of(positions, policies, CONFIG.inputs))
    return replay


def steps(number, net, optimizer, replay, rng):
    for _ in range(number):
        training_step(net, optimizer, replay.draw(16, rng))


def numbers_of(net) -> torch.Tensor:
    return torch.cat([tensor.double().flatten() for tensor in net.state_dict().values()])


def test_net_optimiser_buffer_and_chance_go_on_as_if_nothing_had_happened(tmp_path):
    net, replay, rng = lively_net(CONFIG), filled_buffer(), np.random.default_rng(1)
    optimizer = make_optimizer(net, learning_rate=0.01)
    steps(3, net, optimizer, replay, rng)
    file = save_checkpoint(
        tmp_path / "a",
        net,
        about={"chance": rng.bit_generator.state},
        tensors=optimizer_tensors(net, optimizer) | replay.tensors(),
    )
    steps(3, net, optimizer, replay, rng)

    read = load_checkpoint(file)
    resumed = make_optimizer(read.net, learning_rate=0.01)
    restore_optimizer(read.net, resumed, read.tensors)
    buffer = ReplayBuffer(100, CONFIG, STATE.symmetries())
    buffer.restore(read.tensors)
    chance = np.random.default_rng()
    chance.bit_generator.state = read.about["chance"]
    steps(3, read.net, resumed, buffer, chance)

    assert torch.equal(numbers_of(read.net), numbers_of(net))


def test_an_optimiser_that_forgets_ends_elsewhere():
    """So the test above would notice."""
    ends = []
    for forgets in (False, True):
        net, replay, rng = lively_net(CONFIG), filled_buffer(), np.random.default_rng(1)
        optimizer = make_optimizer(net, learning_rate=0.01)
        steps(3, net, optimizer, replay, rng)
        if forgets:
            optimizer = make_optimizer(net, learning_rate=0.01)
        steps(1, net, optimizer, replay, rng)
        ends.append(numbers_of(net))
    assert not torch.equal(*ends)


def test_the_memory_of_another_net_is_refused():
    net, replay = lively_net(CONFIG), filled_buffer()
    optimizer = make_optimizer(net, learning_rate=0.01)
    steps(1, net, optimizer, replay, np.random.default_rng(1))
    kept = optimizer_tensors(net, optimizer)
    for other in (
        NetConfig.for_game(STATE, num_filters=7, num_blocks=1, value_hidden=5),
        NetConfig.for_game(STATE, num_filters=6, num_blocks=0, value_hidden=5),
    ):
        stranger = lively_net(other)
        with pytest.raises(ValueError, match="belongs to another net"):
            restore_optimizer(stranger, make_optimizer(stranger, learning_rate=0.01), kept)
