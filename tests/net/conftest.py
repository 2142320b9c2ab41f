"""What the tests of nets share: a small net, and a whole training run."""

from typing import TYPE_CHECKING

import pytest

from mctslab import games

if TYPE_CHECKING:
    from pathlib import Path

    from mctslab.net.model import PolicyValueNet


@pytest.fixture
def net() -> "PolicyValueNet":
    """A net for four in a row on 6 x 6."""
    from mctslab.net.model import NetConfig  # tests are also collected without PyTorch
    from tests.net.nets import lively_net

    state = games.Gomoku(size=6, in_a_row=4)
    return lively_net(NetConfig.for_game(state, num_filters=8, num_blocks=2, value_hidden=8))


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> "Path":
    """The folder of a run to which nothing has happened, with its measurements."""
    from mctslab.net.run_folder import train
    from mctslab.net.run_log import read_strength
    from tests.net.runs import BENCHMARK, config

    folder, told = tmp_path_factory.mktemp("whole"), []
    train(config(), folder, benchmark=BENCHMARK, measured=told.append)
    assert read_strength(folder) == told
    return folder
