"""Run the notebooks once, and keep what they show until something that they depend on changes."""

import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import nbformat
from kernels import new_manager
from nbclient import NotebookClient

from mctslab.course.outline import results_of

HERE = Path(__file__).parent
PROJECT = HERE.parents[1]
LONGEST_CELL = 900
"""Seconds. No cell of the course takes a tenth of this on two cores."""

COLLECT = """
import sys
sys.path.insert(0, {folder!r})
from in_kernel import collect
collect({target!r})
"""


@dataclass(frozen=True)
class Executed:
    """A notebook after it was run.

    Attributes:
        path: where the notebook is in the project.
        notebook: with its outputs.
        widgets: for each widget that a cell showed, by its model's id, what a page needs of it; see
            `in_kernel.py`.
    """

    path: Path
    notebook: Any
    widgets: dict[str, Any]


def run_all(
    paths: Sequence[Path], cache: Path, *, at_once: int, is_quick: bool = False
) -> Iterator[Executed]:
    """The notebooks with their outputs, in the given order.

    Args:
        paths: the notebooks.
        cache: a folder for what was run; a notebook that is found there is not run again.
        at_once: the number of notebooks that run at the same time.
        is_quick: whether they run with the small budgets of the tests.
    """
    cache.mkdir(parents=True, exist_ok=True)
    shared = digest_of(_shared_files(), "quick" if is_quick else "full")
    kept = [
        cache / f"{path.stem}-{digest_of([path, *results_of(path)], shared)}.json" for path in paths
    ]
    with ThreadPoolExecutor(at_once) as pool:
        yield from pool.map(partial(_executed, is_quick=is_quick), paths, kept)


def _executed(path: Path, kept: Path, *, is_quick: bool) -> Executed:
    if not kept.exists():
        found = _run(path, is_quick=is_quick)
        print(f"  {path.name}: {found['cpu_seconds']:.0f} s of computing", flush=True)
        partial_file = kept.with_suffix(".part")
        partial_file.write_text(json.dumps(found), "utf-8")
        partial_file.replace(kept)
        for old in kept.parent.glob(f"{path.stem}-*.json"):
            if old != kept and len(old.stem) == len(kept.stem):
                old.unlink()
    found = json.loads(kept.read_text("utf-8"))
    return Executed(path, nbformat.from_dict(found["notebook"]), found["widgets"])


def _run(path: Path, *, is_quick: bool) -> dict[str, Any]:
    """Run a copy of a notebook, so that nothing is written into the project."""
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        notebooks, collected = Path(folder, "notebooks"), Path(folder, "widgets.json")
        copytree(PROJECT / "notebooks", notebooks, ignore=ignore_patterns("my_results"))
        collect = COLLECT.format(folder=str(HERE), target=str(collected))
        notebook.cells.append(nbformat.v4.new_code_cell(collect))
        client = NotebookClient(
            notebook,
            timeout=LONGEST_CELL,
            store_widget_state=False,
            resources={"metadata": {"path": str(notebooks / _place_of(path).parent)}},
        )
        client.km = new_manager()  # given above, it would not be ended
        client.execute(env=_environment(Path(folder, "home"), is_quick))
        del notebook.cells[-1]
        for cell in notebook.cells:
            cell.metadata.pop("execution", None)
        return {"notebook": notebook, **json.loads(collected.read_text("utf-8"))}


def _place_of(path: Path) -> Path:
    return path.relative_to(PROJECT / "notebooks")


def _environment(home: Path, is_quick: bool) -> dict[str, str]:
    """That of a reader who begins, with this checkout's package in the kernel."""
    paths = os.pathsep.join(filter(None, (str(PROJECT), os.environ.get("PYTHONPATH"))))
    ours = {"MCTSLAB_HOME": str(home), "PYTHONPATH": paths, "MCTSLAB_QUICK": str(int(is_quick))}
    return {**os.environ, **ours}


def _shared_files() -> list[Path]:
    """What any notebook can depend on besides its own file and its stored results."""
    package = PROJECT / "mctslab"
    kinds = ("*.py", "*.js", "*.css", "*.safetensors", "*.toml", "*.json")
    files = [file for kind in kinds for file in package.rglob(kind)]
    ours = (HERE / "in_kernel.py", HERE / "kernels.py", Path(__file__))
    return sorted([*files, PROJECT / "requirements.lock", *ours])


def digest_of(files: Sequence[Path], *words: str) -> str:
    """A digest of files and words."""
    digest = hashlib.sha256(f"{sys.version_info[:2]}".encode())
    for word in words:
        digest.update(word.encode())
    for file in files:
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:20]
