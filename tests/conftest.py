"""What holds for every test: fixed examples, one thread, and no use of a person's own files.

With pytest-xdist (`-n 2`) one process runs all tests of a file, and all tests of one notebook.
"""

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# Read when NumPy's and PyTorch's libraries are loaded: many threads on few cores are slower.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# No test depends on how fast the machine is; in CI the same examples are tried in every run.
settings.register_profile("everywhere", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("everywhere"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "everywhere")


NOTEBOOKS = {file.stem for file in Path(__file__).parents[1].glob("notebooks/*.ipynb")}


def group_of(nodeid: str) -> str:
    """What one process has to run as a whole: a file, or all tests of one notebook."""
    file, _, test = nodeid.partition("::")
    notebook = test.partition("[")[2].removesuffix("]")
    if file.startswith("tests/notebooks/") and notebook in NOTEBOOKS:
        return f"tests/notebooks/test_{notebook}.py"
    return file


def pytest_configure() -> None:
    """Let Ctrl-C do what it usually does; programs started in the background ignore it."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of each notebook side by side, and begin with the groups that take longest."""
    groups: dict[str, list[pytest.Item]] = {}
    for item in items:
        groups.setdefault(group_of(item.nodeid), []).append(item)
    num_slow = {
        group: sum(item.get_closest_marker("slow") is not None for item in members)
        for group, members in groups.items()
    }
    if "PYTEST_XDIST_WORKER" in os.environ:  # a long group that begins last is waited for
        groups = dict(sorted(groups.items(), key=lambda each: -num_slow[each[0]]))
    items[:] = [item for members in groups.values() for item in members]


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
