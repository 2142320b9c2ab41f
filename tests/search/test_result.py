"""What a search says: the move to play, the value, the line, the table."""

import pytest

from mctslab.games import TicTacToe
from mctslab.search import Node, NotEnoughSimulationsError, SearchResult, mcts, puct_search
from tests.search.judging import Judge
from tests.search.toys import Turn, WrittenOut, plant


def result_of(*statistics, player=0, order=None, priors=None):
    """A result whose root has children of the given (N, W) or (N, W, proven).

    With `priors` it is that of a search that they have guided.
    """
    root = plant(Node(WrittenOut(Turn(player, (0.0,) * len(statistics)))))
    for child, each in zip(root.children, statistics, strict=True):
        child.visit_count, child.total_value, child.proven = (*each, None)[:3]
    for child, prior in zip(root.children, priors or (), strict=bool(priors)):
        child.prior = prior
    root.visit_count = number = sum(n for n, *_ in statistics)
    root.children.sort(key=lambda child: (order or range(9)).index(child.action))
    return SearchResult(root, num_simulations=number, seconds=0.5, is_guided=priors is not None)


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
@pytest.mark.parametrize(
    ("statistics", "robust", "highest"),
    [
        # Action 0 was tried more, action 1 did better: 20/100 against 4/10.
        (((100, 20.0), (10, 4.0), (50, -10.0)), 0, 1),
        # Between equals the other number decides, and then the lower action.
        (((10, 1.0), (10, 3.0), (4, 0.0)), 1, 1),
        (((10, 5.0), (20, 10.0), (40, 0.0)), 2, 1),
        (((5, 1.0), (5, 1.0), (5, 1.0)), 0, 0),
    ],
)
def test_robust_child_and_max_child(statistics, robust, highest, order):
    result = result_of(*statistics, order=order)
    assert result.robust_child() == result.best_action == result.best_so_far == robust
    assert result.principal_variation == (robust,)
    assert str(result.table()).splitlines()[1].split()[0] == "abc"[robust]
    assert result.max_child() == highest


def test_a_result_stays_as_it_was_when_the_search_goes_on(rng):
    first = mcts(TicTacToe(), num_simulations=50, rng=rng)
    before = first.children, first.value, str(first.table()), first.num_simulations
    mcts(TicTacToe(), num_simulations=500, root=first.root, rng=rng)
    assert (first.children, first.value, str(first.table()), first.num_simulations) == before


def test_no_move_before_each_was_tried_and_how_many_simulations_that_takes(rng):
    result = mcts(TicTacToe(), num_simulations=7, rng=rng)
    for rule in (result.robust_child, result.max_child, lambda: result.best_action):
        with pytest.raises(NotEnoughSimulationsError) as error:
            rule()
        assert str(error.value) == (
            "Not enough information: 7 of 9 moves were tried, and a choice needs at least one "
            "simulation of each. Search with 9 simulations or more, or continue from here "
            "(root=result.root) with 2 or more."
        )


# Shown


def test_the_table_names_play_visits_share_and_win_rate():
    table = result_of((5, 2.5), (1_000, 500.0), (5, -5.0), (240, 0.0)).table()
    assert str(table).splitlines() == [
        "play  visits  share  win rate",
        "   b   1,000  80.0%     75.0%",
        "   d     240  19.2%     50.0%",
        "   a       5   0.4%     75.0%",
        "   c       5   0.4%      0.0%",
    ]


def test_the_table_in_a_notebook_says_whose_win_rate_it_is_and_escapes_names():
    class Marked(WrittenOut):
        player_names = ("<b>", "&")

        def action_to_string(self, action):
            return "<i>"

    root = plant(Node(Marked(Turn(0, (1.0, 0.0)))))
    html = SearchResult(root, num_simulations=0, seconds=0.0).table()._repr_html_()
    assert "win rate for &lt;b&gt;" in html
    assert html.count("<tr>") == 1 + 2
    assert html.count("<td>") == 4 * 2
    assert html.count("<td>&lt;i&gt;</td>") == 2


def test_a_result_says_what_it_is():
    assert repr(result_of((6, 3.0), (2, -1.0), player=1)) == (
        "<SearchResult: 8 simulations in 0.50 s, value +0.250 for Second>"
    )
    child = Node(parent=Node(TicTacToe()), action=4)
    child.visit_count, child.total_value = 4, -1.0
    assert repr(child.parent) == "<Node: root, N=0, Q=+0.000>"
    assert repr(child) == "<Node: action 4, N=4, Q=-0.250>"


# A search guided by priors


@pytest.mark.parametrize(
    ("statistics", "priors", "best"),
    [
        ([(0, 0.0)] * 3, [0.2, 0.4, 0.4], 1),
        ([(1, 0.5), (1, 0.5)], [0.2, 0.8], 1),
        ([(1, 0.5), (1, 0.25)], [0.2, 0.8], 0),
        ([(2, -2.0), (1, 1.0)], [0.2, 0.8], 0),
        ([(3, 1.0), (0, 0.0), (5, -1.0)], [0.2, 0.1, 0.7], 2),
    ],
)
def test_visits_come_first_then_the_value_then_the_prior(statistics, priors, best):
    result = result_of(*statistics, priors=priors)
    assert result.best_action == result.best_so_far == result.robust_child() == best
    assert result.principal_variation == ((best,) if statistics[best][0] else ())
    assert ("not tried" in str(result.table())) == ((0, 0.0) in statistics)


def test_before_the_first_visit_the_value_is_the_evaluators(rng):
    judge = Judge(2)
    result = puct_search(TicTacToe().child(4), evaluator=judge, num_simulations=1, rng=rng)
    assert result.value == judge.value(result.state)[1] != 0  # for the second player
