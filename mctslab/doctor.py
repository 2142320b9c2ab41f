"""Checks of the installation, each with a remedy: `python -m mctslab doctor`, and notebook 00.

>>> from mctslab import doctor
>>> doctor.report()  # doctest: +SKIP
ok Python: 3.13.1
ok Packages: anywidget 0.11.0, ...
"""

import argparse
import importlib
import importlib.metadata
import platform
import re
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).resolve().parent.parent
"""The folder that mctslab is in: a checkout, or where packages are installed."""


class FaultError(Exception):
    """A problem that a check has found, and its remedy; by default, to install everything again."""

    def __init__(self, problem: str, remedy: str = "") -> None:
        super().__init__(problem)
        self.remedy = remedy or _reinstall()


@dataclass(frozen=True, slots=True)
class Findings:
    """The results of the checks, shown as a list."""

    lines: list[str]
    num_faults: int

    def __repr__(self) -> str:
        verdict = "Everything that the notebooks need is in order."
        if self.num_faults:
            verdict = (
                f"Checks that failed: {self.num_faults}. Do what each arrow says, then check again."
            )
        return "\n".join([*self.lines, verdict])

    def _repr_html_(self) -> str:
        """Lines that JupyterLab breaks at spaces; it breaks plain text anywhere."""
        lines = (
            f'<div style="overflow-wrap:anywhere">{escape(line)}</div>'
            for line in str(self).splitlines()
        )
        return "".join(lines)


def report() -> Findings:
    """Run all checks.

    It takes a few seconds, because the renderer, Numba and PyTorch are really used.
    """
    lines, num_faults = [], 0
    for name, check in CHECKS.items():
        try:
            lines.append(f"ok {name}: {check()}")
            continue
        except FaultError as error:
            fault = error
        except Exception as error:  # any error inside a check is a result of the check
            fault = FaultError(f"{type(error).__name__}: {error}")
        num_faults += 1
        lines += [f"FAULT {name}: {fault}", f"  -> {fault.remedy}"]
    return Findings(lines, num_faults)


def _is_checkout() -> bool:
    return (PROJECT / "run.py").is_file()


def _reinstall() -> str:
    if Path(sys.prefix).resolve() == PROJECT / ".venv":
        return f"Delete the folder .venv, then run: {_start()}"
    what = f'--editable "{PROJECT}"' if _is_checkout() else "mctslab"
    return f'Run: "{sys.executable}" -m pip install --upgrade {what}'


def _start() -> str:
    """The command that opens the course."""
    return "python3 run.py lab" if _is_checkout() else "mctslab lab"


def check_python() -> str:
    """Which Python this is; on one that does not fit, nobody could have installed mctslab."""
    return f"{platform.python_version()} ({sys.executable})"


def check_packages() -> str:
    """Whether each dependency is installed, in a version that mctslab allows."""
    from packaging.requirements import Requirement

    found: list[str] = []
    wrong: list[str] = []
    for requirement in map(Requirement, importlib.metadata.requires("mctslab") or ()):
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue  # of an extra
        name, bounds = requirement.name, requirement.specifier
        try:
            version = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            wrong.append(f"{name} is missing")
            continue
        found.append(f"{name} {version}")
        if not bounds.contains(version, prereleases=True):
            wrong.append(f"{name} {version} is not {bounds}")
    if wrong:
        raise FaultError("; ".join(wrong))
    return ", ".join(found)


def check_renderer() -> str:
    """Whether Graphviz lays out a tree."""
    from mctslab.draw import render

    layout = render.lay_out("digraph { root -> child }")
    if not layout.nodes or layout.nodes["root"][1] >= layout.nodes["child"][1]:
        raise FaultError("it has put a child above its parent")
    return "Graphviz laid out a tree with two nodes"


def check_widgets() -> str:
    """Whether JupyterLab, started from this environment, can show widgets."""
    from jupyter_core.paths import jupyter_path

    extensions = ["@jupyter-widgets/jupyterlab-manager", "anywidget"]
    for extension in extensions:
        places = [Path(each, extension, "package.json") for each in jupyter_path("labextensions")]
        if not any(place.is_file() for place in places):
            raise FaultError(f"JupyterLab lacks {extension}")
    return ", ".join(extensions)


def check_kernel() -> str:
    """Whether a notebook opened from here runs on this Python."""
    from jupyter_client.kernelspec import KernelSpecManager

    spec = KernelSpecManager().get_kernel_spec("python3")
    program = spec.argv[0]
    # Jupyter replaces a bare "python" by the Python that it runs on itself.
    if re.fullmatch(r"python[\d.]*", program) or Path(program).samefile(sys.executable):
        return f"this Python ({spec.resource_dir})"
    raise FaultError(
        f"notebooks would run on another Python: {program}",
        f"Remove the kernel in {spec.resource_dir}, or start JupyterLab with: {_start()}",
    )


def check_compiler() -> str:
    """Whether the search can be compiled and stored here."""
    from mctslab import fast, games
    from mctslab.fast.compile.numba_import import numba_fault

    if fault := numba_fault():
        raise FaultError(fault, "Remove the cause, then start Python or the kernel again.")
    if reason := fast.why_not(games.TicTacToe()):
        raise FaultError(f"Numba cannot compile the search: {reason}")
    folder = fast.cache_folder()
    if folder.parent == Path(tempfile.gettempdir()) and folder.name.startswith("mctslab-"):
        raise FaultError(
            "there is no folder to store it in, so every notebook compiles the search again",
            f"Set the environment variable {fast.CACHE_VARIABLE} to a folder that is writable.",
        )
    return f"compiled searches in {folder}"


def check_pytorch() -> str:
    """Whether PyTorch loads."""
    from mctslab.search.interrupts import interrupted_after

    try:
        with interrupted_after("the import of PyTorch"):
            torch = importlib.import_module("torch")  # by name: loading it takes seconds
    except (ImportError, OSError) as error:
        raise FaultError(f"it does not load, and notebooks 12 to 14 need it: {error}") from None
    return str(torch.__version__)


CHECKS: Final[Mapping[str, Callable[[], str]]] = {
    "Python": check_python,
    "Packages": check_packages,
    "Tree renderer": check_renderer,
    "Widgets": check_widgets,
    "Notebook kernel": check_kernel,
    "Compiler": check_compiler,
    "PyTorch": check_pytorch,
}
"""Each check returns its result, or raises FaultError if something is wrong."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command takes no arguments of its own."""


def run(arguments: argparse.Namespace) -> int:
    """Print the report; 1 if something is wrong, otherwise 0."""
    findings = report()
    print(findings)
    return 1 if findings.num_faults else 0
