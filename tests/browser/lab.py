"""JupyterLab in a browser, as a person uses it: open a notebook, run it, look at what is there.

Nothing here waits for a fixed time. Every wait has a limit, also those inside the page, because
a dialog that nobody answers would otherwise hold a test for ever.
"""

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from playwright.sync_api import ConsoleMessage, Locator, Page, expect

from mctslab.course.outline import results_of

REPOSITORY = Path(__file__).parents[2]
START_SECONDS = 240
WAIT_SECONDS = 60

BROWSER_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BROWSER_PATHS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
BROWSER_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


OWN_FOLDERS = {
    "HOME": "home",
    "IPYTHONDIR": "ipython",
    "JUPYTER_CONFIG_DIR": "config",
    "JUPYTER_DATA_DIR": "data",
    "JUPYTER_RUNTIME_DIR": "runtime",
    "JUPYTERLAB_SETTINGS_DIR": "settings",
    "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
}

NBGRADERS_EXTENSIONS = (
    "nbgrader.server_extensions.assignment_list",
    "nbgrader.server_extensions.course_list",
    "nbgrader.server_extensions.formgrader",
    "nbgrader.server_extensions.validate_assignment",
    "notebook",
)


def find_browser() -> str | None:
    """The Chromium (or Chrome, or Edge) of this machine, if it has one."""
    for name in BROWSER_NAMES:
        if found := shutil.which(name):
            return found
    return next((path for path in BROWSER_PATHS if Path(path).is_file()), None)


@dataclass(frozen=True)
class LabServer:
    """A running JupyterLab with settings, kernels and notebooks of its own."""

    url: str
    token: str
    root: Path

    def answers(self) -> bool:
        """Whether the server takes requests yet."""
        try:
            with urllib.request.urlopen(f"{self.url}/api?token={self.token}", timeout=2):
                return True
        except OSError:
            return False

    def end_kernels(self) -> None:
        """End every kernel that runs."""
        with urllib.request.urlopen(f"{self.url}/api/kernels?token={self.token}") as answer:
            kernels: list[dict[str, Any]] = json.load(answer)
        for kernel in kernels:
            request = urllib.request.Request(
                f"{self.url}/api/kernels/{kernel['id']}?token={self.token}", method="DELETE"
            )
            with suppress(urllib.error.HTTPError):  # it may have ended by itself
                urllib.request.urlopen(request, timeout=10).close()


def start_lab_server(folder: Path) -> tuple[LabServer, "subprocess.Popen[bytes]"]:
    """Start JupyterLab on a free port; everything it writes goes into `folder`."""
    root = folder / "root"
    root.mkdir()
    news = folder / "settings" / "@jupyterlab" / "apputils-extension"
    news.mkdir(parents=True)
    off = {"fetchNews": "false", "checkForUpdates": False}
    (news / "notification.jupyterlab-settings").write_text(json.dumps(off))
    paths = os.pathsep.join(filter(None, (str(REPOSITORY), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": paths}
    for variable, name in OWN_FOLDERS.items():
        (folder / name).mkdir(exist_ok=True)
        environment[variable] = str(folder / name)
    without_nbgrader(folder / OWN_FOLDERS["JUPYTER_CONFIG_DIR"])
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    server = LabServer(f"http://127.0.0.1:{port}", secrets.token_hex(16), root)
    log_path = folder / "server.log"
    with log_path.open("wb") as log:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
                "--ServerApp.ip=127.0.0.1",
                f"--ServerApp.port={port}",
                "--ServerApp.port_retries=0",
                f"--IdentityProvider.token={server.token}",
                f"--ServerApp.root_dir={root}",
                "--LabApp.expose_app_in_browser=True",
            ],
            env=environment,
            stdout=log,
            stderr=log,
            cwd=root,
        )
    deadline = time.monotonic() + START_SECONDS
    while not server.answers():
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            raise RuntimeError(f"JupyterLab did not start:\n{log_path.read_text()[-3000:]}")
        time.sleep(0.1)
    return server, process


def without_nbgrader(config: Path) -> None:
    """Switch off, in this folder of settings, what nbgrader adds to JupyterLab: students have it
    only if their teacher uses it."""
    (config / "labconfig").mkdir()
    pages = {
        "disabledExtensions": {"@jupyter/nbgrader": True, "@jupyter-notebook/lab-extension": True}
    }
    (config / "labconfig" / "page_config.json").write_text(json.dumps(pages))
    server = {"ServerApp": {"jpserver_extensions": dict.fromkeys(NBGRADERS_EXTENSIONS, False)}}
    (config / "jupyter_server_config.json").write_text(json.dumps(server))


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
        self.open(Path("test.ipynb"), notebook)

    def open(self, path: Path, notebook: NotebookNode) -> None:
        """Open a notebook, with the stored results that it reads, and wait for its kernel.

        Args:
            path: the file that has its name and is beside its results.
            notebook: what is opened.
        """
        nbformat.write(notebook, self.server.root / path.name)
        for results in results_of(path):
            folder = self.server.root / results.parent.name
            folder.mkdir(exist_ok=True)
            shutil.copy(results, folder)
        address = f"{self.server.url}/lab/tree/{path.name}?token={self.server.token}&reset"
        self.page.goto(address, timeout=1000 * START_SECONDS)
        self.wait_for_kernel()

    def wait_for_kernel(self) -> None:
        """Wait until the notebook is there and its kernel answers."""
        self.page.wait_for_function(
            "window.jupyterapp?.shell.currentWidget?.context?.isReady", timeout=1000 * START_SECONDS
        )
        self.run_script(
            """async () => {
                const panel = jupyterapp.shell.currentWidget;
                await panel.sessionContext.ready;
                const kernel = panel.sessionContext.session.kernel;
                await kernel.info;
                // The channel on which cells publish can open later than the one that answers, and
                // until then what opens a widget is lost. A request that is done has used both.
                const hasPublished = () => {
                    const request = kernel.requestExecute({code: '', store_history: false});
                    return Promise.race([
                        request.done.then(() => true, () => false),
                        new Promise(resolve => setTimeout(() => resolve(false), 2000)),
                    ]);
                };
                while (!await hasPublished());
            }""",
            seconds=START_SECONDS,
        )
        # The widget manager joins a new notebook by itself; a cell that ran before shows a picture.
        self.page.wait_for_function(
            """jupyterapp.shell.currentWidget.content.rendermime.mimeTypes.includes(
                'application/vnd.jupyter.widget-view+json')""",
            timeout=1000 * START_SECONDS,
        )
        # It asks the kernel for the widgets that are there, and one that a cell opens meanwhile can
        # be asked for twice, and is then not found.
        self.run_script(
            """async () => {
                const registry = jupyterapp.shell.currentWidget.content.rendermime;
                const mimeType = 'application/vnd.jupyter.widget-view+json';
                const renderer = registry.getFactory(mimeType).createRenderer({mimeType});
                const manager = await renderer._manager.promise;
                renderer.dispose();
                if (manager.restoredStatus) return;
                await new Promise(resolve => manager.restored.connect(resolve));
            }""",
            seconds=START_SECONDS,
        )

    def run_all(self, *, seconds: float = 120) -> None:
        """Run every cell; an error in one fails the test."""
        self.command("notebook:run-all-cells", seconds=seconds)
        errors = self.cell_errors()
        assert not errors, errors

    def run_cell(self, index: int, *, seconds: float = 60) -> None:
        """Run the cell at `index` and wait until it is done."""
        self.run_script(
            """async ({index}) => {
                jupyterapp.shell.currentWidget.content.activeCellIndex = index;
                await jupyterapp.commands.execute('notebook:run-cell');
            }""",
            {"index": index},
            seconds=seconds,
        )

    def start_cell(self, index: int) -> Locator:
        """Run the cell at `index` without waiting for its end; returns its prompt, [*] until then.

        What is clicked meanwhile travels on the widgets' own subshell of the kernel. The page asks
        for one when the first widget appears, and until the kernel has answered a click takes the
        way of the cells and waits for them; so this waits for the answer first.
        """
        self.run_script(
            """async ({index}) => {
                const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
                const comms = await Promise.all(kernel._comms.values());
                await Promise.all(comms.map(comm => comm.subshellStarted));
                jupyterapp.shell.currentWidget.content.activeCellIndex = index;
                void jupyterapp.commands.execute('notebook:run-cell');
            }""",
            {"index": index},
        )
        prompt = self.page.locator(".jp-Cell").nth(index).locator(".jp-InputPrompt")
        expect(prompt).to_have_text("[*]:")
        return prompt

    def outputs(self) -> list[list[dict[str, Any]]]:
        """What each cell has printed and shown, as it is saved in a notebook."""
        text = self.run_script(
            """async () => JSON.stringify(jupyterapp.shell.currentWidget.content.model.toJSON()
                .cells.map(cell => cell.outputs ?? []))"""
        )
        outputs: list[list[dict[str, Any]]] = json.loads(text)
        return outputs

    def cell_errors(self) -> list[str]:
        """The errors that cells have shown, with the number of the cell."""
        return [
            f"cell {cell}: {output['ename']}: {output['evalue']}"
            for cell, outputs in enumerate(self.outputs())
            for output in outputs
            if output["output_type"] == "error"
        ]

    def output(self, index: int) -> Locator:
        """Where the cell at `index` shows what it made."""
        return self.page.locator(".jp-Notebook .jp-Cell").nth(index).locator(".jp-OutputArea")

    def scroll_to(self, index: int) -> Locator:
        """Where the cell at `index` shows what it made; a long notebook has only those in view."""
        self.run_script(
            """async ({index}) => {
                await jupyterapp.shell.currentWidget.content.scrollToItem(index, 'start');
            }""",
            {"index": index},
        )
        return self.page.locator(f'.jp-Cell[data-windowed-list-index="{index}"] .jp-OutputArea')

    # The kernel

    def evaluate(self, expression: str, *, seconds: float = WAIT_SECONDS) -> Any:
        """What `expression` (JSON-ready) is in the notebook's kernel, asked beside the cells."""
        printed = self.run_script(
            """async ({code}) => {
                const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
                const future = kernel.requestExecute({code, store_history: false});
                let text = '';
                future.onIOPub = message => {
                    if (message.header.msg_type === 'stream') text += message.content.text;
                    if (message.header.msg_type === 'error') text += message.content.evalue;
                };
                await future.done;
                return text;
            }""",
            {"code": f"import json as _json; print(_json.dumps({expression}))"},
            seconds=seconds,
        )
        return json.loads(printed)

    def set_environment(self, **values: str) -> None:
        """Set environment variables of the kernel."""
        self.evaluate(f"__import__('os').environ.update({values})")

    def wait_until(self, condition: Callable[[], bool], *, seconds: float = WAIT_SECONDS) -> None:
        """Wait until `condition` holds; the page goes on meanwhile."""
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, "the condition did not come true in time"
            self.page.wait_for_timeout(50)

    def interrupt_kernel(self) -> None:
        """What the square in the toolbar does."""
        self.command("notebook:interrupt-kernel")

    def restart_kernel(self) -> None:
        """What the arrow in the toolbar does, confirmed."""
        self.run_script(
            "async () => { await jupyterapp.shell.currentWidget.sessionContext.restartKernel(); }"
        )

    # The page

    def command(self, name: str, arguments: dict[str, Any] | None = None, **limit: float) -> None:
        """Execute one of JupyterLab's commands."""
        self.run_script(
            "async ({name, args}) => { await jupyterapp.commands.execute(name, args); }",
            {"name": name, "args": arguments or {}},
            **limit,
        )

    def use_theme(self, theme: str) -> None:
        """Change to the theme "light" or "dark"."""
        name = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}[theme]
        self.command("apputils:change-theme", {"theme": name})
        is_light = "true" if theme == "light" else "false"
        expect(self.page.locator("body")).to_have_attribute(
            "data-jp-theme-light", is_light, timeout=1000 * WAIT_SECONDS
        )
        # While it is fading, another change would take it away twice, which is an error.
        expect(self.page.locator("#jupyterlab-splash")).to_have_count(0)

    def run_script(self, script: str, argument: object = None, *, seconds: float = 60) -> Any:
        """Call the asynchronous function `script` in the page; it has `seconds` to answer."""
        return self.page.evaluate(
            f"""async ([argument, seconds]) => Promise.race([
                ({script})(argument),
                new Promise((_, reject) => setTimeout(
                    () => reject(new Error(`no answer in ${{seconds}} s`)), seconds * 1000)),
            ])""",
            [argument, seconds],
        )
