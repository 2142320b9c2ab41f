"""run.py: real environments where they are cheap; installers, and what can go wrong, by hand."""

import ast
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

PROJECT = Path(__file__).resolve().parents[2]

PRELUDE = """
import sys, time
from pathlib import Path
import run

run.pytorch_index = lambda: ()
run.shutil.which = lambda name: None
run.importlib.util.find_spec = lambda name: True
step = run.run_step
run.run_step = lambda *command: step(sys.executable, "-m", "venv", "--without-pip", run.VENV)
def install(*arguments):
    with open("installs", "a") as file:
        file.write("x")
    while HELD:
        time.sleep(0.02)
run.install = install
sys.exit(run.main(sys.argv[1:]))
"""
"""run.py in a process of its own. Its installation installs nothing and, where it is HELD, does not
end by itself."""

COMPILER = """
import pathlib, sys
with open("compiled", "a") as file:
    file.write(" ".join(sys.argv[1:]) + ";")
sys.exit(pathlib.Path("broken").exists())
"""
"""The small project's `python -m mctslab`: it fails where there is a file "broken"."""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small project with a copy of run.py; no package is ever installed into it."""
    monkeypatch.delenv("PYTHONPATH", raising=False)  # it could lead to the real mctslab
    monkeypatch.chdir(tmp_path)
    shutil.copy(PROJECT / "run.py", tmp_path)
    (tmp_path / "mctslab").mkdir()
    (tmp_path / "mctslab" / "__main__.py").write_text(COMPILER)
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "small"\nversion = "1"\n')
    (tmp_path / "requirements.lock").write_text("torch==2.13.0\n")
    return tmp_path


@pytest.fixture
def run(project: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The copy of run.py as a module. It finds no uv, its steps only note their commands, in
    `run.steps`, but for the environments, which have no pip. No address answers.
    """
    spec: Any = importlib.util.spec_from_file_location("run_of_a_small_project", project / "run.py")
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.steps = []

    def run_step(*command: str | Path) -> None:
        if "venv" in command:
            subprocess.run([sys.executable, "-m", "venv", "--without-pip", module.VENV], check=True)
        else:
            module.steps.append([str(word) for word in command])

    monkeypatch.setattr(module, "run_step", run_step)
    monkeypatch.setattr(module.shutil, "which", lambda name: None)
    monkeypatch.setattr(module, "PYTORCH_CPU_INDEX", "http://127.0.0.1:9")
    monkeypatch.setattr(module.signal, "signal", lambda *_: None)
    return module


def start(project: Path, *words: str, held: bool = False) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PRELUDE.replace("HELD", str(held)), *words]
    return subprocess.Popen(
        command, cwd=project, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def wait_for(file: Path) -> str:
    """What is in a file, as soon as something is."""
    while not file.exists() or not (content := file.read_text()):
        time.sleep(0.02)
    return content


def edit(file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text((file.read_text() if file.exists() else "") + "# changed\n")


def installed(run: Any, command: str) -> list[str]:
    """What a command installs."""
    run.steps.clear()
    assert run.main([command]) == 0
    return [step[-1] for step in run.steps]


def test_it_is_brought_up_to_date_and_compiled_as_far_as_that_is_needed(run, monkeypatch, capsys):
    monkeypatch.setattr(run, "become", lambda *command: 0)
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "0")
    compiler, kept = run.PROJECT / "compiled", run.VENV / "kept"
    everything = ["torch", str(run.PROJECT)]
    assert installed(run, "setup") == everything
    assert compiler.read_text() == "compile;"
    kept.touch()
    assert installed(run, "setup") == []
    lock = run.PROJECT / "requirements.lock"
    lock.write_bytes(lock.read_bytes().replace(b"\n", b"\r\n"))
    assert installed(run, "python") == [], "line ends do not count"
    assert installed(run, "test") == ["torch", f"{run.PROJECT}[test]"]
    assert installed(run, "site") == [], "the tests need more"
    edit(run.PROJECT / "pyproject.toml")
    assert installed(run, "python") == everything
    assert compiler.read_text() == "compile;"
    edit(run.PROJECT / "mctslab/games/one.py")
    edit(run.PROJECT / "broken")
    assert installed(run, "setup") == []
    assert compiler.read_text() == "compile;compile;"
    assert "the first search in each game takes longer" in capsys.readouterr().out
    assert kept.exists()
    run.PYTHON.unlink()
    assert installed(run, "setup") == everything
    assert not kept.exists()


def test_an_environment_that_is_not_ours_is_not_touched(run, capsys):
    run.VENV.mkdir()
    run.main(["setup"])
    assert run.is_ready(""), "an empty folder is nobody's"
    run.STAMP.unlink()

    assert run.main(["lab"]) == 1
    assert "was not made by run.py" in capsys.readouterr().err
    assert run.PYTHON.exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL; the stamp is the same there")
@pytest.mark.parametrize("name", ["SIGKILL", "SIGINT"])
def test_a_set_up_that_was_stopped_is_done_again(project, name):
    first = start(project, "setup", held=True)
    wait_for(project / "installs")
    (project / ".venv" / "half a package").touch()
    first.send_signal(getattr(signal, name))
    output, _ = first.communicate()
    if name == "SIGINT":
        assert first.returncode == 130
        assert output.splitlines()[-1] == "run.py: stopped; run the same command again to continue"
    assert "Traceback" not in output

    second = start(project, "setup")
    output, _ = second.communicate()
    assert second.returncode == 0, output
    assert not (project / ".venv" / "half a package").exists()


# Words


@pytest.fixture
def became(run, monkeypatch) -> list[list[str]]:
    """The commands that run.py would have become."""
    commands: list[list[str]] = []

    def become(*command):
        commands.append([str(word) for word in command])
        return 7

    monkeypatch.setattr(run, "become", become)
    monkeypatch.setattr(run, "setup", lambda extra="": None)
    monkeypatch.setattr(run, "compile_search", lambda: None)
    return commands


def test_lab_opens_the_repository_s_notebooks_with_the_users_words(run, became):
    assert run.main(["lab", "--no-browser", "--port=8890"]) == 7
    assert became[0][1:] == ["-m", "mctslab.lab", str(run.PROJECT), "--no-browser", "--port=8890"]


def test_python_runs_in_the_environment_and_its_status_is_passed_on(project):
    assert start(project, "setup").wait() == 0
    process = start(project, "python", "-c", "import sys; print(sys.prefix); sys.exit(3)")
    output, _ = process.communicate()
    assert Path(output.strip()) == project / ".venv"
    assert process.returncode == 3


def test_words_that_mean_nothing_are_named_in_one_line_and_help_names_every_command(run, capsys):
    for words, problem in (([], "missing"), (["labb"], "'labb'"), (["setup", "now"], "'now'")):
        assert run.main(words) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert problem in line
    assert run.main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(f"  {command} " in text for command in run.COMMANDS)


# What can be missing


def failure(run: Any, capsys: pytest.CaptureFixture[str]) -> str:
    """The one line with which `run.py setup` fails."""
    assert run.main(["setup"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    return line


@pytest.mark.parametrize("minor", [10, 15])
def test_a_python_that_does_not_fit_can_read_the_file_and_is_told_which_ones_do(minor):
    ast.parse((PROJECT / "run.py").read_text("utf-8"), feature_version=(3, 6))
    code = f"import sys; sys.version_info = (3, {minor}, 0, 'final', 0); sys.argv = ['run.py']\n"
    code += "exec(compile(open('run.py').read(), 'run.py', 'exec'), {'__file__': 'run.py'})"
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert f"this is Python 3.{minor}, and mctslab needs Python 3.11 to 3.14" in line
    about = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    assert about["requires-python"] == ">=3.11,<3.15"


def test_without_ensurepip_this_pythons_pip_fills_the_environment(run, monkeypatch, capsys):
    commands = []
    monkeypatch.setattr(run, "run_step", lambda *command: commands.append(command))
    monkeypatch.setattr(run.importlib.util, "find_spec", lambda name: name == "pip")
    run.make_environment()
    first, second = commands
    assert "--without-pip" in first
    assert second[1:4] == ("-m", "pip", "--python")

    monkeypatch.setattr(run.importlib.util, "find_spec", lambda name: None)
    assert "sudo apt install python3-venv" in failure(run, capsys)


def test_too_little_disk_is_said_before_anything_is_done(run, monkeypatch, capsys):
    usage = SimpleNamespace(free=400_000_000)
    monkeypatch.setattr(run.shutil, "disk_usage", lambda path: usage)
    assert "0.4 GB are free" in failure(run, capsys)
    assert not run.VENV.exists()
