"""What the tests of nets share: one thread, and a small net."""

import pytest

from mctslab import games
from mctslab.net.model import NetConfig, PolicyValueNet
from tests.net.nets import lively_net


@pytest.fixture
def net() -> PolicyValueNet:
    """A net for four in a row on 6 x 6."""
    state = games.Gomoku(size=6, in_a_row=4)
    return lively_net(NetConfig.for_game(state, num_filters=8, num_blocks=2, value_hidden=8))
