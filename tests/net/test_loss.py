"""The loss is the formula, and learning makes it small."""

import math

import numpy as np
import pytest
import torch

from mctslab import games
from mctslab.net.encode import InputPlanes
from mctslab.net.learning import losses, make_optimizer, policy_entropy, weight_norm
from mctslab.net.model import NetConfig
from mctslab.net.replay import Samples, policy_target, samples_of
from tests.games.playing import random_game
from tests.net.by_hand import ByHand
from tests.net.nets import lively_net

STATE = games.Gomoku(size=6, in_a_row=4)
CONFIG = NetConfig.for_game(STATE, num_filters=16, num_blocks=2, value_hidden=16)


def some_samples(seed: int = 1) -> Samples:
    """A random game; the policy of each position is the move that was played."""
    positions = list(random_game(STATE, np.random.default_rng(seed)))
    policies = [policy_target({state.last_action: 1}, 36) for state in positions[1:]]
    return samples_of(positions, policies, InputPlanes())


def test_the_loss_is_the_formula_worked_out_by_hand(net):
    samples = some_samples()
    samples = samples._replace(policies=(samples.policies + 1 / 36) / 2)
    logits, values = ByHand(net)(samples.planes)
    shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    policy = -(samples.policies * np.log(shares)).sum(axis=1).mean()
    value = ((samples.values - values) ** 2).mean()
    with torch.no_grad():
        found = losses(net, samples)
    expected = pytest.approx((policy, value, policy + value), abs=1e-4)
    assert (found.policy.item(), found.value.item(), found.total.item()) == expected


def test_only_weights_decay():
    net = lively_net(CONFIG)
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
