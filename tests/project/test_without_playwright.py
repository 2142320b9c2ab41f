"""Only tests in a browser need Playwright."""

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
WITHOUT = """
import sys
import pytest
sys.modules["playwright"] = None
sys.exit(pytest.main(["-p", "no:cacheprovider", "-n", "0", *sys.argv[1:]]))
"""


def test_other_tests_run_and_lines_say_what_is_left_out():
    files = ("tests/test_typed.py", "tests/notebooks/test_widgets.py")
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, *files], cwd=PROJECT, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Playwright is not installed, so tests/browser is left out." in done.stdout
    assert (
        "SKIPPED [1] tests/notebooks/test_widgets.py:1: Playwright is not installed" in done.stdout
    )
