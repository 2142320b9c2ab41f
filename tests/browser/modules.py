"""The widgets' scripts without a widget: their pure functions, called one by one in a browser."""

from typing import Any

from playwright.sync_api import Browser

from mctslab.widgets.front_end import joined


class Module:
    """Some files of `mctslab/widgets/static`, loaded as one module into an empty page."""

    def __init__(self, browser: Browser, *names: str) -> None:
        self.page = browser.new_page()
        # What the files define stays visible to scripts that are evaluated later.
        self.page.add_script_tag(content=joined(*names).replace("export default", "0,"))

    def run(self, script: str, argument: object = None) -> Any:
        """What the function `script` returns for `argument`."""
        return self.page.evaluate(script, argument)

    def close(self) -> None:
        """Leave the page."""
        self.page.close()
