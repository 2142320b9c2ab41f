"""JupyterLab in a browser, as a person uses it: open a notebook, run it, look at what is there.

Nothing here waits for a fixed time. What the page never answers, because of a dialog for instance,
is ended by the time that pytest gives every test.
"""

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
import psutil
from nbformat import NotebookNode
from playwright.sync_api import Browser, ConsoleMessage, Error, Locator, Page, Playwright, expect

REPOSITORY = Path(__file__).parents[2]
START_SECONDS = 240

OWN_FOLDERS = (
    *("HOME", "IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"),
    *("JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR"),
)


def started_browser(playwright: Playwright) -> Browser | None:
    """The Chromium (or Chrome, or Edge) of this machine, if it has one."""
    if path := shutil.which("chromium") or shutil.which("chromium-browser"):
        return playwright.chromium.launch(executable_path=path)
    for channel in ("chrome", "msedge"):
        with suppress(Error):
            return playwright.chromium.launch(channel=channel)
    return None


class LabServer(NamedTuple):
    """A running JupyterLab with settings, kernels and notebooks of its own."""

    url: str
    token: str
    root: Path


@contextmanager
def lab_server(folder: Path) -> Iterator[LabServer]:
    """Start JupyterLab on a free port, and end it; everything it writes goes into `folder`."""
    paths = os.pathsep.join(filter(None, (str(REPOSITORY), os.environ.get("PYTHONPATH"))))
    own = {name: str(folder / name) for name in OWN_FOLDERS}
    root = folder / "root"
    news = Path(own["JUPYTERLAB_SETTINGS_DIR"], "@jupyterlab", "apputils-extension")
    for each in (root, news, *map(Path, own.values())):
        each.mkdir(parents=True, exist_ok=True)
    off = {"fetchNews": "false", "checkForUpdates": False}
    (news / "notification.jupyterlab-settings").write_text(json.dumps(off))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    server = LabServer(f"http://127.0.0.1:{port}", secrets.token_hex(16), root)
    options = [
        *("--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}"),
        *("--ServerApp.port_retries=0", f"--IdentityProvider.token={server.token}"),
        *(f"--ServerApp.root_dir={root}", "--LabApp.expose_app_in_browser=True"),
    ]
    command = [sys.executable, "-m", "jupyterlab", *options]
    log_path, environment = folder / "server.log", {**os.environ, "PYTHONPATH": paths, **own}
    with log_path.open("wb") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log, cwd=root)
    try:
        deadline = time.monotonic() + START_SECONDS
        while not answers(f"{server.url}/api"):
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"JupyterLab did not start:\n{log_path.read_text()[-3000:]}")
            time.sleep(0.1)
        yield server
    finally:
        kernels = psutil.Process(process.pid).children(recursive=True)
        process.terminate()  # it ends its kernels
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:  # was seen on a busy machine
            for each in kernels:
                with suppress(psutil.NoSuchProcess):
                    each.kill()
            process.kill()
            process.wait()


def answers(address: str) -> bool:
    """Whether a server answers there."""
    with suppress(OSError), urllib.request.urlopen(address, timeout=10):
        return True
    return False


READY = """async () => {
    const until = async condition => {
        while (!condition()) await new Promise(resolve => setTimeout(resolve, 50));
    };
    await until(() => window.jupyterapp?.shell.currentWidget?.context?.isReady);
    const { content, sessionContext } = jupyterapp.shell.currentWidget;
    await sessionContext.ready;
    const { kernel } = sessionContext.session;
    await kernel.info;
    // The channel on which cells publish can open later than the one that answers, and until then
    // what opens a widget is lost. A request that is done has used both.
    const hasPublished = () => {
        const request = kernel.requestExecute({code: '', store_history: false});
        return Promise.race([
            request.done.then(() => true, () => false),
            new Promise(resolve => setTimeout(() => resolve(false), 2000)),
        ]);
    };
    while (!await hasPublished());
    // The widget manager joins a new notebook by itself; a cell that ran before shows a picture.
    const mimeType = 'application/vnd.jupyter.widget-view+json';
    await until(() => content.rendermime.mimeTypes.includes(mimeType));
    // It asks the kernel for the widgets that are there, and one that a cell opens meanwhile can be
    // asked for twice, and is then not found.
    const renderer = content.rendermime.getFactory(mimeType).createRenderer({mimeType});
    const manager = await renderer._manager.promise;
    renderer.dispose();
    if (manager.restoredStatus) return;
    await new Promise(resolve => manager.restored.connect(resolve));
}"""
START_CELL = """async index => {
    const { content, sessionContext } = jupyterapp.shell.currentWidget;
    const comms = await Promise.all(sessionContext.session.kernel._comms.values());
    await Promise.all(comms.map(comm => comm.subshellStarted));
    content.activeCellIndex = index;
    void jupyterapp.commands.execute('notebook:run-cell');
}"""
RUN_CELL = """async index => {
    jupyterapp.shell.currentWidget.content.activeCellIndex = index;
    await jupyterapp.commands.execute('notebook:run-cell');
}"""
ERRORS = """async () => jupyterapp.shell.currentWidget.content.model.toJSON().cells.flatMap(
    ({ outputs }, cell) => (outputs ?? []).filter(each => each.output_type === 'error')
        .map(({ ename, evalue }) => `cell ${cell}: ${ename}: ${evalue}`))"""
EVALUATE = """async code => {
    const { kernel } = jupyterapp.shell.currentWidget.sessionContext.session;
    const future = kernel.requestExecute({code, store_history: false});
    let text = '';
    future.onIOPub = ({ header: { msg_type: type }, content }) => {
        if (type === 'stream') text += content.text;
        if (type === 'error') text += content.evalue;
    };
    await future.done;
    return text;
}"""


class Lab:
    """One page of JupyterLab with one notebook in it."""

    def __init__(self, server: LabServer, page: Page) -> None:
        self.server = server
        self.page = page
        self.script_errors: list[str] = []
        self.page.on("pageerror", lambda error: self.script_errors.append(str(error)))
        self.page.on("console", self._note_console)

    def _note_console(self, message: ConsoleMessage) -> None:
        # anywidget reports an exception in a widget's own script here, not as a page error.
        if message.type == "error" and "anywidget" in message.text:
            self.script_errors.append(message.text)

    # Notebooks

    def open_cells(self, *sources: str) -> None:
        """Open a notebook with these code cells."""
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(source) for source in sources],
            # Without a kernel's name JupyterLab opens a dialog and waits.
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        )
        self.open("test.ipynb", notebook)

    def open(self, name: str, notebook: NotebookNode) -> None:
        """Open a notebook, which gets this name, and wait for its kernel."""
        nbformat.write(notebook, self.server.root / name)
        address = f"{self.server.url}/lab/tree/{name}?token={self.server.token}&reset"
        self.page.goto(address, timeout=1000 * START_SECONDS)
        self.wait_for_kernel()

    def wait_for_kernel(self) -> None:
        """Wait until the notebook is there and its kernel answers."""
        self.page.evaluate(READY)

    def run_all(self) -> None:
        """Run every cell; an error in one fails the test."""
        self.command("notebook:run-all-cells")
        assert self.page.evaluate(ERRORS) == []

    def run_cell(self, index: int) -> None:
        """Run the cell at `index` and wait until it is done."""
        self.page.evaluate(RUN_CELL, index)

    def start_cell(self, index: int) -> Locator:
        """Run the cell at `index` without waiting for its end; returns its prompt, [*] until then.

        What is clicked meanwhile travels on the widgets' own subshell of the kernel. The page asks
        for one when the first widget appears, and until the kernel has answered a click takes the
        way of the cells and waits for them; so this waits for the answer first.
        """
        self.page.evaluate(START_CELL, index)
        prompt = self.page.locator(".jp-Cell").nth(index).locator(".jp-InputPrompt")
        expect(prompt).to_have_text("[*]:")
        return prompt

    def output(self, index: int) -> Locator:
        """Where the cell at `index` shows what it made; a long notebook has only those in view."""
        content = "jupyterapp.shell.currentWidget.content"
        self.page.evaluate(
            f"async index => {{ await {content}.scrollToItem(index, 'start'); }}", index
        )
        return self.page.locator(f'.jp-Cell[data-windowed-list-index="{index}"] .jp-OutputArea')

    # The kernel

    def evaluate(self, expression: str) -> Any:
        """What `expression` (JSON-ready) is in the notebook's kernel, asked beside the cells."""
        code = f"import json as _json; print(_json.dumps({expression}))"
        return json.loads(self.page.evaluate(EVALUATE, code))

    # The page

    def command(self, name: str) -> None:
        """Execute one of JupyterLab's commands."""
        self.page.evaluate("async name => { await jupyterapp.commands.execute(name); }", name)

    def use_theme(self, theme: str) -> None:
        """Change to the theme "light" or "dark"."""
        name, is_light = f"JupyterLab {theme.title()}", str(theme == "light").lower()
        change = "jupyterapp.commands.execute('apputils:change-theme', {theme})"
        self.page.evaluate(f"async theme => {{ await {change}; }}", name)
        body = self.page.locator("body")
        expect(body).to_have_attribute("data-jp-theme-light", is_light, timeout=60_000)
        # While it is fading, another change would take it away twice, which is an error.
        expect(self.page.locator("#jupyterlab-splash")).to_have_count(0)
