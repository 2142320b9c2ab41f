#!/usr/bin/env python3
"""Set mctslab up and run it, with nothing but Python 3.11 to 3.14.

usage: python3 run.py COMMAND [arguments for the program that it starts]

  lab      open JupyterLab at notebooks/00_start_here.ipynb
           run.py lab --no-browser --port=8890        (arguments go to JupyterLab)
  test     run the tests, on all cores at once
           run.py test -k reversi                     (arguments go to pytest)
           run.py test --all                          (also those that take long)
  site     build the course as a website, to be read without Python
           run.py site --out build/site               (arguments go to docs/site/build.py)
  python   run Python where mctslab is installed
           run.py python -m mctslab doctor
  setup    only set up the environment

The environment is the folder .venv, made once, by uv if it is installed and otherwise by venv and
pip, and brought up to date when the dependencies change. If the set-up is stopped half-way, run the
same command again. To start afresh, delete .venv.
"""

# This file can be parsed by Python 3.6, so that an old Python can say that it is too old.
import hashlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

if not (3, 11) <= sys.version_info[:2] < (3, 15):
    sys.exit(
        "run.py: this is Python {}.{}, and mctslab needs Python 3.11 to 3.14: install one, then "
        "start run.py with it, for example: python3.12 run.py lab".format(*sys.version_info[:2])
    )

from collections.abc import Sequence

PROJECT = Path(__file__).resolve().parent
VENV = PROJECT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "mctslab-setup.json"
"""Marks the folder as ours, and holds the fingerprint of the set-up that was finished. (Its name is
that of earlier versions, so that their environments are brought up to date and not refused.)"""
COMPILED = VENV / "mctslab-compiled.txt"
"""A digest of the sources for which the search was compiled last."""
LOCK = PROJECT / "requirements.lock"
PYTORCH_CPU_INDEX = "https://download.pytorch.org/whl/cpu"
"""Where PyTorch publishes its builds without CUDA for Linux, as its install page says."""


class SetupError(Exception):
    """The set-up cannot go on; the message is one sentence that says what to do about it."""


def say(text: str) -> None:
    print("run.py:", text, flush=True)


def setup(extra: str = "") -> None:
    """Set up the environment if necessary.

    Args:
        extra: "[site]" if the tools of the website are needed, too, "[test]" if those of the
            tests are.
    """
    if is_ready(extra):
        return
    free = shutil.disk_usage(PROJECT).free
    if free < 3e9:
        raise SetupError(f"only {free / 1e9:.1f} GB are free here and 3 GB are needed")
    if not (read(STAMP) and works()):
        make_environment()
    STAMP.write_text("", "utf-8")  # empty means unfinished
    say("installing PyTorch")
    install("torch", *pytorch_index())
    say("installing JupyterLab and the other packages")
    install("--editable", f"{PROJECT}{extra}")
    STAMP.write_text(fingerprint(extra), "utf-8")
    compile_search()


def fingerprint(extra: str) -> str:
    """A digest of the installed packages and of the folder they are for."""
    return digest([PROJECT / "pyproject.toml", LOCK], str(PROJECT), extra)


def digest(files: Sequence[Path], *words: str) -> str:
    """A digest of files and words; line ends do not count."""
    texts = [read(file) for file in files]
    return hashlib.sha256("\0".join([*texts, *words]).encode()).hexdigest()


def read(file: Path) -> str:
    return file.read_text("utf-8") if file.exists() else ""


def is_ready(extra: str) -> bool:
    enough = ("", "[site]", "[test]")  # each has the packages of those before it
    prints = [fingerprint(each) for each in enough[enough.index(extra) :]]
    return read(STAMP) in prints and works()


def works() -> bool:
    """Whether the environment's Python starts; it does not once its base Python is uninstalled."""
    try:
        return subprocess.run([PYTHON, "-c", ""], capture_output=True).returncode == 0
    except OSError:
        return False


def make_environment() -> None:
    """Create .venv, even on a Debian that has no python3-venv."""
    if VENV.exists() and any(VENV.iterdir()) and not STAMP.exists():
        raise SetupError(f"the folder {VENV} was not made by run.py; move it away or delete it")
    if Path(sys.prefix).resolve() == VENV:
        raise SetupError(
            "this Python is part of .venv, which must be created again; `deactivate` it"
        )
    say("setting up in .venv, once: this downloads about 0.5 GB and takes 2 to 10 minutes")
    VENV.mkdir(exist_ok=True)
    STAMP.write_text("", "utf-8")
    for entry in VENV.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        elif entry != STAMP:
            entry.unlink()
    uv = shutil.which("uv")
    if uv:
        run_step(uv, "venv", "--quiet", "--allow-existing", "--python", sys.executable, VENV)
    elif importlib.util.find_spec("ensurepip"):
        run_step(sys.executable, "-m", "venv", VENV)
    elif importlib.util.find_spec("pip"):
        run_step(sys.executable, "-m", "venv", "--without-pip", VENV)
        run_step(sys.executable, "-m", "pip", "--python", PYTHON, "install", "pip")
    else:
        raise SetupError("this Python cannot install packages; sudo apt install python3-venv")


def pytorch_index() -> Sequence[str]:
    """On Linux the option for PyTorch's builds for CPUs, where their index can be reached."""
    if sys.platform != "linux":
        return ()  # all builds are small there
    try:
        urllib.request.urlopen(f"{PYTORCH_CPU_INDEX}/torch/", timeout=5).close()
    except (OSError, ValueError):
        say("PyTorch's index of small builds did not answer; other builds can take several GB")
        return ()
    return ("--extra-index-url", PYTORCH_CPU_INDEX)


def install(*arguments: str) -> None:
    """Install packages at the exact versions that the lock names."""
    options: tuple[str, ...] = ("--constraint", str(LOCK))
    uv = shutil.which("uv")
    if uv:
        # PyTorch's index has old builds of other packages, which must not hide the newer ones.
        options += ("--index-strategy", "unsafe-best-match")
        run_step(uv, "pip", "install", "--python", PYTHON, *options, *arguments)
    else:
        options += ("--disable-pip-version-check", "--no-input")
        run_step(PYTHON, "-m", "pip", "install", *options, *arguments)


def run_step(*command: str | Path) -> None:
    """Run one step of the set-up, which ends with this process.

    Raises:
        SetupError: if it fails.
    """
    environment = {**os.environ, "PIP_USER": "0"}
    if subprocess.run(command, cwd=PROJECT, env=environment, stdin=subprocess.DEVNULL).returncode:
        raise SetupError(
            "this step of the set-up failed; the usual reasons are no network (behind a proxy, set "
            "HTTPS_PROXY and PIP_CERT), a full disk (3 GB are needed), a file of .venv in use, or "
            "a Python that is not 3.11 to 3.14"
        )


def compile_search() -> None:
    """Compile the fast search in advance, if its sources have changed."""
    package = PROJECT / "mctslab"
    sources = digest(sorted([*package.glob("fast/**/*.py"), *package.glob("games/*.py"), LOCK]))
    if read(COMPILED) == sources:
        return
    say("compiling the fast search; this takes a few minutes, but only the first time")
    command = (PYTHON, "-m", "mctslab", "compile")
    if subprocess.run(command, capture_output=True).returncode != 0:
        say("it could not be compiled, so the first search in each game takes longer: see `doctor`")
    # Also after a failure, which would happen again at every start.
    COMPILED.write_text(sources, "utf-8")


def become(*command: str | Path) -> int:
    """Become another program (on Windows, wait for it); returns its exit status."""
    if os.name == "posix":
        os.execv(command[0], [str(argument) for argument in command])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the program that we started
    return subprocess.call(command)


def lab(arguments: Sequence[str]) -> int:
    only_setup([])
    say("starting JupyterLab; press Ctrl-C here to stop it")
    return become(PYTHON, "-m", "mctslab.lab", PROJECT, *arguments)


def test(arguments: Sequence[str]) -> int:
    setup("[test]")
    os.chdir(PROJECT)
    # Without the kept bytecode, every process would compile all tests again in every run.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    every_core = ("-n", "logical")  # a later -n counts instead
    return become(PYTHON, "-m", "pytest", *every_core, *arguments)


def site(arguments: Sequence[str]) -> int:
    setup("[site]")
    compile_search()
    # Without the kept bytecode, the kernel of every notebook would compile the package again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"  # kernels come from .venv
    return become(PYTHON, PROJECT / "docs/site/build.py", *arguments)


def python(arguments: Sequence[str]) -> int:
    setup()
    return become(PYTHON, *arguments)


def only_setup(arguments: Sequence[str]) -> int:
    if arguments:
        print(f"run.py: setup takes no arguments, got {arguments[0]!r}", file=sys.stderr)
        return 2
    setup()
    compile_search()
    return 0


COMMANDS = {"lab": lab, "test": test, "site": site, "python": python, "setup": only_setup}


def main(arguments: Sequence[str]) -> int:
    if arguments and arguments[0] in ("-h", "--help", "help"):
        print(__doc__.strip())
        return 0
    if not arguments or arguments[0] not in COMMANDS:
        problem = f"there is no command {arguments[0]!r}" if arguments else "a command is missing"
        print(f"run.py: {problem}; choose {', '.join(COMMANDS)} or --help", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        return COMMANDS[arguments[0]](arguments[1:])
    except KeyboardInterrupt:
        print("\nrun.py: stopped; run the same command again to continue", file=sys.stderr)
        return 130
    except (SetupError, OSError) as error:
        print(f"run.py: {error}. Then run the same command again.", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
