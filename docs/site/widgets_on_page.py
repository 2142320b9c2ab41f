"""Widgets on a page without Python: their still pictures, and the files that bring them to life."""

import base64
import gzip
import hashlib
import json
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


@dataclass
class Widgets:
    """Makes the places of widgets on the pages, and the files that these places refer to.

    Attributes:
        played: the games on the page to play on, by their titles.
        files: what belongs into the folder `_widgets` of the site, by name.
    """

    played: Mapping[str, str] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)

    def html(self, state: Mapping[str, Any], still: Mapping[str, Any], up: str, run_it: str) -> str:
        """The place of a widget on a page: its still picture, until a script brings it to life.

        Args:
            state: its traits at the end of the notebook.
            still: its pictures with their texts, its note, and what follows it in HTML.
            up: the way from the page to the folder of the site, such as `../`.
            run_it: the links to where the notebook can be run.
        """
        name, folder, below = class_of(state), f"{up}{FOLDER}/", still["html"]
        if name == "PredictionWidget":
            answer = answer_html(json.loads(base64.b64decode(state["sealed"])))
            below = f"<details><summary>The answer</summary>{answer}</details>"
        pictures = "".join(
            f'<img loading="lazy" alt="{_without_a_cell(words)}" '
            f'src="{folder}{self.keep("still", "svg", svg.encode())}">'
            for svg, words in still["pictures"]
        )
        note = _without_a_cell(still["note"])
        picture = f'<div class="still">{pictures}<p><em>{note}</em></p>{below}</div>'
        if name in LIVE:
            data = self._keep_living(name, state)
            return f'<div class="widget" data-widget="{folder}{data}">{picture}</div>'
        game = self.played.get(state["about"]["title"]) if name == "GamePanel" else None
        play = f"{up}play/index.html#{game}" if game else ""
        return f'<div class="widget">{picture}{_needs_python(run_it, play)}</div>'

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


def _without_a_cell(note: str) -> str:
    """What a note says besides that its cell can be run again."""
    return escape(note.partition("Run this cell again")[0].strip())


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
