"""Other people's players as guests: OpenSpiel's MCTS and alpha-beta play in the arena.

They know their own states only, so a guest follows the game by the last actions.
"""

from functools import partial

import numpy as np
import pytest

from mctslab import arena, games
from mctslab.arena import Contestant, Reason
from mctslab.players import Player, Proposal

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel has no build for this system")
from open_spiel.python.algorithms.minimax import alpha_beta_search  # noqa: E402


class Guest(Player):
    """Plays what `choose` says of OpenSpiel's state; at each of its turns of one game."""

    def __init__(self, game, decide, rng):
        self.name = "guest"
        self.game = pyspiel.load_game(game)
        self.theirs = self.game.new_initial_state()
        self.decide = decide
        self.rng = rng

    def think(self, state):
        if state.last_action is not None:
            self.theirs.apply_action(state.last_action)
        assert self.theirs.legal_actions() == list(state.legal_actions())
        action = self.decide(self)
        self.theirs.apply_action(action)
        yield Proposal(action, progress=1.0)


def by_mcts(guest):
    seed = int(guest.rng.integers(2**31))
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(
        guest.game, evaluator, 2 * np.sqrt(2), 40, 1_000, False, seed, False,
        pyspiel.ChildSelectionPolicy.UCT,
    )  # fmt: skip
    return bot.step(guest.theirs)


def by_alpha_beta(guest, depth):
    player = guest.theirs.current_player()
    return alpha_beta_search(guest.game, guest.theirs, lambda _: 0, depth, player)[1]


def test_both_play_legal_games_to_the_end():
    for ours, theirs, decide in (
        ("tictactoe", "tic_tac_toe", by_mcts),
        ("connect_four", "connect_four", by_mcts),
        ("reversi", "othello", partial(by_alpha_beta, depth=1)),
    ):
        guest = Contestant("guest", partial(Guest, theirs, decide))
        processes = 2 if ours == "tictactoe" else None  # it can play in a process of its own
        result = arena.match(ours, guest, "uct:30", num_games=4, seed=1, processes=processes)
        assert [game.reason for game in result.games] == [Reason.RULES] * 4, str(result)
        for game in result.games:
            assert game.states(games.make(ours))[-1].returns() == game.returns


def test_one_that_sees_everything_never_loses():
    perfect = Contestant("perfect", partial(Guest, "tic_tac_toe", partial(by_alpha_beta, depth=9)))
    result = arena.match("tictactoe", perfect, "uct:30", num_games=6, seed=2)
    assert result.score.losses == 0
    assert result.score.wins + result.score.draws == 6
