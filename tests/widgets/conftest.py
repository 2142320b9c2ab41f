"""Fixtures that several of these files share."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from mctslab.widgets import training_panel


@pytest.fixture
def all_news(monkeypatch: pytest.MonkeyPatch) -> None:
    """A training panel shows all progress, however fast it comes."""
    monkeypatch.setattr(training_panel, "SHORTEST_WAIT", 0.0)
    monkeypatch.setattr(training_panel, "LONGEST_SHARE", 1e9)


@pytest.fixture
def notebook_output() -> Iterator[Callable[[Any], list[dict[str, Any]]]]:
    """Show a widget as a cell does, in a shell that catches all output; returns what was shown."""
    InteractiveShell.instance()
    with capture_output() as captured:

        def shown(widget: Any) -> list[dict[str, Any]]:
            widget._ipython_display_()
            return [output.data for output in captured.outputs]

        yield shown
    InteractiveShell.clear_instance()
