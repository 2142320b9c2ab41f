"""What both searches accept and refuse: the position, the budget, and the options of each."""

import math
import re

import numpy as np
import pytest

from mctslab.games import TicTacToe
from mctslab.search import DirichletNoise, mcts, puct, puct_search, ucb1, uniform_evaluator
from tests.search.toys import play

MCTS = {"state": TicTacToe(), "num_simulations": 9}
PUCT = MCTS | {"evaluator": uniform_evaluator()}

WRONG = [
    ({"state": play(TicTacToe(), "a1 a2 b1 b2 c1")}, "nothing to search, because the game is over"),
    ({"state": TicTacToe}, "brackets are missing"),
    ({"state": "reversi"}, "state must be a position of a game, got 'reversi'"),
    *(({"rng": rng}, f"must be a numpy.random.Generator, got {rng!r}")
      for rng in (None, np.random.RandomState(1), np.random.default_rng)),
    ({"root": 3}, "root must be a node of a tree, got 3: pass result.root"),
    ({"num_simulations": None}, "needs a budget, such as num_simulations=1000"),
    *(({"num_simulations": number}, f"num_simulations must be an integer from 1 to {10**15:,}")
      for number in (0, 10**16, 0.5, 1_000.0, math.nan, math.inf, "1000", True)),
    *(({"seconds": seconds}, f"seconds must be above 0 and at most {10**9:,}, got {seconds!r}")
      for seconds in (0, -1, 1e308, math.nan, math.inf, "2s")),
]  # fmt: skip


@pytest.mark.parametrize(("search", "right"), [(mcts, MCTS), (puct_search, PUCT)])
@pytest.mark.parametrize(("wrong", "words"), WRONG, ids=range(len(WRONG)))
def test_what_both_searches_refuse(search, right, wrong, words, rng):
    with pytest.raises(ValueError, match=re.escape(words)):
        search(**right | {"rng": rng} | wrong)


def test_what_one_of_them_refuses(rng):
    for expansion in ("both", "ALL", None, ["one"]):
        words = f"expansion must be 'one' or 'all', got {expansion!r}"
        with pytest.raises(ValueError, match=re.escape(words)):
            mcts(**MCTS, expansion=expansion, rng=rng)
    for size in (0, 1.5, 8.0, None, "8", 1_025):
        words = f"batch_size must be .*, got {size!r}"
        with pytest.raises(ValueError, match=words):
            puct_search(**PUCT, batch_size=size, rng=rng)


@pytest.mark.parametrize(
    ("make", "name", "values", "words"),
    [
        (ucb1, "c", (-0.1, math.inf, math.nan, "a", 10**400, None), "c must be 0 or more"),
        (puct, "c", (-0.1, math.inf, math.nan, "a", 10**400, None), "c must be 0 or more"),
        (puct, "c_base", (0, -1.0, math.inf, math.nan, "a", 10**400), "c_base must be above 0"),
        (puct, "fpu", (1.01, -2, math.nan, "loss", None, 10**400), "a number from -1 to 1, or"),
        (DirichletNoise, "alpha", (0, -0.03, math.nan, math.inf), "alpha must be above 0"),
        (DirichletNoise, "weight", (-0.01, 1.01, math.nan), "weight must be from 0 to 1"),
    ],
)
def test_constants_out_of_range(make, name, values, words):
    for value in values:
        with pytest.raises(ValueError, match=f"{words}.*got {value!r}"):
            make(**{name: value})


def test_constants_by_default():
    assert (ucb1().c, ucb1(0.5).c, puct()) == (math.sqrt(2), 0.5, puct(1.25))
    assert DirichletNoise() == DirichletNoise(alpha=0.03, weight=0.25)  # as in AlphaGo Zero
