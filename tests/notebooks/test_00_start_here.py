"""What notebook 00 says is so."""


def test_what_is_missing_is_told(shown):
    """The notebooks before the nets are run as where PyTorch is not installed."""
    assert "it does not load, and notebooks 12 to 14 need it" in shown


def test_one_of_whites_six_moves_wins_at_once_and_the_search_finds_it(names):
    state = names["state"]
    wins = [action for action in state.legal_actions() if state.child(action).is_terminal]

    assert len(state.legal_actions()) == 6
    assert [state.action_to_string(action) for action in wins] == ["c3"] == [names["name"]]
    assert state.child(wins[0]).returns() == (-1, 1)
