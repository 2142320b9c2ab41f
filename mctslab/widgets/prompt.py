"""Widgets that hear the page while a cell runs.

JupyterLab sends what happens on a widget to a shell of its own, a "subshell", which is free while
a cell runs in the main one. Since version 7.4 ipykernel overrules that: it hands a message to the
shell from which the widget last spoke, and for a widget that a cell has made or changed this is
the main shell, where a click then waits for the end of whatever runs.
"""

from typing import Any


class PromptWidget:
    """Mix it in before a widget's class: messages go where the page sends them."""

    comm: Any

    def _send(self, msg: Any, buffers: Any = None) -> None:
        super()._send(msg, buffers)  # type: ignore[misc]  # the widget's own, which has no types
        if self.comm is not None:
            vars(self.comm).pop("_reply_subshell_id", None)
