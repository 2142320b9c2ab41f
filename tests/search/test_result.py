"""What a search says: the move to play, the value, the line, the table."""

import copy
import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab import fast, search
from mctslab.games import TicTacToe
from mctslab.search import SearchResult, mcts, puct_search
from tests.search.judging import Judge
from tests.search.toys import family


def result_of(statistics, *, is_guided=False):
    """A result whose root has children of the given N, W, P and what is proven."""
    root = family(statistics)
    return SearchResult(root, root.visit_count, seconds=0.5, is_guided=is_guided)


children_of_any_kind = st.lists(
    st.integers(0, 4).flatmap(
        lambda n: st.tuples(
            st.just(n),
            st.sampled_from((-n, -n / 2, 0.0, n / 2, n)),
            st.sampled_from((0.2, 0.4)),
            st.sampled_from((None, None, -1.0, 0.0, 1.0)),
        )
    ),
    min_size=1,
    max_size=6,
)


@given(children_of_any_kind, st.randoms())
def test_the_move_to_play_is_the_robust_child_or_one_that_is_proven_to_be_better(children, chance):
    def by_visits(action):
        """By visits, then the mean, then the prior; of equals the lower action comes first."""
        n, w, prior, _ = children[action]
        return n, w / n if n else 0.0, prior, -action

    proven = {action: each[3] for action, each in enumerate(children) if each[3] is not None}
    unproven = [action for action in range(len(children)) if action not in proven]
    best = max(proven, key=lambda action: (proven[action], by_visits(action)), default=None)
    if unproven:
        robust = max(unproven, key=by_visits)
        if best is None or (proven[best] < 1 and proven[best] <= by_visits(robust)[1]):
            best = robust
    result = result_of(children, is_guided=True)
    chance.shuffle(result.root.children)
    assert result.best_action == result.best_so_far == best
    assert result.principal_variation == ((best,) if children[best][0] or best in proven else ())
    order = sorted(range(len(children)), key=by_visits, reverse=True)
    assert result.robust_child() == order[0]
    visited = [action for action in order if children[action][0]] or order
    highest = max(visited, key=lambda action: (by_visits(action)[1], by_visits(action)[0], -action))
    assert result.max_child() == highest
    rows = result.table().rows()
    assert [row[0] for row in rows] == ["abcdef"[action] for action in order]
    for action, row in zip(order, rows, strict=True):
        assert (row[3] == "not tried") == (children[action][0] == 0 and action not in proven)


def test_a_result_stays_as_it_was_when_the_search_goes_on(rng):
    first = mcts(TicTacToe(), num_simulations=50, rng=rng)
    before = first.children, first.value, str(first.table()), first.num_simulations
    mcts(TicTacToe(), num_simulations=500, root=first.root, rng=rng)
    assert (first.children, first.value, str(first.table()), first.num_simulations) == before


def test_before_the_first_visit_the_value_is_the_evaluators(rng):
    judge = Judge(2)
    result = puct_search(TicTacToe().child(4), evaluator=judge, num_simulations=1, rng=rng)
    assert result.value == judge.value(result.state)[1] != 0  # for the second player


# Shown


def test_the_table_names_play_visits_share_and_win_rate():
    table = result_of(
        [(5, 2.5), (1_000, 500.0), (5, -5.0), (238, 0.0), (1, 1, 1, -1.0), (1, 0, 1, 0.0)]
    ).table()
    assert str(table).splitlines() == [
        "play  visits  share     win rate",
        "   b   1,000  80.0%        75.0%",
        "   d     238  19.0%        50.0%",
        "   a       5   0.4%        75.0%",
        "   c       5   0.4%         0.0%",
        "   e       1   0.1%  proven loss",
        "   f       1   0.1%  proven draw",
    ]
    assert table._repr_html_().count("<td ") == 6 * 4


@pytest.mark.parametrize("mcts", [search.mcts, fast.mcts])
def test_a_result_becomes_json_and_is_copied(mcts):
    result = mcts(TicTacToe(), num_simulations=50, solver=True, rng=1)
    found = json.loads(json.dumps(result.to_dict()))
    assert found["children"][4]["move"] == "b2"
    assert [each["visit_count"] for each in found["children"]] == [
        child.visit_count for child in result.children
    ]
    assert (found["value"], found["num_simulations"]) == (result.value, 50)
    for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert again.to_dict() == result.to_dict()


def test_a_seed_is_a_generator_and_none_is_a_fresh_one():
    by_seed, by_generator, *others = (
        search.mcts(TicTacToe(), num_simulations=50, rng=rng).children
        for rng in (1, np.random.default_rng(1), None, None)
    )
    assert by_seed == by_generator
    assert others[0] != others[1]
