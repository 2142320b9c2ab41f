"""What holds for every test: fixed examples, one thread, and no use of a person's own files.

Tests that are marked as `thorough` are run with `--all` only: repeated statistics, the site's
build, changes of all model answers, the notebooks in a browser. With pytest-xdist (`-n 2`) one
process runs all tests of a file, and all tests of one notebook.
"""

import importlib.util
import os
import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

HAS_PLAYWRIGHT = importlib.util.find_spec("playwright") is not None

# Tests of widgets and of notebooks share the browser.
pytest_plugins = ("tests.browser.chromium",) if HAS_PLAYWRIGHT else ()

# Read when NumPy's and PyTorch's libraries are loaded: many threads on few cores are slower.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# No test depends on how fast the machine is; in CI the same examples are tried in every run.
settings.register_profile("everywhere", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("everywhere"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "everywhere")

# jsonschema, on which nbformat depends, reads 38 grammars for it when it is there: three seconds in
# every process, for addresses that no notebook has.
sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]

_PROJECT = Path(__file__).parents[1]
_FOLDERS = ("notebooks", "notebooks/more")
NOTEBOOKS = {file.stem for folder in _FOLDERS for file in (_PROJECT / folder).glob("*.ipynb")}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run also the tests marked as thorough")


def pytest_configure(config: pytest.Config) -> None:
    """Let Ctrl-C do what it usually does; programs started in the background ignore it."""
    config.addinivalue_line("markers", "thorough: takes long; run with --all only")
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    is_browser = collection_path == _PROJECT / "tests" / "browser"
    return True if is_browser and not HAS_PLAYWRIGHT else None


def pytest_report_header() -> str | None:
    """Say in a line that the tests in a browser are missing."""
    return None if HAS_PLAYWRIGHT else "Playwright is not installed, so tests/browser is left out."


def group_of(nodeid: str) -> str:
    """What one process has to run as a whole: a file, or all tests of one notebook."""
    file, _, test = nodeid.partition("::")
    notebook = test.partition("[")[2].removesuffix("]")
    if file.startswith("tests/notebooks/") and notebook in NOTEBOOKS:
        return f"tests/notebooks/test_{notebook}.py"
    return file


def seconds_of_files() -> dict[str, float]:
    """How long the slow files take, as `tests.measure slow` wrote it."""
    lines = Path(__file__).with_name("slow.txt").read_text("utf-8").splitlines()
    return {file: float(seconds) for seconds, file in map(str.split, lines)}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the tests of each notebook side by side, and begin with the groups that take longest."""
    if not config.getoption("--all"):
        left_out = [item for item in items if item.get_closest_marker("thorough")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("thorough")]
    seconds = seconds_of_files()
    groups: dict[str, list[pytest.Item]] = {}
    for item in items:
        groups.setdefault(group_of(item.nodeid), []).append(item)
    if "PYTEST_XDIST_WORKER" in os.environ:  # a long group that begins last is waited for
        groups = dict(sorted(groups.items(), key=lambda each: -seconds.get(each[0], 0)))
    items[:] = [item for members in groups.values() for item in members]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One process more than there are cores: now and then a test waits for a page or a program."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Hand out groups of tests to the processes, in the order above."""
    from xdist.scheduler import LoadScopeScheduling

    class ByGroup(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return group_of(nodeid)

    config.option.loadscopereorder = False
    return ByGroup(config, log)


@pytest.fixture(scope="session", autouse=True)
def _own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep tests, and the programs that they start, away from a person's settings and progress.

    MCTSLAB_HOME is where mctslab keeps the reader's progress.
    """
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MCTSLAB_HOME", str(home / "mctslab"))
        patch.setenv("IPYTHONDIR", str(home / "ipython"))
        patch.setenv("JUPYTER_CONFIG_DIR", str(home / "jupyter-config"))
        patch.setenv("JUPYTER_DATA_DIR", str(home / "jupyter-data"))
        patch.setenv("JUPYTER_RUNTIME_DIR", str(home / "jupyter-runtime"))
        yield


@pytest.fixture(autouse=True)
def _no_search_of_another_test() -> None:
    """A check that passed in another test keeps its function, and menus would list the search."""
    shutil.rmtree(Path(os.environ["MCTSLAB_HOME"], "mine"), ignore_errors=True)


@pytest.fixture
def rng() -> Any:
    """A source of chance that is always the same."""
    from tests.games.playing import new_rng  # after OMP_NUM_THREADS was set

    return new_rng()
