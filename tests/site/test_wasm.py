"""The engines of the page: the same trees as here, byte for byte, and the same outputs of nets.

They run in wasmtime, without a browser; that they follow the rules is seen on the page.
"""

import math
from functools import cache

import numpy as np
import pytest

from docs.site.play import build
from mctslab import games
from mctslab.fast.compile.recipes import engine as native_engine
from mctslab.fast.mcts import classes_of
from mctslab.fast.running import random_state_of
from mctslab.fast.tree import Tree
from mctslab.net.checkpoint import load_checkpoint
from mctslab.net.encode import InputPlanes, encode
from mctslab.net.evaluator import net_file
from mctslab.net.inference import TorchInference
from mctslab.search.evaluators import uniform
from mctslab.search.knowledge.policies import rollout_policies
from tests.site.page_net import Page, PageNet, some_position

GAMES = build.GAMES
SEEDS = range(8)
CHUNKS = (1, 7, 64, 128)
"""Simulations of one call after the other; the array is too short for the last of them."""
CAPACITIES = (100, 2_000)
TABLE_LENGTH = 256
"""Shorter than the searches, so that logarithms are also computed one by one."""


@cache
def instance_of(game):
    return build.Instance(build.engine(games.make(game)))


@pytest.fixture(scope="module", autouse=True)
def _end_instances():
    """End them while Python is still there; wasmtime cannot afterwards."""
    yield
    instance_of.cache_clear()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", GAMES)
def test_a_search_leaves_the_same_bytes(game, seed):
    rng = np.random.default_rng(seed)
    most_moves = {"tictactoe": 5, "gomoku": 60}.get(game, 24)
    state = some_position(games.make(game), most_moves, rng)
    rules = state.compilable()
    assert rules is not None
    policy = rollout_policies()["roxanne"] if game == "reversi" and seed % 2 else uniform
    classes = classes_of(policy)
    native = Tree(state, rules, native_engine(rules))
    native.nodes[1:] = np.zeros((), native.nodes.dtype)
    random_state = random_state_of(rng)
    tables = (np.zeros(TABLE_LENGTH), np.zeros(TABLE_LENGTH), np.zeros(1, np.int64))
    page = Page(instance_of(game))
    arrays = [native.nodes, native.counters, native.start, native.words, random_state]
    places = [page.put(array) for array in arrays]
    bonuses, factors, filled, squares = map(page.put, (*tables, classes))
    for capacity in CAPACITIES:
        for chunk in CHUNKS:
            limit = chunk + state.num_actions
            may_grow = capacity < CAPACITIES[-1]
            done = native.engine.search(
                native.nodes[:capacity], native.counters, native.start, native.words,
                random_state, chunk, limit, False, 1.3, *tables, classes, 1, may_grow,
            )  # fmt: skip
            done_by_page = page.instance.call(
                "search", places[0], capacity, *places[1:], chunk, limit, 0, 1.3,
                bonuses, factors, TABLE_LENGTH, filled, squares, len(classes), 1, int(may_grow),
            )  # fmt: skip
            assert done_by_page == done
            for place, array in zip(places, arrays, strict=True):
                assert np.array_equal(page.get(place, array), array)
    assert native.nodes[0]["visit_count"] >= sum(CHUNKS)  # something was compared


def test_the_logarithm_is_this_computers():
    instance, number = instance_of("tictactoe"), build.TABLE_LENGTH
    address = instance.new(8 * number)
    instance.call("fill_logs", address, number)
    logs = np.frombuffer(instance.read(address, 8 * number))
    assert logs.tolist() == [math.log(n) for n in range(1, number + 1)]


# The nets

BOARDS = {name: state for name, state in build.boards().items() if build.nets_for(state)}


@pytest.mark.parametrize(
    ("board", "net"),
    [(board, net) for board, state in BOARDS.items() for net in build.nets_for(state)],
)
def test_the_outputs_of_a_net_are_those_of_pytorch(board, net):
    rng, first = np.random.default_rng(7), BOARDS[board]
    page = PageNet(first, build.net_file(net))
    inference = TorchInference(load_checkpoint(net_file(net)).net)
    for _ in range(5):
        state = some_position(first, first.num_actions // 2, rng)
        answer = inference(encode([state], InputPlanes())[None])
        logits, value = page.outputs(state)
        np.testing.assert_allclose(logits, answer.policy_logits[0], atol=1e-4, rtol=0)
        assert value == pytest.approx(float(answer.values[0]), abs=1e-4)
    assert np.ptp(logits) > 1  # something was compared
