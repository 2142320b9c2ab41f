"""Every block of docs/extend.md runs, in the order of the page, as one program."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mctslab import course

PAGE = Path(__file__).parents[2] / "docs" / "extend.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
OUTSIDE = """
from collections.abc import Sequence

import numpy as np
from mctslab import arena, fast, games, players, search
from mctslab.games import State
from mctslab.search import SearchResult


class TakeAway(State):
    def __init__(self, heap: int = 7, player: int = 0) -> None:
        self.heap, self.player = heap, player

    @property
    def current_player(self) -> int:
        return self.player

    def legal_actions(self) -> tuple[int, ...]:
        return tuple(range(1, min(3, self.heap) + 1))

    def child(self, action: int) -> "TakeAway":
        return TakeAway(self.heap - action, 1 - self.player)

    @property
    def is_terminal(self) -> bool:
        return self.heap == 0

    def returns(self) -> tuple[float, float]:
        return (-1.0, 1.0) if self.player == 0 else (1.0, -1.0)


def even(states: Sequence[State], rng: np.random.Generator) -> tuple[np.ndarray, None]:
    return np.zeros(len(states)), None


def bolder(visits: int, prior: float, parent_visits: int, c: float) -> float:
    return c * prior * parent_visits / (1 + visits)


evaluator = search.rollout_evaluator(search.by_class([0, 1, 1, 1]))
result: SearchResult = fast.mcts(TakeAway(), num_simulations=9, evaluator=evaluator, rng=1)
numbers: dict[str, object] = result.to_dict()
search.puct_search(TakeAway(), num_simulations=9, evaluator=even, rng=None)
search.puct(1.5, exploration=bolder)
player: players.Player = players.make("uct:50", rng=1)
score: float = arena.match(TakeAway(), "uct:9", "random", num_games=2, seed=1).score.rate.value
spiel: State = games.from_openspiel("hex(board_size=5)")
"""
"""A project of somebody else, with types."""


@pytest.mark.skipif(sys.platform == "win32", reason="OpenSpiel has no build for Windows")
def test_every_block_runs(tmp_path):
    program = tmp_path / "page.py"
    # Processes that self-play starts import the file again.
    program.write_text("\n".join(BLOCKS), "utf-8")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # active, for nbgrader
    ran = subprocess.run(
        [sys.executable, program], cwd=tmp_path, capture_output=True, text=True, timeout=300,
        check=False, env={**os.environ, "PATH": path},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    printed = ran.stdout
    assert "Take Away keeps the contract." in printed
    assert "A game of your own must derive from mctslab.games.State" in printed
    assert "\ncompiled\n" in printed
    assert '{"game": "reversi"' in printed
    assert "Your function behaves as if the number were squared." in printed
    assert "my_course/source/17_my_topic/17_my_topic.ipynb" in printed
    assert printed.endswith("17_my_topic, my_topic\n    1  not attempted\n")


def test_a_project_outside_is_checked_by_its_types(tmp_path):
    file = tmp_path / "outside.py"
    file.write_text(OUTSIDE, "utf-8")
    root = PAGE.parents[1]
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", file]
    mypy = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
        env={**os.environ, "MYPYPATH": str(root)},
    )  # fmt: skip
    assert mypy.stdout.startswith("Success"), mypy.stdout


def test_the_file_that_is_taken_away_learns_without_mctslab(tmp_path):
    file = tmp_path / "my_alphazero.py"
    course.take_away(file)
    # Isolated (-I), from another folder: the package would be found otherwise.
    program = "import sys; sys.modules['mctslab'] = None; sys.argv[1:] = ['2']; import runpy; "
    program += f"runpy.run_path({str(file)!r}, run_name='__main__')"
    ran = subprocess.run(
        [sys.executable, "-I", "-c", program], cwd=tmp_path, capture_output=True, text=True,
        timeout=300, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("iteration 0\niteration 1\niteration 2\nlost to random moves: ")
    with pytest.raises(FileExistsError, match="is there already: give another name"):
        course.take_away(file)
