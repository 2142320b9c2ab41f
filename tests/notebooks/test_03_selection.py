"""What notebook 03 says is so."""

import numpy as np
import pytest

from mctslab import search
from mctslab.course.positions import after
from mctslab.search import bandits

# Bandits


def test_the_numbers_by_hand_are_right():
    rule = bandits.ucb1(c=1)
    before = rule.scores(np.array([[4, 1, 0]]), np.array([[6, 3, 1]]))[0]
    after = rule.scores(np.array([[4, 1, 0]]), np.array([[6, 3, 2]]))[0]

    assert before == pytest.approx([1.29, 1.21, 1.52], abs=0.005)
    assert after.argmax() == 0, "now A is pulled"
    assert after[0] > before[0], "although nobody has pulled it"


# The tree


def test_the_average_and_the_best_reply_disagree_as_it_is_told(names):
    state, mean = names["reversi"], names["exact_mean"]
    replies = {state.action_to_string(a): state.child(a) for a in state.legal_actions()}

    assert state.player_names[state.current_player] == "Black"
    assert {name: mean(reply)[0] for name, reply in replies.items()} == {
        "d5": 0,
        "f5": -0.25,
        "c6": -0.5,
    }
    assert all(len(reply.legal_actions()) == 2 for reply in replies.values())
    assert [mean(after(state, f"d5 {reply}"))[0] for reply in ("a1", "c6")] == [1, -1]
    assert [search.minimax(replies[name])[0] for name in ("d5", "f5", "c6")] == [-1, 0, -1]
    assert search.minimax(after(state, "c6 d5")) == (-1, 1)


def test_the_walk_that_is_printed_is_the_walk_of_the_package_and_has_no_ties(names):
    """With three decimals a reader can see why a child is chosen."""
    rule, root = names["rule"], names["result"].root
    node = root
    while node is not names["end"]:
        scores = sorted(sum(rule.score(node, child)) for child in node.children)
        assert len(scores) == 1 or scores[-1] > scores[-2] + 0.002
        node = rule.best_child(node)

    assert node is names["node"] is search.select(root, rule)


def test_a_greedy_walk_would_go_elsewhere_at_the_first_step_only(names):
    rule, node, leaves = names["rule"], names["result"].root, []
    while node is not names["end"]:
        greediest = max(node.children, key=lambda child: rule.score(node, child)[0])
        best = rule.best_child(node)
        leaves.append(greediest is not best)
        node = best

    assert leaves == [True, False, False, False]
