"""The command `lab`: copy the course into a folder of the reader's, and open JupyterLab there.

The notebooks are part of the installed package, where nobody should write. So the reader works on a
copy. A file of the copy that the reader has changed, by an answer or only by running it, is never
written over: if a new version of mctslab has changed the same file, the new one is put beside it.
What the reader has solved and predicted is not kept in this folder but by `mctslab.course`.
"""

import argparse
import hashlib
import importlib.util
import itertools
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from mctslab import typed
from mctslab.course.outline import PROJECT_FOLDER, SIDE_ROADS, paths

FOLDER: Final = "mctslab-course"
"""Where the course is copied to, unless the reader names a folder."""

START: Final = "00_start_here.ipynb"
"""The notebook that JupyterLab opens at."""

MANIFEST: Final = ".mctslab.json"
"""A file in the reader's folder: of each file that was copied there, the digest of what the last
version of the course had. So a file with another digest has been changed by the reader."""


_CANNOT: Final = 2
"""The exit status of a command that cannot do its work here."""


@dataclass(slots=True)
class Copied:
    """What `copy_course` has done; the files are named by their paths in the folder."""

    written: list[str] = field(default_factory=list)
    """New in the folder, or replaced because the reader had not changed them."""
    beside: dict[str, str] = field(default_factory=dict)
    """Changed by the reader and by the new version: the file, and where its new version is."""
    removed: list[str] = field(default_factory=list)
    """No longer part of the course, and never changed by the reader."""


def copy_course(folder: Path, source: Path = PROJECT_FOLDER) -> Copied:
    """Copy the notebooks and their stored results into `folder`, or bring its copy up to date.

    Each file is written under another name and renamed, so a stop in the middle damages nothing.

    Args:
        folder: created if it does not exist; files of other names in it are left alone.
        source: a folder with the notebooks of the course.

    Raises:
        OSError: a file cannot be read or written; or a link is where a file of the course belongs.
    """
    offered = {file.relative_to(source).as_posix(): file for file in course_files(source)}
    for place in (MANIFEST, *offered):
        if not _is_inside(folder, place):
            raise OSError(
                f"{folder / place} is a link or lies behind one, and nothing is written through "
                "links. Remove the link, or name another folder."
            )
    copied, given = Copied(), _read_manifest(folder)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        for place, file in offered.items():
            content = file.read_bytes()
            target = _target(folder / place, given=given.get(place), offered=_digest(content))
            if target == folder / place:
                copied.written.append(place)
            elif target is not None:
                copied.beside[place] = target.relative_to(folder).as_posix()
            if target is not None:
                target.parent.mkdir(parents=True, exist_ok=True)
                typed.write_whole(target, content)
            given[place] = _digest(content)
        for place in given.keys() - offered.keys():
            digest = given.pop(place)
            if _is_inside(folder, place) and _digest_of(folder / place) == digest:
                (folder / place).unlink()
                copied.removed.append(place)
    finally:
        typed.write_whole(folder / MANIFEST, json.dumps(given, indent=1))
    return copied


def course_files(source: Path) -> Iterator[Path]:
    """The notebooks of the course, and the stored results that they read."""
    yield from paths(source)
    for folder in (source, source / SIDE_ROADS):
        yield from sorted(folder.glob("results/[0-9][0-9]_*"))


def _is_inside(folder: Path, place: str) -> bool:
    """Whether this file of `folder` really lies there: its path leads neither out nor over a link.

    A folder that you were given can contain links, and a manifest that names any file.
    """
    try:
        home = os.path.realpath(folder)
        path = str(Path(home, place))
        return path.startswith(os.path.join(home, "")) and path == os.path.realpath(path)
    except ValueError:  # a null character
        return False


def _target(file: Path, *, given: str | None, offered: str) -> Path | None:
    """Where to write the offered version of a file; None where there is nothing to do.

    Args:
        file: its place in the reader's folder.
        given: the digest of the version that was copied there last.
        offered: the digest of the version that the course has now.
    """
    there = _digest_of(file)
    if there is None:
        return file
    if offered in (there, given):  # the same, or the reader's changes of the same version
        return None
    return file if there == given else _free_name_beside(file)


def _free_name_beside(file: Path) -> Path:
    """`new_NAME`, a name that is not on the map of the course, or the next that is not used."""
    names = (f"new_{number}_{file.name}" for number in itertools.count(2))
    candidates = map(file.with_name, itertools.chain([f"new_{file.name}"], names))
    return next(candidate for candidate in candidates if not os.path.lexists(candidate))


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _digest_of(file: Path) -> str | None:
    """The digest of a file's content; None if there is no such file."""
    return _digest(file.read_bytes()) if file.is_file() else None


def _read_manifest(folder: Path) -> dict[str, str]:
    """What the last version of the course had; nothing if the manifest is missing or damaged.

    Every file that is there then counts as changed by the reader, which is safe.
    """
    try:
        return typed.from_json((folder / MANIFEST).read_bytes(), dict[str, str], MANIFEST)
    except (FileNotFoundError, typed.WrongEntryError):
        return {}


# The command


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The folder, and what JupyterLab is told."""
    parser.add_argument(
        "folder", nargs="?", default=FOLDER, help=f"your copy of the course; default: {FOLDER}"
    )
    parser.add_argument(
        "--no-browser", action="store_true", help="only print the address to open in a browser"
    )
    parser.add_argument("--port", type=int, help="JupyterLab's port; default: one that is free")


def run(arguments: argparse.Namespace) -> int:
    """Copy the course and start JupyterLab, until it is stopped; 2 if either is impossible."""
    folder = Path(arguments.folder).absolute()
    try:
        copied = copy_course(folder)
    except OSError as error:
        print(f"lab: the course cannot be copied into {folder}: {error}", file=sys.stderr)
        return _CANNOT
    print("\n".join(_report(copied, folder)), flush=True)
    if importlib.util.find_spec("jupyterlab") is None:
        print(
            "lab: JupyterLab is not installed. Install it with\n"
            f'  "{sys.executable}" -m pip install jupyterlab\n'
            "and run the same command again, or open the folder in your own Jupyter.",
            file=sys.stderr,
        )
        return _CANNOT
    print("Starting JupyterLab. Press Ctrl-C here to stop it.", flush=True)
    options = ["--no-browser"] if arguments.no_browser else []
    if arguments.port is not None:
        options.append(f"--port={arguments.port}")
    _start(folder, START, options)
    return 0


def _report(copied: Copied, folder: Path) -> Iterator[str]:
    """What the reader should know, in sentences."""
    yield f"The course is in {folder}; files copied: {len(copied.written)}."
    for place, beside in copied.beside.items():
        yield f"You have changed {place}. Its new version is in {beside}."
    if copied.removed:
        yield f"No longer part of the course: {', '.join(sorted(copied.removed))}."


def _start(folder: Path, notebook: str, options: Sequence[str]) -> None:
    """Run JupyterLab in this process, at a notebook of `folder`.

    Args:
        options: JupyterLab's own; they count before ours.
    """
    # Kernels come from this environment, also where the user has one of that name elsewhere.
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"
    # There it finds that it should not ask about news, nor announce newer versions of itself.
    paths = (str(Path(__file__).with_name("jupyter")), os.environ.get("JUPYTER_CONFIG_PATH"))
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(filter(None, paths))
    from jupyterlab import labapp

    ours = [f"--ServerApp.root_dir={folder}", f"--LabApp.default_url=/lab/tree/{notebook}"]
    if sys.platform != "win32" and os.geteuid() == 0:
        ours.append("--allow-root")  # a container; JupyterLab would refuse to start
    given = {option.partition("=")[0] for option in options}  # JupyterLab takes each once
    labapp.main([*(each for each in ours if each.partition("=")[0] not in given), *options])


if __name__ == "__main__":  # run.py opens the notebooks of a repository where they are
    _start(Path(sys.argv[1]), f"notebooks/{START}", sys.argv[2:])
