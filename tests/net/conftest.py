"""What the tests of nets share: one thread, and a small net."""

from typing import TYPE_CHECKING

import pytest

from mctslab import games

if TYPE_CHECKING:
    from mctslab.net.model import PolicyValueNet


@pytest.fixture
def net() -> "PolicyValueNet":
    """A net for four in a row on 6 x 6."""
    from mctslab.net.model import NetConfig  # tests are also collected without PyTorch
    from tests.net.nets import lively_net

    state = games.Gomoku(size=6, in_a_row=4)
    return lively_net(NetConfig.for_game(state, num_filters=8, num_blocks=2, value_hidden=8))
