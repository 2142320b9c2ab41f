"""The player that searches with a net, by its short name."""

import numpy as np
import pytest
import torch

from mctslab import fast, players
from mctslab.games import Gomoku, TicTacToe
from mctslab.net import NetConfig, NetEvaluator, PolicyValueNet, save_checkpoint
from mctslab.search import puct
from tests.net.nets import lively_net

STATE = Gomoku(size=6, in_a_row=4)


@pytest.fixture(scope="module")
def net():
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        config = NetConfig.for_game(STATE, num_filters=4, num_blocks=1, value_hidden=4)
        return PolicyValueNet(config).eval()


@pytest.fixture
def file(net, tmp_path):
    return save_checkpoint(tmp_path / "small: the first.safetensors", net)


def new_rng():
    return np.random.default_rng(1)


def expected_children(net, simulations=60, **options):
    return fast.puct_search(
        STATE,
        evaluator=NetEvaluator(net),
        num_simulations=simulations,
        batch_size=8,
        rng=new_rng(),
        **options,
    ).children


def test_it_searches_with_the_net(net, file):
    """Also if there is a colon in the file's name."""
    for budget, simulations in ((":60", 60), ("", 400)):
        player = players.make(f"net:{file}{budget}", rng=new_rng())
        assert player.name == f"net:{file}{budget}"
        *_, thought = player.think(STATE)
        assert thought.num_simulations == simulations
        assert thought.result.children == expected_children(net, simulations)


def test_it_searches_with_the_net_and_proofs(net, file):
    # Black has a1, c1 and d1; four in a row win, and b1 is free.
    state = STATE
    for action in (0, 30, 2, 35, 3, 5):
        state = state.child(action)
    player = players.make(f"net+solver:{file}:60", rng=new_rng())
    *_, thought = player.think(state)
    assert (thought.action, thought.num_simulations, thought.result.proven) == (1, 1, 1.0)
    *_, thought = player.think(STATE)
    assert thought.result.children == expected_children(net, solver=True)
    assert players.make(f"net+solver:{file}", rng=new_rng()).name == f"net+solver:{file}"


def test_it_keeps_its_tree_where_the_name_says_so(file):
    for kind, visits in {
        "net": 60, "net+reuse": 120, "net+parent+reuse": 120, "net+reuse+parent": 120,
    }.items():  # fmt: skip
        player = players.make(f"{kind}:{file}:60", rng=new_rng())
        assert player.name == f"{kind}:{file}:60"
        for _ in range(2):
            *_, thought = player.think(STATE)
        assert thought.num_simulations == 60
        assert thought.result.root.visit_count == visits


def test_an_untried_move_has_the_value_of_its_position_where_the_name_says_so(net, file):
    net = lively_net(net.config, 1)
    save_checkpoint(file, net)
    found = []
    for kind, fpu in {"net": 0.0, "net+parent": "parent"}.items():
        *_, thought = players.make(f"{kind}:{file}:60", rng=new_rng()).think(STATE)
        assert thought.result.children == expected_children(net, selection=puct(fpu=fpu))
        found.append(thought.result.children)
    assert found[0] != found[1]


def test_it_thinks_for_a_time(file):
    *_, thought = players.make(f"net:{file}:0.2s", rng=new_rng()).think(STATE)
    assert thought.seconds >= 0.2


def test_what_is_wrong_is_named(file, tmp_path):
    for name, kind, message in (
        (f"net:{tmp_path / 'nowhere.safetensors'}:60", FileNotFoundError, "nowhere"),
        ("net:clever", ValueError, "There is no net 'clever'"),
        ("net+solver:clever:60", ValueError, "There is no net 'clever'"),
        (f"net:{file}:0", ValueError, "num_simulations must be an integer from 1"),
        (f"net+reuse+reuse:{file}:60", ValueError, "There is no player"),
    ):
        with pytest.raises(kind, match=message):
            players.make(name, rng=new_rng())
    with pytest.raises(ValueError, match="board of 6 x 6"):
        players.make(f"net:{file}:60", rng=new_rng()).choose(TicTacToe())
