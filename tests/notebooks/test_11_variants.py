"""What the side road on variants of the search says is so."""

import numpy as np
import pytest

from mctslab import games, search
from tests.fast.same_trees import difference
from tests.search.toys import all_nodes

GAMES = ("connect_four", "gomoku")


# The variants


def grown(chosen, state, seed, num_simulations=150):
    return search.mcts(
        state,
        num_simulations=num_simulations,
        selection=chosen,
        phases=chosen.phases,
        rng=np.random.default_rng(seed),
    ).root


def test_without_a_heuristic_progressive_bias_is_uct(names, monkeypatch):
    monkeypatch.setitem(names, "shares", lambda state: dict.fromkeys(range(7), 0.0))
    state, rng = games.ConnectFour(), np.random.default_rng(2)
    plain = search.mcts(state, num_simulations=150, selection=search.ucb1(1.0), rng=rng).root

    assert difference(grown(names["ProgressiveBias"](1.0), state, 2), plain) == ""


@pytest.mark.parametrize("game", GAMES)
def test_widening_keeps_to_its_width_and_adds_the_best_moves_first(names, game):
    state = games.make(game, **names["OPTIONS"][game]).child(3)
    widening = names["Widening"](1.0)
    root = grown(widening, state, seed=4)
    for node in all_nodes(root):
        assert len(node.children) <= widening.width(node)
    shares = names["shares"](state)
    chosen = [shares[child.action] for child in root.children]
    assert chosen == sorted(chosen, reverse=True)
    assert chosen[0] == max(shares.values())


def test_the_widths_are_those_that_the_text_names(names):
    widening, node = names["Widening"](1.0), search.Node(games.Gomoku(size=6, in_a_row=4))
    first = []
    for node.visit_count in range(60):
        if widening.width(node) > len(first):
            first.append(node.visit_count)
    assert first[:4] == [0, 10, 24, 44]


@pytest.mark.parametrize("game", GAMES)
def test_implicit_minimax_is_minimax_of_the_judgements(names, game):
    state = games.make(game, **names["OPTIONS"][game]).child(3)
    implicit = names["ImplicitMinimax"](1.0)
    root = grown(implicit, state, seed=5, num_simulations=300)

    def minimax(node):
        """For the node's mover."""
        if node.state.is_terminal:
            return node.state.returns()[node.mover]
        if node.children and node.is_fully_expanded:
            best = max(map(minimax, node.children))
            return best if node.mover == node.children[0].mover else -best
        value = names["judge"](node.state)
        return value if node.mover == node.state.current_player else -value

    for node in all_nodes(root)[1:]:
        assert implicit.judged[node] == pytest.approx(minimax(node))
