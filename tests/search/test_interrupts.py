"""A tree whose search was interrupted, as by Ctrl-C at any line, is one that could have been grown.

A trace function raises KeyboardInterrupt at the n-th line that is run in the files that change a
tree. Python itself reacts to Ctrl-C only where a function begins, after a call of C code and at the
end of a loop's body, so two lines that it always runs together are left out.
"""

import linecache
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, Final

import pytest

from mctslab import games, search
from mctslab.search import Node
from tests.games.playing import new_rng
from tests.search.toys import all_nodes, visited

_FOLDER: Final = Path(search.__file__).parent
_FILES: Final = {
    str(_FOLDER / f"{name}.py")
    for name in (
        "evaluators", "mcts", "node", "puct_search", "selection", "solving",
    )
}  # fmt: skip
"""The files in which a search is interrupted."""
_NEVER_INTERRUPTED: Final = ("del untried[place]", "try:", "claim.is_active = False")
"""Lines that begin immediately after the one before: there is no call and no loop in between."""

_STATE: Final = games.ConnectFour(4, 4)
_WON: Final = games.TicTacToe().child(4).child(1)
_EVEN: Final = search.uniform_evaluator()
SEARCHES: Final[dict[str, Callable[..., search.SearchResult]]] = {
    "mcts": partial(search.mcts, _STATE, num_simulations=12),
    "mcts, all": partial(search.mcts, _STATE, num_simulations=12, expansion="all"),
    "mcts, solver": partial(search.mcts, _WON, num_simulations=60, solver=True),
    "puct": partial(search.puct_search, _STATE, num_simulations=12, evaluator=_EVEN),
    "puct, batches, noise": partial(
        search.puct_search, _STATE, num_simulations=20, evaluator=_EVEN, batch_size=4,
        noise=search.DirichletNoise(0.3),
    ),
    "puct, solver": partial(
        search.puct_search, _WON, num_simulations=60, evaluator=_EVEN, solver=True
    ),
}  # fmt: skip


def interrupted_at_line(number: int, run: Callable[[], Any]) -> bool:
    """Interrupt `run` at its line `number` in the files above; whether it was long enough."""
    left = number

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal left
        if frame.f_code.co_filename not in _FILES:
            return None
        text = linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip()
        if event == "line" and not text.startswith(_NEVER_INTERRUPTED):
            left -= 1
            if left == 0:
                sys.settrace(None)
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


def check_sound(root: Node) -> None:
    """Whether every action is untried or has one child, no noise is left and proofs are true."""
    for node in all_nodes(root):
        legal = node.state.legal_actions()
        tried = [child.action for child in node.children]
        assert sorted(tried + node.untried_actions) == list(legal)
        assert all(each.prior == 1 / len(legal) for each in node.children)
        assert node.proven is None or node.proven == search.minimax(node.state)[node.mover]
    assert root.claim is None or not root.claim.is_active


@pytest.mark.parametrize("name", SEARCHES)
def test_an_interrupted_search_leaves_the_tree_of_its_complete_simulations(name):
    """Interrupt a search at its lines, one after the other, and look at the tree that it leaves.

    It is one that could have been grown, and nobody holds it.
    """
    searched, number = SEARCHES[name], 1
    whole = [visited(grown(searched, number)) for number in range(60)]
    while True:
        root = grown(searched, 0)
        if not interrupted_at_line(number, partial(searched, root=root, rng=new_rng(1))):
            break
        check_sound(root)
        assert visited(root) in whole
        searched(root=root, rng=new_rng(2))
        number += 1 + number // 6
    assert number > 300


def grown(searched: Any, number: int) -> Node:
    """The root after `number` simulations."""
    budget, root = iter([False] * number), Node(searched.args[0])
    return searched(root=root, stop=lambda: next(budget, True), rng=new_rng(1)).root
