"""What the side road on what samples teach says is so."""

import torch

from mctslab import net


def test_one_batch_goes_to_the_entropy_of_its_target_and_no_farther(names):
    torch.manual_seed(2)
    value, policy = names["learn"](net.PolicyValueNet(names["config"]), names["sixteen"], 150)[-1]
    floor = net.policy_entropy(names["sixteen"].policies)

    assert value < 0.01
    assert floor - 1e-4 < policy < floor + 0.02
