"""What the side road on variants of the search says is so, and stays so with other seeds."""

import numpy as np
import pytest

from mctslab import games, search
from tests.fast.same_trees import difference
from tests.search.toys import all_nodes

GAMES = ("connect_four", "gomoku")
GOMOKU = games.Gomoku(size=6, in_a_row=4)


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


def test_grave_looks_further_up_only_where_there_are_few_visits(names):
    rave, grave = names["Rave"](), names["Rave"](ref=30)
    root = grown(grave, GOMOKU, seed=8)
    rave.amaf = grave.amaf
    differs = {True: [], False: []}
    for node in all_nodes(root):
        if node.visit_count > 1:
            differs[node.visit_count >= 30] += [
                rave.score(node, child) != grave.score(node, child) for child in node.children
            ]

    assert not any(differs[True])
    assert any(differs[False])


@pytest.mark.parametrize("seed", [4, 5])
def test_all_moves_as_first_like_the_open_threes_after_a_hundred_simulations(names, seed):
    """With seed 4, which the notebook shows, these two squares are the best; they are always good.

    Widening looks at seven squares, whatever the seed.
    """
    state, rave = names["state"], names["Rave"]()
    root = grown(rave, state, seed, num_simulations=100)
    rates = {}
    for action in state.legal_actions():
        visits, total = rave.amaf.get((root, state.current_player, action), (0, 0.0))
        rates[state.action_to_string(action)] = total / visits if visits else -1.0
    best = sorted(rates, key=rates.get, reverse=True)
    widened = grown(names["Widening"](0.5), state, seed, num_simulations=190)
    visits = sorted((child.visit_count for child in widened.children), reverse=True)

    assert {"C2", "C5"} <= set(best[: 2 if seed == 4 else 10])
    assert len(visits) == 7
    assert sum(visits[:4]) > 0.9 * sum(visits)
