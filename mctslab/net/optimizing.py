"""The optimiser: what makes a step of the gradients, and what it remembers from step to step.

A net that goes on learning from a checkpoint needs that memory, too: without it the first steps are
others, and a run that was interrupted does not end where one that was not does.
"""

from collections.abc import Mapping
from typing import Final

import torch
from torch import Tensor

from mctslab.net.model import PolicyValueNet

_PREFIX: Final = "optimizer."


def make_optimizer(
    net: PolicyValueNet, learning_rate: float, weight_decay: float = 1e-4
) -> torch.optim.Optimizer:
    """AdamW for `net` (Loshchilov and Hutter 2019, "Decoupled weight decay regularization").

    Weights decay; biases and the two numbers of a batch norm, which are no weights of anything,
    do not.
    """
    weights = [parameter for parameter in net.parameters() if parameter.dim() > 1]
    others = [parameter for parameter in net.parameters() if parameter.dim() <= 1]
    groups = [
        {"params": weights, "weight_decay": weight_decay},
        {"params": others, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=learning_rate)


def optimizer_tensors(net: PolicyValueNet, optimizer: torch.optim.Optimizer) -> dict[str, Tensor]:
    """What a checkpoint has to keep of the optimiser of `net`, by name.

    The learning rate and the decay are no part of it: they are settings.
    """
    return {
        f"{_PREFIX}{name}.{part}": tensor
        for name, parameter in net.named_parameters()
        for part, tensor in optimizer.state.get(parameter, {}).items()
    }


def restore_optimizer(
    net: PolicyValueNet, optimizer: torch.optim.Optimizer, tensors: Mapping[str, Tensor]
) -> None:
    """Give the optimiser of `net` the memory that `tensors`, of a checkpoint, hold of one.

    Raises:
        ValueError: they are those of another net.
    """
    parameters = dict(net.named_parameters())
    for key, tensor in tensors.items():
        if not key.startswith(_PREFIX):
            continue
        name, _, part = key.removeprefix(_PREFIX).rpartition(".")
        parameter = parameters.get(name)
        if parameter is None or (tensor.dim() and tensor.shape != parameter.shape):
            raise ValueError(f"The optimiser that was kept is of another net: {key}.")
        optimizer.state[parameter][part] = tensor.clone()
