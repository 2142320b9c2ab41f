"""How a net learns: the loss, one step of gradient descent, and the optimiser.

    loss = (z - v)^2 - sum over legal a of pi(a) log p(a)         + weight decay

The last part of Silver et al. 2017 is c |theta|^2, for all weights theta. It does not depend on the
samples: it pulls every weight towards 0 at each step, and the optimiser applies it.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from mctslab.net.inference import on_cores
from mctslab.net.replay import Samples
from mctslab.search.interrupts import interrupted_after

_NEVER: Final = -1e9
"""The logit of an illegal move in the loss. Minus infinity times a target of 0 would not be 0."""


class Losses(NamedTuple):
    """The parts of the loss, means over a batch."""

    value: Tensor
    """(z - v)^2: 1 for a net that answers 0 in decided games, 0 at best."""
    policy: Tensor
    """Cross-entropy over the legal moves, in nats: the log of their number for a net that knows
    nothing, the entropy of pi at best."""

    @property
    def total(self) -> Tensor:
        """What the optimiser minimizes."""
        return self.value + self.policy


def losses(net: nn.Module, samples: Samples, *, half_precision: bool = False) -> Losses:
    """The losses of `net` on `samples`; the net's opinion of illegal moves does not count.

    In half precision the convolutions compute in bfloat16, which some processors do twice as fast.
    """
    device = next(net.parameters()).device
    planes, policies, values = (torch.from_numpy(part).to(device) for part in samples)
    with torch.autocast(device.type, dtype=torch.bfloat16, enabled=half_precision):
        # Processors compute fastest with this memory format, filters last.
        logits, predicted = net(planes.to(memory_format=torch.channels_last))
    legal = logits.float().masked_fill(policies < 0, _NEVER)
    return Losses(
        value=functional.mse_loss(predicted.float(), values),
        policy=functional.cross_entropy(legal, policies.clamp(min=0)),
    )


def training_step(
    net: nn.Module,
    optimizer: torch.optim.Optimizer,
    samples: Samples,
    *,
    half_precision: bool = False,
) -> Losses:
    """One step of gradient descent on `samples`, on one core; returns the losses before it."""
    net.train()
    with on_cores(1):
        before = losses(net, samples, half_precision=half_precision)
        optimizer.zero_grad()
        before.total.backward()
        optimizer.step()
    return Losses(before.value.detach(), before.policy.detach())


def policy_entropy(policies: np.ndarray) -> float:
    """The mean entropy of policies [N, A], in nats: the minimum of the policy loss."""
    logs = np.log(np.where(policies > 0, policies, 1.0))
    return float(-(policies * logs).sum(axis=1).mean())


def weight_norm(net: nn.Module) -> float:
    """The length of the vector of all weights that decay."""
    squares = [(p.detach() ** 2).sum() for p in net.parameters() if p.dim() > 1]
    return float(torch.stack(squares).sum().sqrt())


# The optimiser

_PREFIX: Final = "optimizer."


def make_optimizer(
    net: nn.Module, learning_rate: float, weight_decay: float = 1e-4
) -> torch.optim.Optimizer:
    """AdamW for `net` (Loshchilov and Hutter 2019, "Decoupled weight decay regularization").

    Weights decay; biases and the two parameters of a batch norm do not.
    """
    weights = [parameter for parameter in net.parameters() if parameter.dim() > 1]
    others = [parameter for parameter in net.parameters() if parameter.dim() <= 1]
    groups = [
        {"params": weights, "weight_decay": weight_decay},
        {"params": others, "weight_decay": 0.0},
    ]
    with interrupted_after("the import of PyTorch's optimizers"):  # by the first one that is made
        return torch.optim.AdamW(groups, lr=learning_rate)


def optimizer_tensors(optimizer: torch.optim.Optimizer) -> dict[str, Tensor]:
    """The state of an optimiser as a checkpoint keeps it, by name.

    A run that goes on from a checkpoint needs it to take the same steps. The learning rate and the
    weight decay are not part of it: they are settings.
    """
    return {
        f"{_PREFIX}{parameter}.{name}": tensor
        for parameter, state in optimizer.state_dict()["state"].items()
        for name, tensor in state.items()
    }


def restore_optimizer(optimizer: torch.optim.Optimizer, tensors: Mapping[str, Tensor]) -> None:
    """Give an optimiser of the same net the state in `tensors`, those of a checkpoint."""
    state: dict[int, dict[str, Tensor]] = {}
    for key, tensor in tensors.items():
        if key.startswith(_PREFIX):
            parameter, name = key.removeprefix(_PREFIX).split(".")
            state.setdefault(int(parameter), {})[name] = tensor
    groups = optimizer.state_dict()["param_groups"]
    optimizer.load_state_dict({"state": state, "param_groups": groups})
