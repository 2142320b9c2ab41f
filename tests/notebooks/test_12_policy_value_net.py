"""What notebook 12 says is so, and stays so with another seed."""

import numpy as np
import pytest
import torch

from mctslab import net

FOUR = net.InputPlanes()


# What a net sees


def test_a_ply_earlier_the_first_two_planes_have_changed_places(names):
    quiet = names["quiet"]
    later, earlier = net.encode(quiet, FOUR), net.encode(quiet[:-1], FOUR)
    last = later[2]

    np.testing.assert_array_equal(earlier[1], later[0])
    np.testing.assert_array_equal(earlier[0] + last, later[1])
    assert (later[3] == 1).all()
    assert (earlier[3] == 0).all()


# The net


def test_the_block_that_is_worked_out_by_hand(names):
    x = torch.tensor([1.0, -2.0])
    layers = (lambda t: 2 * t, lambda t: t + 1, lambda t: 3 * t, lambda t: t - 4)

    assert names["residual_block"](x, *layers).tolist() == [6, 0]


def test_the_net_that_is_typed_out_is_the_packages(names):
    """Also in training, where its gradients and its running averages have to agree."""
    torch.manual_seed(5)
    theirs, ours = net.PolicyValueNet(names["config"]), names["Net"](names["start"])
    ours.load_state_dict(dict(zip(ours.state_dict(), theirs.state_dict().values(), strict=True)))
    planes = torch.randn(7, 4, 6, 6)
    for a_net in (theirs, ours):
        a_net.train()
        logits, values = a_net(planes)
        (logits.square().mean() + values.mean()).backward()

    assert sum(p.numel() for p in ours.parameters()) == theirs.num_parameters
    for one, other in zip(ours.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(one.grad, other.grad)
    torch.testing.assert_close([*ours.buffers()], [*theirs.buffers()])
    with torch.no_grad():
        torch.testing.assert_close(ours.eval()(planes), tuple(theirs.eval()(planes)))


@pytest.mark.parametrize("seed", [5, 6])
def test_in_training_the_answer_depends_on_the_batch_and_in_play_it_does_not(names, seed):
    torch.manual_seed(seed)
    a_net, nine = names["Net"](names["start"]), names["nine"]
    gaps = {}
    for is_training in (True, False):
        a_net.train(is_training)
        with torch.no_grad():
            gaps[is_training] = abs(a_net(nine[-1:])[1][0] - a_net(nine)[1][-1]).item()

    assert gaps[True] > 1e-3
    assert gaps[False] < 1e-5


def test_no_cell_has_trained_the_net_that_is_called_untrained(names):
    """Evaluating in the mode of training changes the averages, but they are shown at the start."""
    torch.manual_seed(1)
    fresh = names["Net"](names["start"])

    torch.testing.assert_close([*fresh.parameters()], [*names["untrained"].parameters()])


# Learning


def test_the_loss_by_hand(names):
    policy, target = torch.tensor([[0.5, 0.25, 0.25]]), torch.tensor([[0.7, 0.2, 0.1]])
    parts = names["loss"](policy.log(), torch.tensor([0.2]), target, torch.tensor([1.0]))

    assert [part.item() for part in parts] == pytest.approx([0.64, 0.9], abs=0.005)
    assert names["least"] == pytest.approx(0.80, abs=0.005)


@pytest.mark.parametrize("seed", [2, 7])
def test_one_step_lowers_both_parts_and_many_reach_their_least_values(names, seed):
    """The loop of the page, from other weights."""
    torch.manual_seed(seed)
    pupil, loss = names["Net"](names["start"]), names["loss"]
    planes, policies, returns = names["planes"], names["policies"], names["returns"]
    optimizer = torch.optim.AdamW(pupil.parameters(), lr=3e-3, weight_decay=1e-4)
    history = []
    for _ in range(201):
        value_part, policy_part = loss(*pupil(planes), policies, returns)
        optimizer.zero_grad()
        (value_part + policy_part).backward()
        optimizer.step()
        history.append((value_part.item(), policy_part.item()))
    floor = net.policy_entropy(policies.numpy())

    assert history[0] == pytest.approx((1, np.log(36)), abs=0.4)
    assert sum(history[1]) < sum(history[0])
    assert history[-1][0] < 0.01
    assert floor - 1e-4 < history[-1][1] < floor + 0.03
