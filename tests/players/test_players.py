"""Players: their names, their budgets, thinking in slices, and one player for many games."""

from functools import partial
from itertools import islice, pairwise

import pytest

from mctslab import players
from mctslab.games import Gomoku, Reversi, TicTacToe
from mctslab.players import Proposal, UCTPlayer
from mctslab.players.player import PolicyPlayer
from mctslab.players.search_player import FlatPlayer
from mctslab.search import (
    FIVE_CLASSES,
    NINE_CLASSES,
    NotEnoughSimulationsError,
    greedy,
    mcts,
    rollout_evaluator,
    roxanne,
)
from tests.games.own_games import DotsAndBoxes
from tests.games.playing import new_rng
from tests.search.toys import FORCED_PASS, play

# Names


def test_the_names_stand_for_these_players():
    nine, five = roxanne(NINE_CLASSES), roxanne(FIVE_CLASSES)
    # One of Black's five moves is best by nine classes; by five classes they are all the same.
    state = play(Reversi(), "e6 d6 c7 f3")
    for name, make in {
        "roxanne": partial(PolicyPlayer, "same", nine),
        "roxanne5": partial(PolicyPlayer, "same", five),
        "greedy": partial(PolicyPlayer, "same", greedy),
        "flat:60:roxanne": partial(FlatPlayer, 60, policy=nine),
        "flat:60:roxanne5": partial(FlatPlayer, 60, policy=five),
        "uct:20:uniform": partial(UCTPlayer, 20),
        "uct:20:roxanne5": partial(UCTPlayer, 20, policy=five),
        "uct+solver:20:roxanne": partial(UCTPlayer, 20, policy=nine, solver=True),
    }.items():
        named, same = players.make(name, rng=new_rng()), make(rng=new_rng())
        assert [named.choose(state) for _ in range(5)] == [same.choose(state) for _ in range(5)]


def tree_of(state, num_simulations, rng):
    return mcts(state, num_simulations=num_simulations, rng=rng).root


@pytest.mark.parametrize(
    "make",
    [
        partial(players.make, "random"),
        partial(PolicyPlayer, "same", greedy),
        partial(FlatPlayer, 60),
        partial(UCTPlayer, 20),
        partial(players.PUCTPlayer, 20, evaluator=rollout_evaluator()),
        partial(players.FunctionPlayer, tree_of, 20),
    ],
    ids=lambda make: str(make.func.__name__),
)
def test_a_seed_stands_for_its_generator_and_is_not_used_again_at_each_move(make):
    of_seed, of_generator, fresh = (make(rng=rng) for rng in (1, new_rng(1), None))
    states = [Reversi()] * 8
    moves = [of_seed.choose(state) for state in states]
    assert moves == [of_generator.choose(state) for state in states]
    assert len(set(moves)) > 1
    assert fresh.choose(Reversi()) in Reversi().legal_actions()


# Greedy


def test_greedy_flips_the_most_discs():
    player, state, rng = players.make("greedy", rng=new_rng(2)), Reversi(size=6), new_rng()
    while not state.is_terminal:
        mover, actions = state.current_player, state.legal_actions()
        discs = {each: state.child(each).board().stones.count(mover) for each in actions}
        assert discs[player.choose(state)] == max(discs.values())
        state = state.child(int(rng.choice(actions)))


# Flat Monte Carlo


def test_flat_shares_its_rollouts_out_also_when_the_time_is_up():
    state = play(Reversi(), "e6")
    (*_, last) = players.make("flat:103", rng=new_rng()).think(state)
    # 103 rollouts for three moves: 34 each, and one is left over.
    assert [child.visit_count for child in last.result.children] == [34, 34, 34]
    assert (last.num_simulations, last.progress) == (102, 1.0)
    assert last.action == last.result.max_child()
    (*_, last) = players.make("flat:0.3s", rng=new_rng()).think(state)
    assert len({child.visit_count for child in last.result.children}) == 1
    assert (last.seconds >= 0.3, last.progress) == (True, 1.0)


def never(*given):
    raise AssertionError("there is nothing to search")


def test_a_forced_move_is_played_at_once():
    state = play(Reversi(size=4), FORCED_PASS + " a1")
    names = ("flat:1", "uct:60s", "puct:60s", "puct+endgame:60s", "alphabeta:60s")
    for player in (
        *(players.make(name, rng=new_rng()) for name in names),
        players.FunctionPlayer(never, 1, rng=new_rng()),
    ):
        assert list(player.think(state)) == [Proposal(state.pass_action, progress=1.0)]


# Thinking


def test_thoughts_come_again_and_again_and_the_last_one_decides():
    thoughts = list(UCTPlayer(seconds=0.6, rng=new_rng()).think(Reversi()))
    assert 2 <= len(thoughts) <= 8, "ten times a second"
    for thought in thoughts:
        visits = sum(child.visit_count for child in thought.result.children)
        assert visits == thought.result.num_simulations == thought.num_simulations
        assert thought.result.seconds == thought.seconds
        assert thought.action == thought.result.best_so_far
        assert (thought.progress == 1.0) == (thought is thoughts[-1])
    for one, other in pairwise(thoughts):
        assert (one.num_simulations, one.seconds) < (other.num_simulations, other.seconds)
        assert one.progress == pytest.approx(one.seconds / 0.6)
    # With both budgets the first to end counts.
    for budgets in ((6, 60.0), (10**9, 0.01)):
        (*_, last) = UCTPlayer(*budgets, rng=new_rng()).think(Reversi())
        assert (last.num_simulations == 6, last.progress) == (budgets[0] == 6, 1.0)


def test_leaving_the_loop_ends_the_thinking():
    player = UCTPlayer(10**9, reuse_tree=True, rng=new_rng())
    thoughts = player.think(Reversi())
    first, second = islice(thoughts, 2)
    before = first.result.children
    thoughts.close()
    assert 0 < first.num_simulations < second.num_simulations
    assert first.result.children == before
    assert list(thoughts) == []
    assert next(player.think(Reversi())).result.root.visit_count > second.num_simulations


def test_where_not_every_move_was_tried_in_time_the_best_of_the_others_is_played():
    for name in ("uct:0.000001s", "flat:0.000001s", "uct+solver:0.000001s"):
        (*_, thought) = players.make(name, rng=new_rng()).think(Gomoku())
        assert thought.action == thought.result.best_so_far
        assert thought.num_simulations < 225


# What goes wrong


def test_what_cannot_be_decided_is_refused():
    over = play(TicTacToe(), "a1 a2 b1 b2 c1")
    lost = play(Reversi(), "e6 f4 e3 f6 g5 d6 e7 f5 c5")
    few = (NotEnoughSimulationsError, r"5 of 225 moves.*with 225 simulations")
    for names, state, (kind, message) in (
        ("random greedy heuristic flat:10 uct:10 puct:10", over, (ValueError, "game is over")),
        ("roxanne alphabeta:2 puct+endgame:50", lost, (ValueError, "game is over")),
        ("roxanne roxanne5 uct:10:roxanne", Reversi(size=6), (ValueError, "Reversi on 8 x 8")),
        ("greedy", TicTacToe(), (ValueError, "the discs of Reversi; this is Tic-Tac-Toe")),
        ("heuristic", TicTacToe(), (ValueError, "Gomoku only; this is Tic-Tac-Toe")),
        ("flat:8", TicTacToe(), (NotEnoughSimulationsError, r"=8 is .* the 9 moves")),
        ("uct:5", Gomoku(), few),
    ):
        for name in names.split():
            with pytest.raises(kind, match=message):
                players.make(name, rng=new_rng()).choose(state)
    assert players.make("flat:9", rng=new_rng()).choose(TicTacToe()) in range(9)


# Many games


@pytest.mark.filterwarnings("ignore::mctslab.fast.SlowSearchWarning")
def test_a_kept_tree_is_left_where_the_next_game_is_not_compiled():
    player = UCTPlayer(60, reuse_tree=True, rng=new_rng())
    for state in (TicTacToe(), DotsAndBoxes(), TicTacToe()):
        (*_, thought) = player.think(state)
        assert thought.num_simulations == 60
