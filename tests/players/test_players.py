"""Players: their names, their budgets, thinking in slices, and one player for many games.

The clock is the test's own, so nothing here depends on how fast the machine is.
"""

import importlib
from functools import partial
from itertools import islice

import numpy as np
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

# With the test's clock the search is the readable one, and says so.
pytestmark = pytest.mark.filterwarnings("ignore::mctslab.fast.SlowSearchWarning")


class Clock:
    """Stands in for the module `time`; the clock moves on with each rollout, and on demand."""

    def __init__(self, seconds_a_rollout):
        self.now = 1_000.0
        self.seconds_a_rollout = seconds_a_rollout

    def perf_counter(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    """A clock by which each rollout takes 0.03125 s (exact in binary): three to a slice of 0.09 s.

    It counts rollouts in Python, so it is the readable search that is watched. The compiled one has
    its own tests of budgets, and those below without a clock.
    """
    clock = Clock(1 / 32)
    compiled = importlib.import_module("mctslab.fast.mcts")
    monkeypatch.setattr(compiled, "compiled_search", lambda *_, **__: "its rollouts are counted")
    monkeypatch.setattr("mctslab.search.budget.time", clock)
    monkeypatch.setattr("mctslab.players.search_player.time", clock)

    def timed_rollout(state, policy, rng):
        clock.now += clock.seconds_a_rollout
        while not state.is_terminal:
            state = state.child(policy(state, rng))
        return state.returns()

    monkeypatch.setattr("mctslab.search.evaluators.rollout", timed_rollout)
    return clock


# Names


def test_the_names_stand_for_these_players(clock):
    nine, five = roxanne(NINE_CLASSES), roxanne(FIVE_CLASSES)
    # One of Black's five moves is best by nine classes; by five classes they are all the same.
    state = play(Reversi(), "e6 d6 c7 f3")
    for name, make in {
        "roxanne": partial(PolicyPlayer, "same", nine),
        "roxanne5": partial(PolicyPlayer, "same", five),
        "greedy": partial(PolicyPlayer, "same", greedy),
        "flat:60:roxanne": partial(FlatPlayer, 60, policy=nine),
        "flat:0.5s:roxanne5": partial(FlatPlayer, seconds=0.5, policy=five),
        "uct:20:uniform": partial(UCTPlayer, 20),
        "uct:0.5s": partial(UCTPlayer, seconds=0.5),
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


def test_random_and_greedy_choose_equally_often_among_their_moves():
    # Chi-square: above these limits once in a thousand seeds. By hand: of White's moves after e6,
    # d6 and f4 flip one disc each, as does f6.
    after = play(Reversi(), "e6")
    of_greedy = [after.string_to_action(move) for move in ("f4", "d6", "f6")]
    for name, state, moves, limit in (
        ("random", TicTacToe(), range(9), 26.1),
        ("greedy", after, of_greedy, 13.8),
    ):
        player = players.make(name, rng=new_rng())
        counts = np.bincount([player.choose(state) for _ in range(900)], minlength=64)
        each = 900 / len(moves)
        assert counts.sum() == counts[moves].sum()
        assert ((counts[moves] - each) ** 2 / each).sum() < limit


def test_greedy_flips_the_most_discs():
    player, state, rng = players.make("greedy", rng=new_rng(2)), Reversi(size=6), new_rng()
    while not state.is_terminal:
        mover, actions = state.current_player, state.legal_actions()
        discs = {each: state.child(each).board().stones.count(mover) for each in actions}
        assert discs[player.choose(state)] == max(discs.values())
        state = state.child(int(rng.choice(actions)))


# Flat Monte Carlo


def test_flat_shares_its_rollouts_out_and_keeps_its_time_to_the_rollout(clock):
    state = play(Reversi(), "e6")
    (*_, last) = players.make("flat:103", rng=new_rng()).think(state)
    # 103 rollouts for three moves: 34 each, and one is left over.
    assert [child.visit_count for child in last.result.children] == [34, 34, 34]
    assert (last.num_simulations, last.progress) == (102, 1.0)
    assert last.action == last.result.max_child()
    # A round is a rollout for each of three moves, and takes as long as a slice. One rollout after
    # the last round the time is up.
    thoughts = list(players.make("flat:2s", rng=new_rng()).think(state))
    assert [each.num_simulations for each in thoughts] == [*range(3, 64, 3), 63]
    assert (thoughts[-1].seconds, thoughts[-1].progress) == (2.0, 1.0)
    assert {child.visit_count for child in thoughts[-1].result.children} == {21}


def never(*given):
    raise AssertionError("there is nothing to search")


def test_a_forced_move_is_played_at_once(clock):
    state = play(Reversi(size=4), FORCED_PASS + " a1")
    names = ("flat:1", "uct:60s", "puct:60s", "puct+endgame:60s", "alphabeta:60s")
    for player in (
        *(players.make(name, rng=new_rng()) for name in names),
        players.FunctionPlayer(never, 1, rng=new_rng()),
    ):
        assert list(player.think(state)) == [Proposal(state.pass_action, progress=1.0)]
    assert clock.now == 1_000.0


# Thinking


def test_thoughts_come_ten_times_a_second_and_the_last_one_decides(clock):
    thoughts = list(UCTPlayer(10, rng=new_rng()).think(Reversi()))
    # Rollouts take 1/32 s, so a slice of 0.09 s is over after the third.
    numbers = [(each.num_simulations, each.progress, each.seconds) for each in thoughts]
    expected = [(3, 0.3, 3 / 32), (6, 0.6, 6 / 32), (9, 0.9, 9 / 32), (10, 1.0, 10 / 32)]
    assert numbers == expected
    for thought in thoughts:
        visits = sum(child.visit_count for child in thought.result.children)
        assert visits == thought.result.num_simulations == thought.num_simulations
        assert thought.result.seconds == thought.seconds
        assert thought.action == thought.result.best_so_far
    assert thoughts[-1].action == thoughts[-1].result.best_action
    # With both budgets the first to end counts.
    for budgets, number in (((6, 1.0), 6), ((1_000, 0.25), 8)):
        (*_, last) = UCTPlayer(*budgets, rng=new_rng()).think(Reversi())
        assert (last.num_simulations, last.progress) == (number, 1.0)


def test_leaving_the_loop_ends_the_thinking(clock):
    player = UCTPlayer(1_000_000, reuse_tree=True, rng=new_rng())
    thoughts = player.think(Reversi())
    assert clock.now == 1_000.0  # nothing is searched before the first proposal is wanted
    first, second = islice(thoughts, 2)
    before = first.result.children
    thoughts.close()
    assert (first.num_simulations, second.num_simulations) == (3, 6)
    assert first.result.children == before
    now = clock.now
    assert list(thoughts) == []
    assert clock.now == now
    assert next(player.think(Reversi())).result.root.visit_count == 6 + 3


def test_where_not_every_move_was_tried_in_time_the_best_of_the_others_is_played(clock):
    (*_, thought) = players.make("uct:0.08s", rng=new_rng()).think(Reversi())
    assert thought.num_simulations == 3
    assert thought.action == thought.result.best_so_far
    for name in ("flat:0.05s", "uct+solver:0.01s"):
        (*_, thought) = players.make(name, rng=new_rng()).think(Gomoku())
        assert thought.action in {child.action for child in thought.result.children}
        assert thought.num_simulations < 225


# What goes wrong


def test_what_cannot_be_decided_is_refused(clock):
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
    assert players.make("flat:0.000001s", rng=new_rng()).choose(Reversi()) in range(64)
    thoughts = players.make("uct:6", rng=new_rng()).think(Gomoku())
    assert next(thoughts).action in range(225)  # so far
    with pytest.raises(NotEnoughSimulationsError, match="6 of 225"):
        next(thoughts)


# Many games


def test_a_kept_tree_is_left_where_the_next_game_is_not_compiled():
    player = UCTPlayer(60, reuse_tree=True, rng=new_rng())
    for state in (TicTacToe(), DotsAndBoxes(), TicTacToe()):
        (*_, thought) = player.think(state)
        assert thought.num_simulations == 60
