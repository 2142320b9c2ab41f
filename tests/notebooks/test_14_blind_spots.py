"""What the side road on blunders and blind spots says is so."""

import pytest

from mctslab import search


def test_the_shown_position_is_the_one_where_they_differ_most(names):
    old, young, shown = names["oldest"], names["youngest"], names["shown"]

    def counted(name, tactic):
        _, policy = names["ask"](name, tactic.state)
        is_right = max(policy, key=policy.get) in tactic.solutions
        return is_right + sum(policy[action] for action in tactic.solutions)

    gaps = [counted(old, tactic) - counted(young, tactic) for tactic in names["exam"]]
    assert counted(old, shown) - counted(young, shown) == pytest.approx(max(gaps))
    assert counted(young, shown) < 1 < counted(old, shown)
    assert shown.kind == "complete"
    assert shown.state.player_names[shown.state.current_player] == "White"
    assert [*map(shown.state.action_to_string, shown.solutions)] == ["C6"]


def test_one_net_looks_away_from_the_edge_and_the_guided_one_does_not(names):
    edge = names["edge"]

    assert edge.current_player == 1
    assert search.find_threats(edge, 0).open_four, "an open three, which only two squares stop"
    assert names["stops"]["gomoku15_2"] < 5
    assert names["stops"]["gomoku15_3"] > 5 * names["stops"]["gomoku15_2"]
