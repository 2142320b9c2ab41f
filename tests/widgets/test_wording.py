"""The sentences of the panel."""

from dataclasses import replace

import numpy as np
import pytest

from mctslab import players
from mctslab.games import ConnectFour, Gomoku, Reversi, TicTacToe
from mctslab.players import Proposal
from mctslab.widgets import wording
from mctslab.widgets.menus import hint_player, levels


def test_a_hint_says_its_win_rate_and_calls_no_draw_a_win():
    state = TicTacToe()
    *_, thought = players.make("uct:100", rng=np.random.default_rng(1)).think(state)
    child = max(thought.result.children, key=lambda child: child.visit_count)
    rate = (1 + child.mean_value) / 2
    assert wording.hint(state, thought) == (
        f"Hint: {state.action_to_string(child.action)}, "
        f"win rate {rate:.0%} in {child.visit_count} simulations."
    )
    assert wording.hint(state, Proposal(4, progress=1.0)) == "Hint: b2."


def test_progress_and_effort_tell_the_simulations_and_how_many_a_second():
    state, thought = TicTacToe(), Proposal(4, 0.5, num_simulations=1_500, seconds=0.5)
    assert wording.progress(state, thought) == "b2 so far, 1,500 simulations, 3,000/s"
    assert wording.progress(state, Proposal(0, progress=1.0)) == "a1 so far"
    assert wording.effort(replace(thought, seconds=0.0)) == "1,500 simulations"
    counts_nodes = Proposal(0, 1.0, num_nodes=30_000, seconds=2.0)
    assert wording.effort(counts_nodes) == "30,000 nodes, 15,000/s"
    no_search = Proposal(0, 1.0, seconds=2.0)
    assert wording.effort(no_search) == wording.speed(no_search) == ""


@pytest.mark.parametrize(
    "state", [Reversi(), Reversi(size=6), TicTacToe(), ConnectFour(), Gomoku()]
)
def test_every_level_can_be_made_and_begins_to_play(state):
    rng = np.random.default_rng(1)
    for name in [*(level.player for level in levels(state)), hint_player(state)]:
        thought = next(players.make(name, rng=rng).think(state))
        assert thought.action in state.legal_actions()
