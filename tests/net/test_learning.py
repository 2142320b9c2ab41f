"""The loss is the formula, and a net takes the steps of a plain loop down this loss."""

import copy
import math

import numpy as np
import pytest
import torch

from mctslab import games
from mctslab.net.encode import InputPlanes
from mctslab.net.learning import make_optimizer, policy_entropy, weight_norm
from mctslab.net.replay import policy_target, samples_of
from mctslab.net.training import _LEARNING_STREAM, Run, learn
from tests.games.playing import random_game
from tests.net.runs import config


@pytest.fixture
def samples():
    """Of a random game; policies neither even nor sure, and -1 for illegal moves."""
    positions = list(random_game(games.Gomoku(size=6, in_a_row=4), np.random.default_rng(1)))
    policies = [policy_target({each.last_action: 1}, 36) for each in positions[1:]]
    for state, policy in zip(positions, policies, strict=False):
        legal = list(state.legal_actions())
        policy[legal] = (policy[legal] + 1 / len(legal)) / 2
        policy[np.setdiff1d(range(36), legal)] = -1
    return samples_of(positions, policies, InputPlanes())


def test_an_iteration_takes_the_steps_of_a_plain_loop(net, samples):
    """Down the whole loss, without what the net says of illegal moves; with samples that are drawn,
    and statistics for each batch norm."""
    shape = {"num_filters": 8, "num_blocks": 2, "value_hidden": 8}
    run = Run(config(**shape, steps_per_iteration=4, batch_size=64, weight_decay=0.0), net)
    run.replay.add(samples)
    plain, rng = copy.deepcopy(net).train(), np.random.default_rng([1, 0, _LEARNING_STREAM])
    optimizer, expected = torch.optim.AdamW(plain.parameters(), 3e-3, weight_decay=0), []
    found = [[*map(torch.Tensor.item, each), each.total.item()] for each in learn(run)]
    for _ in range(4):
        planes, policies, results = map(torch.from_numpy, run.replay.draw(64, rng))
        logits, values = plain(planes)
        legal = policies >= 0
        logs = logits - (logits.exp() * legal).sum(1, keepdim=True).log()
        policy_loss = -(policies * legal * logs).sum(1).mean()
        value_loss = ((results - values) ** 2).mean()
        loss = value_loss + policy_loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        expected.append([each.item() for each in (value_loss, policy_loss, loss)])
    np.testing.assert_allclose(found, expected, atol=1e-3)
    assert found[0][-1] - found[-1][-1] > 0.1
    means = (each.stem.norm.running_mean for each in (net, plain))
    torch.testing.assert_close(*means, rtol=0, atol=1e-4)


def test_only_weights_decay(net):
    optimizer = make_optimizer(net, learning_rate=0.1, weight_decay=0.5)
    before = {name: parameter.detach().clone() for name, parameter in net.named_parameters()}
    for parameter in net.parameters():
        parameter.grad = torch.zeros_like(parameter)
    optimizer.step()
    for name, parameter in net.named_parameters():
        # lr * decay = 0.05 of a weight is gone after a step without any gradient.
        factor = 0.95 if parameter.dim() > 1 else 1.0
        torch.testing.assert_close(parameter.detach(), factor * before[name])
    decaying = [number for number in before.values() if number.dim() > 1]
    length = math.sqrt(sum(float((number**2).sum()) for number in decaying))
    assert weight_norm(net) == pytest.approx(0.95 * length, rel=1e-5)


def test_the_entropy_is_the_least_loss_of_a_policy():
    policies = np.array([[0.5, 0.5, 0, 0], [1, 0, 0, 0], [0.25] * 4], np.float32)
    expected = (math.log(2) + 0 + math.log(4)) / 3
    assert policy_entropy(policies) == pytest.approx(expected)
