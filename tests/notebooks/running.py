"""Run a notebook quickly, in this process."""

import atexit
import os
import re
import sys
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.display import display
from IPython.utils.capture import capture_output
from ipywidgets.widgets.widget import _instances
from traitlets.config import Config

import mctslab
from mctslab import arena
from mctslab.arena.settings import Setup, make_setup
from mctslab.course import predict
from mctslab.course.notebooks import with_solutions
from mctslab.course.predict import Truth
from tests.notebooks.reading import PROJECT, needs_torch, read

VIEW = "application/vnd.jupyter.widget-view+json"


@dataclass(frozen=True)
class Executed:
    """What is left of a notebook that was run."""

    names: dict[str, Any] = field(repr=False)
    """The variables at its end, which are the globals of its functions."""
    text: str
    """All that its cells printed or showed, as text."""
    matches: Mapping[Path, Setup] = field(repr=False)
    """What was to be played into a file, or was read from it, by the file."""
    outputs: Mapping[str, str] = field(repr=False)
    """What each cell printed or showed, by its id. Cards were answered after the last cell."""
    predicted: Mapping[str, Sequence["Predicted"]] = field(repr=False)
    """The predictions that each cell asks for, by its id."""
    widgets: Sequence[str] = field(repr=False)
    """The models of the widgets that were shown."""
    saved: Mapping[str, str] = field(repr=False)
    """What JupyterLab would save of each cell before its predictions are made, by its id."""


@dataclass(frozen=True)
class Predicted:
    """A prediction that a notebook asks for."""

    name: str
    question: str
    form: Mapping[str, Any]
    truth: Truth
    card: Any = None


def run_here(
    notebook: Any, *, until: str | None = None, folder: Path = PROJECT / "notebooks"
) -> Executed:
    """Run the cells one after the other in this process, in the notebook's folder.

    The cell named `until` is the last one that is run.

    Raises:
        AssertionError: a cell failed; names the cell and the error.
    """
    shown: dict[str, str] = {}
    predicted: dict[str, list[Predicted]] = {}
    views: list[Mapping[str, str]] = []
    saved: dict[str, str] = {}
    with (
        _short_run(),
        _shell(folder) as shell,
        _noted_matches() as matches,
        _noted_predictions() as noted,
    ):
        for cell in notebook.cells:
            if cell.cell_type != "code":
                continue
            with capture_output() as captured:
                result = shell.run_cell(cell.source, store_history=True)
                error = result.error_before_exec or result.error_in_exec
                assert error is None, f"cell {cell.id}: {type(error).__name__}: {error}"
                if result.result is not None:
                    display(result.result)
            saved[cell.id] = saved_text(captured.outputs)
            _take(captured, cell.id, shown, views)
            predicted[cell.id] = list(noted)
            noted.clear()
            if cell.id == until:
                break
        # As after "Run All": no card is answered before the last cell has run.
        for cell_id, cards in predicted.items():
            with capture_output() as answered:
                for each in cards:
                    each.card.show(None)
            _take(answered, cell_id, shown, views)
        text, widgets = "\n".join(shown.values()), [view["model_id"] for view in views]
        return Executed(shell.user_ns, text, matches, shown, predicted, widgets, saved)


def _take(
    captured: Any, cell_id: str, shown: dict[str, str], views: list[Mapping[str, str]]
) -> None:
    """Add what a cell printed or showed to the texts and the views.

    Raises:
        AssertionError: it shows an object as Python writes it.
    """
    bare = [data for each in captured.outputs if _is_bare(data := each.data)]
    assert not bare, f"cell {cell_id} shows an object as Python writes it: {bare}"
    texts = (_text(output.data) for output in captured.outputs)
    views += [output.data[VIEW] for output in captured.outputs if VIEW in output.data]
    shown[cell_id] = "\n".join([shown.get(cell_id, ""), captured.stdout, *texts])


def saved_text(outputs: Sequence[Any]) -> str:
    """All that a notebook's file gets of a cell: its outputs and the state of its widgets.

    The pictures are as the page draws them; the scripts and style sheets are left out, and what
    changes the output of another cell, such as a training that goes on.
    """
    parts = []
    for data in (output.data for output in outputs if not output.update):
        parts += [str(text) for kind, text in data.items() if kind != VIEW]
        if VIEW in data:
            shown = _instances[data[VIEW]["model_id"]].get_state()
            parts += [str(value) for trait, value in shown.items() if trait[0] != "_"]
    text = "\n".join(parts)
    return re.sub(
        r"(?<=;base64,)[\w+/=]+", lambda found: b64decode(found[0]).decode("latin-1"), text
    )


def _is_bare(data: Mapping[str, str]) -> bool:
    """Whether all that is shown is the name of an object's class, such as `[<Figure ...>]`."""
    is_text = data.keys() == {"text/plain"}
    return is_text and re.search(r"<Figure |<[\w.]+ object at ", data["text/plain"]) is not None


def _text(data: Mapping[str, str]) -> str:
    """The plain text of an output, and what stands in its table or picture."""
    marked_up = data.get("text/html") or data.get("image/svg+xml") or ""
    return f"{data.get('text/plain', '')}\n{re.sub('<[^>]*>', ' ', marked_up)}"


def run_solved(path: Path) -> Executed:
    """Run the notebook at `path` with its exercises solved; before the nets without PyTorch."""
    with nullcontext() if needs_torch(path) else without_torch():
        return run_here(with_solutions(read(path)), folder=path.parent)


def modules_of_nets() -> list[str]:
    """The names of the modules of `mctslab.net` that are loaded."""
    return [name for name in sys.modules if f"{name}.".startswith("mctslab.net.")]


@contextmanager
def without_torch() -> Iterator[None]:
    """As where PyTorch is not installed; afterwards this process is as it was before."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "torch", None)
        patch.delattr(mctslab, "net", raising=False)
        for name in modules_of_nets():
            patch.delitem(sys.modules, name)
        try:
            yield
        finally:
            for name in modules_of_nets():  # those that were loaded to say that it is missing
                del sys.modules[name]


@contextmanager
def _shell(folder: Path) -> Iterator[InteractiveShell]:
    """IPython without its history file; afterwards this process is as it was before."""
    main, before = sys.modules["__main__"], os.getcwd()
    shell = InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))
    os.chdir(folder)
    try:
        yield shell
    finally:
        os.chdir(before)
        shell.restore_sys_module_state()
        InteractiveShell.clear_instance()
        atexit.unregister(shell.atexit_operations)  # or it would keep all variables
        sys.modules["__main__"] = main


_OF_A_RUN = ("processes", "executor", "progress")
"""Options of a match that change nothing of its games."""


@contextmanager
def _noted_matches() -> Iterator[Mapping[Path, Setup]]:
    """The settings of the matches that have a file, as the arena gets them."""
    noted: dict[Path, Setup] = {}
    run = arena.run

    def note(*which: Any, file: Any = None, **options: Any) -> Any:
        if file is not None:
            place = Path(file).resolve()
            assert place.parent.name != "results" or place.is_file(), f"{place} is played anew"
            of_all = {name: option for name, option in options.items() if name not in _OF_A_RUN}
            noted[place] = make_setup(*which, **of_all)
        return run(*which, file=file, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arena, "run", note)
        yield noted


@contextmanager
def _noted_predictions() -> Iterator[list[Predicted]]:
    """The predictions that are asked for, as the cards get them."""
    noted: list[Predicted] = []
    ask = predict._ask

    def note(kind: str, name: str, question: str, form: Any, truth: Truth, *others: Any) -> Any:
        if kind == "choice":
            assert truth.value in form["options"], name
        else:
            values = np.atleast_1d(np.asarray(truth.value))
            assert len(values) == len(form.get("x", [name])), name
            assert ((form["low"] <= values) & (values <= form["high"])).all(), name
        card = ask(kind, name, question, form, truth, *others)
        noted.append(Predicted(name, question, form, truth, card))
        return card

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(predict, "is_quick", lambda: False)  # the cards wait for an answer
        patch.setattr(predict, "_ask", note)
        yield noted


@contextmanager
def _short_run() -> Iterator[None]:
    """Small budgets, a reader who begins, and this checkout's package also in a kernel."""
    paths = os.pathsep.join(filter(None, (str(PROJECT), os.environ.get("PYTHONPATH"))))
    with TemporaryDirectory() as home, pytest.MonkeyPatch.context() as patch:
        patch.setenv("MCTSLAB_QUICK", "1")
        patch.setenv("MCTSLAB_HOME", home)
        patch.setenv("PYTHONPATH", paths)
        yield
