"""What holds in every position, tried on games that Hypothesis makes up."""

import pickle
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mctslab import games
from mctslab.boards import EMPTY
from mctslab.games import GameNotOverError, IllegalActionError, State
from tests.games.playing import FIRST_STATES, choices, name_of, played

every_game = pytest.mark.parametrize("first_state", FIRST_STATES, ids=name_of)
usual_games = pytest.mark.parametrize(
    "first_state", [games.make(name) for name in games.known()], ids=name_of
)


@every_game
@settings(max_examples=25)
@given(numbers=choices())
def test_a_game_goes_on_exactly_as_long_as_there_is_a_legal_action(first_state, numbers):
    *before, last = played(first_state, numbers)
    for state in before:
        assert not state.is_terminal
        with pytest.raises(
            GameNotOverError, match=f"{state.player_names[state.current_player]} is"
        ):
            state.returns()
    assert last.is_terminal == (last.legal_actions() == ())
    if last.is_terminal:
        assert last.returns() in [(1, -1), (-1, 1), (0, 0)]
        for action in range(last.num_actions):
            with pytest.raises(IllegalActionError, match="the game is over"):
                last.child(action)


@every_game
@settings(max_examples=25)
@given(numbers=choices())
def test_a_game_written_down_can_be_played_again(first_state, numbers):
    positions = played(first_state, numbers)
    names = [before.action_to_string(after.last_action) for before, after in pairwise(positions)]
    state = first_state
    for name in " ".join(names).upper().split():
        state = state.child(state.string_to_action(name))
    assert state == positions[-1]
    assert hash(state) == hash(positions[-1])
    assert str(state) == str(positions[-1])


@every_game
@settings(max_examples=25)
@given(numbers=choices())
def test_a_state_is_the_same_on_the_other_side_of_a_pickle(first_state, numbers):
    state = played(first_state, numbers)[-1]
    arrived = pickle.loads(pickle.dumps(state))
    assert arrived == state
    assert hash(arrived) == hash(state)
    assert arrived.last_action == state.last_action
    assert arrived.board() == state.board()
    assert arrived.legal_actions() == state.legal_actions()


@every_game
@settings(max_examples=25)
@given(numbers=choices(), dtype=st.sampled_from([np.int8, np.uint8, np.int16, np.int64, np.uint64]))
def test_numpy_integers_are_actions_like_any_other(first_state, numbers, dtype):
    ours = theirs = first_state
    for number in numbers:
        legal = ours.legal_actions()
        if not legal or max(legal) > np.iinfo(dtype).max:
            break
        action = legal[number % len(legal)]
        ours, theirs = ours.child(action), theirs.child(dtype(action))
    assert theirs == ours
    assert theirs.legal_actions() == ours.legal_actions()
    assert type(theirs.last_action) is type(ours.last_action)
    for player in (0, 1):
        assert type(theirs.stones_of(player)) is int


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


@every_game
@settings(max_examples=40)
@given(numbers=choices(20), thing=NOT_ACTIONS)
def test_what_is_no_action_is_refused_with_a_reason(first_state, numbers, thing):
    state = played(first_state, numbers)[-1]
    with pytest.raises(IllegalActionError) as caught:
        state.child(thing)
    shown = repr(int(thing)) if isinstance(thing, np.integer) else repr(thing)
    assert f"Action {shown} is not legal" in str(caught.value)
    with pytest.raises(ValueError, match="is no action of"):
        state.action_to_string(thing)


@every_game
@settings(max_examples=25)
@given(numbers=choices())
def test_a_move_adds_one_stone_of_the_mover_where_it_said(first_state, numbers):
    positions = played(first_state, numbers)
    for before, after in pairwise(positions):
        old, new = before.board().stones, after.board().stones
        square = before.action_square(after.last_action)
        assert after.board().last_square == square
        if square is None:
            assert (first_state.game, old) == ("reversi", new)
            continue
        assert before.square_action(square) == after.last_action
        assert (old[square], new[square]) == (EMPTY, before.current_player)
        changed = {at for at in range(len(old)) if old[at] != new[at]} - {square}
        if first_state.game == "reversi":
            assert changed
            assert {old[at] for at in changed} == {1 - before.current_player}
            assert {new[at] for at in changed} == {before.current_player}
        else:
            assert not changed


@pytest.mark.parametrize(
    "first_state", [s for s in FIRST_STATES if s.game != "reversi"], ids=name_of
)
@settings(max_examples=25)
@given(numbers=choices(40), data=st.data())
def test_positions_are_equal_however_they_were_reached(first_state, numbers, data):
    """Each player's moves in another order: where that leads to the same stones, all is equal."""
    there = played(first_state, numbers)[-1]
    actions = [state.last_action for state in played(first_state, numbers)[1:]]
    first = data.draw(st.permutations(actions[::2]))
    second = data.draw(st.permutations(actions[1::2]))
    state = first_state
    for ply in range(len(actions)):
        action = (first, second)[ply % 2][ply // 2]
        if action not in state.legal_actions():
            return
        state = state.child(action)
    if state.board().stones == there.board().stones:
        assert state == there
        assert hash(state) == hash(there)
        assert len({state, there}) == 1
        assert state.legal_actions() == there.legal_actions()
        assert state.board().winning_squares == there.board().winning_squares
    else:
        assert state != there


def test_orders_of_moves_do_transpose():
    """The property above is not an empty one."""
    for first_state in FIRST_STATES:
        if first_state.game == "reversi":
            continue
        one, other = first_state, first_state
        for action in (0, 1, 2, 3):
            one = one.child(action)
        for action in (2, 1, 0, 3):
            other = other.child(action)
        assert one == other
        assert one.last_action == other.last_action == 3


@usual_games
@settings(max_examples=40)
@given(numbers=choices(20), others=choices(20))
def test_two_states_are_equal_exactly_when_they_look_equal(first_state, numbers, others):
    def look(state: State):
        return state.current_player, state.board().stones

    for state in played(first_state, numbers):
        for other in played(first_state, others):
            assert (state == other) == (look(state) == look(other))


def test_states_of_different_games_and_sizes_are_different():
    states = [*FIRST_STATES, games.ConnectFour(6, 8), games.ConnectFour(7, 7)]
    states += [games.Gomoku(9), games.Gomoku(9, 4), games.Gomoku(9, 5, exactly_five=True)]
    for at, state in enumerate(states):
        for other in states[at + 1 :]:
            assert state != other
    assert len(set(states)) == len(states)
    assert games.Reversi() != 8
    assert games.Reversi() != "reversi"


# Symmetry: a game that is played turned or mirrored is the same game, turned or mirrored.


def mirrored(square: int, size: int) -> int:
    return square // size * size + size - 1 - square % size


def transposed(square: int, size: int) -> int:
    return square % size * size + square // size


def turned(square: int, size: int) -> int:
    return size * size - 1 - square


def assert_symmetric(first_state: State, numbers: list[int], image, image_of_action=None) -> None:
    """The game and its image run side by side; `image` takes squares to squares."""
    image_of_action = image_of_action or image
    for state in played(first_state, numbers):
        if state.last_action is None:
            other = first_state
        else:
            other = other.child(image_of_action(state.last_action))
        assert sorted(map(image_of_action, state.legal_actions())) == list(other.legal_actions())
        stones, images = state.board().stones, other.board().stones
        assert all(images[image(square)] == stone for square, stone in enumerate(stones))
        winning = map(image, state.board().winning_squares)
        assert sorted(winning) == list(other.board().winning_squares)
        assert state.is_terminal == other.is_terminal
        if state.is_terminal:
            assert state.returns() == other.returns()


@pytest.mark.parametrize("symmetry", [mirrored, transposed, turned])
@pytest.mark.parametrize(
    "first_state", [s for s in FIRST_STATES if s.game in ("tictactoe", "gomoku")], ids=name_of
)
@settings(max_examples=20)
@given(numbers=choices())
def test_squares_are_alike_under_turning_and_mirroring(first_state, symmetry, numbers):
    size = first_state.board().rows
    assert_symmetric(first_state, numbers, lambda square: symmetry(square, size))


@pytest.mark.parametrize("symmetry", [transposed, turned])
@pytest.mark.parametrize("size", [4, 6, 8, 10])
@settings(max_examples=20)
@given(numbers=choices())
def test_reversi_is_symmetric_as_its_first_position_is(size, symmetry, numbers):
    assert_symmetric(
        games.Reversi(size),
        numbers,
        lambda square: symmetry(square, size),
        lambda action: action if action == size**2 else symmetry(action, size),
    )


@pytest.mark.parametrize("first_state", [games.ConnectFour(), games.ConnectFour(5, 8)], ids=name_of)
@settings(max_examples=50)
@given(numbers=choices())
def test_connect_four_is_symmetric_left_to_right(first_state, numbers):
    cols = first_state.num_actions
    assert_symmetric(
        first_state,
        numbers,
        lambda square: mirrored(square, cols),
        lambda action: cols - 1 - action,
    )


# Two games in one


@settings(max_examples=200)
@given(numbers=choices(9))
def test_gomoku_of_three_is_tictactoe(numbers):
    pairs = zip(
        played(games.TicTacToe(), numbers),
        played(games.Gomoku(size=3, in_a_row=3), numbers),
        strict=True,
    )
    for one, other in pairs:
        assert one.legal_actions() == other.legal_actions()
        assert one.board().stones == other.board().stones
        assert one.board().winning_squares == other.board().winning_squares
        assert one.is_terminal == other.is_terminal
        assert not one.is_terminal or one.returns() == other.returns()


# Reversi


@pytest.mark.parametrize("size", [4, 6, 8, 10])
@settings(max_examples=25)
@given(numbers=choices())
def test_every_ply_of_reversi_but_a_pass_adds_a_disc(size, numbers):
    positions = played(games.Reversi(size), numbers)
    placed = sum(state.last_action not in (None, size**2) for state in positions)
    last = positions[-1]
    assert sum(last.disc_counts()) == 4 + placed
    assert last.disc_counts() == tuple(last.stones_of(player).bit_count() for player in (0, 1))
    assert last.stones_of(0) & last.stones_of(1) == 0
    if last.is_terminal:
        first, second = last.disc_counts()
        assert last.returns()[0] == (first > second) - (first < second)
