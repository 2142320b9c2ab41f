"""What notebook 12 says is so, and stays so with another seed."""

import numpy as np
import pytest
import torch

from mctslab import net

# The net


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


# Learning


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
