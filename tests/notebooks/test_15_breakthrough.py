"""What the side road about another game says is so; its files are games of their own."""

import os
import subprocess
import sys

import numpy as np
import pytest

from mctslab import games
from tests.notebooks.reading import PROJECT, written_files


@pytest.fixture(scope="module")
def files(notebook):
    """The texts of the files that the notebook writes, by name."""
    return written_files(notebook)


@pytest.fixture
def folder(files, tmp_path):
    """A folder with these files."""
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def in_openspiel(state: games.State, action: int) -> str:
    """The name of a move in OpenSpiel, where Black begins at the top and captures have a star."""
    start, target = state.squares_of()[action]
    places = [f"{'abcdefgh'[square % 8]}{square // 8 + 1}" for square in (start, target)]
    return "".join(places) + "*" * (state.stones[target] >= 0)


def test_breakthrough_is_that_of_openspiel(names):
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel has no build for this system")
    game, rng = pyspiel.load_game("breakthrough"), np.random.default_rng(1)
    captures = 0
    for _ in range(10):
        state, theirs = names["Breakthrough"](), game.new_initial_state()
        while not theirs.is_terminal():
            assert not state.is_terminal
            actions = {theirs.action_to_string(action): action for action in theirs.legal_actions()}
            ours = {in_openspiel(state, action): action for action in state.legal_actions()}
            assert ours.keys() == actions.keys()
            name = str(rng.choice(sorted(ours)))
            captures += name.endswith("*")
            state = state.child(ours[name])
            theirs.apply_action(actions[name])
        assert list(state.returns()) == theirs.returns()
    assert captures > 20


def play(folder, *words):
    """`mctslab play` with these words in a folder, where a person types "quit"."""
    return subprocess.run(
        [sys.executable, "-m", "mctslab", "play", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        input="quit",
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_file_is_played_in_the_terminal(folder):
    done = play(folder, "my_breakthrough.py", "--against", "random")
    assert done.returncode == 0, done.stderr
    assert "Black to move" in done.stdout


def test_the_template_is_told_what_is_missing(folder, files):
    done = play(folder, "my_template.py")
    assert done.returncode == 2
    missing = "child, is_terminal, legal_actions, returns"
    assert f"MyGame is not complete: it still needs {missing}." in done.stderr
    for name in (*missing.split(", "), "action_to_string", "board"):
        assert f"# {name}(self" in files["my_template.py"]
