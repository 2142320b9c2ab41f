"""The browser's side of a widget, played in this process: messages in, messages out."""

from typing import Any

import ipywidgets
import pytest

from mctslab.widgets import GamePanel, NetPanel
from tests.widgets.fake_players import wait_for


def send(widget: ipywidgets.Widget, content: Any) -> None:
    """What the widget's script does with `model.send(content)`."""
    data = {"method": "custom", "content": content}
    widget._handle_msg({"content": {"data": data}, "buffers": []})


def command(widget: ipywidgets.Widget, name: str, **more: Any) -> None:
    """What a button does."""
    send(widget, {"command": name, **more})


def event(widget: ipywidgets.Widget, name: str, view: str = "one") -> None:
    """What the page does when it is loaded, or when a view is opened or closed on it."""
    send(widget, {"event": name, "view": view})


def see(widget: ipywidgets.Widget) -> None:
    """What happens when a page shows the widget."""
    event(widget, "page_opened")
    event(widget, "view_opened")


def click(panel: NetPanel, square: int) -> None:
    """What a click on a square of any board does."""
    command(panel, "choose", square=square, record=panel.view["record"])


def play(panel: GamePanel, action: int) -> None:
    """What the page's session does when a move was chosen."""
    moves = [*panel.game["moves"], {"move": action}]
    send(panel, {"put": {"moves": moves}, "turn": panel.game["turn"], "next": True})


def answer_of(panel: GamePanel, side: int, player: str, *, is_hint: bool = False) -> Any:
    """What a player answers whom the page lets think, or the error."""
    told: list[dict[str, Any]] = []
    panel.send = lambda content, buffers=None: told.append(content)
    wanted = {"turn": panel.game["turn"], "side": side, "player": player, "is_hint": is_hint}
    send(panel, {"think": wanted})
    wait_for(lambda: any("answer" in each or "error" in each for each in told))
    return next(each.get("answer") or each["error"] for each in reversed(told))


def record_messages(widget: ipywidgets.Widget, patch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The list into which everything goes that the widget sends from now on."""
    messages: list[dict[str, Any]] = []

    def note(data: dict[str, Any], *_: object, **__: object) -> None:
        messages.append(data)

    patch.setattr(widget.comm, "send", note)
    return messages
