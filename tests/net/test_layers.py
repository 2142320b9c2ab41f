"""The list of a net's layers is true: shapes as computed, all parameters, nothing left out."""

import pytest
import torch

from mctslab import games
from mctslab.net.layers import block_layers, net_layers
from mctslab.net.model import NetConfig, PolicyValueNet

SIX = games.Gomoku(size=6, in_a_row=4)


def net_for(state, **size):
    return PolicyValueNet(NetConfig.for_game(state, **{"num_filters": 8, "num_blocks": 2, **size}))


NETS = {
    "tiny": net_for(SIX, num_filters=32, num_blocks=3),
    **{heads: net_for(SIX, heads=heads) for heads in ("dense", "pooled")},
    "with a pass": net_for(games.Reversi(size=6), heads="pooled"),
    "columns": net_for(games.ConnectFour()),
    "no blocks": net_for(SIX, num_blocks=0),
}


@pytest.mark.parametrize("net", NETS.values(), ids=NETS)
def test_a_layer_stands_after_what_goes_into_it_is_used_and_has_its_shape(net):
    """Shapes are noted by PyTorch's hooks, which know nothing of the list."""
    layers = net_layers(net)
    names = [layer.name for layer in layers]
    assert sum(layer.num_parameters for layer in layers) == sum(
        parameter.numel() for parameter in net.parameters()
    )
    assert len(set(names)) == len(names)
    for place, layer in enumerate(layers):
        assert set(layer.inputs) <= set(names[:place])
        assert bool(layer.inputs) == (place > 0)
    used = {name for layer in layers for name in layer.inputs}
    assert set(names) - used == {"policy logits", "value"}
    assert names[0] == "planes"
    shapes, listed = {}, {layer.name: layer.shape for layer in layers}
    for name, module in net.named_modules():
        module.register_forward_hook(
            lambda _, __, out, name=name: shapes.update({name: getattr(out, "shape", None)})
        )
    planes = torch.zeros(3, net.config.inputs.count, net.config.rows, net.config.cols)
    logits, values = net.eval()(planes)
    assert listed["planes"] == planes.shape[1:]
    assert listed["policy logits"] == logits.shape[1:]
    assert listed["value"] == listed["value_head.linear"] == values.shape[1:] == ()
    for name, shape in listed.items():
        if name in shapes and name != "value_head.linear":  # its tanh and squeeze belong to it
            assert shape == shapes[name][1:]


def test_the_small_steps_belong_to_the_layer_before_them():
    what = {layer.name: layer.what for layer in net_layers(NETS["dense"])}
    assert what["value_head.hidden"] == "linear, ReLU"
    assert what["value_head.linear"] == "linear, tanh"
    assert what["policy_head.linear"] == "linear"
    assert what["tower.1"] == "residual block"


def test_inside_a_block_what_came_in_is_added():
    net = NETS["tiny"]
    layers = block_layers(net, 1)
    (total,) = (layer for layer in layers if layer.what == "sum")
    assert total.inputs == ("tower.1.second_norm", "features")
    assert {layer.shape for layer in layers} == {(32, 6, 6)}
    parameters = sum(each.numel() for each in net.tower[1].parameters())
    assert sum(layer.num_parameters for layer in layers) == parameters
    for number in (-1, 3):
        with pytest.raises(ValueError, match=f"number = {number}: expected a block from 0 to 2"):
            block_layers(net, number)


# Which board a net is for


def test_pooled_heads_need_an_action_for_each_square():
    with pytest.raises(ValueError, match=r"each of the 42 squares.* has 7 actions.*heads='dense'"):
        NetConfig.for_game(games.ConnectFour(), heads="pooled")
    with pytest.raises(ValueError, match="heads = 'flat': expected 'dense' or 'pooled'"):
        NetConfig(3, 3, 9, heads="flat")


def test_a_net_fits_no_other_board_and_no_other_actions():
    config = NetConfig.for_game(games.Gomoku(size=6, in_a_row=4))
    assert config.fits(games.Gomoku(size=6, in_a_row=5).child(3))
    assert not config.fits(games.Gomoku(size=9))
    assert not config.fits(games.Reversi(6))  # the same board, and one action more: the pass
    assert not NetConfig(4, 9, 36).fits(games.Gomoku(size=6, in_a_row=4))
