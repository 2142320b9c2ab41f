"""Matches that an executor plays: the same games as in one process, whatever happens to workers."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from mctslab import arena
from mctslab.__main__ import main
from mctslab.arena.results_file import FileInUseError
from tests.arena.comparing import all_without_times
from tests.arena.stopping import ctrl_c_after
from tests.clusters import forked_workers
from tests.forks import context

_forked = pytest.fixture(forked_workers, scope="module", autouse=True)

TERMS = {"num_games": 30, "seed": 3, "opening_plies": 2}


def test_stopped_it_gives_up_what_is_not_played_and_goes_on_later(tmp_path):
    match = ("tictactoe", "uct:50", "random")
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(1, context()) as processes:
        kept = {**TERMS, "file": tmp_path / "games.jsonl"}

        def note(standing):
            with pytest.raises(FileInUseError):  # a second driver
                arena.match(*match, **kept)
            ctrl_c_after(5)(standing)

        stopped = arena.match(*match, **kept, executor=threads, progress=note)
        assert 4 < len(stopped.games) < 30
        whole = arena.match(*match, **kept, executor=processes)
    assert all_without_times(whole.games) == all_without_times(arena.match(*match, **TERMS).games)


def test_the_command_plays_on_processes_of_this_machine(tmp_path):
    words = ["arena", "tictactoe", "uct:50", "random", "--games", "6", "--seed", "3"]
    assert main([*words, "--cluster", "local:1", "--json", str(tmp_path / "a.jsonl")]) == 0
    here = arena.match("tictactoe", "uct:50", "random", num_games=6, seed=3)
    there = arena.load(tmp_path / "a.jsonl")
    assert all_without_times(there.games) == all_without_times(here.games)
