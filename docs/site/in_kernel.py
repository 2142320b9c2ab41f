"""What runs in a notebook's kernel after its last cell: it writes down what its widgets show."""

import json
import os
import re
from pathlib import Path
from typing import Any

import ipywidgets

from mctslab.widgets.front_end import StillPicture
from mctslab.widgets.game_panel import GamePanel


def collect(target: str) -> None:
    """Write what a page without Python needs of each widget to a file, by the model's id."""
    # Read first: what follows is not a part of the notebook.
    cpu_seconds = sum(os.times()[:4])
    alive = {
        widget.model_id: widget
        for widget in ipywidgets.Widget.widgets.values()
        if widget.comm is not None
    }
    found = {
        model_id: described(widget, alive)
        for model_id, widget in alive.items()
        if isinstance(widget, StillPicture)
    }
    Path(target).write_text(json.dumps({"cpu_seconds": cpu_seconds, "widgets": found}), "utf-8")


def described(widget: Any, alive: dict[str, Any]) -> dict[str, Any]:
    """A widget's class, its still picture with its note, and what keeps it alive on a page.

    The last is None for a widget that needs Python. Otherwise it has the models of the widget and
    of the widgets in it, and `answers`, which takes the place of Python's answers. Of a board to
    play on, there is the name of its game.
    """
    living = None
    answers = widget.without_python()
    if answers is not None:
        living = {"answers": answers, "models": models_of(widget, alive)}
    return {
        "name": type(widget).__name__,
        "svg": widget.still_svg(),
        "note": widget.still_note(),
        "living": living,
        "game": widget.state.game if isinstance(widget, GamePanel) else "",
    }


def models_of(widget: Any, alive: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The script, the style and the traits of a widget and of those in it, by their ids."""
    found: dict[str, dict[str, Any]] = {}
    waiting = [widget]
    while waiting:
        here = waiting.pop()
        state = here.get_state()
        traits = {name: value for name, value in state.items() if is_own(name)}
        found[here.model_id] = {
            "name": type(here).__name__,
            "script": str(here._esm),
            "style": str(here._css),
            "state": traits,
        }
        inside = re.findall(r'"anywidget:(\w+)"', json.dumps(traits))
        waiting += [alive[model_id] for model_id in inside if model_id not in found]
    return found


def is_own(name: str) -> bool:
    """Whether a trait is the widget's own, and not one that all widgets have."""
    return not name.startswith("_") and name not in ("layout", "tabbable", "tooltip")
