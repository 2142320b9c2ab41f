"""The layers of a net are listed as its code computes them, each step once."""

import pytest
import torch

from mctslab import games
from mctslab.net.layers import net_layers
from mctslab.net.model import NetConfig, PolicyValueNet

SIX = games.Gomoku(size=6, in_a_row=4)


def net_for(state, **size):
    return PolicyValueNet(NetConfig.for_game(state, **{"num_filters": 8, "num_blocks": 2, **size}))


NETS = {
    "dense": net_for(SIX),
    "pooled": net_for(SIX, heads="pooled"),
    "with a pass": net_for(games.Reversi(size=6), heads="pooled"),
    "no blocks": net_for(games.ConnectFour(), num_blocks=0),
}


@pytest.mark.parametrize("net", NETS.values(), ids=NETS)
def test_every_parameter_and_every_output_is_listed(net):
    layers = {layer.name: layer for layer in net_layers(net)}
    counts = [layer.num_parameters for layer in layers.values()]
    assert sum(counts) == sum(parameter.numel() for parameter in net.parameters())
    used = {name for layer in layers.values() for name in layer.inputs}
    assert set(layers) - used == {"policy logits", "value"}
    planes = torch.zeros(3, *layers["planes"].shape)
    outputs = [layers[name].shape for name in ("policy logits", "value")]
    assert [each.shape[1:] for each in net(planes)] == outputs


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
