"""What notebook 12 says is so, and stays so with another seed."""

import numpy as np
import pytest
import torch

from mctslab import net

# The net


def test_the_block_that_is_worked_out_by_hand():
    def through(x):
        change = 3 * max(0, 2 * x + 1) - 4
        return change, max(0, x + change)

    assert [through(1), through(-2)] == [(5, 6), (-4, 0)]


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


@pytest.mark.parametrize("seed", [2, 7])
def test_one_step_lowers_both_parts_and_many_reach_their_least_values(names, seed):
    """The loop of the page, from other weights."""
    torch.manual_seed(seed)
    pupil, batch = names["Net"](names["start"]), names["batch"]
    optimizer = torch.optim.AdamW(pupil.parameters(), lr=3e-3, weight_decay=1e-4)
    history = [names["train_step"](pupil, optimizer, names["loss"], *batch) for _ in range(201)]
    floor = net.policy_entropy(batch[1].numpy())

    assert history[0] == pytest.approx((1, np.log(36)), abs=0.4)
    assert sum(history[1]) < sum(history[0])
    assert history[-1][0] < 0.01
    assert floor - 1e-4 < history[-1][1] < floor + 0.03


def test_the_samples_belong_to_the_states_and_the_evaluator_is_the_packages(names):
    a_net, states = net.PolicyValueNet(names["config"]), names["states"]
    planes = np.array([names["encode"](state) for state in states])
    np.testing.assert_array_equal(planes, names["planes"].numpy())
    values, priors = names["evaluate"](a_net, names["encode"], states)
    expected = net.NetEvaluator(a_net.eval())(states, None)

    np.testing.assert_allclose(values, expected.values, atol=1e-4)
    for one, other in zip(priors, expected.priors, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-4)
