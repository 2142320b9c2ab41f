"""A net as a list of its layers: what each does, its inputs, and the shape of its output.

PyTorch calls `forward` once with stand-ins that note every step (`torch.fx`), so the list cannot
differ from the code, whatever module it is of.
"""

import copy
from types import MappingProxyType
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
    shape = net.config.inputs.count, net.config.rows, net.config.cols
    return layers_of(net, shape, outputs=("policy logits", "value"))


def block_layers(net: PolicyValueNet) -> tuple[Layer, ...]:
    """The layers inside the first residual block of `net`, in the order of the code."""
    shape = net.config.num_filters, net.config.rows, net.config.cols
    return layers_of(net.tower[0], shape, "tower.0.", outputs=("features out",))


def layers_of(
    module: nn.Module, shape: tuple[int, ...], place: str = "", *, outputs: tuple[str, ...]
) -> tuple[Layer, ...]:
    """The layers of a module; the first one is its input, with the name that `forward` gives it.

    What has no parameters and leaves every number in its place, such as a ReLU, belongs to the
    module before it.

    Args:
        module: takes one tensor. What it computes does not depend on the numbers in it.
        shape: of the input, without the N of the batch.
        place: stands before the names.
        outputs: the names of its outputs.
    """
    module = copy.deepcopy(module).to("meta").eval()  # of numbers only their shapes
    graph = _Tracer().trace(module)
    ShapeProp(fx.GraphModule(module, graph)).propagate(torch.empty(1, *shape, device="meta"))
    *steps, end = graph.nodes
    layers: dict[str, Layer] = {}
    layer_of: dict[fx.Node, str] = {}
    for step in steps:
        inputs = tuple(layer_of[each] for each in step.all_input_nodes)
        output = tuple(step.meta["tensor_meta"].shape[1:])
        target = step.target if isinstance(step.target, str) else step.target.__name__
        function = target.rstrip("_")  # `torch.relu_` overwrites what it is given
        if step.op == "placeholder":
            layer = Layer(target, "what goes in", inputs, output, 0)
        elif step.op == "call_module":
            part = module.get_submodule(target)
            num_parameters = sum(each.numel() for each in part.parameters())
            layer = Layer(f"{place}{target}", _what(part), inputs, output, num_parameters)
        elif function in _AFTER and layers[inputs[0]].num_parameters:
            before = layers[inputs[0]]
            layer = before._replace(what=before.what + _AFTER[function], shape=output)
        else:
            within = [f"{name}." for name in step.meta.get("nn_module_stack", ())][-1:]
            name = "".join([place, *within, function])
            layer = Layer(name, _WORDS.get(function, function), inputs, output, 0)
        layers[layer.name] = layer
        layer_of[step] = layer.name
    for name, step in zip(outputs, end.all_input_nodes, strict=True):
        layers[name] = Layer(name, "", (layer_of[step],), layers[layer_of[step]].shape, 0)
    return tuple(layers.values())


class _Tracer(fx.Tracer):
    """Notes a block as one step, and so each layer of PyTorch."""

    def is_leaf_module(self, m: nn.Module, module_qualified_name: str) -> bool:
        is_block = isinstance(m, ConvolutionBlock | ResidualBlock)
        return is_block or super().is_leaf_module(m, module_qualified_name)


_WORDS: Final = MappingProxyType(
    {
        "ResidualBlock": "residual block",
        "BatchNorm2d": "batch norm",
        "Linear": "linear",
        "add": "sum",
        "relu": "ReLU",
        "flatten": "all in one row",
        "cat": "one after the other",
        "mean": "mean over the board",
        "amax": "maximum over the board",
    }
)
"""What a module or a function does."""
_AFTER: Final = MappingProxyType({"relu": ", ReLU", "tanh": ", tanh", "squeeze": ""})
"""Functions that belong to the module before them."""


def _what(part: nn.Module) -> str:
    """What a module does, in words."""
    if isinstance(part, ConvolutionBlock):
        return f"{_what(part.convolution)}, {_what(part.norm)}, ReLU"
    if isinstance(part, nn.Conv2d):
        return f"{' × '.join(map(str, part.kernel_size))} convolution"
    return _WORDS.get(type(part).__name__, type(part).__name__)
