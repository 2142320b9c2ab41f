"""What notebook 05 says is so."""

import pytest

from mctslab import search


def test_the_exact_means_are_what_the_text_says_of_them(names):
    exact, distances = names["exact"], names["distances"]

    assert exact["random"]["b2"] == pytest.approx(1 / 6), "as notebook 02 prints it"
    assert exact["random"]["c3"] == pytest.approx(1 / 15)
    assert exact["finishing"]["b2"] == pytest.approx(3 / 5)
    assert exact["finishing"]["c3"] == pytest.approx(19 / 24)
    assert exact["careful"]["b2"] == -1, "the truth"
    assert exact["truth"] == {"b1": -1, "a2": -1, "b2": -1, "c2": -1, "a3": -1, "c3": 0}
    careful = exact["careful"]
    assert max(careful, key=careful.get) == "a2", "a losing move looks better than c3"
    assert careful["c3"] == pytest.approx(-1 / 3)
    assert careful["a2"] == pytest.approx(-4 / 15)
    assert distances["careful"] < distances["random"] < distances["finishing"]


def test_after_b2_only_a_careful_x_plays_the_move_that_wins(names):
    """It is one of five moves, so the others play it once in five times."""
    after_b2, moves = names["after"]["b2"], names["MOVES"]
    a3 = after_b2.string_to_action("a3")

    assert search.minimax(after_b2.child(a3)) == (1, -1)
    assert moves["careful"](after_b2) == [a3]
    assert len(moves["finishing"](after_b2)) == len(moves["random"](after_b2)) == 5


def test_the_exact_means_of_the_experiment_are_those_of_the_card_and_perfect_play_is_the_truth(
    names,
):
    known, exact, after = names["known"], names["exact"], names["after"]
    assert len(names["positions"]) == 4_520
    for policy, moves in names["MOVES"].items():
        means = names["all_means"](moves)
        assert {name: means[state] for name, state in after.items()} == pytest.approx(exact[policy])
    assert known["careful"] < known["finishing"] < known["random"]

    def perfect(state):
        worth = {a: search.minimax(state.child(a)) for a in state.legal_actions()}
        best = max(pair[state.current_player] for pair in worth.values())
        return [a for a, pair in worth.items() if pair[state.current_player] == best]

    near_the_end = {each for each in names["positions"] if len(each.legal_actions()) <= 4}
    assert all(perfect(each) for each in near_the_end)
    means = names["all_means"](lambda state: perfect(state) if state in near_the_end else [])
    assert all(means[each] == names["truths"][each][1] for each in near_the_end)
