"""The project holds nothing that belongs to one machine, and nothing large."""

import re
import subprocess
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]

# In pieces, so that this file is not among its own findings.
HOSTS = "|".join(
    re.escape("".join(pieces))
    for pieces in [
        ("py", "pi.org"),
        ("python", "hosted.org"),
        ("registry.", "npmjs"),
        ("deb.", "debian"),
        ("download.", "pytorch"),
    ]
)
PATHS = r"(?<![\w.:~/-])/(?:work|root|home|tmp|opt|Users)/\w|\b[A-Z]:\\Users|\.\./shared"
MACHINE = re.compile(f"{HOSTS}|{PATHS}")
PYTORCH = ["https://download." + "pytorch.org/whl/cpu"]
OWN_PAGE = ["https://py" + "pi.org/project/mctslab"]
ALLOWED = {"run.py": PYTORCH, ".binder/requirements.txt": PYTORCH, "README.md": OWN_PAGE}
"""PyTorch's own index of CPU builds, which has to be named to be used; the page of mctslab."""


def files(*folders: str) -> list[Path]:
    """Every file that is, or would be, in the repository, or in these folders of it."""
    git = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", *folders]
    try:
        done = subprocess.run(git, cwd=PROJECT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this copy is no git checkout, so its own files are not known")
    names = [name for name in done.stdout.split("\0") if name]
    return [PROJECT / name for name in names if (PROJECT / name).is_file()]


def findings(text: str, allowed: list[str]) -> list[str]:
    for permitted in allowed:
        text = text.replace(permitted, "")
    return [match[0] for match in MACHINE.finditer(text)]


def test_no_file_names_a_folder_of_one_machine_or_a_package_registry_and_none_is_large():
    found = {}
    for file in files():
        assert file.stat().st_size <= 5_000_000, file
        if b"\0" in (data := file.read_bytes())[:8000]:
            continue
        name = file.relative_to(PROJECT).as_posix()
        if matches := findings(data.decode("utf-8"), ALLOWED.get(name, [])):
            found[name] = matches
    assert found == {}
