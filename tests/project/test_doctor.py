"""The doctor finds what is wrong, says what to do, and never falls ill itself."""

import importlib.metadata
import sys
from types import SimpleNamespace

import pytest

from mctslab import doctor, fast, players
from mctslab.draw.render import Layout

CHECKS = doctor.CHECKS


@pytest.fixture
def found(monkeypatch):
    """What the report says of one check, as one text: problem and remedy."""

    def run_one(name: str) -> str:
        monkeypatch.setattr(doctor, "CHECKS", {name: CHECKS[name]})
        *lines, verdict = str(doctor.report()).splitlines()
        assert verdict.startswith("Checks that failed: 1." if len(lines) == 2 else "Everything")
        return "\n".join(lines)

    return run_one


def is_fault(text: str, name: str, problem: str) -> bool:
    return text.startswith(f"FAULT {name}: ") and problem in text and "\n  -> " in text


@pytest.mark.skipif(not players.has_torch(), reason="PyTorch is not installed")
def test_here_everything_is_in_order(capsys):
    assert doctor.run(SimpleNamespace()) == 0, capsys.readouterr().out
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines[:-1]] == [f"ok {name}" for name in CHECKS]
    assert not any(line.endswith(": None") for line in lines)
    assert lines[-1] == "Everything that the notebooks need is in order."
    assert f"numpy {importlib.metadata.version('numpy')}" in lines[1]
    assert lines[5].endswith(f"compiled searches in {fast.cache_folder()}")
    assert list(fast.cache_folder().glob("mctslab_search_*.py"))


def test_the_command_ends_with_1_when_something_fails_each_with_its_remedy(monkeypatch, capsys):
    def broken():
        raise doctor.FaultError("numpy <2", "Install it.")

    checks = {"Disk": lambda: "9 GB", "Packages": broken, "PyTorch": lambda: 1 / 0}
    monkeypatch.setattr(doctor, "CHECKS", checks)
    assert doctor.run(SimpleNamespace()) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == [
        "ok Disk: 9 GB",
        "FAULT Packages: numpy <2",
        "  -> Install it.",
        "FAULT PyTorch: ZeroDivisionError: division by zero",
    ]
    assert lines[-1].startswith("Checks that failed: 2.")


def test_a_package_that_is_too_old_is_named(monkeypatch, found):
    known = importlib.metadata.version
    pretend = {"anywidget": "0.0.1"}
    monkeypatch.setattr(
        importlib.metadata, "version", lambda name: pretend.get(name) or known(name)
    )
    assert is_fault(text := found("Packages"), "Packages", "anywidget 0.0.1 is not ")
    assert "numpy" not in text


def test_what_does_not_work_is_found(monkeypatch, tmp_path, found):
    monkeypatch.setattr("mctslab.draw.render.lay_out", lambda source: Layout(0, 0, {}, []))
    assert is_fault(found("Tree renderer"), "Tree renderer", "above its parent")
    monkeypatch.setattr("jupyter_core.paths.jupyter_path", lambda *_: [str(tmp_path)])
    assert is_fault(found("Widgets"), "Widgets", "jupyterlab-manager")
    monkeypatch.setattr("mctslab.fast.why_not", lambda state: "Numba does not accept its rules")
    assert is_fault(found("Compiler"), "Compiler", "Numba does not accept its rules")
    monkeypatch.setitem(sys.modules, "torch", None)
    assert is_fault(found("PyTorch"), "PyTorch", "does not load")
    monkeypatch.setitem(sys.modules, "numba", None)
    text = found("Compiler")
    assert "Numba cannot be loaded" in text
    assert "ModuleNotFoundError" in text
