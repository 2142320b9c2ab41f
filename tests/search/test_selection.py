"""UCB1 and PUCT by their formulas, and what the rules do in the limits."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab.search import Node, mcts, puct, ucb1
from tests.search.toys import Turn, WrittenOut, plant


def family(*statistics, visits=None):
    """A node with children of the given (N, W), in this order; its own N is their sum."""
    node = plant(Node(WrittenOut(Turn(0, (0.0,) * len(statistics)))))
    for child, (n, w) in zip(node.children, statistics, strict=True):
        child.visit_count, child.total_value = n, w
    node.visit_count = sum(n for n, _ in statistics) if visits is None else visits
    return node


def test_the_two_parts_of_a_score():
    # 10 visits of the node, 4 of the child, which won 3 and lost 1: a win rate of 3/4.
    node = family((4, 2.0), (6, 0.0))
    score = ucb1(c=2).score(node, node.children[0])
    assert score.exploitation == 0.75
    assert score.exploration == pytest.approx(2 * math.sqrt(math.log(10) / 4))
    assert score.total == score.exploitation + score.exploration


def test_a_child_without_a_visit_comes_first_however_good_the_others_are():
    node = family((5, 5.0), (0, 0.0), (0, 0.0))
    assert ucb1(c=0).best_child(node) is node.children[1]
    assert ucb1(c=0).score(node, node.children[1]).total == math.inf


def test_a_family_of_which_nobody_was_visited():
    # What is left when a search was interrupted in its very first simulation.
    assert ucb1().best_child(node := family((0, 0.0), (0, 0.0))) is node.children[0]


def test_a_losing_child_is_visited_ever_more_seldom_but_again_and_again(rng):
    state = WrittenOut(Turn(0, (1.0, -1.0)))
    counts = []
    for n in (100, 1_000, 10_000):
        counts.append(mcts(state, num_simulations=n, rng=rng).children[1].visit_count)
        # The bound of Auer et al.: c^2 ln n / gap^2 = 2 ln n visits, and a constant.
        assert 1 < counts[-1] < 2 * math.log(n) + 5
    assert counts == sorted(counts)


# PUCT


def with_priors(node, *priors):
    for child, prior in zip(node.children, priors, strict=True):
        child.prior = prior
    return node


def test_the_two_parts_of_a_puct_score():
    # 9 visits of the node, 3 of the child, whose mean value is -1/3: U = 2 * 0.8 * 3 / 4.
    node = with_priors(family((3, -1.0), (6, 3.0)), 0.8, 0.2)
    score = puct(2).score(node, node.children[0])
    assert score.exploitation == pytest.approx(-1 / 3)
    assert score.exploration == pytest.approx(1.2)


def test_a_child_without_a_visit_counts_as_a_draw_and_has_the_whole_bonus():
    node = with_priors(family((0, 0.0), (4, 4.0)), 0.5, 0.5)
    score = puct(1).score(node, node.children[0])
    assert score == (0.0, 1.0)
    # Unlike UCB1, PUCT may pass over it: the other has 1 + 0.5 * 2 / 5.
    assert puct(1).best_child(node) is node.children[1]
    # At a mean of 0.7 it no longer does: 0.7 + 0.5 * 2 / 5 is less than 1.
    node.children[1].total_value = 2.8
    assert puct(1).best_child(node) is node.children[0]


@pytest.mark.parametrize(
    ("visits", "more"), [(0, math.log(1.01)), (99, math.log(2)), (699, math.log(8))]
)
def test_c_grows_with_the_logarithm_of_the_visits(visits, more):
    # c_base = 100: log((1 + N + 100) / 100).
    node = with_priors(family((0, 0.0), visits=visits), 0.5)
    score = puct(1.25, c_base=100).score(node, node.children[0])
    assert score.exploration == pytest.approx((1.25 + more) * 0.5 * math.sqrt(visits))


def test_first_play_urgency_is_the_value_of_a_child_without_a_visit():
    # a has done badly, b was never tried: as a draw b is worth a try, as a loss it is not yet.
    node = with_priors(family((4, -2.0), (0, 0.0)), 0.9, 0.1)
    for fpu, best in ((0, 1), (-1, 0)):
        rule = puct(0.5, fpu=fpu)
        assert [rule.score(node, child).exploitation for child in node.children] == [-0.5, fpu]
        assert rule.best_child(node) is node.children[best]


def test_the_urgency_of_the_parent_is_for_the_player_who_moves_there():
    # First moves to a position of Second's, and to one where First moves again.
    root = plant(Node(WrittenOut(Turn(0, (Turn(1, (0.0, 1.0)), Turn(0, (0.0, 1.0)))))))
    rule = puct(fpu="parent")
    root.visit_count, root.total_value = 10, 4.0
    others, own = root.children
    for child in (others, own):
        child.visit_count, child.total_value = 4, 3.0  # good for First
    # At a root the statistics are those of the player to move.
    others.visit_count = 0
    assert rule.score(root, others).exploitation == 0.4
    others.visit_count = 4
    assert rule.score(others, others.children[0]).exploitation == -0.75
    assert rule.score(own, own.children[0]).exploitation == 0.75
    # Of a position of which nothing is known nothing is expected.
    own.visit_count, own.total_value = 0, 0.0
    assert rule.score(own, own.children[0]).exploitation == 0


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
    # And by the formula of PUCT, written anew.
    grown = c + (math.log((1 + node.visit_count + c_base) / c_base) if c_base else 0)
    unvisited = (node.mean_value if mover == 0 else -node.mean_value) if fpu == "parent" else fpu
    for (n, w, prior), total in zip(statistics, totals, strict=True):
        expected = w / n if n else unvisited
        expected += grown * prior * math.sqrt(node.visit_count) / (1 + n)
        assert total == pytest.approx(expected, abs=1e-9)
