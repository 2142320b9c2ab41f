"""The nets on the page: the outputs of PyTorch, and the same trees as here.

They run in wasmtime, without a browser.
"""

from typing import Any

import numpy as np
import pytest

from docs.site.play import build
from mctslab import fast
from mctslab.fast import nodes as layout
from mctslab.fast.tree import ArrayNode, Tree
from mctslab.games.state import State
from mctslab.net.checkpoint import load_checkpoint
from mctslab.net.encode import InputPlanes, encode
from mctslab.net.evaluator import net_file
from mctslab.net.inference import TorchInference
from mctslab.search.evaluators import Evaluator
from tests.site.page_net import PageNet, some_position

BOARDS = {name: state for name, state in build.boards().items() if build.nets_for(state)}
NETS = [(name, net) for name, state in BOARDS.items() for net in build.nets_for(state)]
NUM_SIMULATIONS = 150


def position_on(name: str, rng: np.random.Generator) -> State:
    return some_position(BOARDS[name], BOARDS[name].num_actions // 2, rng)


@pytest.mark.parametrize(("name", "net"), NETS)
def test_the_outputs_are_those_of_pytorch(name: str, net: str) -> None:
    rng = np.random.default_rng(7)
    page = PageNet(BOARDS[name], build.net_file(net))
    inference = TorchInference(load_checkpoint(net_file(net)).net)
    for _ in range(5):
        state = position_on(name, rng)
        answer = inference(encode([state], InputPlanes())[None])
        logits, value = page.outputs(state)
        np.testing.assert_allclose(logits, answer.policy_logits[0], atol=1e-4, rtol=0)
        assert value == pytest.approx(float(answer.values[0]), abs=1e-4)
    assert np.ptp(logits) > 1  # something was compared


def trees(
    name: str, state: State, page: PageNet, evaluator: Evaluator
) -> tuple[Tree, np.ndarray[Any, Any]]:
    """The tree of a search here, and that of a search with the page's functions."""
    rng = np.random.default_rng(1)
    result = fast.puct_search(state, evaluator=evaluator, num_simulations=NUM_SIMULATIONS, rng=rng)
    assert isinstance(result.root, ArrayNode)
    tree = result.root.tree
    data, instance = build.about(BOARDS[name], name), page.instance
    capacity = 1 + NUM_SIMULATIONS * state.num_actions
    nodes = np.zeros(capacity, layout.PUCT_NODE)
    nodes[0]["first_child"] = nodes[0]["next_sibling"] = layout.NO_NODE
    nodes[0]["num_untried"] = layout.UNKNOWN
    nodes[0]["mover"] = state.current_player
    rules = state.compilable()
    assert rules is not None
    place = page.put(nodes)
    used = instance.call(
        "search_by_net",
        place,
        capacity,
        page.put(np.array(data["counters"], np.int64)),
        page.put(np.array(rules.position, np.uint64)),
        page.put(np.array(rules.words, np.uint64)),
        data["c_puct"],
        page.address,
        -1 if state.last_action is None else state.last_action,
        page.put(np.array(data["squares"], np.int64)),
        page.put(np.array(data["actions"], np.int64)),
        len(data["squares"]),
        NUM_SIMULATIONS,
    )
    assert used == tree.counters[layout.USED]
    found = instance.read(place, used * layout.PUCT_NODE.itemsize)
    return tree, np.frombuffer(found, layout.PUCT_NODE)


@pytest.mark.parametrize(("name", "net"), NETS)
def test_a_search_by_a_net_grows_the_same_tree(name: str, net: str) -> None:
    page = PageNet(BOARDS[name], build.net_file(net))
    state = position_on(name, np.random.default_rng(3))
    tree, found = trees(name, state, page, page)
    for field in found.dtype.names or ():
        native = tree.nodes[: len(found)][field]
        if field in ("prior", "total_value"):  # exp is rounded differently
            np.testing.assert_allclose(found[field], native, rtol=1e-12, atol=1e-14)
        else:
            assert np.array_equal(found[field], native), field
