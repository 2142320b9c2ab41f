"""The package that is published: built, installed into an empty environment, and used there."""

import json
import os
import socket
import subprocess
import sys
import sysconfig
import time
import urllib.request
import zipfile
from pathlib import Path

import pytest
from jupyterlab.commands import get_app_dir

from mctslab.course.outline import homes, paths, place_of, results_of
from mctslab.players.shipped import has_torch
from tests.project.test_hygiene import files

PROJECT = Path(__file__).resolve().parents[2]
VENDOR = "mctslab/widgets/static/vendor"
SCRIPTS = "Scripts" if os.name == "nt" else "bin"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Built from the sdist, which is built from this checkout."""
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--outdir", out, PROJECT]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(list(out.glob("*.tar.gz"))) == 1
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """An environment with nothing but the wheel, next to an empty folder to work in.

    The dependencies are those of the tests: a path file leads there, so nothing is downloaded.
    """
    place = tmp_path_factory.mktemp("newcomer")
    environment = place / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    python = environment / SCRIPTS / "python"
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", "--no-index", wheel], check=True)
    folders = {"base": str(environment), "platbase": str(environment)}
    packages = Path(sysconfig.get_path("purelib", vars=folders))
    ours = {sysconfig.get_path(name) for name in ("purelib", "platlib")}
    (packages / "dependencies.pth").write_text("\n".join(ours))
    (place / "empty").mkdir()
    return place


def surroundings() -> dict[str, str]:
    """The environment variables of a newcomer, to whom JupyterLab's own files are shown."""
    jupyter = Path(sys.prefix) / "share" / "jupyter"
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {
        "JUPYTER_PATH": str(jupyter),
        "JUPYTERLAB_DIR": get_app_dir(),
        "JUPYTER_TOKEN": "secret",
        "MCTSLAB_QUICK": "1",
    }


def run(installed: Path, program: str, *words: str, folder: str) -> str:
    """What a program of the new environment prints."""
    done = subprocess.run(
        [installed / "environment" / SCRIPTS / program, *words],
        cwd=installed / folder,
        env=surroundings(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_holds_the_package_and_the_notebooks_and_is_small(wheel):
    assert wheel.stat().st_size < 20_000_000
    names = zipfile.ZipFile(wheel).namelist()
    packed = {name for name in names if ".dist-info/" not in name}
    assert "mctslab/py.typed" in packed, "otherwise a user's type checker sees Any"
    named = (file.relative_to(PROJECT).as_posix() for file in files("mctslab", "notebooks"))
    ours = {name.removeprefix("mctslab/") for name in named}
    assert {name.removeprefix("mctslab/") for name in packed} == ours


def test_every_license_that_counts_is_packed(wheel):
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        for name in ("LICENSE", f"{VENDOR}/LICENSE.htm", f"{VENDOR}/LICENSE.preact"):
            (there,) = (each for each in names if each.endswith(f".dist-info/licenses/{name}"))
            assert packed.read(there) == (PROJECT / name).read_bytes()


@pytest.fixture(scope="module")
def course(installed) -> str:
    """The reader's copy of the course, in the new environment, as `mctslab lab` leaves it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [installed / "environment" / SCRIPTS / "mctslab", "lab", "--no-browser"]
    log = installed / "log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            [*command, f"--port={port}"],
            cwd=installed / "empty",
            env=surroundings(),
            stdout=output,
            stderr=output,
        )
    try:
        address = f"http://127.0.0.1:{port}/api/contents/00_start_here.ipynb?token=secret"
        while (answer := ask(address)) is None:
            assert server.poll() is None, log.read_text()
            time.sleep(0.1)
    finally:
        server.terminate()
        server.wait()
    assert json.loads(answer)["content"]["cells"]
    return "empty/mctslab-course"


def ask(address: str) -> bytes | None:
    """What a server answers; None if it does not yet."""
    try:
        with urllib.request.urlopen(address, timeout=5) as reply:
            return reply.read()
    except OSError:
        return None


IN_THE_COPY = """
import json
from mctslab.course.outline import homes, paths, place_of, results_of
results = {str(place_of(path)): [each.name for each in results_of(path)] for path in paths()}
print(json.dumps([homes(), results]))
"""


def test_lab_answers_and_its_copy_has_the_exercises_and_the_stored_results(installed, course):
    found = json.loads(run(installed, "python", "-c", IN_THE_COPY, folder=course))
    results = {str(place_of(path)): [each.name for each in results_of(path)] for path in paths()}
    assert found == [homes(), results]


ALL_CELLS = """
import nbclient, nbformat
notebook = nbformat.read("00_start_here.ipynb", as_version=4)
nbclient.NotebookClient(notebook, kernel_name="python3").execute()
print([str(each.get("data", each)) for cell in notebook.cells for each in cell.get("outputs", ())])
"""


@pytest.mark.skipif(not has_torch(), reason="PyTorch is not installed")
def test_the_first_notebook_runs_and_its_doctor_finds_everything_in_order(installed, course):
    shown = run(installed, "python", "-c", ALL_CELLS, folder=course)
    assert "Everything that the notebooks need is in order." in shown
    assert str(installed / "environment") in shown
