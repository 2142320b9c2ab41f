"""Layers and nets that are small enough for a calculation by hand."""

from mctslab.search.interrupts import interrupted_after

with interrupted_after("the import of PyTorch"):
    import torch
    from torch import Tensor, nn

__all__ = ["Layer", "Reckoned", "TwoWeights", "torch"]


class Layer(nn.Module):
    """Multiplies every number by `scale` and adds `shift`."""

    def __init__(self, scale: float, shift: float) -> None:
        super().__init__()
        self.scale, self.shift = scale, shift

    def forward(self, features: Tensor) -> Tensor:
        """Features of any shape to features of the same shape."""
        return features * self.scale + self.shift


class TwoWeights(nn.Module):
    """Whatever the planes are, the value is one weight and the only logit another."""

    def __init__(self, value: float, policy: float) -> None:
        super().__init__()
        self.value = nn.Parameter(torch.tensor(value))
        self.policy = nn.Parameter(torch.tensor(policy))
        self.modes: set[str] = set()

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Planes [N, ...] to logits [N, 1] and values [N]."""
        number = len(planes)
        self.modes.add("train()" if self.training else "eval()")
        return self.policy.repeat(number, 1), self.value.repeat(number)


class Reckoned(nn.Module):
    """The logit of action a is (a % 4) / 2; the value comes from the numbers of stones."""

    def __init__(self, num_actions: int) -> None:
        super().__init__()
        self.logits = nn.Parameter(torch.arange(num_actions) % 4 / 2)
        self.had_gradients, self.modes = False, set[str]()
        self.sizes = set[int]()

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Planes [N, C, rows, cols] to logits [N, A] and values [N]."""
        self.sizes.add(len(planes))
        self.had_gradients |= torch.is_grad_enabled()
        self.modes.add("train()" if self.training else "eval()")
        own, opponent = planes[:, 0].sum((1, 2)), planes[:, 1].sum((1, 2))
        return self.logits.repeat(len(planes), 1), (opponent - own + 0.5) / 8
