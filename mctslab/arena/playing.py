"""Play one game: draw the opening, let the players move in turn, watch their clocks.

Whatever a player does, the game ends: a player loses by an exception, an illegal move or too much
time, and the reason is recorded.
"""

import operator
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from mctslab.arena.game import Cost, PlayedGame, Reason
from mctslab.arena.settings import Contestant, Setup
from mctslab.games.openings import random_opening
from mctslab.games.state import IllegalActionError, State
from mctslab.players import Player, Proposal

PREPARING_SECONDS: Final = 120.0
"""How much longer than for a move a player can take to get ready: its search may be compiled."""

_LONGEST_MESSAGE: Final = 500


class Turn(NamedTuple):
    """A game before a player is made or moves."""

    game: PlayedGame
    """What was played so far."""
    player: int
    """The player whose turn it is."""
    is_thinking: bool
    """Whether that player already exists and is to move."""


class ForfeitError(Exception):
    """The player whose turn it is has lost for another reason than the rules."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message


Watch = Callable[[Turn], object]
"""Called before each player is made or moves; it can stop the game by an exception."""


def play(setup: Setup, game: PlayedGame, watch: Watch = lambda _: None) -> PlayedGame:
    """Play one of the games of `setup.settings`, of which nothing is played yet, to its end.

    Raises:
        ValueError: no opening of that many plies was found.
        Exception: what `watch` raises; also an error of the game's own rules.
    """
    limit = setup.settings.seconds_per_move
    *seeds, opening_seed = setup.settings.seeds(game)
    rng = np.random.default_rng(opening_seed)
    opening = random_opening(setup.first_state, game.opening_plies, rng)
    game = replace(game, actions=tuple(opening))
    by_name = {contestant.name: contestant for contestant in setup.contestants}
    *past, state = game.states(setup.first_state)
    players: list[Player] = []
    mover = 0
    try:
        for mover, name in enumerate(game.players):
            watch(Turn(game, mover, is_thinking=False))
            players.append(_make(by_name[name], seeds[mover], [*past, state], limit))
        while not state.is_terminal:
            mover = state.current_player
            watch(Turn(game, mover, is_thinking=True))
            started = time.perf_counter()
            proposal: Proposal | None = None
            try:
                proposal = _thought(players[mover], state, limit)
            finally:
                seconds = time.perf_counter() - started
                work = (proposal.num_simulations, proposal.num_nodes) if proposal else ()
                game = game.charged(mover, Cost(1, seconds, *work))
            action = _checked(state, proposal, seconds, limit)
            game = replace(game, actions=(*game.actions, action))
            state = state.child(action)
    except ForfeitError as forfeit:
        return game.lost(mover, forfeit.reason, forfeit.message)
    return replace(game, returns=state.returns())


# A player's actions, and what can go wrong


def _make(
    contestant: Contestant, seed: int, opening: Sequence[State], limit: float | None
) -> Player:
    started = time.perf_counter()
    try:
        player = contestant.make(rng=np.random.default_rng(seed))
        for state in opening:  # some nets must have met all positions of a game
            player.prepare(state)
    except (Exception, SystemExit) as error:
        raise ForfeitError(Reason.EXCEPTION, in_one_line(error)) from error
    seconds = time.perf_counter() - started
    if limit is not None and seconds > limit + PREPARING_SECONDS:
        raise ForfeitError(Reason.TIME, f"it took {seconds:.0f} s to get ready")
    return player


def _thought(player: Player, state: State, limit: float | None) -> Proposal | None:
    """The last proposal of a player; also the first one after its time is up."""
    started = time.perf_counter()
    proposal: Proposal | None = None
    try:
        for latest in player.think(state):
            proposal = latest
            if limit is not None and time.perf_counter() - started > limit:
                break
    except (Exception, SystemExit) as error:
        raise ForfeitError(Reason.EXCEPTION, in_one_line(error)) from error
    return proposal


def _checked(state: State, proposal: Proposal | None, seconds: float, limit: float | None) -> int:
    """The proposed action as a plain int, if it is legal and was chosen in time."""
    if limit is not None and seconds > limit:
        raise ForfeitError(
            Reason.TIME, f"{seconds:.2f} s for a move, but only {limit:g} s were allowed"
        )
    if proposal is None:
        raise ForfeitError(Reason.EXCEPTION, "the player chose nothing")
    try:
        number = operator.index(proposal.action)
    except TypeError:
        number = None
    if number is None or number not in state.legal_actions():
        raise ForfeitError(Reason.ILLEGAL, str(IllegalActionError(state, proposal.action)))
    return number


def in_one_line(error: BaseException) -> str:
    """An error's type, its message, and where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    message = " ".join(str(error).split())[:_LONGEST_MESSAGE]
    return f"{type(error).__name__}{f': {message}' if message else ''}{where}"
