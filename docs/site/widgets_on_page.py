"""Widgets on a page without Python: their still pictures, and the files that bring them to life."""

import gzip
import hashlib
import json
import re
from base64 import b64decode
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

FOLDER = "_widgets"
_RUN_AGAIN = re.compile(r"\s*Run this cell again[^.]*(?=\.)|: run this cell again(?=\.)")


@dataclass
class Widgets:
    """Makes the places of widgets on the pages, and the files that these places refer to.

    Attributes:
        played: the games on the page to play on.
        files: what belongs into the folder `_widgets` of the site, by name.
    """

    played: Collection[str] = ()
    files: dict[str, bytes] = field(default_factory=dict)

    def html(self, model_id: str, shown: Mapping[str, Any], up: str, run_it: str) -> str:
        """The place of a widget on a page: its still picture, until a script brings it to life.

        Args:
            model_id: the id of its model.
            shown: what `in_kernel.py` has written down.
            up: the way from the page to the folder of the site, such as `../`.
            run_it: the links to where the notebook can be run.
        """
        folder = f"{up}{FOLDER}/"
        still = self._still(shown, folder)
        if shown["living"] is None:
            play = f"{up}play/index.html#{shown['game']}" if shown["game"] in self.played else ""
            return f'<div class="widget">{still}{_needs_python(run_it, play)}</div>'
        data = self._keep_living(model_id, shown)
        return f'<div class="widget" data-widget="{folder}{data}">{still}</div>'

    def _still(self, shown: Mapping[str, Any], folder: str) -> str:
        note = escape(_RUN_AGAIN.sub("", shown["note"]).replace("..", "."))
        living = shown["living"] or {}
        if sealed := living.get("answers", {}).get("sealed"):
            answer = json.loads(b64decode(sealed))
            pictures = "".join(self._picture(each, "", folder) for each in answer["pictures"])
            return (
                f"<p><strong>Your prediction:</strong> {note}</p><details class='hint'>"
                f"<summary>The answer</summary>{pictures}"
                f"<p>{escape(answer['sentence'])}</p>{answer['more']}</details>"
            )
        if not shown["svg"]:
            return f"<p><em>{note}</em></p>"
        picture = self._picture(shown["svg"], note, folder)
        return f"<figure>{picture}<figcaption>{note}</figcaption></figure>"

    def _picture(self, markup: str, alt: str, folder: str) -> str:
        """An SVG document as a file of its own, which is loaded when it is needed."""
        if not markup.lstrip().startswith("<svg"):
            return markup
        name = self._keep("still", "svg", markup.encode())
        return f'<img alt="{alt}" src="{folder}{name}" loading="lazy">'

    def _keep_living(self, model_id: str, shown: Mapping[str, Any]) -> str:
        models = {
            each: {
                "script": self._keep(model["name"], "js", model["script"].encode()),
                "style": self._keep(model["name"], "css", model["style"].encode()),
                "state": model["state"],
            }
            for each, model in shown["living"]["models"].items()
        }
        data = {
            "name": shown["name"],
            "root": model_id,
            "models": models,
            "answers": shown["living"]["answers"],
        }
        packed = gzip.compress(json.dumps(data).encode(), mtime=0)
        return self._keep(shown["name"], "json.gz", packed)

    def _keep(self, name: str, ending: str, content: bytes) -> str:
        """Keep a file under a name that tells it from others; returns the name."""
        digest = hashlib.sha256(content).hexdigest()[:10]
        file = f"{name}-{digest}.{ending}"
        self.files[file] = content
        return file


def _needs_python(run_it: str, play: str) -> str:
    """One line with the places to run it, and with the page to play on if there is one."""
    or_play = f' Without it you can <a href="{play}">play in this tab</a>.' if play else ""
    return f'<div class="needs-python"><p>This needs Python.{or_play}</p>{run_it}</div>'
