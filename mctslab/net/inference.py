"""Asking a net fast: planes in, policy and value out, by the quickest means that this computer has.

On a graphics card PyTorch is that, on a processor ONNX Runtime: two to eight times PyTorch's speed
for a single position, 1.4 to 2 times for batches of 32 and 64, and the same answers
(`python -m tests.benchmarks.net_speed` measures it here).

Some processors also compute in numbers of half the length, bfloat16. By OpenVINO that is nearly
twice as fast again, and the answers differ in the third digit: nothing to judge a net by, but good
enough for the games that it learns from.
"""

import functools
import importlib.util
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
import torch

from mctslab.net.encode import Floats
from mctslab.net.folding import folded
from mctslab.net.model import PolicyValueNet

if TYPE_CHECKING:
    import openvino


class Answer(NamedTuple):
    """What a net says of N positions."""

    policy_logits: Floats
    """[N, A]: for every action of the game, legal or not."""
    values: Floats
    """[N]: for the player to move, in [-1, 1]."""


class Inference(Protocol):
    """A net made ready for being asked; what it learns afterwards is not in it."""

    name: str
    """What does the work, for reports: `PyTorch on cuda`."""

    def __call__(self, planes: Floats) -> Answer:
        """The net's answer to `planes`, [N, C, rows, cols] of float32."""
        ...


class TorchInference:
    """A net asked by PyTorch, its batch norms folded.

    Args:
        net: the net, which stays as it is.
        device: where to compute, such as `cpu` or `cuda`.
    """

    def __init__(self, net: PolicyValueNet, device: str = "cpu") -> None:
        self.name = f"PyTorch on {device}"
        self._device = torch.device(device)
        self._net = folded(net).to(self._device)

    def __call__(self, planes: Floats) -> Answer:
        """The net's answer to `planes`, [N, C, rows, cols]."""
        with torch.inference_mode():
            logits, values = self._net(torch.from_numpy(planes).to(self._device))
            return Answer(logits.cpu().numpy(), values.cpu().numpy())


class OnnxInference:
    """A net asked by ONNX Runtime, on the processor.

    Args:
        net: the net, which stays as it is.
        num_threads: how many cores work on one batch.

    Raises:
        ModuleNotFoundError: the packages onnx and onnxruntime are not both installed.
    """

    def __init__(self, net: PolicyValueNet, num_threads: int = 1) -> None:
        import onnxruntime

        from mctslab.net.onnx_graph import onnx_model

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = num_threads
        options.inter_op_num_threads = 1
        # Between two batches the threads sleep, for then the cores are wanted for the trees.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self.name = "ONNX Runtime"
        self._session = onnxruntime.InferenceSession(
            onnx_model(net).SerializeToString(), options, providers=["CPUExecutionProvider"]
        )

    def __call__(self, planes: Floats) -> Answer:
        """The net's answer to `planes`, [N, C, rows, cols]."""
        return _answer(*self._session.run(None, {"planes": planes}))


class HalfPrecisionInference:
    """A net asked by OpenVINO in bfloat16, on the processor.

    Args:
        net: the net, which stays as it is.
        num_threads: how many cores work on one batch.

    Raises:
        ModuleNotFoundError: the packages onnx and openvino are not both installed.
    """

    def __init__(self, net: PolicyValueNet, num_threads: int = 1) -> None:
        from mctslab.net.onnx_graph import onnx_model

        core = openvino_core()
        model = core.read_model(onnx_model(net).SerializeToString())
        self.name = "OpenVINO in bfloat16"
        settings = {
            "INFERENCE_PRECISION_HINT": "bf16",
            "INFERENCE_NUM_THREADS": num_threads,
            "NUM_STREAMS": 1,
            # Bound to a core, it would be the same core in every process.
            "ENABLE_CPU_PINNING": False,
        }
        self._request = core.compile_model(model, "CPU", settings).create_infer_request()

    def __call__(self, planes: Floats) -> Answer:
        """The net's answer to `planes`, [N, C, rows, cols]."""
        answer = self._request.infer({0: planes})
        return _answer(answer[0].copy(), answer[1])


def _answer(logits: Floats, values: Floats) -> Answer:
    """What a runtime says, whose tanh may overshoot: ONNX Runtime's goes up to 1.0000001."""
    return Answer(logits, np.clip(values[:, 0], -1, 1))


def fastest(net: PolicyValueNet, num_threads: int = 1) -> Inference:
    """The quickest way to ask `net` here: a graphics card if there is one, else the processor.

    Args:
        net: the net, which stays as it is.
        num_threads: how many cores work on one batch, where it is the processor and ONNX Runtime;
            PyTorch uses as many as `torch.get_num_threads()` says.
    """
    device = best_device()
    if device != "cpu":
        return TorchInference(net, device)
    if _has("onnx", "onnxruntime"):
        return OnnxInference(net, num_threads)
    return TorchInference(net)


def in_half_precision(net: PolicyValueNet, num_threads: int = 1) -> Inference:
    """As `fastest`, but in numbers of half the length where the processor computes in them."""
    if computes_in_bfloat16() and _has("onnx"):
        return HalfPrecisionInference(net, num_threads)
    return fastest(net, num_threads)


def computes_in_bfloat16() -> bool:
    """Whether the processor does the work here, computes in bfloat16, and OpenVINO is installed."""
    if best_device() != "cpu" or not _has("openvino"):
        return False
    return "BF16" in openvino_core().get_property("CPU", "OPTIMIZATION_CAPABILITIES")


@functools.cache
def openvino_core() -> "openvino.Core":
    """OpenVINO, started once and for as long as this process lasts.

    Every core sets up a stack for the handlers of signals. When of two cores the first goes first,
    the stack that stays behind is one that is gone, and the next interrupt ends the process.

    Raises:
        ModuleNotFoundError: the package openvino is not installed.
    """
    import openvino

    return openvino.Core()


def _has(*packages: str) -> bool:
    return all(importlib.util.find_spec(package) for package in packages)


def best_device() -> str:
    """Where PyTorch computes fastest here: `cuda`, `mps` (a Mac's graphics) or `cpu`."""
    if torch.cuda.is_available():
        return "cuda"
    if torch.backends.mps.is_available():
        return "mps"
    return "cpu"
