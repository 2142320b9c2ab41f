"""The net computes what its description says; its sizes are what they are called."""

import numpy as np
import pytest
import torch

from mctslab import games
from mctslab.net.encode import InputPlanes
from mctslab.net.model import NetConfig
from tests.net.by_hand import ByHand
from tests.net.nets import lively_net


@pytest.mark.parametrize(
    "config",
    [
        NetConfig(6, 6, 36, num_filters=5, num_blocks=2, value_hidden=7),
        NetConfig(4, 7, 9, InputPlanes(3, False, False), num_filters=3, num_blocks=1),
        NetConfig(3, 3, 9, num_filters=4, num_blocks=0),
        NetConfig(5, 4, 20, num_filters=4, num_blocks=1, heads="pooled"),
        NetConfig(4, 4, 17, num_filters=6, num_blocks=2, value_hidden=3, heads="pooled"),
    ],
)
def test_it_computes_what_is_computed_by_hand(config):
    net = lively_net(config)
    shape = (4, config.inputs.count, config.rows, config.cols)
    planes = np.random.default_rng(1).random(shape, np.float32)
    with torch.no_grad():
        logits, values = net(torch.from_numpy(planes))
    expected_logits, expected_values = ByHand(net)(planes)
    np.testing.assert_allclose(logits, expected_logits, atol=1e-5)
    np.testing.assert_allclose(values, expected_values, atol=1e-5)
    assert np.std(expected_logits) > 0.01
    assert np.std(expected_values) > 0.001, "the net says the same of everything: no test at all"


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
