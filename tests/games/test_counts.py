"""Games counted to the last one: numbers that are known from independent programs or by hand.

Perft, the number of ways to play n plies, visits every rule. Equal positions are merged with the
number of ways that lead to them, so a wrong equality or hash gives a wrong count, too.
"""

from collections import Counter

from mctslab import games
from mctslab.games import State


def ways_by_ply(first_state: State, depth: int) -> list[Counter[State]]:
    """For each ply up to `depth` its positions, with the number of ways to reach each."""
    plies = [Counter({first_state: 1})]
    for _ in range(depth):
        following: Counter[State] = Counter()
        for state, ways in plies[-1].items():
            for action in state.legal_actions():
                following[state.child(action)] += ways
        plies.append(following)
    return plies


def leaves(positions: Counter[State]) -> int:
    """The ways to play one ply more; a game that has ended has none."""
    return sum(ways * len(state.legal_actions()) for state, ways in positions.items())


def test_tictactoe_has_255168_games_and_5478_positions():
    plies = ways_by_ply(games.TicTacToe(), 9)
    endings = Counter()
    for positions in plies:
        for state, ways in positions.items():
            if state.is_terminal:
                endings[state.returns()] += ways
    assert endings == {(1, -1): 131_184, (-1, 1): 77_904, (0, 0): 46_080}
    assert endings.total() == 255_168
    assert [len(positions) for positions in plies] == [
        1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78
    ]  # fmt: skip
    assert len({state for positions in plies for state in positions}) == 5_478


def test_perft_of_connect_four_to_ply_7():
    plies = ways_by_ply(games.ConnectFour(), 6)
    assert [leaves(positions) for positions in plies] == [
        7, 49, 343, 2_401, 16_807, 117_649, 823_536
    ]  # fmt: skip
    # Different positions by ply: The On-Line Encyclopedia of Integer Sequences, A212693.
    assert [len(positions) for positions in plies] == [
        1, 7, 49, 238, 1_120, 4_263, 16_422
    ]  # fmt: skip


def test_perft_of_reversi_to_ply_7():
    plies = ways_by_ply(games.Reversi(), 6)
    assert [leaves(positions) for positions in plies] == [
        4, 12, 56, 244, 1_396, 8_200, 55_092
    ]  # fmt: skip
