"""A net made ready for fast answers, by the fastest backend that is installed here.

PyTorch is always there. On a processor, ONNX Runtime gives the same answers and is three to four
times as fast for a single position, 1.3 to 1.7 times for batches of 32 and 128.

Some processors also compute in bfloat16, numbers of half the length. In batches of 128 PyTorch is
then nearly twice as fast, and OpenVINO 1.2 to 1.6 times as fast again. The answers differ in the
third digit: too coarse to judge a net by, but good enough for the games that it learns from.

ONNX Runtime and OpenVINO come with `pip install "mctslab[speed]"`;
`python -m tests.benchmarks.net_speed` measures all of them on your computer.
"""

import copy
import functools
import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from mctslab.net.encode import Floats
from mctslab.net.model import (
    ConvolutionBlock,
    DensePolicyHead,
    DenseValueHead,
    NetConfig,
    PolicyValueNet,
    PooledPolicyHead,
    PooledValueHead,
    ResidualBlock,
)

if TYPE_CHECKING:
    import openvino
    from onnx import ModelProto, NodeProto, TensorProto


class Answer(NamedTuple):
    """The outputs of a net for N positions."""

    policy_logits: Floats
    """[N, A]: for every action of the game, legal or not."""
    values: Floats
    """[N]: for the player to move, in [-1, 1]."""


class Inference(Protocol):
    """A net that answers; what it learns afterwards makes no difference."""

    name: str
    """The backend, for reports: `PyTorch on cuda`."""

    def __call__(self, planes: Floats) -> Answer:
        """The net's answer to `planes`, [N, C, rows, cols] of float32."""
        ...


def in_batches(inference: Inference, planes: Floats) -> Answer:
    """The answer to `planes`, for any number of positions."""
    if len(planes) <= MAX_BATCH:
        return inference(planes)
    parts = [inference(planes[i : i + MAX_BATCH]) for i in range(0, len(planes), MAX_BATCH)]
    return Answer(*(np.concatenate(numbers) for numbers in zip(*parts, strict=True)))


MAX_BATCH: Final = 128
"""The largest batch; with more positions a processor's caches overflow."""


@contextmanager
def on_cores(number: int) -> Iterator[None]:
    """Let PyTorch compute on this number of cores inside, in this thread; afterwards as before.

    Our nets compute on one. Several cores add sums in an order that changes from run to run, and
    the few positions that a search evaluates in one call are computed several times as fast on one.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(number)
    try:
        yield
    finally:
        torch.set_num_threads(before)


class TorchInference:
    """A net computed by PyTorch, its batch norms folded.

    Args:
        net: the net, which is not changed.
        device: where to compute, such as `cpu` or `cuda`.
        dtype: the type of the numbers on the way: `torch.bfloat16` is fast and coarse.
        num_threads: the number of the processor's cores that work on one batch.
    """

    def __init__(
        self,
        net: PolicyValueNet,
        device: str = "cpu",
        dtype: torch.dtype = torch.float32,
        num_threads: int = 1,
    ) -> None:
        self._num_threads = num_threads
        self.name = f"PyTorch on {device}{' in bfloat16' if dtype == torch.bfloat16 else ''}"
        self._net = folded(net)
        # The processor's convolutions are fastest if a square's channels lie side by side.
        self._form = {"device": device, "dtype": dtype, "memory_format": torch.channels_last}
        self._net.to(**self._form)  # type: ignore[call-overload]

    def __call__(self, planes: Floats) -> Answer:
        """The net's answer to `planes`, [N, C, rows, cols]."""
        with on_cores(self._num_threads), torch.inference_mode():
            answer = self._net(torch.from_numpy(planes).to(**self._form))  # type: ignore[call-overload]
            return Answer(*(numbers.float().cpu().numpy() for numbers in answer))


class OnnxInference:
    """A net computed by ONNX Runtime, on the processor.

    Args:
        net: the net, which is not changed.
        num_threads: the number of cores that work on one batch.

    Raises:
        ModuleNotFoundError: the packages onnx and onnxruntime are not both installed.
    """

    def __init__(self, net: PolicyValueNet, num_threads: int = 1) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = num_threads
        options.inter_op_num_threads = 1
        # Between two batches the threads sleep, because the trees need the cores then.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self.name = "ONNX Runtime"
        self._session = onnxruntime.InferenceSession(
            onnx_model(net).SerializeToString(), options, providers=["CPUExecutionProvider"]
        )

    def __call__(self, planes: Floats) -> Answer:
        """The net's answer to `planes`, [N, C, rows, cols]."""
        return _answer(*self._session.run(None, {"planes": planes}))


class HalfPrecisionInference:
    """A net computed by OpenVINO in bfloat16, on one core of the processor.

    Args:
        net: the net, which is not changed.

    Raises:
        ModuleNotFoundError: the packages onnx and openvino are not both installed.
    """

    def __init__(self, net: PolicyValueNet) -> None:
        core = openvino_core()
        model = core.read_model(onnx_model(net).SerializeToString())
        self.name = "OpenVINO in bfloat16"
        settings = {
            "INFERENCE_PRECISION_HINT": "bf16",
            "INFERENCE_NUM_THREADS": 1,
            "NUM_STREAMS": 1,
            # With pinning, every process would use the same core.
            "ENABLE_CPU_PINNING": False,
        }
        self._request = core.compile_model(model, "CPU", settings).create_infer_request()

    def __call__(self, planes: Floats) -> Answer:
        """The net's answer to `planes`, [N, C, rows, cols]."""
        answer = self._request.infer({0: planes})
        return _answer(answer[0].copy(), answer[1])


def _answer(logits: Floats, values: Floats) -> Answer:
    """The outputs of a backend whose tanh may overshoot: ONNX Runtime's reaches 1.0000001."""
    return Answer(logits, np.clip(values[:, 0], -1, 1))


def fastest(net: PolicyValueNet, device: str = "auto") -> Inference:
    """`net` on the fastest backend here.

    The net is not changed. On a processor it computes on one core.

    Args:
        net: the net.
        device: as in `device_named`.
    """
    device = device_named(device)
    if device != "cpu":
        return TorchInference(net, device)
    if _has("onnx", "onnxruntime"):
        return OnnxInference(net)
    return TorchInference(net)


def in_half_precision(net: PolicyValueNet, device: str = "auto") -> Inference:
    """As `fastest`, but in bfloat16 where the processor computes in it."""
    if not computes_in_bfloat16(device):
        return fastest(net, device)
    if _has("onnx", "openvino"):
        return HalfPrecisionInference(net)
    return TorchInference(net, dtype=torch.bfloat16)


def computes_in_bfloat16(device: str = "auto") -> bool:
    """Whether nets are computed on a processor, and it has instructions for bfloat16."""
    if device_named(device) != "cpu":
        return False
    # PyTorch before 2.10 does not say what the processor can.
    abilities: dict[str, object] = getattr(torch.cpu, "get_capabilities", dict)()
    return any(abilities.get(name, False) for name in ("avx512_bf16", "amx_bf16"))


@functools.cache
def openvino_core() -> "openvino.Core":
    """OpenVINO, started once for as long as this process lasts.

    Every core sets up a stack for signal handlers. If there were two and the first were freed
    first, signals would use the stack that is gone, and the next interrupt would end the process.

    Raises:
        ModuleNotFoundError: the package openvino is not installed.
    """
    import openvino

    return openvino.Core()


def _has(*packages: str) -> bool:
    return all(importlib.util.find_spec(package) for package in packages)


def device_named(name: str) -> str:
    """A device of PyTorch: `cpu`, `cuda` or `mps`; for `auto`, the fastest one here.

    Raises:
        ValueError: this machine does not have it.
    """
    if name == "auto":
        return best_device()
    if name not in ("cpu", best_device()):
        raise ValueError(f"device = {name!r}: this machine has none. Use 'auto' or 'cpu'.")
    return name


def best_device() -> str:
    """The device on which PyTorch is fastest: `cuda`, `mps` (a Mac's graphics) or `cpu`."""
    if torch.cuda.is_available():
        return "cuda"
    if torch.backends.mps.is_available():
        return "mps"
    return "cpu"


# Without batch norms


def folded(net: PolicyValueNet) -> PolicyValueNet:
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


# As a graph of ONNX, the format in which programs exchange nets

PLANES: Final = "planes"
POLICY_LOGITS: Final = "policy_logits"
VALUES: Final = "values"
"""The input, [N, C, R, S], and the outputs, [N, A] and [N, 1]."""

_OPERATORS: Final = 17
_IR_VERSION: Final = 9
"""Versions of the format that all supported versions of ONNX Runtime read."""


def onnx_model(net: PolicyValueNet) -> "ModelProto":
    """The graph of `net` with its present weights, batch norms folded, for batches of any size.

    The operators are those of https://onnx.ai/onnx/operators. The graph is written node by node, as
    `model.py` computes it, which takes some milliseconds.
    """
    plain = folded(net)
    graph = _Graph()
    features = graph.block(PLANES, plain.stem)
    for block in plain.tower:
        assert isinstance(block, ResidualBlock)
        change = graph.convolution(graph.block(features, block.first), block.second)
        features = graph.relu(graph.node("Add", features, change))
    _policy(graph, features, plain.policy_head)
    _value(graph, features, plain.value_head)
    return graph.model(plain.config)


def _policy(graph: "_Graph", features: str, head: nn.Module) -> None:
    if isinstance(head, DensePolicyHead):
        policy = graph.node("Flatten", graph.block(features, head.convolution))
        graph.linear(policy, head.linear, name=POLICY_LOGITS)
        return
    assert isinstance(head, PooledPolicyHead)
    features = graph.block(features, head.convolution)
    squares = graph.node("Flatten", graph.convolution(features, head.squares))
    if head.passing is None:
        graph.node("Identity", squares, name=POLICY_LOGITS)
    else:
        passing = graph.linear(graph.pooled("GlobalAveragePool", features), head.passing)
        graph.node("Concat", squares, passing, name=POLICY_LOGITS, axis=1)


def _value(graph: "_Graph", features: str, head: nn.Module) -> None:
    assert isinstance(head, DenseValueHead | PooledValueHead)
    features = graph.block(features, head.convolution)
    if isinstance(head, DenseValueHead):
        seen = graph.node("Flatten", features)
    else:
        mean, maximum = (graph.pooled(f"Global{by}Pool", features) for by in ("Average", "Max"))
        seen = graph.node("Concat", mean, maximum, axis=1)
    hidden = graph.relu(graph.linear(seen, head.hidden))
    graph.node("Tanh", graph.linear(hidden, head.linear), name=VALUES)


class _Graph:
    """Nodes and weights, in the order in which they are computed; each has a name."""

    def __init__(self) -> None:
        from onnx import helper

        self._helper = helper
        self._nodes: list[NodeProto] = []
        self._weights: list[TensorProto] = []

    def node(self, operator: str, *inputs: str, name: str = "", **attributes: Any) -> str:
        """Add a node; returns the name of its output."""
        name = name or f"{operator}_{len(self._nodes)}"
        self._nodes.append(self._helper.make_node(operator, inputs, [name], **attributes))
        return name

    def block(self, features: str, layers: ConvolutionBlock) -> str:
        """Add a convolution, whose batch norm is folded, and a ReLU."""
        return self.relu(self.convolution(features, layers.convolution))

    def convolution(self, features: str, layer: nn.Conv2d) -> str:
        """Add a convolution that keeps the size of the board."""
        padding = [layer.kernel_size[0] // 2] * 4
        weights = self._constant(layer.weight), self._constant(layer.bias)
        return self.node("Conv", features, *weights, pads=padding)

    def linear(self, features: str, layer: nn.Linear, name: str = "") -> str:
        """Add a linear layer."""
        weights = self._constant(layer.weight), self._constant(layer.bias)
        return self.node("Gemm", features, *weights, transB=1, name=name)

    def pooled(self, operator: str, features: str) -> str:
        """Add the mean or the maximum of each plane over the board."""
        return self.node("Flatten", self.node(operator, features))

    def relu(self, features: str) -> str:
        """Add a ReLU."""
        return self.node("Relu", features)

    def model(self, config: NetConfig) -> "ModelProto":
        """The whole graph."""
        from onnx import TensorProto

        helper = self._helper
        shape: list[str | int | None] = ["N", config.inputs.count, config.rows, config.cols]
        graph = helper.make_graph(
            self._nodes,
            "policy_value_net",
            [helper.make_tensor_value_info(PLANES, TensorProto.FLOAT, shape)],
            [
                helper.make_tensor_value_info(POLICY_LOGITS, TensorProto.FLOAT, None),
                helper.make_tensor_value_info(VALUES, TensorProto.FLOAT, None),
            ],
            self._weights,
        )
        operators = [helper.make_opsetid("", _OPERATORS)]
        model: ModelProto = helper.make_model(
            graph, opset_imports=operators, ir_version=_IR_VERSION
        )
        return model

    def _constant(self, weights: Tensor | None) -> str:
        assert weights is not None, "a folded net's layers have weights and biases"
        from onnx import numpy_helper

        name = f"weights_{len(self._weights)}"
        self._weights.append(numpy_helper.from_array(weights.detach().cpu().numpy(), name))
        return name
