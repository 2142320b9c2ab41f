"""A net as a list of its layers: what each does, its inputs, and the shape of its output.

PyTorch records every step of a batch through the net (`torch.fx`), so the list always shows what
the net does.
"""

import copy
import operator
import re
from collections.abc import Mapping
from typing import Final, NamedTuple

import torch
from torch import fx, nn
from torch.fx.passes.shape_prop import ShapeProp

from mctslab.net.model import ConvolutionBlock, PolicyValueNet, ResidualBlock


class Layer(NamedTuple):
    """One step of the computation."""

    name: str
    """Its place in the net, such as `policy_head.linear`; `planes` at the beginning."""
    what: str
    """What it does, in words."""
    inputs: tuple[str, ...]
    """The names of the layers whose outputs it takes."""
    shape: tuple[int, ...]
    """Of its output for one position, without the N of the batch."""
    num_parameters: int
    """The number of parameters that it learns."""


def net_layers(net: PolicyValueNet) -> tuple[Layer, ...]:
    """The layers of `net`, each after its inputs; a residual block counts as one.

    The last two are its outputs, `policy logits` and `value`.

    >>> from mctslab.games import TicTacToe
    >>> from mctslab.net.model import NetConfig
    >>> net_layers(PolicyValueNet(NetConfig.for_game(TicTacToe())))[1]
    Layer(name='stem', what='3 × 3 convolution, batch norm, ReLU', inputs=('planes',), \
shape=(32, 3, 3), num_parameters=1216)
    """
    config = net.config
    shape = (config.inputs.count, config.rows, config.cols)
    return _traced(net, "", shape, ("policy logits", "value"))


def block_layers(net: PolicyValueNet, number: int = 0) -> tuple[Layer, ...]:
    """The layers inside a residual block of `net`, in the order of the code.

    Raises:
        ValueError: the net has no such block.
    """
    if not 0 <= number < len(net.tower):
        raise ValueError(f"number = {number!r}: expected a block from 0 to {len(net.tower) - 1}.")
    shape = (net.config.num_filters, net.config.rows, net.config.cols)
    return _traced(net.tower[number], f"tower.{number}", shape, ("features out",))


class _BlockTracer(fx.Tracer):
    """Traces a net down to its convolution blocks and residual blocks.

    Args:
        root: the module that is traced in any case.
    """

    def __init__(self, root: nn.Module) -> None:
        super().__init__()
        self._root_module = root

    def is_leaf_module(self, m: nn.Module, module_qualified_name: str) -> bool:
        """Whether a module counts as one step."""
        is_whole = isinstance(m, ConvolutionBlock | ResidualBlock) and m is not self._root_module
        return is_whole or super().is_leaf_module(m, module_qualified_name)


def _traced(
    module: nn.Module, place: str, shape: tuple[int, ...], answers: tuple[str, ...]
) -> tuple[Layer, ...]:
    """The layers of `module`, at `place` in the net, for an input of `shape`."""
    module = copy.deepcopy(module).eval()
    graph = _BlockTracer(module).trace(module)
    ShapeProp(fx.GraphModule(module, graph)).propagate(torch.zeros(1, *shape))
    *steps, output = graph.nodes
    layers: dict[str, Layer] = {}  # by the step that each ends with
    for step in steps:
        before = [layers[each.name] for each in step.all_input_nodes]
        what, comes_out = _what(module, step), tuple(step.meta["tensor_meta"].shape[1:])
        if what in _SMALL and place == "":
            words = ", ".join(filter(None, (before[0].what, what)))
            layers[step.name] = before[0]._replace(what=words, shape=comes_out)
            del layers[step.all_input_nodes[0].name]
        else:
            inputs, count = tuple(each.name for each in before), _count(module, step)
            layers[step.name] = Layer(_name(step, place), what, inputs, comes_out, count)
    given = [layers[each.name] for each in output.all_input_nodes]
    ends = [
        Layer(name, "", (layer.name,), layer.shape, 0)
        for name, layer in zip(answers, given, strict=True)
    ]
    return (*layers.values(), *ends)


_OPERATIONS: Final[Mapping[object, str]] = {
    torch.relu_: "ReLU",
    torch.tanh: "tanh",
    torch.cat: "one after the other",
    operator.add: "sum",
    "flatten": "all in one row",
    "mean": "mean over the board",
    "amax": "maximum over the board",
    "squeeze": "",
}
"""What an operation without parameters does; any other has the name that PyTorch gives it."""
_SMALL: Final = ("ReLU", "tanh", "")
"""Parts of the layer before them, if a whole net is shown."""


def _what(module: nn.Module, step: fx.Node) -> str:
    """What a step does, in words."""
    if step.op == "placeholder":
        return "what goes in"
    if step.op != "call_module":
        return _OPERATIONS.get(step.target, step.name)
    match module.get_submodule(str(step.target)):
        case ResidualBlock():
            return "residual block"
        case ConvolutionBlock() as block:
            return f"{_size(block.convolution)} convolution, batch norm, ReLU"
        case nn.Conv2d() as convolution:
            return f"{_size(convolution)} convolution"
        case nn.BatchNorm2d():
            return "batch norm"
        case nn.Linear():
            return "linear"
        case other:
            return type(other).__name__


def _size(convolution: nn.Conv2d) -> str:
    return " × ".join(map(str, convolution.kernel_size))


def _name(step: fx.Node, place: str) -> str:
    """The place of a step in the net: its module, or the operation within the module."""
    if step.op == "placeholder":
        return str(step.target)
    if step.op == "call_module":
        return ".".join(filter(None, (place, str(step.target))))
    around = list(step.meta.get("nn_module_stack", {}))
    operation = re.sub(r"_\d*$", "", step.name)  # they are numbered through the whole net
    return ".".join(filter(None, (place, *around[-1:], operation)))


def _count(module: nn.Module, step: fx.Node) -> int:
    if step.op != "call_module":
        return 0
    return sum(each.numel() for each in module.get_submodule(str(step.target)).parameters())
