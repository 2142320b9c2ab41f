"""A net made ready for fast answers: its batch norms are folded into the convolutions.

Some processors and graphics cards also compute in bfloat16, numbers of half the length, nearly
twice as fast in large batches. The answers differ in the third digit, which is too coarse for
measuring a net's strength, but good enough for the games that it learns from. `python -m
tests.benchmarks.speed net` measures the speed of both.
"""

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import torch
from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from mctslab.net.encode import Floats
from mctslab.net.model import AnyNet, ConvolutionBlock, ResidualBlock
from mctslab.search.checks import TOLERANCE


class Answer(NamedTuple):
    """The outputs of a net for N positions."""

    policy_logits: Floats
    """[N, A]: for every action of the game, legal or not."""
    values: Floats
    """[N]: for the player to move, in [-1, 1]."""


Inference: TypeAlias = Callable[[Floats], Answer]
"""A net's answer to planes, [N, C, rows, cols]."""


MAX_BATCH: Final = 128
"""The largest batch of a processor, whose caches overflow with more positions. A graphics card
computes thousands at once."""


@contextmanager
def on_cores(number: int) -> Iterator[None]:
    """Let PyTorch compute on this number of cores inside, in this thread; afterwards as before.

    Our nets compute on one. Several cores add sums in an order that changes from run to run, and
    the few positions that a search evaluates in one call are computed several times as fast on one.
    """
    before = torch.get_num_threads()
    if before == number:
        # A new thread begins with the number that any thread set last. If another one is computing,
        # that is no number to restore: it would become that of all later threads.
        yield
        return
    torch.set_num_threads(number)
    try:
        yield
    finally:
        torch.set_num_threads(before)


class TorchInference:
    """A net as it is now, made ready; what it learns afterwards makes no difference.

    Args:
        net: the net, which is not changed.
        device: where to compute, such as `cpu` or `cuda`.
        dtype: the type of the numbers on the way: `torch.bfloat16` is fast and coarse.
    """

    def __init__(
        self, net: AnyNet, device: str = "cpu", dtype: torch.dtype = torch.float32
    ) -> None:
        self.device = device
        self.dtype = dtype
        self._unfolded = copy.deepcopy(net)  # from which copies are made
        self._form = {"device": device, "dtype": dtype, "memory_format": net.memory_format}
        self._net = folded(self._unfolded).to(**self._form)  # type: ignore[call-overload]

    def __reduce__(self) -> tuple[Any, ...]:
        return TorchInference, (self._unfolded, self.device, self.dtype)

    def __call__(self, planes: Floats) -> Answer:
        """The net's answer to `planes`, [N, C, rows, cols], for any number of positions.

        Raises:
            ValueError: an output is not a finite number.
        """
        size = MAX_BATCH if self.device == "cpu" else max(1, len(planes))
        batches = torch.from_numpy(planes).split(size)
        with on_cores(1), torch.inference_mode():
            parts = [self._net(each.to(**self._form)) for each in batches]
            whole = (torch.cat(numbers) for numbers in zip(*parts, strict=True))
            answer = Answer(*(numbers.float().cpu().numpy() for numbers in whole))
        return checked(answer)


def checked(answer: Answer) -> Answer:
    """The same answer; ValueError if a number in it is infinite or NaN, or a value is no value."""
    if not all(np.isfinite(numbers).all() for numbers in answer):
        raise ValueError(
            "The net's output is not a finite number: its training went wrong. A smaller "
            "learning_rate often helps."
        )
    if (np.abs(answer.values) > 1 + TOLERANCE).any():  # possible for a net of your own
        raise ValueError(
            f"The net's value {answer.values[np.abs(answer.values).argmax()]:g} is not between -1 "
            "and 1: end its value with tanh()."
        )
    return answer


def remembered(inference: Inference) -> Inference:
    """The same answers, each position computed only once; for the games of one net."""
    known: dict[bytes, tuple[Floats, np.float32]] = {}

    def answer(planes: Floats) -> Answer:
        packed = np.packbits(planes.reshape(len(planes), -1).astype(np.bool_), axis=1)
        keys = [row.tobytes() for row in packed]
        new = {key: row for row, key in enumerate(keys) if key not in known}
        if new:
            computed = inference(planes[list(new.values())])
            known.update(zip(new, zip(*computed, strict=True), strict=True))
        logits, values = zip(*(known[key] for key in keys), strict=True)
        return Answer(np.array(logits, np.float32), np.array(values, np.float32))

    return answer


def fastest(net: AnyNet, device: str = "auto", *, half_precision: bool = False) -> TorchInference:
    """`net`, which is not changed, on a device as in `device_named`.

    In half precision it computes in bfloat16 if the device can, otherwise in 32 bits as usual.
    """
    is_half = half_precision and computes_in_bfloat16(device)
    return TorchInference(net, device_named(device), torch.bfloat16 if is_half else torch.float32)


def computes_in_bfloat16(device: str = "auto") -> bool:
    """Whether `device` has instructions for bfloat16: some processors, and graphics cards by CUDA
    that are not too old."""
    name = device_named(device)
    if name != "cpu":
        return name == "cuda" and torch.cuda.is_bf16_supported(including_emulation=False)
    # PyTorch before 2.10 does not say what the processor can.
    abilities: dict[str, object] = getattr(torch.cpu, "get_capabilities", dict)()
    return any(abilities.get(name, False) for name in ("avx512_bf16", "amx_bf16"))


def device_named(name: str) -> str:
    """A device of PyTorch: `cpu`, `cuda` or `mps` (a Mac's graphics); for `auto`, the fastest here.

    Raises:
        ValueError: this machine does not have it.
    """
    has_cuda, has_mps = torch.cuda.is_available(), torch.backends.mps.is_available()
    best = "cuda" if has_cuda else "mps" if has_mps else "cpu"
    if name not in ("auto", "cpu", best):
        raise ValueError(f"device = {name!r}: this machine has none. Use 'auto' or 'cpu'.")
    return best if name == "auto" else name


# Without batch norms


def folded(net: AnyNet) -> AnyNet:
    """A copy of `net` without batch norms: the same answers with a third fewer layers.

    After training, a batch norm multiplies each feature plane by one number and adds another. The
    convolution before it can do both: its weights are multiplied, and it gets a bias.
    """
    plain = copy.deepcopy(net).eval()
    for module in list(plain.modules()):
        if isinstance(module, ConvolutionBlock):
            module.convolution = _fold(module.convolution, module.norm)
            module.norm = nn.Identity()
        elif isinstance(module, ResidualBlock):
            module.second = _fold(module.second, module.second_norm)
            module.second_norm = nn.Identity()
    return plain


def _fold(convolution: nn.Conv2d, norm: nn.Module) -> nn.Conv2d:
    assert isinstance(norm, nn.BatchNorm2d)
    return fuse_conv_bn_eval(convolution, norm)
