"""UCB1 and PUCT by their formulas, and what the rules do in the limits."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab.search import Node, puct, ucb1
from tests.search.toys import Turn, WrittenOut, plant


def family(*statistics, visits=None):
    """A node with children of the given (N, W), in this order; its own N is their sum."""
    node = plant(Node(WrittenOut(Turn(0, (0.0,) * len(statistics)))))
    for child, (n, w) in zip(node.children, statistics, strict=True):
        child.visit_count, child.total_value = n, w
    node.visit_count = sum(n for n, _ in statistics) if visits is None else visits
    return node


def test_a_child_without_a_visit_comes_first_however_good_the_others_are():
    node = family((5, 5.0), (0, 0.0), (0, 0.0))
    assert ucb1(c=0).best_child(node) is node.children[1]
    assert ucb1(c=0).score(node, node.children[1]).total == math.inf


def test_a_family_of_which_nobody_was_visited():
    # What is left when a search was interrupted in its very first simulation.
    assert ucb1().best_child(node := family((0, 0.0), (0, 0.0))) is node.children[0]


def with_priors(node, *priors):
    for child, prior in zip(node.children, priors, strict=True):
        child.prior = prior
    return node


def test_a_child_without_a_visit_counts_as_a_draw_and_has_the_whole_bonus():
    node = with_priors(family((0, 0.0), (4, 4.0)), 0.5, 0.5)
    assert puct(1).score(node, node.children[0]) == (0.0, 1.0)
    # Unlike UCB1, PUCT may pass over it: the other has 1 + 0.5 * 2 / 5.
    assert puct(1).best_child(node) is node.children[1]


@given(
    st.lists(
        st.integers(0, 40).flatmap(
            lambda n: st.tuples(st.just(n), st.floats(-n, n), st.floats(0, 1))
        ),
        min_size=1,
        max_size=8,
    ),
    st.floats(0, 10),
    st.none() | st.floats(0.01, 1e6),
    st.just("parent") | st.floats(-1, 1),
    st.integers(0, 1),
    st.floats(-1, 1),
)
def test_the_best_child_is_the_first_with_the_highest_score(
    statistics, c, c_base, fpu, mover, mean
):
    node = with_priors(family(*[each[:2] for each in statistics]), *[p for *_, p in statistics])
    node.visit_count += 1
    node.mover, node.total_value = mover, mean * node.visit_count
    for rule in (ucb1(c), puct(c, c_base=c_base, fpu=fpu)):
        totals = [rule.score(node, child).total for child in node.children]
        assert node.children.index(rule.best_child(node)) == totals.index(max(totals))
    # And by the formulas, written anew.
    for child in node.children:
        if n := child.visit_count:
            win_rate, bonus = (
                (1 + child.total_value / n) / 2,
                math.sqrt(math.log(node.visit_count) / n),
            )
            assert ucb1(c).score(node, child) == pytest.approx((win_rate, c * bonus))
    grown = c + (math.log((1 + node.visit_count + c_base) / c_base) if c_base else 0)
    unvisited = (node.mean_value if mover == 0 else -node.mean_value) if fpu == "parent" else fpu
    for (n, w, prior), total in zip(statistics, totals, strict=True):
        expected = w / n if n else unvisited
        expected += grown * prior * math.sqrt(node.visit_count) / (1 + n)
        assert total == pytest.approx(expected, abs=1e-9)
