"""The panel on which a game is played: board, players, clocks, the running search, record.

The game itself is a `GameSession`. This file has only the traits that show its views on the page
and the path of the page's commands to it. The browser never changes a trait, so that the page and a
thread that thinks cannot both write the same one.
"""

from typing import Any, Final

import anywidget
import numpy as np
import traitlets

from mctslab.boards.svg import board_svg
from mctslab.games.state import State
from mctslab.players import Player
from mctslab.widgets.board import BoardWidget
from mctslab.widgets.front_end import CommandedWidget, StillPicture, joined
from mctslab.widgets.game_session import GameSession
from mctslab.widgets.match import Move
from mctslab.widgets.menus import HUMAN
from mctslab.widgets.search_view import Heat

_STILL_SQUARE: Final = 30.0


class GamePanel(StillPicture, CommandedWidget):
    """Play a game, or watch two players play it.

    Args:
        game: The name of a game (`"reversi"`), or a position to begin at.
        black: Who plays the side that moves first (X, Red): `"human"`, the short name of a player
            (see `mctslab.players.make`), or a `Player`; `"net"` is a net that comes with mctslab
            for this board; if there is none, or no PyTorch, UCT plays instead, and a sentence says
            so.
        white: Who plays the other side (O, Yellow).
        seconds_per_move: Whoever takes longer for one move loses; None for no limit. The first move
            that a human makes has no limit, so that nobody loses while still reading. The limit can
            be switched off and on on the page, and set from a cell: `panel.session.seconds_per_move
            = 30`.
        hint: The player who gives hints; a quick search if None.
        heat: What the board shows of a running search: `"visits"`, `"priors"`, `"values"` (how
            often the move wins) or `"nothing"`. It can also be chosen on the page.
        random_sides: Whether it is decided at random in each new game who moves first. This can
            also be switched on the page.
        rng: Random numbers for players given by short names and for the random sides.

    Raises:
        ValueError: an unknown game or player, a limit that is not above 0, or an unknown `heat`.

    The rules of Gomoku are chosen on the page, too. The panel thinks only while it is on the page.
    When two computer players play each other, they wait for Start. Everything that can be done on
    the page can also be done from a cell with `panel.session`; see `GameSession`.
    """

    _esm = joined("common.js", "game_panel.js")
    _css = joined("common.css", "game_panel.css")

    board = anywidget.WidgetTrait().tag(sync=True)
    menus = traitlets.Dict(
        help="title, players to choose from, both sides, rules, limit, random_sides, heat"
    ).tag(sync=True)
    game = traitlets.Dict(
        help="both sides' seconds and discs, turn, commands that are possible now, moves, record"
    ).tag(sync=True)
    status = traitlets.Dict(help="headline, message with tone and effort, thinking, estimate").tag(
        sync=True
    )
    section = traitlets.Unicode(help="the open section under the board, or nothing").tag(sync=True)
    statistics = traitlets.Dict(help="caption, head and rows of the last search").tag(sync=True)
    tree = traitlets.Dict(help="svg and caption, or a remark instead").tag(sync=True)
    clocks = traitlets.Dict(help="charts of the time and work of the moves, and a table").tag(
        sync=True
    )

    def __init__(
        self,
        game: State | str,
        black: str | Player = HUMAN,
        white: str | Player = "uct:2s",
        *,
        seconds_per_move: float | None = None,
        hint: str | Player | None = None,
        heat: Heat | str = Heat.VISITS,
        random_sides: bool = False,
        rng: np.random.Generator | None = None,
    ) -> None:
        self.session = GameSession(
            game,
            black,
            white,
            seconds_per_move=seconds_per_move,
            hint=hint,
            heat=heat,
            random_sides=random_sides,
            rng=rng,
        )
        self._lock = self.session.lock
        state, views = self.session.state, self.session.views
        board = BoardWidget(
            views["board"],
            player_names=state.player_names,
            title=f"{state.title} board",
            on_choose=self._choose_square,
            on_refuse=self._refuse_square,
        )
        super().__init__(**(views | {"board": board}))
        self._pictured = state
        self.session.on_change = self._show

    @property
    def state(self) -> State:
        """The position on the board."""
        return self.session.state

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves played so far, with the time and the work behind each.

        `mctslab.draw.clocks(panel.moves, panel.state.player_names)` draws them.
        """
        return self.session.moves

    # From the session to the page

    def _show(self, views: dict[str, Any]) -> None:
        with self.hold_sync():
            for name, view in views.items():
                if name == "board":
                    self.board.show(view)
                else:
                    setattr(self, name, view)
        if self._pictured != self.state:  # and not for every change of the heat
            self._pictured = self.state
            self.renew_still()

    def still_svg(self) -> str:
        """The board, for a page without a kernel."""
        return board_svg(self.state.board(), square_size=_STILL_SQUARE)

    def still_note(self) -> str:
        """The line under that picture."""
        return f"The {self.state.title} panel needs a running kernel: run this cell again."

    # From the page to the session

    def _handle_command(self, content: Any) -> None:
        self.session.handle(content)

    def _note_event(self, event: str) -> None:
        self.session.watch(self._views > 0)

    def _say_error(self, error: Exception) -> None:
        self.session.show_error(error)

    def _choose_square(self, square: int) -> None:
        with self._callback():
            self.session.choose_square(square)

    def _refuse_square(self, square: int) -> None:
        with self._callback():
            self.session.refuse_square(square)
