"""Play one game: draw the opening, ask the players in turn, watch their clocks, tell who won.

Whatever a player does, the game comes to an end: an exception, an illegal move or too much time
lose it, and the reason is kept.
"""

import operator
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from mctslab.arena.contestant import Contestant
from mctslab.arena.fixtures import Fixture
from mctslab.arena.played import PlayedGame, Reason
from mctslab.games.openings import random_opening
from mctslab.games.state import IllegalActionError, State
from mctslab.players import Player, Proposal

_LONGEST_MESSAGE: Final = 500


@dataclass(frozen=True, slots=True)
class Conditions:
    """How every game of a tournament is played."""

    first_state: State
    contestants: tuple[Contestant, ...]
    opening_plies: int = 0
    """How many actions are drawn by lot before the players take over."""
    seconds_per_move: float | None = None
    """Whoever takes longer for one move loses; None for no limit."""


@dataclass(slots=True)
class Scoresheet:
    """What is known of a game that is going on."""

    fixture: Fixture
    names: tuple[str, str]
    """Of player 0 and player 1."""
    actions: list[int]
    opening_plies: int
    player: int = 0
    """Who is asked for something."""
    is_thinking: bool = False
    """Whether that is a move, and not to be made in the first place."""
    seconds: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    simulations: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    nodes: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))

    def note(self, seconds: float, proposal: Proposal | None) -> None:
        """Note what the player to move has used for a move; time to the microsecond."""
        self.seconds[self.player].append(round(seconds, 6))
        self.simulations[self.player].append(proposal.num_simulations if proposal else 0)
        self.nodes[self.player].append(proposal.num_nodes if proposal else 0)

    def ended(self, returns: tuple[float, float], reason: Reason, message: str = "") -> PlayedGame:
        """The game, now that it is over."""
        return PlayedGame(
            pairing=self.fixture.pairing,
            number=self.fixture.number,
            players=self.names,
            seeds=self.fixture.seeds,
            opening_seed=self.fixture.opening_seed,
            opening_plies=self.opening_plies,
            actions=tuple(self.actions),
            seconds=(tuple(self.seconds[0]), tuple(self.seconds[1])),
            simulations=(tuple(self.simulations[0]), tuple(self.simulations[1])),
            returns=returns,
            reason=reason,
            message=message,
            nodes=(tuple(self.nodes[0]), tuple(self.nodes[1])) if self._counts_nodes else ((), ()),
        )

    @property
    def _counts_nodes(self) -> bool:
        return any(self.nodes[0]) or any(self.nodes[1])

    def lost(self, reason: Reason, message: str) -> PlayedGame:
        """The game, lost by the player who was asked."""
        returns = (-1.0, 1.0) if self.player == 0 else (1.0, -1.0)
        return self.ended(returns, reason, message)


class ForfeitError(Exception):
    """The player to move has lost for another reason than the rules."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message


Watch = Callable[[Scoresheet], object]
"""Is told of a game before each player is asked for something; may stop it by an exception."""


def play(conditions: Conditions, fixture: Fixture, watch: Watch) -> PlayedGame:
    """Play a game to its end.

    Raises:
        ValueError: no opening of that many plies was found.
        Exception: what `watch` raises; also an error of the game's own rules.
    """
    opening = random_opening(
        conditions.first_state,
        conditions.opening_plies,
        np.random.default_rng(fixture.opening_seed),
    )
    state = conditions.first_state
    for action in opening:
        state = state.child(action)
    first, second = (conditions.contestants[place] for place in fixture.players)
    names = first.name, second.name
    sheet = Scoresheet(fixture, names, opening, len(opening))
    try:
        players = _make_players(sheet, (first, second), state, watch)
        while not state.is_terminal:
            sheet.player, sheet.is_thinking = state.current_player, True
            watch(sheet)
            state = _move(sheet, players[sheet.player], state, conditions.seconds_per_move)
    except ForfeitError as forfeit:
        return sheet.lost(forfeit.reason, forfeit.message)
    return sheet.ended(state.returns(), Reason.RULES)


# What a player does, and what can go wrong


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
            raise ForfeitError(Reason.EXCEPTION, told(error)) from error
    return made


def _move(sheet: Scoresheet, player: Player, state: State, limit: float | None) -> State:
    """Ask for a move and play it; the clock runs only while the player thinks."""
    started = time.perf_counter()
    proposal: Proposal | None = None
    try:
        for latest in player.think(state):
            proposal = latest
            if limit is not None and time.perf_counter() - started > limit:
                break
    except (Exception, SystemExit) as error:
        sheet.note(time.perf_counter() - started, None)
        raise ForfeitError(Reason.EXCEPTION, told(error)) from error
    seconds = time.perf_counter() - started
    sheet.note(seconds, proposal)
    if limit is not None and seconds > limit:
        raise ForfeitError(Reason.TIME, f"{seconds:.2f} s for a move, and {limit:g} s were allowed")
    if proposal is None:
        raise ForfeitError(Reason.EXCEPTION, "the player chose nothing")
    action = _checked(state, proposal.action)
    sheet.actions.append(action)
    return state.child(action)


def _checked(state: State, action: object) -> int:
    """The action as a plain int, if it is legal."""
    legal = state.legal_actions()
    try:
        number = operator.index(action)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is None or number not in legal:
        raise ForfeitError(Reason.ILLEGAL, str(IllegalActionError(state, action)))
    return number


def told(error: BaseException) -> str:
    """An error in a line: its kind, what it says, and where it happened."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    says = " ".join(str(error).split())[:_LONGEST_MESSAGE]
    return f"{type(error).__name__}: {says}{where}" if says else f"{type(error).__name__}{where}"
