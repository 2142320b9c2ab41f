"""Run the notebooks once, and keep what they show until something that they depend on changes.

What was run is in a cache of Jupyter Book (`jupyter_cache`), which finds a notebook by its code.
Everything else that a notebook can depend on is in the name of the cache's folder.
"""

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import nbformat
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.executors.utils import ExecutionResult, single_nb_execution

from mctslab.course.outline import place_of

HERE: Final = Path(__file__).parent
PROJECT: Final = HERE.parents[1]
LONGEST_CELL: Final = 900
"""Seconds. No cell of the course takes a tenth of this on two cores."""

AT_THE_END: Final = """
import ipywidgets
from IPython.display import JSON, display
stills = {}
for model, widget in [*ipywidgets.Widget.widgets.items()]:
    for trait, value in getattr(widget, "without_python", dict)().items():
        widget.set_trait(trait, value)
    if hasattr(widget, "still_note"):
        parts = ("pictures", "note", "html")
        stills[model] = {part: getattr(widget, f"still_{part}")() for part in parts}
display(JSON(stills))
"""
"""A last cell: a widget gets the traits that it has only where there is no kernel, and shows what
stands in its place there."""

_QUIET: Final = ["--IPKernelApp.log_level=ERROR"]
_WIDGET_STATE: Final = "application/vnd.jupyter.widget-state+json"


@dataclass(frozen=True)
class Executed:
    """A notebook after it was run.

    Attributes:
        path: where the notebook is in the project.
        notebook: with its outputs.
        widgets: the traits of its widgets at the end, by the ids of their models.
        stills: what stands in their places where no script runs: `pictures`, `note` and `html`.
    """

    path: Path
    notebook: Any
    widgets: Mapping[str, Mapping[str, Any]]
    stills: Mapping[str, Any] = field(default_factory=dict)


def run_all(
    paths: Sequence[Path], folder: Path, *, at_once: int, is_quick: bool = False
) -> Iterator[Executed]:
    """The notebooks with their outputs, in the given order.

    Args:
        paths: the notebooks.
        folder: where to keep what was run; a notebook that is found there is not run again.
        at_once: the number of notebooks that run at the same time.
        is_quick: whether they run with the small budgets of the tests.

    Raises:
        CellExecutionError: a cell failed.
    """
    cache = get_cache(_cache_folder(folder, is_quick=is_quick))
    known = {record.hashkey for record in cache.list_cache_records()}

    def run(path: Path) -> ExecutionResult | None:
        notebook = _with_last_cell(path)
        if cache.create_hashed_notebook(notebook)[1] in known:
            return None
        folder_of_copy = str((copy / place_of(path)).parent)
        # A kernel that is asked to end takes a second for it.
        options = {"extra_arguments": _QUIET, "shutdown_kernel": "immediate"}
        return single_nb_execution(
            notebook, folder_of_copy, LONGEST_CELL, allow_errors=False, **options
        )

    threads = max(1, (os.cpu_count() or 1) // at_once)
    surroundings = _copy_of_notebooks(is_quick=is_quick, threads=threads)
    with surroundings as copy, ThreadPoolExecutor(at_once) as pool:
        for path, result in zip(paths, pool.map(run, paths), strict=True):
            if result is not None:
                if result.err is not None:
                    raise result.err
                print(f"  {path.name}: {result.time:.0f} s", flush=True)
                bundle = CacheBundleIn(result.nb, str(path))
                cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
            _, notebook = cache.merge_match_into_notebook(_with_last_cell(path))
            outputs = notebook.cells.pop().outputs
            [stills] = [each.data["application/json"] for each in outputs if "data" in each]
            stored = notebook.metadata.pop("widgets", {}).get(_WIDGET_STATE, {"state": {}})
            states = {key: model["state"] for key, model in stored["state"].items()}
            yield Executed(path, notebook, states, stills)


def _with_last_cell(path: Path) -> Any:
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(AT_THE_END, id="at-the-end"))
    return notebook


@contextmanager
def _copy_of_notebooks(*, is_quick: bool, threads: int) -> Iterator[Path]:
    """A copy of the notebooks, and for their kernels the environment of a reader who begins.

    Each computes in `threads` threads, so that together they have one for each core.
    """
    paths = os.pathsep.join(filter(None, (str(PROJECT), os.environ.get("PYTHONPATH"))))
    before = dict(os.environ)
    with tempfile.TemporaryDirectory() as folder:
        copy, home = Path(folder, "notebooks"), Path(folder, "home")
        shutil.copytree(PROJECT / "notebooks", copy, ignore=shutil.ignore_patterns("my_results"))
        os.environ |= {
            "MCTSLAB_HOME": str(home),
            "MCTSLAB_QUICK": str(int(is_quick)),
            "OMP_NUM_THREADS": str(threads),
            "PYTHONPATH": paths,
        }
        try:
            yield copy
        finally:
            os.environ.clear()
            os.environ |= before


def _cache_folder(folder: Path, *, is_quick: bool) -> Path:
    """The folder for what can be used again; others of its kind are removed."""
    kind = "quick" if is_quick else "full"
    found = folder / f"{kind}-{_digest_of_what_all_share()}"
    for old in folder.glob(f"{kind}-*"):
        if old != found:
            shutil.rmtree(old)
    return found


def _digest_of_what_all_share() -> str:
    """A digest of everything but the notebooks that their outputs can depend on."""
    package, results = PROJECT / "mctslab", PROJECT / "notebooks"
    kinds = ("*.py", "*.js", "*.css", "*.safetensors", "*.toml", "*.json")
    files = [file for kind in kinds for file in package.rglob(kind)]
    files += [file for file in results.rglob("results/*") if file.is_file()]
    digest = hashlib.sha256(f"{sys.version_info[:2]}".encode())
    for file in sorted([*files, PROJECT / "requirements.lock"]):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:20]
