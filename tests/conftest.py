"""What holds for every test: fixed examples, one thread, and no use of a person's own files.

With pytest-xdist (`-n 2`) one process runs all tests of a file, and all tests of one notebook.
"""

import importlib.util
import os
import shutil
import signal
import sys
import threading
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

_OPTIONAL = {"torch": "PyTorch", "playwright": "Playwright"}
"""Without these packages, the tests that need them are skipped."""


def _is_installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


# Tests of widgets and of notebooks share the browser.
pytest_plugins = ("tests.browser.chromium",) if _is_installed("playwright") else ()

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


NOT_QUICK = ("tests/browser", "tests/notebooks", "tests/site")
"""What --quick leaves out besides the tests that are listed in tests/slow.txt."""


def group_of(nodeid: str) -> str:
    """What one process has to run as a whole: a file, or all tests of one notebook."""
    file, _, test = nodeid.partition("::")
    notebook = test.partition("[")[2].removesuffix("]")
    if file.startswith("tests/notebooks/") and notebook in NOTEBOOKS:
        return f"tests/notebooks/test_{notebook}.py"
    return file


def function_of(nodeid: str) -> str:
    """The test function of a test, without the case."""
    return nodeid.partition("[")[0]


def seconds_of_tests() -> dict[str, float]:
    """How long the slow test functions take, all cases together, as `tests.measure` wrote it."""
    lines = Path(__file__).with_name("slow.txt").read_text("utf-8").splitlines()
    return {function: float(seconds) for seconds, function in map(str.split, lines)}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--quick",
        action="store_true",
        help="leave out the browser, notebooks, the site, and what is slow by tests/slow.txt",
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    path = collection_path.relative_to(_PROJECT).as_posix()
    left_out = NOT_QUICK if config.getoption("--quick") else ()
    if not _is_installed("playwright"):
        left_out = (*left_out, "tests/browser")
    return True if path in left_out else None


def pytest_report_header() -> str | None:
    """Say in a line that the tests in a browser are missing."""
    is_there = _is_installed("playwright")
    return None if is_there else "Playwright is not installed, so tests/browser is left out."


def pytest_configure() -> None:
    """Let Ctrl-C do what it usually does; programs started in the background ignore it."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)


def quick_ones(
    items: Iterable[pytest.Item], seconds: Mapping[str, float], cases: Mapping[str, int]
) -> Iterator[pytest.Item]:
    """What --quick runs: functions that are not slow; of slow ones with quick cases, the first."""
    met: set[str] = set()
    for item in items:
        function = function_of(item.nodeid)
        is_first = function not in met
        met.add(function)
        a_case = seconds.get(function, 0.0) / cases[function]
        if function not in seconds or (is_first and cases[function] > 1 and a_case < 0.5):
            yield item


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the tests of each notebook side by side, and begin with the groups that take longest."""
    seconds = seconds_of_tests()
    cases = Counter(function_of(item.nodeid) for item in items)
    if config.getoption("--quick"):
        kept = dict.fromkeys(quick_ones(items, seconds, cases))
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept
    groups: dict[str, list[pytest.Item]] = {}
    total: Counter[str] = Counter()
    for item in items:
        group, function = group_of(item.nodeid), function_of(item.nodeid)
        groups.setdefault(group, []).append(item)
        total[group] += seconds.get(function, 0) / cases[function]
    if "PYTEST_XDIST_WORKER" in os.environ:  # a long group that begins last is waited for
        groups = dict(sorted(groups.items(), key=lambda each: -total[each[0]]))
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


# Without an optional package


def _lacks(error: BaseException | None) -> str | None:
    """Why a test that failed is skipped instead, because a package is not installed; or None."""
    while error is not None:
        if isinstance(error, ModuleNotFoundError):
            package = (error.name or "").partition(".")[0]
            if package in _OPTIONAL and not _is_installed(package):
                return f"Skipped: {_OPTIONAL[package]} is not installed"
        error = error.__cause__ or error.__context__
    return None


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Skip a file that cannot be imported without a package that is not installed."""
    report = yield
    call: pytest.CallInfo[object] | None = getattr(report, "call", None)
    if report.failed and call and call.excinfo and (reason := _lacks(call.excinfo.value)):
        report.outcome, report.longrepr = "skipped", (str(collector.path), 1, reason)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Skip a test that fails because a package is not installed."""
    report = yield
    if report.failed and call.excinfo and (reason := _lacks(call.excinfo.value)):
        report.outcome, report.longrepr = "skipped", (str(item.path), 1, reason)
    return report


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
