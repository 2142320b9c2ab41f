"""The player that searches with a net, by its short name."""

import numpy as np
import pytest

from mctslab import fast, players
from mctslab.games import Gomoku, TicTacToe
from mctslab.net import NetConfig, NetEvaluator, save_checkpoint
from mctslab.search import puct
from tests.net.nets import lively_net

STATE = Gomoku(size=6, in_a_row=4)


@pytest.fixture(scope="module")
def net():
    return lively_net(NetConfig.for_game(STATE, num_filters=4, num_blocks=1, value_hidden=4))


@pytest.fixture
def file(net, tmp_path):
    return save_checkpoint(tmp_path / "small: the first.safetensors", net)


def last_thought(name, state=STATE):
    player = players.make(name, rng=np.random.default_rng(1))
    assert player.name == name
    *_, thought = player.think(state)
    return thought


def expected_children(net, simulations=60, **options):
    options |= {"num_simulations": simulations, "batch_size": 8, "rng": np.random.default_rng(1)}
    return fast.puct_search(STATE, evaluator=NetEvaluator(net), **options).children


def test_it_searches_with_the_net(net, file):
    """Also if there is a colon in the file's name."""
    for budget, simulations in ((":60", 60), ("", 400)):
        thought = last_thought(f"net:{file}{budget}")
        assert thought.num_simulations == simulations
        assert thought.result.children == expected_children(net, simulations)
    assert last_thought(f"net:{file}:0.2s").seconds >= 0.2
    children = last_thought(f"net+parent:{file}:60").result.children
    assert children == expected_children(net, selection=puct(fpu="parent"))
    assert children != expected_children(net)


def test_it_searches_with_the_net_and_proofs(net, file):
    # Black has a1, c1 and d1; four in a row win, and b1 is free.
    state = STATE
    for action in (0, 30, 2, 35, 3, 5):
        state = state.child(action)
    thought = last_thought(f"net+solver:{file}:60", state)
    assert (thought.action, thought.num_simulations, thought.result.proven) == (1, 1, 1.0)
    thought = last_thought(f"net+solver:{file}:60")
    assert thought.result.children == expected_children(net, solver=True)


def test_it_keeps_its_tree_where_the_name_says_so(file):
    for kind, visits in {
        "net": 60, "net+reuse": 120, "net+parent+reuse": 120, "net+reuse+parent": 120,
    }.items():  # fmt: skip
        player = players.make(f"{kind}:{file}:60", rng=np.random.default_rng(1))
        assert player.name == f"{kind}:{file}:60"
        for _ in range(2):
            *_, thought = player.think(STATE)
        assert (thought.num_simulations, thought.result.root.visit_count) == (60, visits)


def test_what_is_wrong_is_named(file, tmp_path):
    for name, kind, message in (
        (f"net:{tmp_path / 'nowhere.safetensors'}:60", FileNotFoundError, "nowhere"),
        ("net+solver:clever:60", ValueError, "There is no net 'clever'"),
        (f"net:{file}:0", ValueError, "num_simulations must be an integer from 1"),
        (f"net:{file}:60", ValueError, "board of 6 x 6"),
    ):
        with pytest.raises(kind, match=message):
            last_thought(name, TicTacToe())
