"""The command line: `mctslab COMMAND`, or `python -m mctslab COMMAND`.

A command is a module with `add_arguments(parser)` and `run(arguments) -> int`, the exit status.
Its line in COMMANDS is all that this file needs; a module is loaded when it is needed.
"""

import argparse
import errno
import importlib
import io
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, TextIO

from mctslab import __version__

_INTERRUPTED: Final = 128 + 2
"""The exit status of a program that Ctrl-C has ended, as a shell gives it."""

_NOBODY_READS: Final = 128 + 13
"""The exit status of a program that a closed pipe has ended, as a shell gives it."""

_CANNOT: Final = 2
"""The exit status of a command that cannot do what was asked."""


COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    "arena": ("arena.command", "let players play many games and find out who is better"),
    "book": ("book.command", "build an opening book and look up positions in it"),
    "compile": ("precompile", "compile the fast search in advance"),
    "course": ("course.command", "build notebooks for a class, report on it; examine a search"),
    "doctor": ("doctor", "check the installation and show how to fix whatever fails"),
    "lab": ("lab", "copy the course into a folder and open JupyterLab there"),
    "play": ("players.command", "play a game in the terminal, also one of your own"),
    "train": ("net.command", "let a net learn from its own games"),
}
"""Of each command its module in mctslab, and its purpose in half a line."""


def main(words: Sequence[str]) -> int:
    """Run the command that `words` name; returns its exit status, 130 after Ctrl-C, and 2 if it
    cannot do what was asked, which it says in a sentence.

    Raises:
        SystemExit: after `--help` and `--version` (0), or where `words` are not understood (2).
    """
    is_installed = Path(sys.argv[0]).stem == "mctslab"
    parser = argparse.ArgumentParser(
        prog="mctslab" if is_installed else "python -m mctslab",
        description="mctslab on the command line.",
    )
    parser.add_argument("--version", action="version", version=f"mctslab {__version__}")
    parsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (module_name, purpose) in COMMANDS.items():
        description = f"{purpose[0].upper()}{purpose[1:]}."
        subparser = parsers.add_parser(name, help=purpose, description=description)
        if name in words[:1]:
            module = importlib.import_module(f"mctslab.{module_name}")
            module.add_arguments(subparser)
    arguments = parser.parse_args(words)
    try:
        status: int = module.run(arguments)
    except KeyboardInterrupt:
        print("\nStopped. The same command continues from here.", file=sys.stderr)
        return _INTERRUPTED
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:  # their text is a sentence for the user
        print(f"{arguments.command}: {error}", file=sys.stderr)
        return _CANNOT
    return status


def main_in_a_pipe(words: Sequence[str]) -> int:
    """Like `main`, but it ends with a sentence if a package is not installed, and quietly if the
    reader of a pipe has closed it, as in `... | head`.

    Characters that the terminal or the file has no code for are written as `\\u2713`, for example.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        try:
            return main(words)
        finally:
            sys.stdout.flush()
    except ModuleNotFoundError as error:
        if not error.name or error.name.startswith("mctslab"):
            raise
        print(f"mctslab: {error}", file=sys.stderr)
        return _CANNOT
    except OSError:
        if not _is_closed(sys.stdout):
            raise
        # Otherwise Python would try to write the rest again when it ends, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _NOBODY_READS


def _is_closed(stream: TextIO) -> bool:
    """Whether the reader of this pipe has closed it; there can be other pipes."""
    try:
        print(file=stream, flush=True)  # the text that could not be written may have been dropped
    except OSError as error:
        return error.errno in (errno.EPIPE, errno.EINVAL)  # the latter on Windows
    return False


def script() -> int:
    """The program `mctslab`; returns its exit status."""
    return main_in_a_pipe(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(script())
