"""What the side road on PUCT, measured, says is so."""

import json

import numpy as np
import pytest

from mctslab import games, players, search
from mctslab.arena import tactics
from tests.fast.same_trees import difference
from tests.notebooks.reading import PROJECT


def test_one_at_a_time_it_is_the_packages_search(names):
    rigid = names["rigid_search"](names["small"], 90, 1, np.random.default_rng(4))
    plain = search.puct_search(
        names["small"],
        evaluator=search.rollout_evaluator(),
        num_simulations=90,
        rng=np.random.default_rng(4),
    )
    assert difference(rigid.root, plain.root) == ""


def test_with_a_memory_no_position_is_evaluated_twice(names):
    repeated = []
    for wrapped in (lambda evaluator: evaluator, names["Remembering"]):
        counting = names["Counting"]()
        search.puct_search(
            games.TicTacToe(),
            evaluator=wrapped(counting),
            num_simulations=1_000,
            rng=np.random.default_rng(8),
        )
        repeated.append(len(counting.asked) - len(set(counting.asked)))

    assert repeated[0] > 0 == repeated[1]


# The exam


@pytest.fixture(scope="module")
def marks():
    kept = json.loads(
        (PROJECT / "notebooks" / "more" / "results" / "11_tactics.json").read_text("utf-8")
    )
    return {name: np.array(each) for name, each in kept.items() if name != "made by"}


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["heuristic", "uct:400", "puct:400:uniform"])
def test_the_marks_are_those_that_the_players_get(marks, name):
    exam = [tactic for tactic in tactics.load() if tactic.state.size == 15]
    player = players.make(name, rng=np.random.default_rng(11))

    assert [tactics.solves(player, tactic) for tactic in exam[:20]] == list(marks[name][:20] == 1)
