"""What holds for every test: fixed examples, one thread, and nobody's own files."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

# Read when NumPy's and PyTorch's libraries are loaded: many threads on few cores are slower.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# No test depends on how fast the machine is; in CI the same examples are tried in every run.
settings.register_profile("everywhere", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("everywhere"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "everywhere")


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
