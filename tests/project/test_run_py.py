"""run.py: real environments where they are cheap; pip, and what can go wrong, made by hand."""

import ast
import errno
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from jupyterlab.commands import get_app_dir

PROJECT = Path(__file__).resolve().parents[2]

PRELUDE = """
import sys, time
from pathlib import Path
import run

run.make_environment = lambda: run.run_quietly(
    [sys.executable, "-m", "venv", "--without-pip", run.VENV]
)
run.install_torch = lambda lock: None
def install_project(lock, *, test_tools):
    with open("installs", "a") as file:
        file.write("test" if test_tools else "lab")
    while HELD and not Path("go on").exists():
        time.sleep(0.02)
run.install_project = install_project
sys.exit(run.main(sys.argv[1:]))
"""
"""run.py in a process of its own. Its installation installs nothing and, where it is HELD, takes
until there is a file "go on"."""


COMPILER = """
import pathlib, sys
with open("compiled", "a") as file:
    file.write(" ".join(sys.argv[1:]) + ";")
print("Small Game is ready (0.0 s)")
sys.exit(pathlib.Path("broken").exists())
"""
"""The small project's `python -m mctslab`: it fails where there is a file "broken"."""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small project with a copy of run.py; no package is ever installed into it."""
    monkeypatch.delenv("PYTHONPATH", raising=False)  # it could lead to the real mctslab
    shutil.copy(PROJECT / "run.py", tmp_path)
    for room in ("fast", "games"):
        (tmp_path / "mctslab" / room).mkdir(parents=True)
        (tmp_path / "mctslab" / room / "one.py").write_text("ONE = 1\n")
    (tmp_path / "mctslab" / "__main__.py").write_text(COMPILER)
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "small"\nversion = "1"\n')
    (tmp_path / "requirements.lock").write_text("torch==2.13.0\n")
    return tmp_path


@pytest.fixture
def run(project: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The copy of run.py as a module; its pip only takes notes, in `run.installed`.

    What is replaced here is kept in `run.real`.
    """
    spec = importlib.util.spec_from_file_location("run_of_a_small_project", project / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.installed = []
    module.real = SimpleNamespace(**vars(module))

    def make_environment() -> None:
        module.run_quietly([sys.executable, "-m", "venv", "--without-pip", module.VENV])

    def pip_install(words: list[str], lock: object) -> None:
        module.installed.append(words)

    monkeypatch.setattr(module, "make_environment", make_environment)
    monkeypatch.setattr(module, "pip_install", pip_install)
    monkeypatch.setattr(module, "answers", lambda address: False)
    monkeypatch.setattr(module.signal, "signal", lambda *_: None)
    return module


def start(project: Path, *words: str, held: bool = False) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PRELUDE.replace("HELD", str(held)), *words]
    return subprocess.Popen(
        command, cwd=project, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def wait_for(file: Path) -> None:
    while not file.exists():
        time.sleep(0.02)


# When the environment is made, and when it is left alone


def test_it_is_made_once(run):
    run.setup(test_tools=False)
    assert run.installed == [["torch"], ["--editable", str(run.PROJECT)]]
    assert run.venv_python().exists()

    run.installed.clear()
    run.setup(test_tools=False)
    assert run.installed == []


def test_the_test_tools_are_added_when_they_are_wanted_and_stay(run):
    run.setup(test_tools=False)
    run.installed.clear()

    run.setup(test_tools=True)
    assert run.installed[-1] == ["--editable", f"{run.PROJECT}[test]"]
    assert run.needed_work(test_tools=True) == "nothing"
    assert run.needed_work(test_tools=False) == "nothing"

    (run.PROJECT / "requirements.lock").write_text("torch==2.13.1\n")
    run.setup(test_tools=False)
    assert run.installed[-1] == ["--editable", f"{run.PROJECT}[test]"]


@pytest.mark.parametrize("file", ["pyproject.toml", "requirements.lock"])
def test_a_changed_dependency_is_installed_into_the_same_environment(run, file):
    run.setup(test_tools=False)
    kept = run.VENV / "kept"
    kept.touch()

    with open(run.PROJECT / file, "a") as opened:
        opened.write("# changed\n")
    assert run.needed_work(test_tools=False) == "update"
    run.setup(test_tools=False)

    assert kept.exists()
    assert run.needed_work(test_tools=False) == "nothing"


def test_line_ends_are_no_change(run):
    run.setup(test_tools=False)
    lock = run.PROJECT / "requirements.lock"
    lock.write_bytes(lock.read_bytes().replace(b"\n", b"\r\n"))
    assert run.needed_work(test_tools=False) == "nothing"


def test_a_failed_installation_is_started_again_from_nothing(run, monkeypatch):
    def fail(words, lock):
        (run.VENV / "half a package").touch()
        raise run.SetupError("pip failed")

    with monkeypatch.context() as patch:
        patch.setattr(run, "pip_install", fail)
        assert run.main(["setup"]) == 1
    assert run.needed_work(test_tools=False) == "remake"

    assert run.main(["setup"]) == 0
    assert not (run.VENV / "half a package").exists()
    assert run.needed_work(test_tools=False) == "nothing"


def test_a_failed_update_is_started_again_from_nothing(run, monkeypatch):
    run.setup(test_tools=False)
    monkeypatch.setattr(run, "dependency_hash", lambda: "another")

    def fail(words, lock):
        raise run.SetupError("pip failed")

    monkeypatch.setattr(run, "pip_install", fail)
    assert run.main(["setup"]) == 1
    assert run.needed_work(test_tools=False) == "remake"


def test_a_moved_project_gets_a_new_environment(run):
    run.setup(test_tools=False)
    stamp = json.loads(run.stamp_path().read_text())
    run.stamp_path().write_text(json.dumps(stamp | {"project": "elsewhere"}))
    assert run.needed_work(test_tools=False) == "remake"


def test_an_environment_whose_python_is_gone_is_made_anew(run):
    run.setup(test_tools=False)
    run.venv_python().unlink()
    assert run.needed_work(test_tools=False) == "remake"


def test_a_damaged_stamp_means_a_new_environment(run):
    run.setup(test_tools=False)
    run.stamp_path().write_text('{"finished": tr')
    assert run.needed_work(test_tools=False) == "remake"


def test_an_environment_that_is_not_ours_is_not_touched(run, capsys):
    theirs = run.VENV / "theirs"
    theirs.mkdir(parents=True)

    assert run.main(["lab"]) == 1
    assert "was not made by run.py" in capsys.readouterr().err
    assert theirs.exists()


def test_an_empty_folder_is_taken_for_none(run):
    run.VENV.mkdir()
    assert run.needed_work(test_tools=False) == "make"


# Stopped half-way, and two at once


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL; the stamp is the same there")
@pytest.mark.parametrize("blow", [signal.SIGTERM, getattr(signal, "SIGKILL", None)])
def test_a_set_up_that_was_killed_is_done_again(project, blow):
    first = start(project, "setup", held=True)
    wait_for(project / "installs")
    (project / ".venv" / "half a package").touch()
    first.send_signal(blow)
    first.communicate()

    second = start(project, "setup")
    output, _ = second.communicate()

    assert second.returncode == 0, output
    assert "starting it again" in output
    assert not (project / ".venv" / "half a package").exists()
    assert json.loads((project / ".venv/mctslab-setup.json").read_text())["finished"] is True


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot send Ctrl-C to one process alone")
def test_ctrl_c_is_answered_in_one_sentence(project):
    process = start(project, "setup", held=True)
    wait_for(project / "installs")
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate()

    assert process.returncode == 130
    assert output.splitlines()[-1] == "run.py: stopped; run the same command again to go on"
    assert "Traceback" not in output


@pytest.mark.skipif(os.name == "nt", reason="on Windows os.kill cannot ask whether one lives")
def test_a_step_does_not_outlive_an_interrupted_set_up(project):
    """What is interrupted while pip works stops pip; else two of them would write to .venv."""
    code = """
import os, run, sys
def interrupted(reader, lines):
    while not os.path.exists("started"):
        reader.join(0.02)
    raise KeyboardInterrupt
run.show_life = interrupted
run.run_quietly([sys.executable, "-c", '''
import os, time
open("pid", "w").write(str(os.getpid()))
os.replace("pid", "started")
time.sleep(600)
'''])
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=project, capture_output=True, text=True)

    assert "KeyboardInterrupt" in done.stderr
    with pytest.raises(ProcessLookupError):
        os.kill(int((project / "started").read_text()), 0)


def test_of_two_set_ups_at_once_the_second_waits_and_finds_nothing_to_do(project):
    first = start(project, "setup", held=True)
    wait_for(project / "installs")
    second = start(project, "setup")
    assert second.stdout is not None
    assert "another run.py is setting up" in second.stdout.readline()
    (project / "go on").touch()
    first.communicate()
    second.communicate()

    assert (first.returncode, second.returncode) == (0, 0)
    assert (project / "installs").read_text() == "lab"


# The fast search


def compilations(run: ModuleType) -> int:
    """How often the small project was compiled."""
    file = run.PROJECT / "compiled"
    words = file.read_text() if file.exists() else ""
    assert words == "compile;" * words.count(";")
    return words.count(";")


def test_the_search_is_compiled_as_the_last_step_and_only_once(run, capsys):
    assert run.main(["setup"]) == 0
    assert compilations(run) == 1
    steps = [line[len("run.py: ") :] for line in capsys.readouterr().out.splitlines()]
    assert [step[:3] for step in steps if step[1:3] == "/4"] == ["2/4", "3/4", "4/4"]

    assert run.main(["setup"]) == 0
    assert compilations(run) == 1


@pytest.mark.parametrize("room", ["fast", "games"])
def test_it_is_compiled_anew_where_its_sources_have_changed(run, monkeypatch, capsys, room):
    run.setup(test_tools=True)
    monkeypatch.setattr(run, "hand_over", lambda command, environment=None: 0)
    monkeypatch.chdir(run.PROJECT)
    (run.PROJECT / "mctslab" / room / "one.py").write_text("ONE = 2\n")
    assert run.main(["python", "-V"]) == 0
    assert run.main(["test"]) == 0
    assert compilations(run) == 1, "only who opens the notebooks waits for it"

    assert run.main(["lab"]) == 0
    assert compilations(run) == 2
    assert "the fast search has changed" in capsys.readouterr().out
    assert run.main(["lab"]) == 0
    assert compilations(run) == 2
    assert run.needed_work(test_tools=True) == "nothing", "what else was noted stays"


def test_after_an_update_of_the_dependencies_it_is_compiled_anew(run):
    run.setup(test_tools=False)
    (run.PROJECT / "requirements.lock").write_text("torch==2.13.0\nnumba==1.0\n")
    run.setup(test_tools=False)
    assert compilations(run) == 2


def test_a_search_that_cannot_be_compiled_is_told_and_stops_nothing(run, capsys):
    (run.PROJECT / "broken").touch()
    assert run.main(["setup"]) == 0
    output, errors = capsys.readouterr()
    assert "the first search in each game will take a few seconds longer" in output
    assert output.splitlines()[-1] == "run.py: everything is ready: python3 run.py lab"
    assert errors == ""
    assert "Small Game is ready" in (run.VENV / "setup.log").read_text("utf-8")
    assert run.needed_work(test_tools=False) == "nothing"

    assert run.main(["setup"]) == 0
    assert compilations(run) == 1, "it is not tried again for the same sources"


def test_a_set_up_that_is_stopped_while_it_compiles_keeps_its_environment(run, monkeypatch):
    def interrupted(lock):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(run, "compile_search", interrupted)
        assert run.main(["setup"]) == 130
    assert run.needed_work(test_tools=False) == "nothing"
    run.installed.clear()

    assert run.main(["setup"]) == 0
    assert run.installed == []
    assert compilations(run) == 1


# Words


@pytest.fixture
def handed_over(run, monkeypatch) -> list[list[str]]:
    """The commands that run.py would have become."""
    commands: list[list[str]] = []

    def hand_over(command, environment=None):
        commands.append([str(word) for word in command])
        return 7

    monkeypatch.setattr(run, "hand_over", hand_over)
    monkeypatch.setattr(run, "setup", lambda *, test_tools: None)
    monkeypatch.setattr(run, "compile_changed_search", lambda: None)
    monkeypatch.chdir(run.PROJECT)
    return commands


def test_the_tests_run_on_all_cores_and_the_words_of_test_go_to_pytest(run, handed_over):
    run.main(["test", "-k", "reversi", "--", "a b"])
    pytest_there = [str(run.venv_python()), "-m", "pytest", "-n", "logical"]
    assert handed_over == [[*pytest_there, "-k", "reversi", "--", "a b"]]


def test_the_quick_tests_leave_out_browsers_notebooks_and_slow_ones(run, handed_over):
    run.main(["test", "--quick", "-x"])
    selection = ["-m", "not slow", "--ignore=tests/browser", "--ignore=tests/notebooks"]
    pytest_there = [str(run.venv_python()), "-m", "pytest", "-n", "logical"]
    assert handed_over == [[*pytest_there, *selection, "-x"]]


def test_lab_opens_the_first_notebook(run, handed_over):
    assert run.main(["lab", "--no-browser", "--port=8890"]) == 7
    (command,) = handed_over
    assert command[1:3] == ["-m", "jupyterlab"]
    assert "--LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb" in command
    assert f"--ServerApp.root_dir={run.PROJECT}" in command
    assert command[-2:] == ["--no-browser", "--port=8890"]


def test_a_word_for_jupyter_takes_the_place_of_ours(run, handed_over):
    run.main(["lab", "--LabApp.default_url=/lab"])
    (command,) = handed_over
    assert [word for word in command if "default_url" in word] == ["--LabApp.default_url=/lab"]


def test_lab_asks_for_no_news(run, handed_over):
    run.main(["lab"])
    (file,) = run.VENV.rglob("overrides.json")
    application = Path(get_app_dir())
    assert (
        file.relative_to(run.VENV) == application.relative_to(sys.prefix) / "settings" / file.name
    )
    ((name, choices),) = json.loads(file.read_text()).items()
    package, _, plugin = name.partition(":")
    schema = json.loads((application / "schemas" / package / f"{plugin}.json").read_text())
    assert choices == {"fetchNews": "false"}
    known = schema["properties"]["fetchNews"]["oneOf"]
    assert "false" in [each["const"] for each in known]


@pytest.mark.skipif(os.name == "nt", reason="there is no root on Windows")
@pytest.mark.parametrize(("user", "allowed"), [(0, True), (1000, False)])
def test_only_root_is_told_to_be_allowed(run, handed_over, monkeypatch, user, allowed):
    monkeypatch.setattr(run.os, "geteuid", lambda: user)
    run.main(["lab"])
    assert ("--allow-root" in handed_over[0]) is allowed


def test_python_runs_in_the_environment_and_its_status_is_passed_on(project):
    assert start(project, "setup").wait() == 0
    code = "import sys; print(sys.prefix); sys.exit(3)"
    process = start(project, "python", "-c", code)
    output, _ = process.communicate()

    assert Path(output.strip()) == project / ".venv"
    assert process.returncode == 3


@pytest.mark.parametrize("words", [[], ["labb"], ["setup", "now"]])
def test_words_that_mean_nothing_are_answered_with_2(run, capsys, words):
    assert run.main(words) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_help_names_every_command(run, capsys):
    assert run.main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(f"  {command} " in text for command in run.COMMANDS)


# What can be missing


def failure(run: ModuleType, capsys: pytest.CaptureFixture[str]) -> str:
    """The one line with which `run.py setup` fails."""
    assert run.main(["setup"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    return line


@pytest.mark.parametrize("version", [(3, 6), (3, 10)])
def test_an_old_python_is_told_which_one_it_takes(version):
    """An old Python is played by this one; the next test is about what it could read at all."""
    code = f"import sys; sys.version_info = {version} + (0, 'final', 0); sys.argv = ['run.py']\n"
    code += "exec(compile(open('run.py').read(), 'run.py', 'exec'), {'__file__': 'run.py'})"
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True)

    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "needs Python 3.11 or newer" in line


def test_an_old_python_can_read_the_file():
    ast.parse((PROJECT / "run.py").read_text("utf-8"), feature_version=(3, 6))


def test_without_ensurepip_this_pythons_pip_fills_the_environment(run, monkeypatch):
    commands = []
    monkeypatch.setattr(run, "run_quietly", commands.append)
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "ensurepip" else find_spec(name)
    )
    run.real.make_environment()

    first, second = commands
    assert "--without-pip" in first
    assert second[1:4] == ["-m", "pip", "--python"]


def test_without_ensurepip_and_pip_it_says_what_to_install(run, monkeypatch, capsys):
    monkeypatch.setattr(run, "make_environment", run.real.make_environment)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert "sudo apt install python3-venv" in failure(run, capsys)


def test_too_little_disk_is_said_before_anything_is_done(run, monkeypatch, capsys):
    usage = SimpleNamespace(free=400_000_000)
    monkeypatch.setattr(run.shutil, "disk_usage", lambda path: usage)
    line = failure(run, capsys)

    assert "0.4 GB are free" in line
    assert not run.VENV.exists()


def test_a_disk_that_fills_up_is_named(run, monkeypatch, capsys):
    def full(**_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(run, "write_stamp", full)
    assert "the disk is full" in failure(run, capsys)


def fail_with(run: ModuleType, monkeypatch: pytest.MonkeyPatch, output: str) -> None:
    """Let the installation be a program that prints `output` and fails."""
    code = f"import sys; print({output!r}); sys.exit(1)"
    monkeypatch.setattr(
        run, "pip_install", lambda words, lock: run.run_quietly([sys.executable, "-c", code], lock)
    )


@pytest.mark.parametrize(
    ("output", "remedy"),
    [
        (
            "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError("
            "<urllib3.connection.HTTPSConnection object>: Failed to establish a new connection: "
            "[Errno -3] Temporary failure in name resolution')': /simple/torch/\n"
            "ERROR: Could not find a version that satisfies the requirement torch\n"
            "ERROR: No matching distribution found for torch",
            "the network was not reached",
        ),
        (
            "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on "
            "device",
            "the disk is full",
        ),
        (
            "SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate"
            " verify failed: self-signed certificate in certificate chain",
            "PIP_CERT",
        ),
        (
            "ERROR: Could not find a version that satisfies the requirement torch==2.13.0 (from"
            " versions: none)\nERROR: No matching distribution found for torch==2.13.0",
            "use Python 3.11 to 3.14",
        ),
        (
            "The conflict is caused by:\n    The user requested torch\n    The user requested"
            " (constraint) torch==2.13.0\nERROR: ResolutionImpossible: for help visit",
            "use Python 3.11 to 3.14",
        ),
        (
            "ERROR: Could not install packages due to an OSError: [WinError 5] Access is denied:"
            " 'C:\\\\mctslab\\\\.venv\\\\Lib\\\\site-packages\\\\zmq\\\\x.pyd'",
            "close every program that uses it",
        ),
        (
            "HINT: This error might have occurred since this system does not have Windows Long"
            " Path support enabled.",
            "move this folder somewhere short",
        ),
        ("Collecting x\nERROR: the moon is full.\n", "ERROR: the moon is full; the whole story"),
        ("no sign of why", "a step of the set-up failed; the whole story"),
    ],
)
def test_what_pip_fails_of_is_answered_with_a_remedy(run, monkeypatch, capsys, output, remedy):
    fail_with(run, monkeypatch, output)
    line = failure(run, capsys)

    assert remedy in line
    assert output.strip() in (run.VENV / "setup.log").read_text("utf-8")


def test_the_real_pip_without_a_network(project, monkeypatch):
    """A real environment, a real pip, and an index at a port where nobody listens."""
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "1")
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")
    for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_NO_INDEX"):
        monkeypatch.delenv(name, raising=False)
    command = [sys.executable, "run.py", "lab"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True)

    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "the network was not reached" in line, done.stdout


# PyTorch


@pytest.mark.parametrize("there", [True, False])
def test_on_linux_pytorchs_own_index_is_used_when_it_answers(run, monkeypatch, there):
    monkeypatch.setattr(run.sys, "platform", "linux")
    monkeypatch.setattr(run, "answers", lambda address: there)
    run.setup(test_tools=False)

    extra = ["--extra-index-url", run.PYTORCH_CPU_INDEX] if there else []
    assert run.installed[0] == ["torch", *extra]


def test_elsewhere_the_ordinary_build_is_small_and_the_index_is_not_asked(run, monkeypatch):
    monkeypatch.setattr(run.sys, "platform", "darwin")
    monkeypatch.setattr(run, "answers", lambda address: pytest.fail("asked"))
    run.setup(test_tools=False)
    assert run.installed[0] == ["torch"]


@pytest.mark.parametrize(
    ("version", "asked"), [("2.13.0+cpu", False), ("2.13.0", False), ("2.12.0", True)]
)
def test_a_right_pytorch_is_left_alone(run, monkeypatch, version, asked):
    monkeypatch.setattr(run, "installed_version", lambda package: version)
    run.setup(test_tools=False)
    assert any("torch" in words for words in run.installed) is asked


def test_an_address_that_does_not_answer_is_no_error(run):
    assert run.real.answers("http://127.0.0.1:9/", seconds=1) is False


# Progress


class TwoSteps:
    """Stands in for the thread that reads what pip prints: alive twice, then done."""

    def __init__(self) -> None:
        self.alive = [True, True, False]

    def join(self, seconds: float) -> None:
        pass

    def is_alive(self) -> bool:
        return self.alive.pop(0)


@pytest.mark.parametrize(
    ("terminal", "shown"), [(True, "\r     0 s  Collecting numpy"), (False, "     0 s  Coll")]
)
def test_a_long_step_says_what_it_does(run, monkeypatch, capsys, terminal, shown):
    monkeypatch.setattr(run.sys.stdout, "isatty", lambda: terminal)
    monkeypatch.setattr(run.time, "monotonic", lambda: 0.0)
    run.show_life(TwoSteps(), ["Collecting numpy\n"])
    assert capsys.readouterr().out.count(shown) == 2


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("  Downloading numpy-2.4.6.whl (17 MB)\n", "Downloading numpy-2.4.6.whl (17 MB)"),
        ("Installing collected packages: zipp, attrs, wheel\n", "Installing 3 packages"),
        ("Requirement already satisfied: numpy in somewhere\n", ""),
        ("Reversi is ready (6.9 s)\n", "Reversi is ready (6.9 s)"),
    ],
)
def test_a_line_of_pips_is_shortened(run, line, shown):
    assert run.summary(line) == shown
