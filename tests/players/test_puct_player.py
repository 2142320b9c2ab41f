"""The player that searches by PUCT: its names, its evaluators, and what it remembers of a game."""

import itertools

import numpy as np
import pytest

from mctslab import fast, players, search
from mctslab.games import ConnectFour, Gomoku, Reversi, TicTacToe
from mctslab.players import PUCTPlayer
from mctslab.search.knowledge.gomoku import gomoku_prior
from mctslab.search.knowledge.roxanne import roxanne_prior
from tests.search.test_puct_solving import BLIND, WIN, row_of_four


def new_rng(seed=1):
    return np.random.default_rng(seed)


def last_thought(player, state):
    *_, thought = player.think(state)
    return thought


def visits(thought):
    return [child[:2] for child in thought.result.children]


def test_the_names_stand_for_these_evaluators():
    rollout = search.rollout_evaluator()
    for name, state, evaluator in (
        ("puct:80", TicTacToe(), rollout),
        ("puct:80:rollout", TicTacToe(), rollout),
        ("puct:80:uniform", ConnectFour(), search.uniform_evaluator()),
        (
            "puct:80:roxanne",
            Reversi(),
            search.with_priors(search.rollout_evaluator(search.roxanne()), roxanne_prior),
        ),
        ("puct:80:static", Gomoku(size=9), search.threat_evaluator()),
        ("puct:80:threats", Gomoku(size=9), search.with_priors(rollout, gomoku_prior)),
    ):
        thought = last_thought(players.make(name, rng=new_rng()), state)
        result = fast.puct_search(state, evaluator=evaluator, num_simulations=80, rng=new_rng())
        assert visits(thought) == [child[:2] for child in result.children], name
        assert thought.action == result.best_action
        assert thought.num_simulations == 80


def test_an_evaluator_for_another_game_says_so():
    for name, words in (("puct:50:roxanne", "Roxanne"), ("puct:50:threats", "Gomoku")):
        with pytest.raises(ValueError, match=words):
            players.make(name, rng=new_rng()).choose(ConnectFour())


def test_it_decides_although_not_every_move_was_tried():
    """The prior leaves most of 225 moves alone."""
    state = Gomoku().child(112)
    thought = last_thought(players.make("puct:60:threats", rng=new_rng()), state)
    assert sum(number == 0 for _, number in visits(thought)) > 100
    assert dict(visits(thought))[thought.action] == max(number for _, number in visits(thought))


def test_by_name_it_proves_where_the_name_says_so():
    state = TicTacToe().child(4).child(1)  # X wins by force
    for evaluator in ("", ":uniform"):
        proven = last_thought(players.make(f"puct+solver:300{evaluator}", rng=new_rng()), state)
        assert (proven.progress, proven.result.proven) == (1.0, 1.0)
        assert proven.num_simulations < 300
        plain = last_thought(players.make(f"puct:300{evaluator}", rng=new_rng()), state)
        assert (plain.num_simulations, plain.result.proven) == (300, None)


def test_with_proofs_it_overlooks_no_five_whatever_the_prior():
    """The only five, and then the only way to prevent it, to which the prior gives nothing."""
    for black_to_move, solver in itertools.product((True, False), repeat=2):
        state = row_of_four(black_to_move=black_to_move)
        player = PUCTPlayer(100, evaluator=BLIND, batch_size=8, solver=solver, rng=new_rng())
        assert (player.choose(state) == WIN) == solver


@pytest.mark.parametrize("reuse_tree", [False, True])
def test_it_wins_by_what_it_has_proven_without_using_up_its_time(reuse_tree):
    player = PUCTPlayer(
        seconds=3_600,
        evaluator=search.uniform_evaluator(),
        solver=True,
        reuse_tree=reuse_tree,
        rng=new_rng(),
    )
    rng, state = new_rng(2), TicTacToe().child(4).child(1)
    spent = []
    while not state.is_terminal:
        if state.current_player == 0:
            thought = last_thought(player, state)
            spent.append(thought.num_simulations)
            state = state.child(thought.action)
        else:
            state = state.child(search.uniform(state, rng))
    assert state.returns() == (1.0, -1.0)
    assert len(spent) > 1
    assert all(spent) != reuse_tree  # what is proven already takes no simulation


def remembering():
    return PUCTPlayer(300, evaluator=search.uniform_evaluator(), rng=new_rng(), reuse_tree=True)


def test_the_tree_is_found_again_when_moves_are_taken_back():
    """Also by another way than the one that was played."""
    player = remembering()
    state = TicTacToe()
    first = last_thought(player, state).result
    ours, reply = first.principal_variation[:2]
    assert last_thought(player, state.child(ours).child(reply)).result.root.visit_count > 300

    again = last_thought(player, state).result
    assert again.root.visit_count == 600

    by_visits = sorted(first.children, key=lambda child: -child.visit_count)
    other = state.child(by_visits[1].action).child(by_visits[0].action)
    elsewhere = last_thought(player, other).result
    assert elsewhere.root.visit_count > 300


def test_by_name_it_keeps_its_tree_where_the_name_says_so():
    for name, visits in {"puct:300:uniform": 300, "puct+reuse:300:uniform": 600}.items():
        player = players.make(name, rng=new_rng())
        last_thought(player, TicTacToe())
        assert last_thought(player, TicTacToe()).result.root.visit_count == visits


def test_by_name_an_untried_move_counts_as_its_position_where_the_name_says_so():
    state = Gomoku(size=9)
    for action in (38, 0, 39, 8, 40, 72, 41):  # four in a row, both ends open: White loses
        state = state.child(action)
    tried = [
        sum(number > 0 for _, number in visits(last_thought(player, state)))
        for kind in ("puct", "puct+parent")
        for player in [players.make(f"{kind}:60:static", rng=new_rng())]
    ]
    assert tried[0] > tried[1]


def test_few_trees_are_kept():
    player = remembering()
    state = TicTacToe()
    for _ in range(4):
        state = state.child(player.choose(state))
    assert len(player._roots) == 3
