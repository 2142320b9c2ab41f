"""The planes show what lies on the board, seen by the player to move."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab import fast, games
from mctslab.boards import EMPTY
from mctslab.games import State
from mctslab.net.encode import InputPlanes, encode, encode_batch, encode_leaves, turn
from tests.fast.own_hex import OwnHex
from tests.games.own_games import DotsAndBoxes, Hex
from tests.games.playing import FIRST_STATES, choices, name_of, played

ALL_PLANES = InputPlanes(history=3)
EVERY_GAME = [*FIRST_STATES, Hex(), DotsAndBoxes()]


def drawn_by_hand(positions: list[State], inputs: InputPlanes) -> np.ndarray:
    """The planes, square by square, from what the boards show."""
    newest = positions[-1]
    board = newest.board()
    mover = newest.current_player
    planes = []
    for plies_ago in range(inputs.history):
        for owner in (mover, 1 - mover):
            stones = (
                positions[-1 - plies_ago].board().stones
                if plies_ago < len(positions)
                else (EMPTY,) * len(board.stones)
            )
            planes.append([float(stone == owner) for stone in stones])
    if inputs.last_move:
        planes.append([float(square == board.last_square) for square in range(len(board.stones))])
    if inputs.player_to_move:
        planes.append([float(mover == 0)] * len(board.stones))
    return np.array(planes).reshape(-1, board.rows, board.cols)


options = st.builds(
    InputPlanes,
    history=st.integers(1, 9),
    last_move=st.booleans(),
    player_to_move=st.booleans(),
)


@given(first_state=st.sampled_from(EVERY_GAME), numbers=choices(40), inputs=options)
def test_the_planes_are_those_drawn_by_hand(first_state, numbers, inputs):
    positions = played(first_state, numbers)
    planes = encode(positions, inputs)

    assert planes.dtype == np.float32
    np.testing.assert_array_equal(planes, drawn_by_hand(positions, inputs))
    assert len(planes) == len(inputs.names) == inputs.count


def test_tic_tac_toe_after_two_moves_as_o_and_as_x_see_it():
    after_one = games.TicTacToe().child(4)
    after_two = after_one.child(0)
    x_in_the_centre = [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    o_in_the_corner = [[1, 0, 0], [0, 0, 0], [0, 0, 0]]
    nothing, everything = np.zeros((3, 3)), np.ones((3, 3))

    # O is to move: no stone of its own, X in the centre was the last move, player 0 isn't to move.
    np.testing.assert_array_equal(
        encode([after_one], InputPlanes()), [nothing, x_in_the_centre, x_in_the_centre, nothing]
    )
    # X is to move.
    np.testing.assert_array_equal(
        encode([after_two], InputPlanes()),
        [x_in_the_centre, o_in_the_corner, o_in_the_corner, everything],
    )


def test_eight_positions_a_side_make_eighteen_planes():
    inputs = InputPlanes(history=8)
    assert inputs.count == len(inputs.names) == 18
    assert inputs.names[:4] == ("own", "opponent", "own 1 ply ago", "opponent 1 ply ago")
    assert inputs.names[4] == "own 2 plies ago"
    assert inputs.names[-2:] == ("last move", "player to move")


def test_after_a_pass_there_is_no_last_move():
    """Reversi on 4 x 4: the shortest way to a pass, found by trying."""
    waiting = [(games.Reversi(4),)]
    while waiting:
        way = waiting.pop(0)
        if way[-1].last_action == 16:
            break
        waiting += [(*way, way[-1].child(action)) for action in way[-1].legal_actions()]
    before, after = way[-2:]

    # The discs are the same, seen by the other player.
    np.testing.assert_array_equal(
        encode([before], InputPlanes(1, False, False))[::-1],
        encode([after], InputPlanes(1, False, False)),
    )
    assert encode([after], InputPlanes(player_to_move=False))[-1].sum() == 0
    assert encode([before], InputPlanes(player_to_move=False))[-1].sum() == 1


def test_missing_positions_are_empty_planes():
    planes = encode([games.Reversi()], InputPlanes(history=8))
    assert planes[0].sum() == planes[1].sum() == 2
    assert planes[2:16].sum() == 0


@given(
    first_state=st.sampled_from(EVERY_GAME),
    numbers=st.lists(choices(20), min_size=1, max_size=5),
    inputs=options,
)
def test_a_batch_is_its_positions_one_by_one(first_state, numbers, inputs):
    batch = [played(first_state, each) for each in numbers]
    np.testing.assert_array_equal(
        encode_batch(batch, inputs), [encode(positions, inputs) for positions in batch]
    )


# Leaves of many trees


COMPILED_GAMES = [
    games.TicTacToe(),
    games.ConnectFour(rows=4, cols=5),
    games.ConnectFour(),
    games.Reversi(size=4),  # with passes
    games.Gomoku(size=6, in_a_row=4),
    games.Gomoku(size=9),
    OwnHex(),
]


INPUTS = [InputPlanes(), InputPlanes(3), InputPlanes(8), InputPlanes(2, False, False)]


@pytest.mark.parametrize("number", range(14))
def test_leaves_are_encoded_like_the_games_that_lead_to_them(number):
    """On the way of several games, with the positions before each root, and trees kept or not.

    Every game has two kinds of inputs.
    """
    first_state = COMPILED_GAMES[number % 7]
    inputs = INPUTS[(number + number // 7) % 4]
    rng = np.random.default_rng(1)
    in_progress = [[first_state], *(played(first_state, [7] * n) for n in (1, 2, 5))]
    in_progress = [game for game in in_progress if not game[-1].is_terminal]
    trees = fast.BatchedTrees(in_progress, capacity=20_000, history=inputs.history)
    num_compared = 0
    for move in range(8):
        for _ in range(9):
            walks = trees.gather()
            if not walks:
                trees.apply_ends()
                continue
            games_to_leaves = [[*in_progress[tree][:-1], *trees.states_on(tree)] for tree in walks]
            np.testing.assert_array_equal(
                encode_leaves(trees, walks, inputs), encode_batch(games_to_leaves, inputs)
            )
            num_compared += len(walks)
            logits = rng.normal(size=(len(walks), first_state.num_actions))
            trees.apply(walks, rng.uniform(-0.1, 0.1, len(walks)), logits)
        for tree, game in enumerate(in_progress):
            actions = game[-1].legal_actions()
            trees.go_on(tree, actions[rng.integers(len(actions))], reuse=move % 3 > 0)
            game.append(trees.states[tree])
            if game[-1].is_terminal:
                in_progress[tree] = played(first_state, [3] * (move % 3))
                trees.start_over(tree, in_progress[tree])
    assert num_compared > 150


def test_a_game_of_many_words_has_to_say_where_its_stones_lie():
    class Silent(games.Gomoku):
        __slots__ = ()
        rules = games.Gomoku.rules._replace(stone_on=None)

    with pytest.raises(fast.NotCompilableError, match="stone_on"):
        fast.BatchedTrees([[Silent(size=5)]], capacity=100)


@pytest.mark.parametrize("history", [0, -1, 1.5, None])
def test_a_history_of_no_positions_is_refused(history):
    with pytest.raises(ValueError, match=f"history = {history}"):
        InputPlanes(history=history)


@pytest.mark.parametrize("batch", [[], [[]], [[games.TicTacToe()], []]])
def test_an_empty_batch_is_refused(batch):
    with pytest.raises(ValueError, match="nothing to encode"):
        encode_batch(batch, InputPlanes())


# Symmetries


def replayed(first_state: State, actions: list[int], moved: tuple[int, ...]) -> list[State]:
    """The same game on a board that is turned: each action is what a symmetry makes of it."""
    positions = [first_state]
    for action in actions:
        positions.append(positions[-1].child(moved[action]))
    return positions


@pytest.mark.parametrize(
    "first_state", [state for state in FIRST_STATES if state.game != "reversi"], ids=name_of
)
def test_every_symmetry_turns_planes_and_policy_alike(first_state):
    """Turning the planes of a position gives those of the game that was played turned.

    The policy is put to the test by one that says 1 for the action played: turned, it must say 1
    for the action that was played in the turned game.
    """
    rng = np.random.default_rng(5)
    state, actions = first_state, []
    for _ in range(9):
        if state.is_terminal:
            break
        actions.append(int(rng.choice(state.legal_actions())))
        state = state.child(actions[-1])
    for symmetry in first_state.symmetries():
        straight = replayed(first_state, actions, tuple(range(first_state.num_actions)))
        turned = replayed(first_state, actions, symmetry.actions)
        policy, expected = np.zeros((2, first_state.num_actions), np.float32)
        policy[actions[-1]] = 1
        expected[symmetry.actions[actions[-1]]] = 1

        planes, turned_policy = turn(encode(straight, ALL_PLANES), policy, symmetry)

        np.testing.assert_array_equal(planes, encode(turned, ALL_PLANES))
        np.testing.assert_array_equal(turned_policy, expected)


def test_the_eight_symmetries_of_a_square_board_make_eight_different_samples():
    corner = games.Gomoku(size=5, in_a_row=4).child(1)
    planes = encode([corner], InputPlanes())
    policy = np.arange(25, dtype=np.float32)
    samples = [turn(planes, policy, symmetry) for symmetry in corner.symmetries()]
    assert len({board.tobytes() for board, _ in samples}) == 8
    assert len({turned.tobytes() for _, turned in samples}) == 8
    for board, turned in samples:  # the policy names the square's first number where the stone is
        assert turned[board[1].reshape(-1) == 1] == 1


def test_a_pass_stays_a_pass_in_every_symmetry():
    first_state = games.Reversi()
    policy = np.arange(65, dtype=np.float32)
    for symmetry in first_state.symmetries():
        _, turned = turn(encode([first_state], InputPlanes()), policy, symmetry)
        assert turned[64] == 64
        assert sorted(turned) == list(range(65))


def test_a_whole_batch_is_turned_at_once():
    first_state = games.Gomoku(size=6, in_a_row=4)
    batch = encode_batch([[first_state.child(a)] for a in (0, 7, 9)], InputPlanes())
    policies = np.random.default_rng(1).random((3, 36), dtype=np.float32)
    symmetry = first_state.symmetries()[5]
    boards, turned = turn(batch, policies, symmetry)
    for i in range(3):
        one_board, one_policy = turn(batch[i], policies[i], symmetry)
        np.testing.assert_array_equal(boards[i], one_board)
        np.testing.assert_array_equal(turned[i], one_policy)
