"""Checks of the installation, each with a remedy: `python -m mctslab doctor`, and notebook 00.

>>> from mctslab import doctor
>>> print(doctor.report())  # doctest: +SKIP
ok    Python: 3.13.1
ok    Packages: anywidget 0.11.0, ...
"""

import argparse
import importlib
import importlib.metadata
import json
import os
import platform
import re
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Final

PROJECT: Final = Path(__file__).resolve().parent.parent
"""The folder that holds pyproject.toml and notebooks/."""

_ENOUGH_DISK: Final = 1_000_000_000
_CELL: Final = "text-align:left;padding:2px 12px 2px 0;vertical-align:top"
_TABLE: Final = "border-collapse:collapse;background:none;color:inherit;font:inherit;margin:0"
_HAVE_THEIR_OWN_CHECK: Final = ("torch", "numba")


@dataclass(frozen=True, slots=True)
class Check:
    """What was looked at, and what was found."""

    name: str
    ok: bool
    detail: str
    remedy: str = ""
    """What to do, in one sentence; empty where nothing is to be done."""
    needed_now: bool = True
    """Whether the notebooks that are there need it; False for what only later ones will use."""


@dataclass(frozen=True, slots=True)
class Report:
    """All checks; printed it is a list, as the last line of a notebook cell a table."""

    checks: Sequence[Check]

    @property
    def ok(self) -> bool:
        """Whether everything that the notebooks need now is in order."""
        return all(check.ok for check in self.checks if check.needed_now)

    def __str__(self) -> str:
        lines = []
        for check in self.checks:
            lines.append(f"{_word(check):<6}{check.name}: {check.detail}")
            if check.remedy:
                lines.append(f"      -> {check.remedy}")
        return "\n".join([*lines, _verdict(self)])

    def _repr_html_(self) -> str:
        rows = "".join(_html_row(check) for check in self.checks)
        head = "".join(
            f'<th scope="col" style="{_CELL}">{title}</th>' for title in ("", "Check", "Found")
        )
        return (
            '<div style="color:var(--jp-ui-font-color1,inherit)">'
            f'<table style="{_TABLE}">'
            f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
            f"<p>{escape(_verdict(self))}</p></div>"
        )


def _word(check: Check) -> str:
    if check.ok:
        return "ok"
    return "FAILS" if check.needed_now else "later"


def _verdict(report: Report) -> str:
    if report.ok:
        return "Everything that the notebooks need is in order."
    count = sum(not check.ok for check in report.checks if check.needed_now)
    return f"{count} of {len(report.checks)} checks failed; follow each arrow, then check again."


def _html_row(check: Check) -> str:
    # Both colours have a contrast above 4.1 on white and on JupyterLab's dark page.
    sign = {"ok": "✓ ok", "FAILS": "✗ fails", "later": "– later"}[_word(check)]
    color = {"ok": "#00885f", "FAILS": "#c85400", "later": "inherit"}[_word(check)]
    found = escape(check.detail)
    if check.remedy:
        found += f"<br>→ {escape(check.remedy)}"
    return (
        f'<tr style="background:none"><td style="{_CELL};color:{color};white-space:nowrap">{sign}'
        f'</td><td style="{_CELL};white-space:nowrap">{escape(check.name)}</td>'
        f'<td style="{_CELL};white-space:normal;overflow-wrap:anywhere">{found}</td></tr>'
    )


def report() -> Report:
    """Run all checks. It takes a few seconds: the renderer, Numba and PyTorch are really used."""
    return Report(checks())


def checks() -> list[Check]:
    """Run all checks, in the order in which they are shown; none of them raises."""
    return [_run(check) for check in _CHECKS]


def _run(check: Callable[[], Check]) -> Check:
    try:
        return check()
    except Exception as error:  # whatever breaks inside a check is what the check is for
        name = check.__name__.strip("_").replace("_", " ").capitalize()
        return Check(name, False, f"{type(error).__name__}: {error}", _reinstall())


def _reinstall() -> str:
    """The remedy for an environment in which something is missing or broken."""
    if Path(sys.prefix).resolve() == PROJECT / ".venv":
        return "Delete the folder .venv, then run: python3 run.py lab"
    return f'Run: "{sys.executable}" -m pip install --upgrade --editable "{PROJECT}"'


# The checks


def _python() -> Check:
    requirement = _project_table()["requires-python"]
    found = f"{platform.python_version()} ({sys.executable})"
    if _fits(platform.python_version(), requirement):
        return Check("Python", True, found)
    return Check("Python", False, found, f"Install a Python {requirement} and start from it.")


def _packages() -> Check:
    found, wrong = [], []
    for name, bounds in _requirements():
        if name in _HAVE_THEIR_OWN_CHECK:
            continue
        version = _installed(name)
        if version is None:
            wrong.append(f"{name} is missing")
        elif not _fits(version, bounds):
            wrong.append(f"{name} {version} is not {bounds}")
        else:
            found.append(f"{name} {version}")
    if wrong:
        return Check("Packages", False, "; ".join(wrong), _reinstall())
    return Check("Packages", True, ", ".join(found))


def _tree_renderer() -> Check:
    from mctslab.draw import render

    picture = render.svg("digraph { root -> child }")
    if picture.count('class="node"') != 2:
        return Check("Tree renderer", False, "it drew something else", _reinstall())
    return Check("Tree renderer", True, "Graphviz drew a tree with two nodes")


def _widgets() -> Check:
    """Whether JupyterLab, started from this environment, can show widgets."""
    from jupyter_core.paths import jupyter_path

    folders = [Path(folder) for folder in jupyter_path("labextensions")]
    found, missing = [], []
    for extension in ("@jupyter-widgets/jupyterlab-manager", "anywidget"):
        files = [folder / extension / "package.json" for folder in folders]
        file = next((file for file in files if file.is_file()), None)
        if file is None:
            missing.append(extension)
        else:
            version = json.loads(file.read_text("utf-8")).get("version", "")
            found.append(f"{extension} {version}".strip())
    if missing:
        detail = f"JupyterLab lacks {' and '.join(missing)}"
        return Check("Widgets", False, detail, _reinstall())
    return Check("Widgets", True, ", ".join(found))


def _notebook_kernel() -> Check:
    """Whether a notebook opened from here runs on this very Python."""
    from jupyter_client.kernelspec import KernelSpecManager

    spec = KernelSpecManager().get_kernel_spec("python3")
    program = spec.argv[0]
    # Jupyter replaces a bare "python" by the Python that it runs on itself.
    if re.fullmatch(r"python[\d.]*", program) or Path(program).samefile(sys.executable):
        return Check("Notebook kernel", True, f"this Python ({spec.resource_dir})")
    return Check(
        "Notebook kernel",
        False,
        f"notebooks would run on another Python: {program}",
        f"Remove the kernel in {spec.resource_dir}, or start JupyterLab with: python3 run.py lab",
    )


def _compiler() -> Check:
    """Whether the search is compiled here, and kept for the next time."""
    if (wrong := _wrong_version("numba")) is not None:
        return Check("Compiler", False, wrong, _reinstall())
    from mctslab import fast, games
    from mctslab.fast.numba_import import numba_fault

    numba = f"Numba {_installed('numba')}"
    if fault := numba_fault():
        return Check("Compiler", False, f"{numba}: {fault.reason}", fault.remedy or _reinstall())
    if reason := fast.why_not(games.TicTacToe()):
        detail = f"{numba} cannot compile the search: {reason}"
        return Check("Compiler", False, detail, _reinstall())
    folder, named = fast.cache_folder(), os.environ.get(fast.CACHE_VARIABLE)
    detail = f"{numba}, compiled searches in {folder}"
    if named and folder != Path(named).expanduser():
        return Check(
            "Compiler",
            False,
            f"{detail}, because {named} cannot be written to",
            f"Set the environment variable {fast.CACHE_VARIABLE} to a folder that you may write "
            "to, or remove it.",
        )
    if not named and _is_temporary(folder):
        return Check(
            "Compiler",
            False,
            f"{numba} compiles the search, but no folder was found to keep it in: every notebook "
            "waits for it anew",
            f"Set the environment variable {fast.CACHE_VARIABLE} to a folder that you may write "
            "to.",
        )
    return Check("Compiler", True, detail)


def _is_temporary(folder: Path) -> bool:
    """Whether a folder was made for this process alone."""
    return folder.parent == Path(tempfile.gettempdir()) and folder.name.startswith("mctslab-")


def _pytorch() -> Check:
    if (wrong := _wrong_version("torch")) is not None:
        return Check("PyTorch", False, wrong, _reinstall(), needed_now=False)
    try:
        torch = importlib.import_module("torch")  # by name: loading it takes seconds
    except (ImportError, OSError) as error:
        detail = f"it does not load: {error}"
        return Check("PyTorch", False, detail, _reinstall(), needed_now=False)
    return Check("PyTorch", True, str(torch.__version__))


def _nets() -> Check:
    """Which nets come with this version; their logs and settings lie beside them."""
    weights = PROJECT / "mctslab/net/weights"
    nets = sorted(file.stem for file in weights.glob("*.safetensors"))
    return Check("Nets", True, ", ".join(nets) or "none come with this version")


def _disk() -> Check:
    free = shutil.disk_usage(PROJECT).free
    detail = f"{free / 1e9:.1f} GB free"
    if free < _ENOUGH_DISK:
        return Check("Disk", False, detail, "Free at least 1 GB where mctslab lies.")
    return Check("Disk", True, detail)


_CHECKS: Final[tuple[Callable[[], Check], ...]] = (
    _python,
    _packages,
    _tree_renderer,
    _widgets,
    _notebook_kernel,
    _compiler,
    _pytorch,
    _nets,
    _disk,
)


# What pyproject.toml asks for, and what is installed


def _project_table() -> dict[str, Any]:
    table: dict[str, Any] = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))
    project: dict[str, Any] = table["project"]
    return project


def _requirements() -> list[tuple[str, str]]:
    """Name and version bounds of each dependency."""
    from packaging.requirements import Requirement

    requirements = [Requirement(text) for text in _project_table()["dependencies"]]
    return [(each.name, str(each.specifier)) for each in requirements]


def _fits(version: str, bounds: str) -> bool:
    from packaging.specifiers import SpecifierSet

    return SpecifierSet(bounds).contains(version, prereleases=True)


def _installed(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _wrong_version(package: str) -> str | None:
    """What is wrong with the version of a package; None where nothing is."""
    version, bounds = _installed(package), dict(_requirements())[package]
    if version is None:
        return f"{package} is missing"
    return None if _fits(version, bounds) else f"{package} {version} is not {bounds}"


# The command


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command takes no words of its own."""


def run(arguments: argparse.Namespace) -> int:
    """Print the report; 1 where something fails that the notebooks need now, else 0."""
    found = report()
    print(found)
    return 0 if found.ok else 1
