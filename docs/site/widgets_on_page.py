"""Widgets on a page without Python: their still pictures, and the files that bring them to life."""

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any, Final

from mctslab.widgets.prediction import answer_html

FOLDER: Final = "_widgets"
LIVE: Final = frozenset(
    {
        "AlphaBetaStepper",
        "BanditGame",
        "BanditPlayground",
        "ConvolutionBoard",
        "LearningBoard",
        "MinimaxByHand",
        "PhaseStepper",
        "PredictionWidget",
        "QuestionsWidget",
        "TreeExplorer",
    }
)
"""The widgets whose scripts need only their traits, so they work on a page as in a notebook."""

_RUN_AGAIN: Final = re.compile(r"\s*Run this cell again[^.<]*\.|[^.<>]*: run this cell again\.")
_STILL: Final = re.compile(r'<div class="mctslab-still">(.*)</div>', re.DOTALL)
_DATA_URL: Final = re.compile(r'src="data:image/svg\+xml;base64,([^"]*)"')
_PANEL: Final = re.compile(r"The (.+?) panel needs a running kernel")


def still_in(html: str) -> str | None:
    """The still picture in an output, which follows the output with its widget."""
    found = _STILL.search(html)
    return found and found[1]


def first_still(html: str) -> str:
    """The first SVG document that is a picture in an output; empty if there is none."""
    found = _DATA_URL.search(html)
    return base64.b64decode(found[1]).decode() if found else ""


@dataclass
class Widgets:
    """Makes the places of widgets on the pages, and the files that these places refer to.

    Attributes:
        played: the games on the page to play on, by their titles.
        files: what belongs into the folder `_widgets` of the site, by name.
    """

    played: Mapping[str, str] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)

    def html(self, state: Mapping[str, Any], still: str, up: str, run_it: str) -> str:
        """The place of a widget on a page: its still picture, until a script brings it to life.

        Args:
            state: its traits at the end of the notebook.
            still: its still picture.
            up: the way from the page to the folder of the site, such as `../`.
            run_it: the links to where the notebook can be run.
        """
        name = class_of(state)
        if name == "PredictionWidget":
            answer = answer_html(json.loads(base64.b64decode(state["sealed"])))
            question = f"<p>{escape(state['question'])}</p>"
            still = f"{question}<details><summary>The answer</summary>{answer}</details>"
        folder = f"{up}{FOLDER}/"
        picture = _DATA_URL.sub(
            lambda found: self._file_of(base64.b64decode(found[1]), folder), still
        )
        picture = f'<div class="still">{_RUN_AGAIN.sub("", picture)}</div>'
        if name in LIVE:
            data = self._keep_living(name, state)
            return f'<div class="widget" data-widget="{folder}{data}">{picture}</div>'
        panel = _PANEL.search(still)
        game = self.played.get(panel[1]) if panel else None
        play = f"{up}play/index.html#{game}" if game else ""
        return f'<div class="widget">{picture}{_needs_python(run_it, play)}</div>'

    def _file_of(self, svg: bytes, folder: str) -> str:
        return f'loading="lazy" src="{folder}{self.keep("still", "svg", svg)}"'

    def _keep_living(self, name: str, state: Mapping[str, Any]) -> str:
        data = {
            "script": self.keep(name, "js", state["_esm"].encode()),
            "style": self.keep(name, "css", state["_css"].encode()),
            "traits": {trait: value for trait, value in state.items() if _is_own(trait)},
        }
        return self.keep(name, "json.gz", gzip.compress(json.dumps(data).encode(), mtime=0))

    def keep(self, name: str, ending: str, content: bytes) -> str:
        """Keep a file under a name that tells it from others; returns the name."""
        digest = hashlib.sha256(content).hexdigest()[:10]
        file = f"{name}-{digest}.{ending}"
        self.files[file] = content
        return file


def class_of(state: Mapping[str, Any]) -> str:
    """The name of a widget's class."""
    return str(state.get("_anywidget_id", "")).rpartition(".")[2]


def _is_own(trait: str) -> bool:
    """Whether a trait is the widget's own, and not one that all widgets have."""
    return not trait.startswith("_") and trait not in ("layout", "tabbable", "tooltip")


def _needs_python(run_it: str, play: str) -> str:
    """One line with the places to run it, and with the page to play on if there is one."""
    or_play = f' Without it you can <a href="{escape(play)}">play in this tab</a>.' if play else ""
    return f'<div class="needs-python"><p>This needs Python.{or_play}</p>{run_it}</div>'
