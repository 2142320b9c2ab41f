"""The doctor finds what is wrong, says what to do, and never falls ill itself."""

import importlib
import importlib.metadata
import os
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import pytest

from mctslab import doctor, fast
from mctslab.doctor import Check, Report


@pytest.fixture(scope="module")
def real() -> Report:
    return doctor.report()


def by_name(checks, name: str) -> Check:
    (check,) = [check for check in checks if check.name == name]
    return check


def test_here_everything_is_in_order(real):
    assert real.ok, str(real)
    assert all(check.ok for check in real.checks), str(real)


def test_it_looks_at_what_the_course_stands_on(real):
    names = [check.name for check in real.checks]
    assert names == [
        "Python", "Packages", "Tree renderer", "Widgets", "Notebook kernel",
        "Compiler", "PyTorch", "Nets", "Disk",
    ]  # fmt: skip


def test_what_is_in_order_needs_no_remedy(real):
    assert [check.remedy for check in real.checks] == [""] * len(real.checks)


@pytest.mark.parametrize("package", ["numpy", "anywidget", "torch", "numba"])
@pytest.mark.parametrize("version", [None, "0.0.1"])
def test_a_package_that_is_missing_or_too_old_is_named(monkeypatch, package, version):
    installed = importlib.metadata.version

    def pretend(name):
        if name != package:
            return installed(name)
        if version is None:
            raise importlib.metadata.PackageNotFoundError(name)
        return version

    monkeypatch.setattr(importlib.metadata, "version", pretend)
    wrong = [check for check in doctor.checks() if not check.ok]

    assert len(wrong) == 1
    assert f"{package} is missing" in wrong[0].detail or f"{package} 0.0.1" in wrong[0].detail
    assert "--editable" in wrong[0].remedy or ".venv" in wrong[0].remedy


def test_a_renderer_that_draws_something_else_fails(monkeypatch):
    monkeypatch.setattr("mctslab.draw.render.svg", lambda source: "<svg/>")
    assert not by_name(doctor.checks(), "Tree renderer").ok


def test_an_error_inside_a_check_is_a_finding(monkeypatch):
    def broken(source):
        raise RuntimeError("wasm trap")

    monkeypatch.setattr("mctslab.draw.render.svg", broken)
    check = by_name(doctor.checks(), "Tree renderer")

    assert not check.ok
    assert "RuntimeError: wasm trap" in check.detail
    assert check.remedy


def test_a_missing_front_end_is_found(monkeypatch, tmp_path):
    monkeypatch.setattr("jupyter_core.paths.jupyter_path", lambda *_: [str(tmp_path)])
    check = by_name(doctor.checks(), "Widgets")

    assert not check.ok
    assert "anywidget" in check.detail


def test_a_kernel_of_another_python_is_found(monkeypatch, tmp_path):
    other = tmp_path / "python"
    other.touch()
    spec = SimpleNamespace(argv=[str(other)], resource_dir="somewhere")
    monkeypatch.setattr(
        "jupyter_client.kernelspec.KernelSpecManager.get_kernel_spec", lambda *_: spec
    )
    check = by_name(doctor.checks(), "Notebook kernel")

    assert not check.ok
    assert "somewhere" in check.remedy


def test_a_kernel_named_by_the_path_of_this_python_is_right(monkeypatch):
    spec = SimpleNamespace(argv=[sys.executable], resource_dir="somewhere")
    monkeypatch.setattr(
        "jupyter_client.kernelspec.KernelSpecManager.get_kernel_spec", lambda *_: spec
    )
    assert by_name(doctor.checks(), "Notebook kernel").ok


def test_the_compiled_search_is_kept_and_needed_now(real):
    check = by_name(real.checks, "Compiler")
    assert check.needed_now
    assert list(fast.cache_folder().glob("mctslab_search_*.py"))
    assert check.detail.endswith(f"compiled searches in {fast.cache_folder()}")


def test_a_search_that_cannot_be_compiled_is_found(monkeypatch):
    monkeypatch.setattr("mctslab.fast.why_not", lambda state: "Numba does not take its rules")
    check = by_name(doctor.checks(), "Compiler")

    assert "cannot compile the search: Numba does not take its rules" in check.detail
    assert check.remedy
    assert not Report([check]).ok


IN_A_PROCESS_OF_ITS_OWN = """
from mctslab.fast import cache
if {no_folder_at_all}:
    cache._can_write = lambda folder: False
from mctslab import doctor
print(doctor.Report([doctor._compiler()]))
print(cache.cache_folder())
"""


def compiler_in_its_own_process(cache: Path | None, *, no_folder_at_all: bool) -> str:
    code = IN_A_PROCESS_OF_ITS_OWN.format(no_folder_at_all=no_folder_at_all)
    environment = {**os.environ, "MCTSLAB_CACHE": "" if cache is None else str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_a_named_cache_that_cannot_be_written_is_found(tmp_path):
    (tmp_path / "file").touch()
    named = tmp_path / "file" / "cache"  # nobody, not even root, can make it
    output = compiler_in_its_own_process(named, no_folder_at_all=False)

    assert output.startswith("FAILS Compiler: ")
    assert f"because {named} cannot be written to" in output
    assert "MCTSLAB_CACHE to a folder that you may write to, or remove it" in output


@pytest.mark.slow
def test_a_search_that_cannot_be_kept_is_found():
    output = compiler_in_its_own_process(None, no_folder_at_all=True)
    shutil.rmtree(output.splitlines()[-1])

    assert output.startswith("FAILS Compiler: ")
    assert "no folder was found to keep it in" in output
    assert "-> Set the environment variable MCTSLAB_CACHE to a folder" in output


def test_a_named_cache_that_can_be_written_is_right(tmp_path, monkeypatch):
    monkeypatch.setenv("MCTSLAB_CACHE", str(tmp_path))
    monkeypatch.setattr("mctslab.fast.cache_folder", lambda: tmp_path)
    assert by_name(doctor.checks(), "Compiler").ok


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("coverage.py", "total = 1"),  # Numba asks this package for more, if it finds it
        ("coverage/__init__.py", "total = 1"),
        ("coverage.py", "total = 1 / 0"),
        ("coverage.py", "total = ("),
        ("numba.py", "total = 1"),
    ],
)
def test_a_file_that_is_taken_for_a_package_is_to_be_renamed(tmp_path, file, text):
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text(text)
    code = "from mctslab import doctor; print(doctor.Report([doctor._compiler()]))"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    name = file.split("/")[0]
    assert done.stdout.startswith("FAILS Compiler: ")
    assert f": Numba is given {tmp_path / name} in place of the package" in done.stdout
    assert f"-> Rename {name}, then start Python" in done.stdout


def test_a_numba_that_is_broken_itself_is_no_file_to_rename(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    check = by_name(doctor.checks(), "Compiler")
    assert "Numba cannot be loaded: ModuleNotFoundError" in check.detail
    assert "Rename" not in check.remedy


def test_a_pytorch_that_does_not_load_is_found(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    assert "does not load" in by_name(doctor.checks(), "PyTorch").detail


def test_a_full_disk_is_found(monkeypatch):
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _: SimpleNamespace(free=5_000_000))
    assert by_name(doctor.checks(), "Disk").remedy


def test_an_old_python_is_found(monkeypatch):
    monkeypatch.setattr(doctor.platform, "python_version", lambda: "3.10.4")
    assert ">=3.11" in by_name(doctor.checks(), "Python").remedy


# How it is shown

GOOD = Check("Disk", True, "9 GB free")
BAD = Check("Packages", False, "numpy <2 & missing", "Install it.")
LATER = Check("PyTorch", False, "torch is missing", "Install it.", needed_now=False)


def test_only_what_is_needed_now_makes_a_report_fail():
    assert Report([GOOD, LATER]).ok
    assert not Report([GOOD, BAD]).ok


def test_as_text_each_failure_is_followed_by_its_remedy():
    lines = str(Report([GOOD, BAD, LATER])).splitlines()
    assert lines[0] == "ok    Disk: 9 GB free"
    assert lines[1:3] == ["FAILS Packages: numpy <2 & missing", "      -> Install it."]
    assert lines[3].startswith("later PyTorch")
    assert lines[-1].startswith("1 of 3 checks failed")


class Cells(HTMLParser):
    """The rows of a table, as texts; complains of a tag that is not closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[str] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append("")
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "tr" in self.open:
            self.rows[-1] += data + " "


def test_in_a_notebook_it_is_a_table_with_the_same_words():
    rows = Cells(Report([GOOD, BAD, LATER])._repr_html_()).rows
    assert rows == [
        "Check Found ",
        "✓ ok Disk 9 GB free ",
        "✗ fails Packages numpy <2 & missing → Install it. ",
        "– later PyTorch torch is missing → Install it. ",
    ]


@pytest.mark.parametrize(("checks", "status"), [([GOOD, LATER], 0), ([BAD], 1)])
def test_the_command_ends_with_1_when_something_fails(monkeypatch, capsys, checks, status):
    monkeypatch.setattr(doctor, "checks", lambda: checks)
    assert doctor.run(SimpleNamespace()) == status
    assert capsys.readouterr().out.startswith("ok" if status == 0 else "FAILS")


def test_the_nets_are_named_without_what_lies_beside_them(monkeypatch, tmp_path):
    weights = tmp_path / "mctslab" / "net" / "weights"
    weights.mkdir(parents=True)
    for name in ("six_2.safetensors", "six_1.safetensors", "six_1.jsonl", "six_1.toml"):
        (weights / name).touch()
    monkeypatch.setattr(doctor, "PROJECT", tmp_path)
    assert doctor._nets().detail == "six_1, six_2"
    for file in weights.iterdir():
        file.unlink()
    assert doctor._nets().detail == "none come with this version"
