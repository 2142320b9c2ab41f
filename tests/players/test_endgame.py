"""The player that solves endgames, compared with minimax and with the search that it continues."""

import numpy as np
import pytest

from mctslab.games import ConnectFour, Gomoku, Reversi
from mctslab.players.endgame import NUM_EMPTY
from tests.games.playing import late, player_of


def worth(state, ply=0):
    """What a position is worth for player 0, by the whole tree: discs, or how soon it is won."""
    if state.is_terminal:
        if isinstance(state, Reversi):
            discs = state.disc_counts()
            return discs[0] - discs[1]
        return state.returns()[0] * (100 - ply)
    best = max if state.current_player == 0 else min
    return best(worth(state.child(action), ply + 1) for action in state.legal_actions())


@pytest.mark.parametrize(
    ("first", "most_empty"), [(Reversi(6), 7), (Reversi(4), 8), (ConnectFour(4, 5), 9)]
)
def test_it_plays_what_minimax_calls_best_by_discs_or_plies(first, most_empty):
    rng = np.random.default_rng(3)
    player = player_of("puct+endgame:1")  # its search of one simulation could not choose
    num_that_matter = 0
    for _ in range(12):
        state = late(first, most_empty, rng)
        sign = 1 if state.current_player == 0 else -1
        worths = {each: sign * worth(state.child(each), 1) for each in state.legal_actions()}
        assert worths[player.choose(state)] == max(worths.values()), state
        num_that_matter += len(set(worths.values())) > 1
    assert num_that_matter > 5


def test_until_then_it_is_the_other_player():
    state = Reversi(6)
    player = player_of("puct+endgame+solver:60")
    other = player_of("puct+solver:60")
    while state.board().stones.count(-1) > NUM_EMPTY[Reversi]:
        proposals = list(player.think(state))
        action = other.choose(state)
        assert proposals[-1].action == action
        assert proposals[-1].result is not None or len(state.legal_actions()) == 1
        state = state.child(action)
    (proposal,) = player.think(state)
    assert proposal.progress == 1.0
    assert proposal.result is None


def test_other_games_are_refused_in_a_sentence():
    player = player_of("puct+endgame:50:static")
    for ask in (player.prepare, player.choose):
        with pytest.raises(ValueError, match=r"endgame:50:static cannot play Gomoku.*Reversi and"):
            ask(Gomoku(size=6, in_a_row=4))
    with pytest.raises(ValueError, match="too large to be solved"):
        player.prepare(Reversi(10))
