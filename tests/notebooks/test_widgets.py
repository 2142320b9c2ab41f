"""Every widget of ours in every notebook appears on a page, with what the notebook gives it."""

import ipywidgets
import pytest
from anywidget import AnyWidget

from tests.browser.bridge import Bridge
from tests.notebooks.reading import NOTEBOOKS
from tests.widgets.browser_messages import event


@pytest.mark.thorough
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_widget_is_seen(path, executed, chromium):
    shown = executed(path).widgets
    every_model = [ipywidgets.widgets.widget._instances[each] for each in shown]
    models = [each for each in every_model if isinstance(each, AnyWidget)]
    if not models:
        return
    with chromium.new_context(reduced_motion="reduce") as context:
        bridge = Bridge(context.new_page())
        bridge.show(*models)
        assert bridge.script_errors == []
    for model in models:
        event(model, "page_opened")  # it stops what it has begun there
