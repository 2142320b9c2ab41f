#!/usr/bin/env python3
"""Set mctslab up and run it, with nothing but Python 3.11 or newer.

usage: python3 run.py COMMAND [words for the program that it starts]

  lab      open JupyterLab at notebooks/00_start_here.ipynb
           run.py lab --no-browser --port=8890        (further words go to JupyterLab)
  test     run the tests, on all cores at once
           run.py test -k reversi                     (further words go to pytest)
           run.py test --quick                        (those that take under two minutes)
  python   run Python where mctslab is installed
           run.py python -m mctslab doctor
  setup    only make the environment ready
  --help   show this text

The environment is made once, in the folder .venv, and brought up to date when the
dependencies change; `lab` and `setup` also compile the fast search anew when it has
changed. The set-up writes outside this folder only to pip's cache of downloads. If it
is stopped half-way, run the same command again. To be rid of everything, delete .venv.
"""

# This file is kept readable for Python 3.6, so that an old Python can say that it is too old.
# Everything below the check may use Python 3.11.
import contextlib
import hashlib
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

if sys.version_info < (3, 11):
    sys.exit(
        "run.py: this is Python {}.{}, and mctslab needs Python 3.11 or newer: install one, then "
        "start run.py with it, for example: python3.12 run.py lab".format(*sys.version_info[:2])
    )

from collections.abc import Iterator, Sequence
from typing import IO, Any

PROJECT = Path(__file__).resolve().parent
VENV = PROJECT / ".venv"
LOCK = "requirements.lock"
NEWEST_TESTED = (3, 14)
DISK_NEEDED = 3_000_000_000
"""Bytes that must be free before a set-up starts: the environment, and the downloads beside it."""

PYTORCH_CPU_INDEX = "https://download.pytorch.org/whl/cpu"
"""Where PyTorch publishes its builds without CUDA for Linux, as its install page says."""

REMEDIES = (
    # What pip or the operating system says, and the one sentence that helps.
    (
        r"No space left on device|not enough space on the disk|Errno 28\b|Disk quota exceeded",
        "the disk is full: free about 3 GB where this folder lies (or where temporary files go), "
        "then run the same command again",
    ),
    (
        r"CERTIFICATE_VERIFY_FAILED|SSLError",
        "the secure connection was refused: set the clock right, or, behind a company's or "
        "school's proxy, name its certificate with PIP_CERT=FILE, then run the same command again",
    ),
    (
        r"NewConnectionError|NameResolutionError|name resolution|Network is unreachable|"
        r"ConnectTimeoutError|ReadTimeoutError|Read timed out|ProxyError|Connection refused|"
        r"Connection reset|ProtocolError|getaddrinfo failed",
        "the network was not reached: connect this computer (or set HTTPS_PROXY), then run the "
        "same command again; what was downloaded is kept",
    ),
    (
        r"Windows Long Path support|WinError 206",
        "the paths grow too long for Windows: move this folder somewhere short, such as "
        "C:\\mctslab, then run the same command again",
    ),
    (
        r"No matching distribution found|ResolutionImpossible|is not a supported wheel|"
        r"requires a different Python",
        "a package that mctslab needs is not published for this Python or this kind of machine: "
        "use Python 3.11 to {}.{}, or conda (see README.md)".format(*NEWEST_TESTED),
    ),
    (
        r"Permission denied|Access is denied|WinError 5\b|WinError 32\b|Errno 13\b",
        "a file in .venv may not be written: close every program that uses it (JupyterLab, an "
        "editor), see to it that this folder is yours, then run the same command again",
    ),
)


class SetupError(Exception):
    """Something is missing; the message is one sentence that says what to do about it."""


def say(text: str) -> None:
    print("run.py:", text, flush=True)


# The environment: where it is, and what state it is in


def venv_python() -> Path:
    """The Python of the environment, whether it exists yet or not."""
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def dependency_hash() -> str:
    """A digest of the files that say what is installed."""
    return digest_of([PROJECT / "pyproject.toml", PROJECT / LOCK])


def search_hash() -> str:
    """A digest of what the compiled search is made from: its own files and the games' rules."""
    package = PROJECT / "mctslab"
    return digest_of(sorted([*package.glob("fast/**/*.py"), *package.glob("games/*.py")]))


def digest_of(files: Sequence[Path]) -> str:
    """A digest of what stands in files; line ends do not count."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes().replace(b"\r\n", b"\n"))
        digest.update(b"\0")
    return digest.hexdigest()


def stamp_path() -> Path:
    return VENV / "mctslab-setup.json"


def log_path() -> Path:
    return VENV / "setup.log"


def read_stamp() -> dict[str, Any]:
    """What the last set-up wrote; {} where there is nothing that can be read."""
    try:
        stamp = json.loads(stamp_path().read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def write_stamp(*, finished: bool, test_tools: bool, compiled: str = "") -> None:
    """Note the state of the environment, and of the search compiled in it; whole or not at all."""
    stamp = {
        "finished": finished,
        "test_tools": test_tools,
        "compiled": compiled,
        "dependencies": dependency_hash(),
        "project": str(PROJECT),
    }
    beside = stamp_path().with_suffix(".new")
    beside.write_text(json.dumps(stamp, indent=2) + "\n", "utf-8")
    os.replace(beside, stamp_path())


def python_works() -> bool:
    """Whether the environment's Python starts; it does not once its base Python is uninstalled."""
    try:
        return subprocess.run([venv_python(), "-c", ""], capture_output=True).returncode == 0
    except OSError:
        return False


def needed_work(*, test_tools: bool) -> str:
    """What stands between the environment as it is and as it should be.

    "nothing"; "update" (install what changed); "make" (there is none yet); "remake" (the one that
    is there was left unfinished, was moved, or lost its Python).
    """
    if not VENV.exists() or (VENV.is_dir() and not any(VENV.iterdir())):
        return "make"
    stamp = read_stamp()
    if not stamp and not stamp_path().exists():
        raise SetupError(
            f"the folder {VENV} was not made by run.py: move it away or delete it, then run the "
            "same command again"
        )
    if not stamp.get("finished") or stamp.get("project") != str(PROJECT) or not python_works():
        return "remake"
    if stamp.get("dependencies") != dependency_hash() or (
        test_tools and not stamp.get("test_tools")
    ):
        return "update"
    return "nothing"


# The set-up


def setup(*, test_tools: bool) -> None:
    """Make the environment ready, if it is not; a second run.py waits meanwhile."""
    if needed_work(test_tools=test_tools) == "nothing":
        return
    with only_one_setup() as lock:
        work = needed_work(test_tools=test_tools)  # the other one may have done it by now
        if work == "nothing":
            return
        require_disk_space()
        if sys.version_info[:2] > NEWEST_TESTED:
            say("this Python is newer than those tested (3.11 to {}.{})".format(*NEWEST_TESTED))
        test_tools = test_tools or bool(read_stamp().get("test_tools"))
        started = time.monotonic()
        if work == "update":
            say("bringing .venv up to date with the dependencies; this takes seconds to minutes")
        else:
            if work == "remake":
                remove_environment()
            say("setting up in .venv, once: this downloads about 0.5 GB and takes 2 to 10 minutes")
            VENV.mkdir(exist_ok=True)
        # From here to the last line the environment counts as unfinished.
        write_stamp(finished=False, test_tools=test_tools)
        if work != "update":
            make_environment()
        install_torch(lock)
        install_project(lock, test_tools=test_tools)
        # What comes now can be done without: stopped here, the environment is whole all the same.
        write_stamp(finished=True, test_tools=test_tools)
        say("4/4 compiling the fast search")
        compile_search(lock)
        say(f"ready after {time.monotonic() - started:.0f} s")


@contextlib.contextmanager
def only_one_setup() -> Iterator[IO[str]]:
    """Hold the lock of this folder's set-up; the operating system frees it if we are killed.

    A pip that we start inherits it. If run.py is killed and its pip lives on for a moment, the
    next run.py waits for that pip, too.
    """
    with open(PROJECT / ".venv.lock", "a") as file:
        if not try_lock(file):
            say("another run.py is setting up in this folder; waiting for it")
            while not try_lock(file):
                time.sleep(0.5)
        yield file


def try_lock(file: IO[str]) -> bool:
    """Take the lock on an open file if nobody has it; True when we have it now."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True  # a network drive without locks: better without one than not at all
    return True


def require_disk_space() -> None:
    free = shutil.disk_usage(PROJECT).free
    if free < DISK_NEEDED:
        raise SetupError(
            f"only {free / 1e9:.1f} GB are free here and the set-up needs about "
            f"{DISK_NEEDED / 1e9:.0f} GB: free some space, then run the same command again"
        )


def remove_environment() -> None:
    """Delete an environment of ours; the stamp goes last, so that it stays known as ours."""
    if Path(sys.prefix).resolve() == VENV.resolve():
        raise SetupError(
            "this Python is part of .venv, which has to be made anew: leave it with `deactivate`, "
            "then run the same command again"
        )
    say("the last set-up was not finished or no longer fits: starting it again")
    for entry in VENV.iterdir():
        if entry == stamp_path():
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
    stamp_path().unlink(missing_ok=True)


def make_environment() -> None:
    """Make .venv with pip in it, also on a Debian that has no python3-venv."""
    say("1/4 making the environment")
    if importlib.util.find_spec("ensurepip"):
        run_quietly([sys.executable, "-m", "venv", VENV])
        return
    if not importlib.util.find_spec("pip"):
        raise SetupError(
            "this Python cannot install packages: install its venv module (on Debian and Ubuntu: "
            "sudo apt install python3-venv), then run the same command again"
        )
    run_quietly([sys.executable, "-m", "venv", "--without-pip", VENV])
    run_quietly([sys.executable, "-m", "pip", "--python", venv_python(), "install", "pip"])


def install_torch(lock: IO[str]) -> None:
    """Install PyTorch: on Linux its build for CPUs, where that can be had."""
    locked = re.search(r"^torch==(\S+)", (PROJECT / LOCK).read_text("utf-8"), re.MULTILINE)
    if locked and installed_version("torch").partition("+")[0] == locked[1]:
        return
    say("2/4 PyTorch")
    words = ["torch"]
    if sys.platform == "linux":
        if answers(f"{PYTORCH_CPU_INDEX}/torch/"):
            words += ["--extra-index-url", PYTORCH_CPU_INDEX]
        else:
            say(
                "PyTorch's own index of small builds did not answer: going on without it; where "
                "pip has no small build at hand this takes several GB"
            )
    pip_install(words, lock)


def installed_version(package: str) -> str:
    """The version of a package in the environment; empty where it has none."""
    code = f"from importlib.metadata import version; print(version({package!r}))"
    answer = subprocess.run([venv_python(), "-c", code], capture_output=True, text=True)
    return answer.stdout.strip()


def answers(address: str, seconds: float = 5.0) -> bool:
    """Whether a web address answers within that time."""
    try:
        with urllib.request.urlopen(address, timeout=seconds):
            return True
    except (OSError, ValueError):
        return False


def install_project(lock: IO[str], *, test_tools: bool) -> None:
    """Install everything else, and mctslab itself so that its sources here are what runs."""
    say("3/4 JupyterLab, the other packages" + (" and the test tools" if test_tools else ""))
    pip_install(["--editable", f"{PROJECT}[test]" if test_tools else str(PROJECT)], lock)


def pip_install(words: Sequence[str], lock: IO[str]) -> None:
    """Let the environment's pip install, at the exact versions of the lock, and show its progress.

    The lock is a list of constraints: it says which versions, and `words` say which packages.
    """
    pip: list[str | Path] = [venv_python(), "-m", "pip", "install", "--disable-pip-version-check"]
    run_quietly([*pip, "--no-input", "--constraint", PROJECT / LOCK, *words], lock)


def compile_changed_search() -> None:
    """Compile the fast search anew where its sources changed since, as by a `git pull`."""
    if read_stamp().get("compiled") == search_hash():
        return
    with only_one_setup() as lock:
        if read_stamp().get("compiled") != search_hash():
            say("the fast search has changed: compiling it anew; this takes up to a minute")
            compile_search(lock)


def compile_search(lock: IO[str]) -> None:
    """Compile the fast search ahead of its first use. Without that it compiles itself when used."""
    sources = search_hash()
    try:
        run_quietly([venv_python(), "-m", "mctslab", "compile"], lock)
    except (SetupError, OSError):
        say(
            "the fast search could not be compiled ahead, so the first search in each game will "
            f"take a few seconds longer; the whole story is in {log_path()}"
        )
    # Noted also when it failed: what fails once would keep everyone waiting at every start.
    test_tools = bool(read_stamp().get("test_tools"))
    write_stamp(finished=True, test_tools=test_tools, compiled=sources)


# Running other programs


def run_quietly(command: Sequence[str | Path], lock: IO[str] | None = None) -> None:
    """Run a step of the set-up: its output goes to a log, a sign of life to the screen.

    Raises SetupError, with the remedy where we know one, when the step fails.
    """
    heirs = (lock.fileno(),) if lock is not None and os.name == "posix" else ()
    environment = {**os.environ, "PIP_USER": "0", "PYTHONIOENCODING": "utf-8"}
    process = subprocess.Popen(
        command,
        cwd=PROJECT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        pass_fds=heirs,
    )
    lines: list[str] = []
    try:
        reader = threading.Thread(target=collect_lines, args=(process, lines), daemon=True)
        reader.start()
        show_life(reader, lines)
        process.wait()
    finally:
        if process.poll() is None:  # we were interrupted: take it along
            process.terminate()
            process.wait()
    output = "".join(lines)
    with contextlib.suppress(OSError), open(log_path(), "a", encoding="utf-8") as log:
        log.write(output)
    if process.returncode != 0:
        raise SetupError(remedy(output) or last_error(output))


def collect_lines(process: subprocess.Popen[str], lines: list[str]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.append(line)


def show_life(reader: threading.Thread, lines: list[str]) -> None:
    """While a step is at work, say how long it has been and what it does.

    On a terminal one line is written over each second; elsewhere a line is added every 20 s.
    """
    overwrite = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns - 1
    pause = 1 if overwrite else 20
    started = time.monotonic()
    reader.join(pause)
    while reader.is_alive():
        text = f"  {time.monotonic() - started:4.0f} s  {summary(lines[-1] if lines else '')}"
        if overwrite:
            print(f"\r{text[:width]:<{width}}", end="", flush=True)
        else:
            print(text.rstrip(), flush=True)
        reader.join(pause)
    if overwrite:
        print("\r" + " " * width + "\r", end="", flush=True)


def summary(line: str) -> str:
    """A line of pip's or of the compiler's, without what only fills the screen.

    >>> summary("  Downloading numpy-2.4.6-cp311-cp311-win_amd64.whl (17 MB)")
    'Downloading numpy-2.4.6-cp311-cp311-win_amd64.whl (17 MB)'
    >>> summary("Installing collected packages: zipp, attrs, wheel")
    'Installing 3 packages'
    >>> summary("Reversi is ready (6.9 s)")
    'Reversi is ready (6.9 s)'
    """
    line = line.strip()
    if line.startswith("Installing collected packages:"):
        return f"Installing {line.count(',') + 1} packages"
    if line.startswith(("Collecting", "Downloading", "Processing", "Building", "Using cached")):
        return line
    return line if " is ready (" in line else ""


def remedy(text: str) -> str | None:
    """The sentence that helps against a problem that we know, from what a program said of it."""
    for pattern, sentence in REMEDIES:
        if re.search(pattern, text):
            return sentence
    return None


def last_error(output: str) -> str:
    """What to say of a problem that we do not know."""
    errors = [line.strip() for line in output.splitlines() if line.lower().startswith("error")]
    last = errors[-1].rstrip(".") if errors else "a step of the set-up failed"
    return f"{last}; the whole story is in {log_path()}"


def hand_over(command: Sequence[str | Path], environment: dict[str, str] | None = None) -> int:
    """Become another program (or, on Windows, wait for it); returns its exit status."""
    environment = {**os.environ, **(environment or {})}
    sys.stdout.flush()
    if os.name == "posix":
        os.execve(command[0], [str(word) for word in command], environment)
    with contextlib.suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the program that we started
    return subprocess.call(command, env=environment)


# The commands


def lab(words: Sequence[str]) -> int:
    setup(test_tools=False)
    compile_changed_search()
    turn_news_off()
    options = [
        f"--ServerApp.root_dir={PROJECT}",
        "--LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb",
    ]
    given = {word.partition("=")[0] for word in words}
    options = [option for option in options if option.partition("=")[0] not in given]
    if sys.platform != "win32" and os.geteuid() == 0 and "--allow-root" not in given:
        options.append("--allow-root")  # a container; JupyterLab would refuse to start
    say("starting JupyterLab; press Ctrl-C here to stop it")
    # Kernels come from .venv, also where the user has a kernel of the same name elsewhere.
    environment = {"JUPYTER_PREFER_ENV_PATH": "1"}
    return hand_over([venv_python(), "-m", "jupyterlab", *options, *words], environment)


def turn_news_off() -> None:
    """JupyterLab asks the internet nothing, and the reader no question; their own choice counts."""
    choices = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}}
    file = VENV / "share" / "jupyter" / "lab" / "settings" / "overrides.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(choices), encoding="utf-8")


def test(words: Sequence[str]) -> int:
    setup(test_tools=True)
    os.chdir(PROJECT)
    options = ["-n", "logical"]  # all cores; a later -n of the user's counts instead
    if "--quick" in words:
        options += ["-m", "not slow", "--ignore=tests/browser", "--ignore=tests/notebooks"]
    words = [word for word in words if word != "--quick"]
    return hand_over([venv_python(), "-m", "pytest", *options, *words])


def python(words: Sequence[str]) -> int:
    setup(test_tools=False)
    return hand_over([venv_python(), *words])


def only_setup(words: Sequence[str]) -> int:
    if words:
        print(f"run.py: setup takes no further words, unlike {words[0]!r}", file=sys.stderr)
        return 2
    setup(test_tools=False)
    compile_changed_search()
    say("everything is ready: python3 run.py lab")
    return 0


COMMANDS = {"lab": lab, "test": test, "python": python, "setup": only_setup}


def main(words: Sequence[str]) -> int:
    if words and words[0] in ("-h", "--help", "help"):
        print(__doc__.strip())
        return 0
    if not words or words[0] not in COMMANDS:
        problem = f"there is no command {words[0]!r}" if words else "a command is missing"
        choice = ", ".join(COMMANDS)
        print(f"run.py: {problem}; choose one of {choice}, or --help", file=sys.stderr)
        return 2
    with contextlib.suppress(ValueError):  # only the main thread may do this
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        return COMMANDS[words[0]](words[1:])
    except SetupError as error:
        problem = str(error)
    except KeyboardInterrupt:
        print("\nrun.py: stopped; run the same command again to go on", file=sys.stderr)
        return 130
    except OSError as error:
        problem = remedy(str(error)) or str(error)
    print("run.py:", problem, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
