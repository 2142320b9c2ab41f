"""The position from its stones, in whatever order they are named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab.games import Gomoku
from mctslab.gomocup.stones import position


@st.composite
def games(draw):
    """A position of a game that still goes on, and the squares in an order of their own."""
    size = draw(st.integers(5, 9))
    exactly_five = draw(st.booleans())
    state = Gomoku(size, exactly_five=exactly_five)
    for square in draw(st.permutations(range(size * size))):
        child = state.child(square)
        if child.is_terminal:
            break
        state = child
    return state, draw(st.permutations(range(size * size)))


@given(games())
def test_the_order_of_the_stones_does_not_matter(game):
    state, order = game
    stones = state.board().stones
    mover = state.current_player
    made = position(
        state.board().rows,
        state.compilable().geometry.exactly == 1,
        [square for square in order if stones[square] == mover],
        [square for square in order if stones[square] == 1 - mover],
    )
    assert made == state
    assert made.current_player == mover


def test_the_last_stone_named_is_the_last_move():
    assert position(9, False, [3, 4], [7, 5, 6]).last_action == 6
    assert position(9, False, [3, 4], [7, 5]).last_action == 5


@pytest.mark.parametrize("end", [0, 5])
def test_a_row_of_six_does_not_begin_with_five(end):
    """By the rule of exactly five a game goes on after six, and had not ended with five before."""
    six = [end, *(col for col in range(6) if col != end)]
    own = [20, 22, 24, 40, 42]
    state = position(9, True, own, six)
    assert not state.is_terminal
    assert [square for square in range(81) if state.board().stones[square] == 0] == list(range(6))


@pytest.mark.parametrize(("own", "opponent"), [([1], []), ([], [1, 2])])
def test_stones_that_turns_cannot_bring_about(own, opponent):
    said = f"{len(own)} of our stones and {len(opponent)} .* are impossible when it is our turn"
    with pytest.raises(ValueError, match=said):
        position(15, False, own, opponent)


FULL = "".join(["bbwwb", "wwbbw", "bbwwb", "wwbbw", "bbwwb"])  # nobody has five
BLACK, WHITE = ([square for square, stone in enumerate(FULL) if stone == of] for of in "bw")


@pytest.mark.parametrize(
    ("size", "own", "opponent"),
    [(9, [20, 22, 24, 26], range(5)), (9, [20, 22, 24, 26, 40], range(5)), (5, WHITE, BLACK)],
)
@pytest.mark.parametrize("exactly_five", [False, True])
def test_a_game_that_is_over(size, own, opponent, exactly_five):
    with pytest.raises(ValueError, match="is over"):
        position(size, exactly_five, own, list(opponent))
