"""What notebook 12 says is so."""

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
