"""Flat Monte Carlo against sums by hand, exact values, and the textbook's loop."""

import importlib

import pytest

from mctslab import fast
from mctslab.games import ConnectFour, Gomoku, Reversi, TicTacToe
from mctslab.search import roxanne, uniform
from tests.games.playing import new_rng
from tests.search.toys import Turn, WrittenOut, statistics


@pytest.mark.filterwarnings("ignore::mctslab.fast.SlowSearchWarning")
@pytest.mark.parametrize(("player", "best"), [(0, 2), (1, 1)])
def test_values_count_for_the_player_to_move_also_when_he_moves_twice(player, best):
    lost, won = Turn(player, (-1,)), Turn(1 - player, (1,))
    state = WrittenOut(Turn(player, (0, lost, won)))
    result = fast.flat_monte_carlo(state, num_simulations=3 * 21 + 2, rng=new_rng())
    sign = 1 - 2 * player
    assert [child.mean_value for child in result.children] == [0, -sign, sign]
    assert [child.visit_count for child in result.children] == [21] * 3
    assert result.num_simulations == result.root.visit_count == 63
    assert result.best_action == result.max_child() == best
    assert result.note


@pytest.mark.filterwarnings("ignore::mctslab.fast.SlowSearchWarning")
@pytest.mark.parametrize(
    ("state", "policy"),
    [
        (Reversi(), uniform),
        (Reversi(), roxanne()),
        (ConnectFour(), uniform),
        (Gomoku(size=9), uniform),
        (TicTacToe(), uniform),
    ],
)
def test_compiled_and_readable_rollouts_are_the_same(state, policy, monkeypatch):
    def judged():
        rng, budget = new_rng(3), 40 * len(state.legal_actions())
        result = fast.flat_monte_carlo(state, num_simulations=budget, policy=policy, rng=rng)
        return statistics(result.root), rng.random(), result.note

    compiled = judged()
    engine = importlib.import_module("mctslab.fast.flat")
    monkeypatch.setattr(engine, "compiled_search", lambda *_, **__: "it is read")
    assert (*compiled[:2], "In plain Python: it is read.") == judged()
    assert compiled[2] == ""
