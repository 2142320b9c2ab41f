"""Players that are interrupted while they search, as by Ctrl-C."""

import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any, Final

import numpy as np

from mctslab.games import ConnectFour
from mctslab.players import Player, PUCTPlayer, UCTPlayer
from mctslab.search import rollout_evaluator

PLAYERS: Final[dict[str, Callable[..., Player]]] = {
    "uct": UCTPlayer,
    "puct": partial(PUCTPlayer, evaluator=rollout_evaluator()),
}


def check_kept_trees(kind: str) -> None:
    """Interrupt a search that goes on from a kept tree where Python functions begin.

    The kept tree is right afterwards and grows further. Call it in a process of its own: in one in
    which a check of an exercise has ended a thread, Python 3.11 hangs while it profiles.
    """
    state = ConnectFour(rows=4, cols=4)
    later = state.child(0).child(1)
    moment = 1
    while moment < 10_000:  # about half of the calls of a search
        player = PLAYERS[kind](60, reuse_tree=True, rng=np.random.default_rng(1))
        player.choose(state)
        interrupted_at(moment, partial(player.choose, later))
        moment += 1 + moment // 12
        (*_, thought) = player.think(later.child(0).child(2))
        assert thought.num_simulations == 60
        assert thought.result is not None
        waiting = [thought.result.root]
        for node in waiting:
            waiting += node.children
            if node.children and node.parent is not None:
                assert node.visit_count == 1 + sum(child.visit_count for child in node.children)


def interrupted_at(moment: int, function: Callable[[], object]) -> None:
    """Call a function, and interrupt it where the function `moment` that it calls begins.

    There Python reacts to Ctrl-C, but not where a function returns.
    """
    events = iter(range(1, moment))

    def interrupt(_frame: FrameType, event: str, _argument: Any) -> None:
        if event == "call" and next(events, None) is None:
            sys.setprofile(None)
            raise KeyboardInterrupt

    sys.setprofile(interrupt)
    try:
        function()
    except KeyboardInterrupt:
        return
    finally:
        sys.setprofile(None)
