"""A net as a graph of ONNX, the format in which programs hand nets to each other.

The operators are those of https://onnx.ai/onnx/operators. A net is written node by node, as
`model.py` computes it, in some milliseconds: after each iteration of training it is made anew.
"""

from typing import Any, Final

from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper
from torch import Tensor, nn

from mctslab.net.folding import folded
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

PLANES: Final = "planes"
POLICY_LOGITS: Final = "policy_logits"
VALUES: Final = "values"
"""What goes in, [N, C, R, S], and what comes out, [N, A] and [N, 1]."""

_OPERATORS: Final = 17
_IR_VERSION: Final = 9
"""Versions of the format that every ONNX Runtime reads which we allow."""


def onnx_model(net: PolicyValueNet) -> ModelProto:
    """The graph of `net` with its weights of today, batch norms folded, for batches of any size."""
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
        passing = graph.linear(graph.mean(features), head.passing)
        graph.node("Concat", squares, passing, name=POLICY_LOGITS, axis=1)


def _value(graph: "_Graph", features: str, head: nn.Module) -> None:
    assert isinstance(head, DenseValueHead | PooledValueHead)
    features = graph.block(features, head.convolution)
    if isinstance(head, DenseValueHead):
        seen = graph.node("Flatten", features)
    else:
        seen = graph.node("Concat", graph.mean(features), graph.maximum(features), axis=1)
    hidden = graph.relu(graph.linear(seen, head.hidden))
    graph.node("Tanh", graph.linear(hidden, head.linear), name=VALUES)


class _Graph:
    """Nodes and weights, in the order in which they are computed; each has a name."""

    def __init__(self) -> None:
        self._nodes: list[NodeProto] = []
        self._weights: list[TensorProto] = []

    def node(self, operator: str, *inputs: str, name: str = "", **attributes: Any) -> str:
        """Add a node; the name of what comes out of it."""
        name = name or f"{operator}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(operator, inputs, [name], **attributes))
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

    def mean(self, features: str) -> str:
        """Add the mean of each plane over the board."""
        return self.node("Flatten", self.node("GlobalAveragePool", features))

    def maximum(self, features: str) -> str:
        """Add the maximum of each plane over the board."""
        return self.node("Flatten", self.node("GlobalMaxPool", features))

    def relu(self, features: str) -> str:
        """Add a ReLU."""
        return self.node("Relu", features)

    def model(self, config: NetConfig) -> ModelProto:
        """The whole graph, of an input of planes."""
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
        return helper.make_model(graph, opset_imports=operators, ir_version=_IR_VERSION)

    def _constant(self, weights: Tensor | None) -> str:
        assert weights is not None, "a folded net's layers have weights and biases"
        name = f"weights_{len(self._weights)}"
        self._weights.append(numpy_helper.from_array(weights.detach().cpu().numpy(), name))
        return name
