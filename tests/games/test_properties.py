"""What the contract leaves open, tried on games that Hypothesis makes up: numbers of any type."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mctslab import games
from mctslab.games import IllegalActionError
from tests.games.playing import FIRST_STATES, choices, name_of, played

usual_games = pytest.mark.parametrize(
    "first_state", [games.make(name) for name in games.by_name()], ids=name_of
)


NOT_ACTIONS = st.one_of(
    st.booleans(),
    st.floats(),
    st.text(max_size=3),
    st.none(),
    st.sampled_from([np.True_, np.float64(0), np.array([0]), (0,), [0], b"0"]),
    st.integers(max_value=-1),
    st.integers(min_value=10_000),
    st.integers(-(2**63), -1).map(np.int64),
)


@usual_games
@settings(max_examples=40)
@given(numbers=choices(20), thing=NOT_ACTIONS)
def test_what_is_no_action_is_refused_with_a_reason(first_state, numbers, thing):
    state = played(first_state, numbers)[-1]
    with pytest.raises(IllegalActionError) as caught:
        state.child(thing)
    shown = repr(int(thing)) if isinstance(thing, np.integer) else repr(thing)
    assert f"Action {shown} is not legal" in str(caught.value)
    with pytest.raises(ValueError, match="is not an action of"):
        state.action_to_string(thing)


def test_states_of_different_games_and_sizes_are_different():
    states = [*FIRST_STATES, games.ConnectFour(6, 8), games.ConnectFour(7, 7)]
    states += [games.Gomoku(9), games.Gomoku(9, 4), games.Gomoku(9, 5, exactly_five=True)]
    for at, state in enumerate(states):
        for other in states[at + 1 :]:
            assert state != other
    assert len(set(states)) == len(states)
