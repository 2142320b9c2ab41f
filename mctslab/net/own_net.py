"""A net of your own: any module of PyTorch from planes to policy logits and values.

    class MyNet(nn.Module):
        def __init__(self, config: NetConfig) -> None: ...
        def forward(self, planes): ...  # [N, C, rows, cols] to logits [N, A] and values [N]

    net.train(config, "runs/mine", make_net=MyNet)
    player = net.player("runs/mine", make_net=MyNet, rng=1)

A checkpoint has the net's numbers and a digest of its source, but no code, so whoever loads it has
to give the class.
"""

import ast
import functools
import hashlib
import inspect
import pickle
import textwrap
from collections.abc import Callable
from typing import TypeAlias

import torch
from torch import Tensor, nn

from mctslab.net.model import AnyNet, MakeAnyNet, NetConfig, PolicyValueNet
from mctslab.typed import takes

MakeNet: TypeAlias = Callable[[NetConfig], nn.Module]
"""Makes a net of your own for boards and actions of this shape: usually its class."""


class OwnNet(AnyNet):
    """A net of your own, with its shape; it refuses outputs of any other shape.

    Args:
        config: the shape; the sizes in it, such as `num_filters`, are for `make_net` to use or not.
        make_net: makes the module.

    Raises:
        TypeError: `make_net` made something else, or cannot be called with a config.
        ValueError: it fails for planes of this shape, or its outputs have another shape.
    """

    memory_format = torch.contiguous_format  # so that `view` works in the module

    def __init__(self, config: NetConfig, make_net: MakeNet) -> None:
        super().__init__(config, maker(make_net))
        self.make_net = make_net
        self.name = getattr(make_net, "__name__", type(make_net).__name__)
        if isinstance(make_net, nn.Module) or not takes(make_net, None):
            raise TypeError(
                f"make_net must be a class or a function that makes a net from a NetConfig, got "
                f"{make_net!r}."
            )
        self.own = make_net(config)
        if not isinstance(self.own, nn.Module):
            raise TypeError(f"{self.name} made {self.own!r}: expected a torch.nn.Module.")
        planes = torch.zeros(2, config.inputs.count, config.rows, config.cols)
        try:
            with torch.no_grad():
                self.eval()(planes)
        except RuntimeError as error:
            raise ValueError(
                f"{self.name} fails for planes of shape {list(planes.shape)}, which are "
                f"[N, inputs.count, rows, cols] of its config: {error}"
            ) from error

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Policy logits [N, A] and values [N] of `planes` [N, C, rows, cols]."""
        answer = self.own(planes.contiguous())
        expected = [[len(planes), self.config.num_actions], [len(planes)]]
        if not isinstance(answer, tuple | list):
            answer = (answer,)
        found = [list(each.shape) if isinstance(each, Tensor) else each for each in answer]
        if found != expected:
            raise ValueError(
                f"{self.name} answered planes of shape {list(planes.shape)} with "
                f"{' and '.join(map(str, found))}: expected logits of shape {expected[0]} and "
                f"values of shape {expected[1]}."
            )
        logits, values = answer
        return logits, values

    def about(self) -> dict[str, str]:
        """What a checkpoint keeps of the code: its name, and a digest of the source."""
        return {"name": self.name, "digest": source_digest(self.make_net)}


def maker(make_net: MakeNet | None) -> MakeAnyNet:
    """What makes nets of mctslab itself, or with `make_net` those of your own."""
    return PolicyValueNet if make_net is None else functools.partial(OwnNet, make_net=make_net)


def source_digest(make_net: MakeNet) -> str:
    """A digest of what the source means; empty where Python has no source.

    Comments and spaces make no difference. Of a class its own methods count, and not what they
    call. Python knows the source of a notebook's functions, but not that of its classes.
    """
    parts = vars(make_net).values() if isinstance(make_net, type) else [make_net]
    try:
        sources = [inspect.getsource(each) for each in parts if inspect.isfunction(each)]
        trees = [ast.dump(ast.parse(textwrap.dedent(each))) for each in sources]
    except (OSError, SyntaxError):  # a lambda can be a part of a line
        return ""
    return hashlib.sha256("\n".join(trees).encode()).hexdigest()[:12] if trees else ""


def is_importable(make_net: MakeNet | None) -> bool:
    """Whether another process can have it; a class of a notebook or a lambda exists only here."""
    try:
        return b"__main__" not in pickle.dumps(make_net)
    except (AttributeError, TypeError, pickle.PicklingError):
        return False
