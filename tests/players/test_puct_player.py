"""The player that searches by PUCT: its names, its evaluators, and what it remembers of a game."""

from functools import partial

import numpy as np
import pytest

from mctslab import fast, players, search
from mctslab.games import ConnectFour, Gomoku, Reversi, TicTacToe
from mctslab.players import PUCTPlayer, UCTPlayer
from mctslab.search.knowledge.gomoku import gomoku_prior
from mctslab.search.knowledge.roxanne import roxanne_prior


def new_rng(seed=1):
    return np.random.default_rng(seed)


def last_thought(player, state):
    """What a player, or the player of that name, thinks in the end."""
    player = players.make(player, rng=new_rng()) if isinstance(player, str) else player
    *_, thought = player.think(state)
    return thought


def test_the_names_stand_for_these_evaluators():
    rollout, gomoku = search.rollout_evaluator(), Gomoku(size=9)
    of_roxanne = search.rollout_evaluator(search.roxanne())
    for name, state, evaluator in (
        ("puct:80", TicTacToe(), rollout),
        ("puct:80:rollout", TicTacToe(), rollout),
        ("puct:80:uniform", ConnectFour(), search.uniform_evaluator()),
        ("puct:80:roxanne", Reversi(), search.with_priors(of_roxanne, roxanne_prior)),
        ("puct:80:static", gomoku, search.threat_evaluator()),
        ("puct:80:threats", gomoku, search.with_priors(rollout, gomoku_prior)),
    ):
        thought = last_thought(name, state)
        result = fast.puct_search(state, evaluator=evaluator, num_simulations=80, rng=new_rng())
        assert thought.result.children == result.children, name
        assert thought.action == result.best_action
        assert thought.num_simulations == 80
    for name, words in (("puct:50:roxanne", "Roxanne"), ("puct:50:threats", "Gomoku")):
        with pytest.raises(ValueError, match=words):
            last_thought(name, ConnectFour())


def test_by_name_it_proves_where_the_name_says_so():
    state = TicTacToe().child(4).child(1)  # X wins by force
    for evaluator in ("", ":uniform"):
        proven = last_thought(f"puct+solver:300{evaluator}", state)
        assert (proven.progress, proven.result.proven) == (1.0, 1.0)
        assert proven.num_simulations < 300
        plain = last_thought(f"puct:300{evaluator}", state)
        assert (plain.num_simulations, plain.result.proven) == (300, None)


@pytest.mark.parametrize("reuse_tree", [False, True])
@pytest.mark.parametrize(
    "kind",
    [partial(PUCTPlayer, evaluator=search.uniform_evaluator()), UCTPlayer],
    ids=["puct", "uct"],
)
def test_it_wins_by_what_it_has_proven_without_using_up_its_time(kind, reuse_tree):
    player = kind(seconds=3_600, solver=True, reuse_tree=reuse_tree, rng=new_rng())
    rng, state, spent = new_rng(2), TicTacToe().child(4).child(1), []
    while not state.is_terminal:
        if state.current_player == 0:
            thought = last_thought(player, state)
            spent.append(thought.num_simulations)
            assert thought.progress == 1.0
            state = state.child(thought.action)
        else:
            state = state.child(search.uniform(state, rng))
    assert state.returns() == (1.0, -1.0)
    assert len(spent) > 1
    assert all(spent) != reuse_tree  # what is proven already takes no simulation


def test_the_tree_is_found_again_when_moves_are_taken_back():
    """Also by another way than the one that was played; few trees are kept."""
    evaluator = search.uniform_evaluator()
    player = PUCTPlayer(300, evaluator=evaluator, rng=new_rng(), reuse_tree=True)
    state = TicTacToe()
    first = last_thought(player, state).result
    ours, reply = first.principal_variation[:2]
    by_visits = sorted(first.children, key=lambda child: -child.visit_count)
    other = state.child(by_visits[1].action).child(by_visits[0].action)
    for position, least in ((state.child(ours).child(reply), 301), (state, 600), (other, 301)):
        assert last_thought(player, position).result.root.visit_count >= least
    for _ in range(4):
        state = state.child(player.choose(state))
    assert len(player._roots) == 3


def test_by_name_it_keeps_its_tree_where_the_name_says_so():
    for name, visits in {"puct:300:uniform": 300, "puct+reuse:300:uniform": 600}.items():
        player = players.make(name, rng=new_rng())
        last_thought(player, TicTacToe())
        assert last_thought(player, TicTacToe()).result.root.visit_count == visits


def test_by_name_an_untried_move_counts_as_its_position_where_the_name_says_so():
    state = Gomoku(size=9)
    for action in (38, 0, 39, 8, 40, 72, 41):  # four in a row, both ends open: White loses
        state = state.child(action)
    thoughts = [last_thought(f"{kind}:60:static", state) for kind in ("puct", "puct+parent")]
    tried = [sum(child.visit_count > 0 for child in each.result.children) for each in thoughts]
    assert tried[0] > tried[1]
