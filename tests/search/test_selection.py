"""UCB1 and PUCT by their formulas, and what the rules do in the limits."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab.search import puct, ucb1
from tests.search.toys import family


@given(
    st.lists(
        st.integers(0, 40).flatmap(
            lambda n: st.tuples(st.just(n), st.floats(-n, n), st.floats(0, 1))
        ),
        min_size=1,
        max_size=8,
    ),
    st.floats(0, 10),
    st.just("parent") | st.floats(-1, 1),
    st.integers(0, 1),
    st.floats(-1, 1),
)
def test_scores_are_those_of_the_formulas_and_the_first_with_the_highest_is_the_best(
    statistics, c, fpu, mover, mean
):
    node = family(statistics)
    node.visit_count += 1
    node.mover, node.total_value = mover, mean * node.visit_count
    unvisited = (node.mean_value if mover == 0 else -node.mean_value) if fpu == "parent" else fpu
    by_ucb1, by_puct = [], []
    for n, w, prior in statistics:
        bonus = math.sqrt(math.log(node.visit_count) / n) if n else math.inf
        by_ucb1.append(((1 + w / n) / 2 if n else 0, c * bonus if n else math.inf))
        q = w / n if n else unvisited
        by_puct.append((q, c * prior * math.sqrt(node.visit_count) / (1 + n)))
    for rule, expected in ((ucb1(c), by_ucb1), (puct(c, fpu=fpu), by_puct)):
        scores = [rule.score(node, child) for child in node.children]
        for score, terms in zip(scores, expected, strict=True):
            assert score == pytest.approx(terms, abs=1e-9)
        totals = [score.total for score in scores]
        assert node.children.index(rule.best_child(node)) == totals.index(max(totals))
