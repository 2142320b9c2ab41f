"""Play one game: draw the opening, let the players move in turn, watch their clocks.

Whatever a player does, the game ends: a player loses by an exception, an illegal move or too much
time, and the reason is recorded.
"""

import operator
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from mctslab.arena.game import Cost, PlayedGame, Reason
from mctslab.arena.settings import Contestant, Fixture, Setup
from mctslab.games.openings import random_opening
from mctslab.games.state import IllegalActionError, State
from mctslab.players import Player, Proposal

_LONGEST_MESSAGE: Final = 500


@dataclass(slots=True)
class Scoresheet:
    """A game in progress."""

    fixture: Fixture
    names: tuple[str, str]
    """Of player 0 and player 1."""
    actions: list[int]
    opening_plies: int
    costs: tuple[Cost, Cost] = (Cost(), Cost())
    player: int = 0
    """The player that is being made, or that is to move."""
    is_thinking: bool = False
    """Whether that player already exists and is to move."""

    def add(self, seconds: float, proposal: Proposal | None = None) -> None:
        """Record what a move has cost the player whose turn it is."""
        work = (proposal.num_simulations, proposal.num_nodes) if proposal else (0, 0)
        first, second = self.costs
        move = Cost(1, seconds, *work)
        self.costs = (first + move, second) if self.player == 0 else (first, second + move)

    def ended(self, returns: tuple[float, float], reason: Reason, message: str = "") -> PlayedGame:
        """The game, now that it is over; times to the microsecond."""
        first, second = (replace(cost, seconds=round(cost.seconds, 6)) for cost in self.costs)
        return PlayedGame(
            pairing=self.fixture.pairing,
            number=self.fixture.number,
            players=self.names,
            opening_plies=self.opening_plies,
            actions=tuple(self.actions),
            costs=(first, second),
            returns=returns,
            reason=reason,
            message=message,
        )

    def lost(self, reason: Reason, message: str) -> PlayedGame:
        """The game, lost by the player whose turn it is."""
        return self.ended((-1.0, 1.0) if self.player == 0 else (1.0, -1.0), reason, message)


class ForfeitError(Exception):
    """The player whose turn it is has lost for another reason than the rules."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message


Watch = Callable[[Scoresheet], object]
"""Called before each player is made or moves; it can stop the game by an exception."""


def play(setup: Setup, fixture: Fixture, watch: Watch = lambda _: None) -> PlayedGame:
    """Play a game to its end.

    Raises:
        ValueError: no opening of that many plies was found.
        Exception: what `watch` raises; also an error of the game's own rules.
    """
    rng = np.random.default_rng(fixture.opening_seed)
    opening = random_opening(setup.first_state, setup.settings.opening_plies, rng)
    state = setup.first_state
    for action in opening:
        state = state.child(action)
    first, second = (setup.contestants[place] for place in fixture.players)
    sheet = Scoresheet(fixture, (first.name, second.name), opening, len(opening))
    try:
        players = _make_players(sheet, (first, second), state, watch)
        while not state.is_terminal:
            sheet.player, sheet.is_thinking = state.current_player, True
            watch(sheet)
            state = _move(sheet, players[sheet.player], state, setup.settings.seconds_per_move)
    except ForfeitError as forfeit:
        return sheet.lost(forfeit.reason, forfeit.message)
    return sheet.ended(state.returns(), Reason.RULES)


# A player's actions, and what can go wrong


def _make_players(
    sheet: Scoresheet, contestants: Sequence[Contestant], state: State, watch: Watch
) -> list[Player]:
    made = []
    for player, contestant in enumerate(contestants):
        sheet.player = player
        watch(sheet)
        rng = np.random.default_rng(sheet.fixture.seeds[player])
        try:
            made.append(contestant.make(rng=rng))
            made[-1].prepare(state)
        except (Exception, SystemExit) as error:
            raise ForfeitError(Reason.EXCEPTION, in_one_line(error)) from error
    return made


def _move(sheet: Scoresheet, player: Player, state: State, limit: float | None) -> State:
    """Let a player choose a move, and play it; the clock runs only while the player thinks."""
    started = time.perf_counter()
    proposal: Proposal | None = None
    try:
        for latest in player.think(state):
            proposal = latest
            if limit is not None and time.perf_counter() - started > limit:
                break
    except (Exception, SystemExit) as error:
        sheet.add(time.perf_counter() - started)
        raise ForfeitError(Reason.EXCEPTION, in_one_line(error)) from error
    seconds = time.perf_counter() - started
    sheet.add(seconds, proposal)
    if limit is not None and seconds > limit:
        raise ForfeitError(
            Reason.TIME, f"{seconds:.2f} s for a move, but only {limit:g} s were allowed"
        )
    if proposal is None:
        raise ForfeitError(Reason.EXCEPTION, "the player chose nothing")
    action = _checked(state, proposal.action)
    sheet.actions.append(action)
    return state.child(action)


def _checked(state: State, action: object) -> int:
    """The action as a plain int, if it is legal."""
    try:
        number = operator.index(action)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is None or number not in state.legal_actions():
        raise ForfeitError(Reason.ILLEGAL, str(IllegalActionError(state, action)))
    return number


def in_one_line(error: BaseException) -> str:
    """An error's type, its message, and where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    message = " ".join(str(error).split())[:_LONGEST_MESSAGE]
    return f"{type(error).__name__}{f': {message}' if message else ''}{where}"
