"""How wrong a net is, in two parts, and how it gets a little less wrong.

    loss = (z - v)^2 - sum over a of pi(a) log p(a)         + weight decay

The last part of Silver et al. 2017 is c |theta|^2, for all weights theta. It is no business of the
samples: it pulls every weight towards 0 at each step, and is left to the optimiser.
"""

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from mctslab.net.model import PolicyValueNet
from mctslab.net.targets import Samples


class Losses(NamedTuple):
    """The parts of the loss, means over a batch."""

    value: Tensor
    """(z - v)^2: 1 for a net that says 0 of decided games, 0 at best."""
    policy: Tensor
    """Cross-entropy, in nats: log A for a net that knows nothing, the entropy of pi at best."""

    @property
    def total(self) -> Tensor:
        """What is made smaller."""
        return self.value + self.policy


def losses(net: PolicyValueNet, samples: Samples, *, half_precision: bool = False) -> Losses:
    """How wrong `net` is about `samples`.

    In half precision the convolutions compute in bfloat16, which some processors do twice as fast.
    """
    device = next(net.parameters()).device
    planes, policies, values = (torch.from_numpy(part).to(device) for part in samples)
    with torch.autocast(device.type, dtype=torch.bfloat16, enabled=half_precision):
        # This order of the numbers in memory, filters last, is the one that processors like best.
        logits, predicted = net(planes.to(memory_format=torch.channels_last))
    return Losses(
        value=functional.mse_loss(predicted.float(), values),
        policy=functional.cross_entropy(logits.float(), policies),
    )


def training_step(
    net: PolicyValueNet,
    optimizer: torch.optim.Optimizer,
    samples: Samples,
    *,
    half_precision: bool = False,
) -> Losses:
    """One step down the loss of `samples`; the losses before it."""
    net.train()
    before = losses(net, samples, half_precision=half_precision)
    optimizer.zero_grad()
    before.total.backward()
    optimizer.step()
    return Losses(before.value.detach(), before.policy.detach())


def policy_entropy(policies: np.ndarray) -> float:
    """The mean entropy of policies [N, A], in nats: the least that the policy's loss can be."""
    logs = np.log(np.where(policies > 0, policies, 1.0))
    return float(-(policies * logs).sum(axis=1).mean())


def weight_norm(net: nn.Module) -> float:
    """The length of the vector of all weights that decay."""
    squares = [(p.detach() ** 2).sum() for p in net.parameters() if p.dim() > 1]
    return float(torch.stack(squares).sum().sqrt())
