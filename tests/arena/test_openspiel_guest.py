"""Other people's players as guests: OpenSpiel's alpha-beta plays in the arena.

It knows its own states only, so it follows the game by the last actions.
"""

from functools import partial

import pytest

from mctslab import arena
from mctslab.arena import Contestant, Reason
from mctslab.players import Player, Proposal

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel has no build for this system")
from open_spiel.python.algorithms.minimax import alpha_beta_search  # noqa: E402


class Guest(Player):
    """OpenSpiel's alpha-beta, which follows one game from its first position."""

    def __init__(self, game, depth, rng):
        self.name = "guest"
        self.game = pyspiel.load_game(game)
        self.theirs = self.game.new_initial_state()
        self.depth = depth

    def think(self, state):
        if state.last_action is not None:
            self.theirs.apply_action(state.last_action)
        assert self.theirs.legal_actions() == list(state.legal_actions())
        mover = self.theirs.current_player()
        _, action = alpha_beta_search(self.game, self.theirs, lambda _: 0, self.depth, mover)
        self.theirs.apply_action(action)
        yield Proposal(action, progress=1.0)


@pytest.mark.parametrize(
    ("ours", "theirs", "depth"), [("tictactoe", "tic_tac_toe", 9), ("reversi", "othello", 1)]
)
def test_a_guest_plays_legal_games_to_the_end(ours, theirs, depth):
    """In processes of its own, too; one that sees everything never loses."""
    guest = Contestant("guest", partial(Guest, theirs, depth))
    result = arena.match(ours, guest, "uct:30", num_games=4, seed=1, processes=2)
    assert [game.reason for game in result.games] == [Reason.RULES] * 4, str(result)
    if depth == 9:
        assert result.score.losses == 0
