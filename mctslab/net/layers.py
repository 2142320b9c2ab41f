"""A net as a list of its layers: what each does, its inputs, and the shape of its output.

The list is written down beside the net of `model`, in the same order; a test compares it with the
shapes and parameters that PyTorch finds when the net computes.
"""

from typing import Final, NamedTuple

from mctslab.net.model import POLICY_FILTERS, VALUE_FILTERS, PolicyValueNet


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
    config, layers = net.config, _Layers(net)
    features = (config.num_filters, config.rows, config.cols)
    layers.add("planes", "what goes in", (config.inputs.count, config.rows, config.cols))
    tower = layers.add("stem", _BLOCK, features)
    for number in range(config.num_blocks):
        tower = layers.add(f"tower.{number}", "residual block", features)
    add_heads = _add_pooled_heads if config.heads == "pooled" else _add_dense_heads
    policy = add_heads(layers, tower)
    value = layers.add("value_head.hidden", "linear, ReLU", (config.value_hidden,))
    value = layers.add("value_head.linear", "linear, tanh", ())
    layers.add("policy logits", "", (config.num_actions,), policy)
    layers.add("value", "", (), value)
    return tuple(layers.list)


def block_layers(net: PolicyValueNet, number: int = 0) -> tuple[Layer, ...]:
    """The layers inside a residual block of `net`, in the order of the code.

    Raises:
        ValueError: the net has no such block.
    """
    config, layers, place = net.config, _Layers(net), f"tower.{number}"
    if not 0 <= number < config.num_blocks:
        raise ValueError(
            f"number = {number!r}: expected a block from 0 to {config.num_blocks - 1}."
        )
    features = (config.num_filters, config.rows, config.cols)
    before = layers.add("features", "what goes in", features)
    layers.add(f"{place}.first", _BLOCK, features)
    layers.add(f"{place}.second", "3 × 3 convolution", features)
    change = layers.add(f"{place}.second_norm", "batch norm", features)
    layers.add(f"{place}.add", "sum", features, change, before)
    layers.add(f"{place}.relu", "ReLU", features)
    layers.add("features out", "", features)
    return tuple(layers.list)


class _Layers:
    """A list that grows layer by layer.

    Args:
        net: the net that the layers are of.
    """

    def __init__(self, net: PolicyValueNet) -> None:
        self.config = net.config
        self.list: list[Layer] = []
        self._modules = dict(net.named_modules())

    def add(self, name: str, what: str, shape: tuple[int, ...], *inputs: str) -> str:
        """Add a layer, by default one after the newest; returns its name."""
        module = self._modules.get(name)
        count = sum(each.numel() for each in module.parameters()) if module else 0
        newest = tuple(layer.name for layer in self.list[-1:])
        self.list.append(Layer(name, what, inputs or newest, shape, count))
        return name


_BLOCK: Final = "3 × 3 convolution, batch norm, ReLU"
_HEAD: Final = "1 × 1 convolution, batch norm, ReLU"


def _add_dense_heads(layers: _Layers, tower: str) -> str:
    """Both heads after the layer `tower`, up to the value's hidden layer; the policy's last one."""
    rows, cols = layers.config.rows, layers.config.cols
    layers.add("policy_head.convolution", _HEAD, (POLICY_FILTERS, rows, cols), tower)
    layers.add("policy_head.flatten", "all in one row", (POLICY_FILTERS * rows * cols,))
    policy = layers.add("policy_head.linear", "linear", (layers.config.num_actions,))
    layers.add("value_head.convolution", _HEAD, (VALUE_FILTERS, rows, cols), tower)
    layers.add("value_head.flatten", "all in one row", (VALUE_FILTERS * rows * cols,))
    return policy


def _add_pooled_heads(layers: _Layers, tower: str) -> str:
    """The same for heads that treat all squares alike."""
    rows, cols, filters = layers.config.rows, layers.config.cols, layers.config.num_filters
    mean, flat = "mean over the board", (filters,)
    features = layers.add("policy_head.convolution", _HEAD, (filters, rows, cols), tower)
    layers.add("policy_head.squares", "1 × 1 convolution", (1, rows, cols))
    policy = layers.add("policy_head.flatten", "all in one row", (rows * cols,))
    if layers.config.num_actions > rows * cols:
        layers.add("policy_head.mean", mean, flat, features)
        passing = layers.add("policy_head.passing", "linear", (1,))
        shape = (layers.config.num_actions,)
        policy = layers.add("policy_head.cat", "one after the other", shape, policy, passing)
    features = layers.add("value_head.convolution", _HEAD, (filters, rows, cols), tower)
    pooled = (
        layers.add("value_head.mean", mean, flat, features),
        layers.add("value_head.amax", "maximum over the board", flat, features),
    )
    layers.add("value_head.cat", "one after the other", (2 * filters,), *pooled)
    return policy
