"""What both searches accept and refuse: the position, the budget, and the options of each."""

import math
import re

import numpy as np
import pytest

from mctslab.games import TicTacToe
from mctslab.search import mcts, puct, puct_search, ucb1, uniform_evaluator
from tests.search.toys import play

MCTS = {"state": TicTacToe(), "num_simulations": 9}
PUCT = MCTS | {"evaluator": uniform_evaluator()}


WRONG = [
    ({"state": play(TicTacToe(), "a1 a2 b1 b2 c1")}, "nothing to search, because the game is over"),
    ({"state": TicTacToe}, "brackets are missing"),
    ({"state": "reversi"}, "state must be a position of a game, got 'reversi'"),
    *[
        ({"rng": rng}, f"rng must be a numpy.random.Generator, got {rng!r}: pass np.random")
        for rng in (None, np.random.RandomState(1), np.random.default_rng)
    ],
    ({"num_simulations": None}, "needs a budget, such as num_simulations=1000"),
    *[
        ({"num_simulations": number}, f"num_simulations must be an integer from 1 to {10**15:,}")
        for number in (0, 10**16, 0.5, 1_000.0, math.nan, math.inf, "1000", True)
    ],
    *[
        ({"seconds": seconds}, f"seconds must be above 0 and at most {10**9:,}, got {seconds!r}")
        for seconds in (0, -1, 1e308, math.nan, math.inf, "2s")
    ],
]


@pytest.mark.parametrize(("search", "right"), [(mcts, MCTS), (puct_search, PUCT)])
@pytest.mark.parametrize(("wrong", "words"), WRONG, ids=range(len(WRONG)))
def test_what_both_searches_refuse(search, right, wrong, words, rng):
    with pytest.raises(ValueError, match=re.escape(words)):
        search(**right | {"rng": rng} | wrong)


@pytest.mark.parametrize("expansion", ["both", "ALL", None, ["one"]])
def test_an_unknown_expansion_is_refused(expansion, rng):
    words = f"expansion must be 'one' or 'all', got {expansion!r}"
    with pytest.raises(ValueError, match=re.escape(words)):
        mcts(**MCTS, expansion=expansion, rng=rng)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        *[
            ({"batch_size": size}, f"batch_size must be a whole number, 1 or more, got {size!r}")
            for size in (0, 1.5, 8.0, None, "8")
        ]
    ],
)
def test_what_puct_search_refuses(options, words, rng):
    with pytest.raises(ValueError, match=words):
        puct_search(**PUCT, **options, rng=rng)


def test_the_constants_of_the_rules(rng):
    assert (ucb1().c, ucb1(0.5).c, puct()) == (math.sqrt(2), 0.5, puct(1.25))
    for c in (-0.1, math.inf, math.nan, "a", 10**400, None):
        for rule in (ucb1, puct):
            with pytest.raises(ValueError, match=f"c must be 0 or more and finite, got {c!r}"):
                rule(c)
    for c_base in (0, -1.0, math.inf, math.nan, "a", 10**400):
        with pytest.raises(ValueError, match=f"c_base must be above 0 .* got {c_base!r}"):
            puct(c_base=c_base)
    for fpu in (1.01, -2, math.nan, "loss", None, 10**400):
        with pytest.raises(ValueError, match=f"fpu must be a number from -1 to 1, .* got {fpu!r}"):
            puct(fpu=fpu)
