"""What every search accepts and refuses, readable or compiled, before anything is compiled."""

import math
import re
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

from mctslab import fast, search
from mctslab.games import Reversi, TicTacToe
from mctslab.games.state import BrokenRulesError
from mctslab.search import ucb1
from tests.search.toys import Chain, play

EVEN = search.uniform_evaluator()
SEARCHES = {
    "mcts": search.mcts,
    "puct": partial(search.puct_search, evaluator=EVEN),
    "compiled mcts": fast.mcts,
    "compiled puct": partial(fast.puct_search, evaluator=EVEN),
    "flat": fast.flat_monte_carlo,
}
STATES = [
    ({"state": play(TicTacToe(), "a1 a2 b1 b2 c1")}, "nothing to search, because the game is over"),
    ({"state": Reversi}, "state is the class Reversi, and an object of it is needed: put brackets"),
    *(({"state": state}, f"must be a position of a game, got {state!r}")
      for state in (None, 5, "reversi")),
    *(({"seconds": seconds}, f"seconds must be above 0 and at most {10**9:,}, got {seconds!r}")
      for seconds in (0, -1, 1e308, 10**400, math.nan, math.inf, "2s")),
]  # fmt: skip
WRONG = [
    *STATES,
    *(({"rng": rng}, "must be a numpy.random.Generator or a seed")
      for rng in (-1, "1", np.random.default_rng)),
    ({"num_simulations": None}, "needs a budget"),
    *(({"num_simulations": number}, f"num_simulations={number!r} is not possible")
      for number in (0, 10**16, 0.5, 1_000.0, math.nan, math.inf, "1000", True)),
]  # fmt: skip


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", SEARCHES)
def test_what_every_search_refuses(name, rng):
    right = {"state": TicTacToe(), "num_simulations": 9, "rng": rng}
    for wrong, words in WRONG:
        with pytest.raises(ValueError, match=re.escape(words)):
            SEARCHES[name](**right | wrong)


class OneAndTwo(TicTacToe):
    __slots__ = ()
    current_player = property(lambda self: 1 + TicTacToe.current_player.fget(self))


class PlusAndMinus(TicTacToe):
    __slots__ = ()
    current_player = property(lambda self: 1 - 2 * TicTacToe.current_player.fget(self))


class NothingReturned(TicTacToe):
    __slots__ = ()

    def child(self, action):
        super().child(action)


class ArrayOfActions(TicTacToe):
    __slots__ = ()

    def legal_actions(self):
        return np.array(super().legal_actions())


@dataclass(frozen=True)
class Stuck(Chain):
    """After two plies there is no legal action, though the game is not over."""

    is_terminal = False


@dataclass(frozen=True)
class WithoutResult(Chain):
    found: object = (math.nan, math.nan)

    def returns(self):
        return self.found


class Method(TicTacToe):
    __slots__ = ()

    def is_terminal(self):
        return super().is_terminal


class Names(TicTacToe):
    __slots__ = ()

    def legal_actions(self):
        return tuple(map(self.action_to_string, super().legal_actions()))


@pytest.mark.filterwarnings("ignore:The readable search is used")
@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize(
    ("state", "words"),
    [
        (OneAndTwo(), "current_player is 2, and it must be 0 for the player who moves first, or 1"),
        (PlusAndMinus(), "current_player is -1, and it must be 0"),
        (NothingReturned(), "child(0) returned None instead of the next position (did you forget"),
        (ArrayOfActions(), "legal_actions() is array([0, 1, 2, 3, 4, 5, 6, 7, 8]), and it must be"),
        (Stuck(2, 2), "legal_actions() is empty, but is_terminal is False"),
        (WithoutResult(2, 2), "returns() is (nan, nan), and it must be two numbers from -1 to 1"),
        *((WithoutResult(2, 2, found=found), f"returns() is {found!r}, and it must be two numbers")
          for found in ("first", 1, None)),
        (Method(), "is_terminal is a method, and it must be a property: write @property above it."),
        (Names(), "legal_actions() is ('a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3'), and"),
    ],
)  # fmt: skip
def test_the_most_common_mistakes_in_rules_are_told_by_every_search(name, state, words, rng):
    with pytest.raises(BrokenRulesError, match=re.escape(words)):
        SEARCHES[name](state, num_simulations=50, rng=rng)


@pytest.mark.filterwarnings("ignore:The readable search is used")
@pytest.mark.parametrize("name", ["mcts", "compiled mcts"])
@pytest.mark.parametrize("value", [math.nan, math.inf, 2.0])
def test_a_value_that_is_none_is_told_and_not_counted(name, value, rng):
    def evaluate(states, rng):
        return search.Evaluation([(value, -value)])

    with pytest.raises(search.EvaluationError, match=f"returned the value .{value}"):
        SEARCHES[name](TicTacToe(), num_simulations=9, evaluator=evaluate, rng=rng)


@pytest.mark.parametrize("name", [name for name in SEARCHES if name != "flat"])
def test_forgotten_brackets_are_told(name, rng):
    for wrong in ({"selection": ucb1}, {"evaluator": search.rollout_evaluator}):
        with pytest.raises(ValueError, match=r"an object of it is needed: put brackets"):
            SEARCHES[name](TicTacToe(), num_simulations=9, rng=rng, **wrong)


@pytest.mark.parametrize(
    ("names", "option", "values", "words"),
    [
        ("mcts, compiled mcts", "expansion", ("ALL", None, ["one"]), "must be 'one' or 'all'"),
        ("mcts, compiled mcts, compiled puct", "root", (3, "tree"), "root must be a node"),
        (
            "puct, compiled puct",
            "batch_size",
            (0, 1.5, 8.0, None, "8", 1_025),
            "batch_size=.* is not possible",
        ),
    ],
)
def test_what_some_of_them_refuse(names, option, values, words, rng):
    for name in names.split(", "):
        for value in values:
            with pytest.raises(ValueError, match=words) as error:
                SEARCHES[name](TicTacToe(), num_simulations=9, rng=rng, **{option: value})
            assert repr(value) in str(error.value)


def history_of(number):
    def evaluate(states, rng):
        return [0.0] * len(states)

    evaluate.history = number
    return evaluate


POLICY = search.by_class([0] * 9)


@pytest.mark.parametrize("name", [name for name in SEARCHES if name != "flat"])
@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"evaluator": 0.5}, "must be a function of (states, rng), got 0.5."),
        ({"evaluator": len}, "must be a function of (states, rng), got <built-in function len>."),
        ({"evaluator": POLICY}, "A policy for rollouts is given as search.rollout_evaluator(pol"),
        ({"evaluator": history_of("two")}, "must be a number of positions, 1 or more, got 'two'."),
        ({"evaluator": history_of(2)}, "must be a function of (states, rng, before), got <func"),
        ({"selection": "ucb1"}, "must be a rule such as search.ucb1(), got 'ucb1'."),
        ({"selection": max}, "A formula of your own is given as search.ucb1(exploration=formula)."),
    ],
)
def test_what_cannot_evaluate_or_choose_is_told_before_the_search(name, wrong, words, rng):
    with pytest.raises(ValueError, match=re.escape(words)):
        SEARCHES[name](TicTacToe(), num_simulations=9, rng=rng, **wrong)


@pytest.mark.parametrize("policy", ["roxanne", len, None])
def test_what_is_no_policy_is_told_when_it_is_given(policy):
    with pytest.raises(ValueError, match=re.escape(f"a legal action, got {policy!r}.")):
        search.rollout_evaluator(policy)
