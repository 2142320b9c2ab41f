"""The panel on which a game is played, in Python: the rules, the players, and the searches.

The game itself is kept by `static/session.js`, where its messages are described: whose turn it is,
undo, clocks and sentences. Here are the two traits that a page gets, and the answers to its
messages. They arrive in any thread, even while a cell runs, so everything happens with the lock
held, and drawing a tree, which is slow, without it.
"""

import threading
import time
from functools import cache
from typing import Any, Final

import traitlets

from mctslab import draw, games, players
from mctslab.boards.style import LOOKS
from mctslab.boards.svg import board_svg, stone_svg
from mctslab.draw.render import lay_out
from mctslab.games.state import Rng, State, as_generator
from mctslab.players import Player, Proposal
from mctslab.search.result import SearchResult
from mctslab.widgets.board_view import board_look, position_of
from mctslab.widgets.front_end import (
    CommandedWidget,
    StillPicture,
    bundled,
    checked_position,
    joined,
)
from mctslab.widgets.menus import (
    HUMAN,
    NET,
    hint_player,
    label_of,
    levels,
    on_another_board,
    rule_menus,
    usual_net,
    with_rules,
)
from mctslab.widgets.records import Move, RecordError, checked_limit, move_of, read_record
from mctslab.widgets.search_view import (
    Heat,
    Searched,
    checked_heat,
    children_of,
    clocks_table,
    in_background,
    tree_view,
)
from mctslab.widgets.thinker import Thinker

PAUSE_BEFORE_THINKING: Final = 0.35
"""Seconds for a person to see the last move before the computer player answers."""

USUAL_LIMIT: Final = 60.0
"""Seconds for a move that the switch on the page sets if no limit was ever given."""

_STILL_SQUARE: Final = 30.0
_CHANGES: Final = frozenset(
    {"moves", "sides", "set_up", "hint", "said", "is_paused", "is_lost"}
    | {"heat", "random_sides", "limit"}
)
"""What the page can change of the game."""


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
            be switched off and on on the page.
        heat: What the board shows of a running search: `"visits"`, `"priors"`, `"values"` (the win
            rate of the move) or `"nothing"`. It can also be chosen on the page.
        rng: Random numbers for players given by short names.

    Raises:
        ValueError: an unknown game or player, a limit that is not above 0, or an unknown `heat`.

    The rules of Gomoku are chosen on the page, too. The panel thinks only while it is on the page.
    When two computer players play each other, they wait for Start.
    """

    _esm = bundled("game_panel.js")
    _css = joined("common.css", "board.css", "game_panel.css")

    about = traitlets.Dict(help="the board, the names, and what can be chosen").tag(sync=True)
    game = traitlets.Dict(help="the game so far; see static/session.js").tag(sync=True)

    def __init__(
        self,
        game: State | str,
        black: str | Player = HUMAN,
        white: str | Player = "uct:2s",
        *,
        seconds_per_move: float | None = None,
        heat: Heat | str = Heat.VISITS,
        rng: Rng = None,
    ) -> None:
        state = games.make(game) if isinstance(game, str) else checked_position(game)
        self._lock = threading.RLock()
        self._rng = as_generator(rng)
        self._states = [state]
        self._limit = checked_limit(seconds_per_move) or USUAL_LIMIT
        self._given: dict[str, Player] = {}
        self._made: dict[tuple[object, str], Player] = {}
        self._thinker = Thinker(self._lock)
        self._thinking: tuple[int, bool] | None = None
        self._began = 0.0
        self._searched: Searched | None = None
        self._drawn: tuple[Searched, dict[str, str]] | None = None
        sides, remark = self._sides_of(black, white)
        self.game = {
            "turn": 0,
            "moves": [],
            "sides": sides,
            "set_up": 0,
            "hint": None,
            "said": {"message": remark} if remark else {},
            "is_paused": HUMAN not in sides,
            "is_lost": False,
            "heat": checked_heat(heat).value,
            "random_sides": False,
            "limit": seconds_per_move,
            "position": self._position(),
        }
        self.about = self._facts()
        super().__init__()

    # For other cells

    @property
    def state(self) -> State:
        """The position on the board."""
        with self._lock:
            return self._states[-1]

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves played so far, with the time and the work behind each.

        `mctslab.draw.clocks(panel.moves, panel.state.player_names)` draws them.
        """
        with self._lock:
            return tuple(move_of(each) for each in self.game["moves"])

    def wait(self, seconds: float) -> bool:
        """Wait until no player is thinking; whether that is so."""
        return self._thinker.wait(seconds)

    # Without a kernel

    def still_svg(self) -> str:
        """The board, for a page without a kernel."""
        return board_svg(self.state.board(), square_size=_STILL_SQUARE)

    def still_note(self) -> str:
        """The line under that picture."""
        return f"A game of {self.state.title}. Run this cell again to play."

    # From the page

    def _handle_command(self, content: Any) -> None:
        turn = self.game["turn"]
        match content:
            case {"put": dict(changes)} if content.get("turn", turn) == turn:
                if changes.keys() <= _CHANGES:
                    self._put(changes, is_next=content.get("next") is True)
            case {"think": {"turn": int(then), "side": 0 | 1 as side, "player": str(name)} as more}:
                is_hint = more.get("is_hint") is True
                if then == turn and self._thinking != (turn, is_hint):
                    self._think(side, name, is_hint=is_hint)
            case {"stop": int(then)} if then == turn:
                self._thinker.decide_now()
            case {"set_up": str(record)}:
                self._set_up(record)
            case {"set_rules": dict(rules)}:
                self._set_rules(**rules)
            case {"section": str(name)} if name:
                self._show_section(name)

    def _note_event(self, event: str) -> None:
        """When no page shows the panel any more, nothing thinks.

        Then it frees what takes much memory: the last search, and the players that can be made
        again, with the trees that they keep.
        """
        if event == "view_closed" and not self._views:
            self._cancel()
            self._searched = self._drawn = None
            self._made.clear()

    def _say_error(self, error: Exception) -> None:
        self.send({"error": f"{type(error).__name__}: {error}"})

    # The game

    def _put(self, changes: dict[str, Any], *, is_next: bool = True) -> None:
        """Change the game; the turn rises if what changes ends a search."""
        if "moves" in changes:
            changes = changes | {"moves": self._replay(changes["moves"])}
        if "heat" in changes:
            checked_heat(changes["heat"])
        if is_next:
            self._cancel()
        self.game = (
            self.game
            | changes
            | {"turn": self.game["turn"] + is_next, "position": self._position()}
        )
        if "sides" in changes:
            self.about = self.about | {"players": list(self._offered().items())}
        if "moves" in changes:
            self.renew_still()

    def _replay(self, moves: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The moves, as far as they are new by the rules; the positions follow them."""
        old = [move["move"] for move in self.game["moves"]]
        actions = [move["move"] for move in moves]
        same = next(
            (n for n, pair in enumerate(zip(old, actions, strict=False)) if pair[0] != pair[1]),
            min(len(old), len(actions)),
        )
        states, found = self._states[: same + 1], list(moves[:same])
        for move in moves[same:]:
            following = states[-1].child(move["move"])  # an illegal one is an error
            found.append({**_nothing_known(), **move, **_played(states[-1], move["move"])})
            states.append(following)
        self._states = states
        return found

    def _position(self) -> dict[str, Any]:
        state = self._states[-1]
        board = state.board()
        count = getattr(state, "disc_counts", None)
        return {
            **position_of(board),
            "look": board_look(board, state.player_names) if board.text else None,
            "player": state.current_player,
            "legal": [
                {
                    "move": action,
                    "square": state.action_square(action),
                    "name": state.action_to_string(action),
                }
                for action in state.legal_actions()
            ],
            "returns": list(state.returns()) if state.is_terminal else None,
            "discs": None if count is None else list(count()),
        }

    def _set_up(self, record: str) -> None:
        """Begin again and play the moves of `record`, or say which of them is wrong."""
        try:
            actions = read_record(record, self._states[0])
        except RecordError as error:
            self.send({"record_error": str(error)})
            return
        moves = [{"move": action} for action in actions]
        with self.hold_sync():
            self._restart(self._states[0])
            self._put(self._begun() | {"moves": moves, "set_up": len(moves)})

    def _restart(self, first_state: State) -> None:
        """Go to the first position, with nothing played or searched."""
        self._states, self._searched = [first_state], None
        self.game = self.game | {"moves": []}

    def _begun(self) -> dict[str, Any]:
        """What is so at the beginning of a game."""
        is_paused = HUMAN not in self.game["sides"]
        return {"is_lost": False, "is_paused": is_paused, "hint": None, "said": {}}

    def _set_rules(self, **rules: Any) -> None:
        """Begin a new game by other rules; what is not given stays as it is."""
        before = self._states[0]
        after = with_rules(before, **rules)
        found = [on_another_board(side, before, after) for side in self.game["sides"]]
        sides = [self._choice(side, name) for side, (name, _) in enumerate(found)]
        remark = next((remark for _, remark in found if remark), "")
        said = {"message": remark, "tone": "warning"} if remark else {}
        with self.hold_sync():
            self._restart(after)
            self.game = self.game | {"sides": sides}
            self.about = self._facts()
            self._put(self._begun() | {"moves": [], "set_up": 0, "said": said})

    # Who plays

    def _sides_of(self, black: str | Player, white: str | Player) -> tuple[list[str], str]:
        """The choices, and a sentence if a net was wanted and there is none."""
        sides, remark = [], ""
        for side, wanted in enumerate((black, white)):
            if wanted == NET:
                wanted, remark = usual_net(self._states[0])
            sides.append(self._choice(side, wanted))
        return sides, remark

    def _choice(self, side: object, wanted: object) -> str:
        """The choice in the menu; its player is made, so that an unknown name is an error now."""
        if wanted == HUMAN:
            return HUMAN
        if isinstance(wanted, Player):
            self._given[wanted.name] = wanted
            return wanted.name
        if not isinstance(wanted, str):
            known = 'give "human", a short name such as "uct:1s", or a Player'
            raise ValueError(f"{wanted!r} cannot play: {known}.")
        self._player(side, wanted)
        return wanted

    def _player(self, side: object, name: str) -> Player:
        """A player for a side, or for the hints; each keeps a tree of its own."""
        if name in self._given:
            return self._given[name]
        if (side, name) not in self._made:
            self._made[side, name] = players.make(name, rng=self._rng.spawn(1)[0])
        return self._made[side, name]

    def _offered(self) -> dict[str, str]:
        """The choices for a side, with their labels in the menu."""
        offered = {HUMAN: "Human"}
        offered |= {level.player: level.label for level in levels(self._states[0])}
        for name in (*self._given, *self.game["sides"]):
            offered.setdefault(name, label_of(name))
        return offered

    def _facts(self) -> dict[str, Any]:
        """What the page has to know once."""
        state = self._states[0]
        board = state.board()
        return {
            "title": state.title,
            "look": board_look(board, state.player_names),
            "players": list(self._offered().items()),
            "sides": [
                {
                    "name": name,
                    "stone": stone_svg(board.style, player),
                    "color": LOOKS[board.style].stones[player],
                }
                for player, name in enumerate(state.player_names)
            ],
            "rules": rule_menus(state),
            "limit": self._limit,
            "hint": hint_player(state),
            "pause": 1000 * PAUSE_BEFORE_THINKING,
            "sections": ["statistics", "tree", "clocks", "record"],
        }

    # Searches

    def _think(self, side: int, name: str, *, is_hint: bool) -> None:
        state, turn = self._states[-1], self.game["turn"]
        player = self._player("hint" if is_hint else side, name)
        self._thinking = turn, is_hint
        about = {"turn": turn, "is_hint": is_hint}

        def hear(event: str, found: Any) -> None:
            match event:
                case "proposed":  # a few numbers, because this comes ten times a second
                    self.send(about | {"progress": _found(found)})
                case "decided":
                    state.child(found.action)  # an illegal one is the player's failure
                    self._thinking = None
                    self._searched = Searched(state, found, is_hint)
                    if found.result is not None:
                        _warm_up_renderer()
                    took = {} if is_hint else {"took": time.monotonic() - self._began}
                    self.send(about | {"answer": _found(found) | took})
                case "failed":
                    self._thinking = None
                    self.send(about | {"error": f"{type(found).__name__}: {found}"})
                case stage:
                    self._began = time.monotonic()
                    self.send(about | {"stage": stage})

        self._thinker.start(player, state, hear)

    def _cancel(self) -> None:
        self._thinker.cancel()
        self._thinking = None

    # The sections

    def _show_section(self, name: str) -> None:
        """Send what a section shows; what has to be drawn comes from a thread."""
        searched = self._searched
        shown: dict[str, Any] = {}
        match name:
            case "statistics" if searched:
                shown = searched.table()
            case "tree" if searched and searched.result is None:
                shown = {"remark": searched.why_no_tree}
            case "tree" if searched and searched.result:
                shown = self._tree(searched, searched.result)
            case "clocks":
                in_background(self._draw_clocks, self.moves)
                return
        self.send({"section": {"name": name, **shown}})

    def _tree(self, searched: Searched, result: SearchResult) -> dict[str, str]:
        """The tree of the last search; one that is not drawn yet follows from a thread."""
        if self._drawn is None or self._drawn[0] is not searched:
            self._drawn = searched, {"remark": "Drawing the tree …"}
            in_background(self._draw_tree, searched, result)
        return self._drawn[1]

    def _draw_clocks(self, moves: tuple[Move, ...]) -> None:
        state = self.state
        colors = LOOKS[state.board().style].stones
        shown = clocks_table(draw.clocks(moves, state.player_names, colors))
        with self._lock:
            if moves == self.moves:
                self.send({"section": {"name": "clocks", **shown}})

    def _draw_tree(self, searched: Searched, result: SearchResult) -> None:
        drawn = tree_view(lambda: draw.tree(result), searched.caption)
        with self._lock:
            if searched is self._searched:
                self._drawn = searched, drawn
                self.send({"section": {"name": "tree", **drawn}})


def _found(proposal: Proposal) -> dict[str, Any]:
    """What a player has found, as the page gets it."""
    return {
        "move": proposal.action,
        "simulations": proposal.num_simulations,
        "nodes": proposal.num_nodes,
        "seconds": proposal.seconds,
        "progress": proposal.progress,
        "children": children_of(proposal.result) if proposal.result else [],
    }


def _nothing_known() -> dict[str, Any]:
    return {"seconds": None, "simulations": 0, "nodes": 0, "share": None}


def _played(state: State, action: int) -> dict[str, Any]:
    """What the rules say about a legal move."""
    return {
        "move": action,
        "player": state.current_player,
        "name": state.action_to_string(action),
        "is_pass": state.action_square(action) is None,
    }


@cache
def _warm_up_renderer() -> None:
    """Draw a first small graph, once per process, because the first drawing takes a second."""
    in_background(lay_out, "graph {}")
