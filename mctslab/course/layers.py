"""A layer of a net that is small enough for a calculation by hand."""

from torch import Tensor, nn


class Layer(nn.Module):
    """Multiplies every number by `scale` and adds `shift`."""

    def __init__(self, scale: float, shift: float) -> None:
        super().__init__()
        self.scale, self.shift = scale, shift

    def forward(self, features: Tensor) -> Tensor:
        """Features of any shape to features of the same shape."""
        return features * self.scale + self.shift

    def extra_repr(self) -> str:
        """What is shown in brackets."""
        return f"times {self.scale:g}, plus {self.shift:g}"
