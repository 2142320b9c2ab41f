"""The exercises of notebook 12 held against the package's nets, and against PyTorch."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from mctslab import games, net
from mctslab.course.exercises import (
    encode,
    loss,
    museum_legal_priors,
    museum_mirror,
    residual_block,
    symmetries,
)
from mctslab.course.judging import judge
from mctslab.games.symmetry import turns_and_mirrors
from mctslab.net.evaluator import legal_priors
from tests.games.playing import FIRST_STATES, choices, name_of, played

numbers = st.floats(-30, 30, width=32)


@pytest.mark.parametrize("first_state", FIRST_STATES, ids=name_of)
@given(numbers=choices(30))
def test_the_planes_are_those_of_the_package(first_state, numbers):
    positions = played(first_state, numbers)
    planes = net.encode(positions, net.InputPlanes())

    np.testing.assert_array_equal(encode.model_answer(positions[-1]), planes)


@given(size=st.integers(2, 6), has_pass=st.booleans(), seed=st.integers(0, 99))
def test_the_eight_samples_are_those_of_the_package(size, has_pass, seed):
    rng = np.random.default_rng(seed)
    planes = (rng.random((3, size, size)) < 0.5).astype(float)
    policy = rng.random(size * size + has_pass)
    expected = {
        tuple(part.tobytes() for part in net.turn(planes, policy, symmetry))
        for symmetry in turns_and_mirrors(size, len(policy))
    }
    samples = symmetries.model_answer(planes, policy)

    assert len(samples) == 8
    assert {tuple(np.ascontiguousarray(p).tobytes() for p in each) for each in samples} == expected


@given(st.integers(1, 5), st.integers(1, 7), st.data())
def test_the_loss_is_pytorchs_and_so_is_its_gradient(number, num_actions, data):
    def draw(*shape):
        size = int(np.prod(shape))
        drawn = data.draw(st.lists(numbers, min_size=size, max_size=size))
        return torch.tensor(drawn).reshape(shape)

    logits, values, returns = draw(number, num_actions), draw(number), draw(number)
    weights = draw(number, num_actions).abs() + 0.01
    policies = weights / weights.sum(dim=1, keepdim=True)
    logits.requires_grad_()
    values.requires_grad_()
    parts = loss.model_answer(logits, values, policies, returns)
    expected = (
        torch.nn.functional.mse_loss(values, returns),
        torch.nn.functional.cross_entropy(logits, policies),
    )

    torch.testing.assert_close(parts, expected)
    for part, other in zip(parts, expected, strict=True):
        torch.testing.assert_close(
            gradients(part, logits, values), gradients(other, logits, values)
        )


def gradients(part, *inputs):
    return torch.autograd.grad(part, inputs, retain_graph=True, allow_unused=True)


@pytest.mark.parametrize("seed", range(3))
def test_the_block_is_the_packages_with_the_same_layers(seed):
    torch.manual_seed(seed)
    block = net.PolicyValueNet(net.NetConfig.for_game(games.TicTacToe())).tower[0]
    features = torch.randn(4, 32, 3, 3, requires_grad=True)
    layers = (block.first.convolution, block.first.norm, block.second, block.second_norm)
    found, expected = residual_block.model_answer(features, *layers), block(features)

    torch.testing.assert_close(found, expected)
    torch.testing.assert_close(
        gradients(found.sum(), features), gradients(expected.sum(), features)
    )


@given(st.lists(st.tuples(st.floats(-500, 500, width=32), st.booleans()), min_size=1, max_size=9))
def test_the_priors_are_those_of_the_evaluator(moves):
    logits = np.array([logit for logit, _ in moves], np.float32)
    is_legal = np.array([legal for _, legal in moves])
    is_legal[0] = True
    (priors,) = legal_priors(logits[None], [np.flatnonzero(is_legal).tolist()])
    answer = museum_legal_priors.model_answer(logits.astype(float), is_legal)

    np.testing.assert_allclose(answer[is_legal], priors, atol=1e-9)
    assert (answer[~is_legal] == 0).all()


def test_the_mirror_is_the_games():
    rng = np.random.default_rng(4)
    planes, policy = rng.random((2, 6, 7)), rng.random(7)
    expected = [net.turn(planes, policy, each) for each in games.ConnectFour().symmetries()]

    for found, wanted in zip(museum_mirror.model_answer(planes, policy), expected, strict=True):
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_array_equal(one, other)


def test_a_mistake_in_the_symmetries_is_named_whatever_their_order():
    def answer(planes, policy):
        size = planes.shape[1]
        board, rest = policy[: size * size].reshape(size, size), policy[size * size :]
        samples = []
        for turns in range(3, -1, -1):
            turned, shares = np.rot90(planes, turns, axes=(1, 2)), np.rot90(board, -turns)
            samples.append((turned[:, :, ::-1], np.append(shares[:, ::-1].ravel(), rest)))
            samples.append((turned, np.append(shares.ravel(), rest)))
        return samples

    assert judge(symmetries, answer).mistake == "planes and policy rotated opposite ways"


def test_planes_without_a_return_are_named():
    def answer(state):
        planes = np.zeros(len(state.board().stones))
        planes[0] = 1

    assert "Did you forget `return`?" in str(judge(encode, answer))
