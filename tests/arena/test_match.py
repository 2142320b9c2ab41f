"""Matches: reproducible on any number of processes, stopped and resumed, and nothing lost."""

import multiprocessing
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from pathlib import Path

import psutil
import pytest

from mctslab import arena
from mctslab.arena import Contestant
from mctslab.arena.game import Reason
from mctslab.arena.results_file import FileInUseError
from tests import forks
from tests.arena import odd_players
from tests.arena.comparing import all_without_times, ctrl_c_after, lines_of, small_match

_forked = pytest.fixture(forks.child_processes, scope="module", autouse=True)

WAIT_SECONDS = 60.0
PROJECT = Path(arena.__file__).parents[2]


# Stopping and going on


@pytest.mark.parametrize("processes", [None, 2])
def test_a_match_that_was_stopped_goes_on_where_it_ended(processes, tmp_path):
    file = tmp_path / "stopped.jsonl"
    stopped = small_match(file=file, processes=processes, progress=ctrl_c_after(5))
    assert 5 <= len(stopped.games) < 12
    assert not stopped.is_complete
    kept = lines_of(file)
    assert len(kept) == 1 + len(stopped.games)

    seen = []
    resumed = small_match(file=file, progress=lambda *call: seen.append(call))
    numbers = [len(result.games) for result, _ in seen]
    assert numbers == [*range(len(stopped.games), 13), 12]
    assert [is_last for _, is_last in seen] == [False] * (len(seen) - 1) + [True]
    assert resumed.is_complete
    assert all_without_times(resumed) == all_without_times(small_match())
    assert lines_of(file)[: len(kept)] == kept  # finished games are not played again
    assert len(lines_of(file)) == 13


def test_stopped_an_executor_gives_up_what_is_not_played_and_another_goes_on(tmp_path):
    terms = {"num_games": 30, "file": tmp_path / "games.jsonl"}
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(1, forks.context()) as processes:

        def note(*call):
            with pytest.raises(FileInUseError):  # a second driver
                small_match(**terms)
            ctrl_c_after(5)(*call)

        stopped = small_match(**terms, executor=threads, progress=note)
        assert 4 < len(stopped.games) < 30
        whole = small_match(**terms, executor=processes)
    assert all_without_times(whole) == all_without_times(small_match(num_games=30))


def test_ctrl_c_in_the_middle_of_a_game_is_no_mistake_of_the_player():
    interrupted = partial(odd_players.Interrupted, after=1)
    result = arena.match("tictactoe", interrupted, "random", num_games=4, seed=0)
    assert result.games == ()


def test_more_games_can_be_added(tmp_path):
    file = tmp_path / "more.jsonl"
    small_match(file=file, num_games=5)
    kept = lines_of(file)
    more = small_match(file=file)
    assert all_without_times(more) == all_without_times(small_match())
    assert lines_of(file)[1:6] == kept[1:]
    assert lines_of(file)[0]["num_games"] == 12
    assert small_match(file=file, num_games=4).games == more.games[:4]


# Players that do what they should not


def test_a_process_that_never_answers_does_not_outlive_the_one_that_it_works_for():
    code = (
        "from mctslab import arena; from tests.arena.odd_players import NeverAnswering;"
        "arena.match('tictactoe', NeverAnswering, 'random', num_games=2, seed=1, processes=1)"
    )
    words = [sys.executable, "-c", code]
    process = subprocess.Popen(words, cwd=PROJECT, stdout=subprocess.PIPE)
    assert process.stdout.readline().strip() == b"thinking"
    helpers = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.communicate()
    assert psutil.wait_procs(helpers, timeout=WAIT_SECONDS)[1] == []


def test_a_player_that_ends_its_process_stops_no_match(tmp_path):
    entry = Contestant("odd", partial(odd_players.EndingTheProcess, after=3))
    file = tmp_path / "odd.jsonl"
    result = arena.match(
        "tictactoe", entry, odd_players.OddPlayer, num_games=4, seed=1, processes=2, file=file
    )
    assert [game.reason for game in result.games] == [Reason.CRASH] * 4
    assert "odd lost 4 by crash: the process ended with" in str(result)
    assert arena.load(file).games == result.games
    # With 3 stones on the board it is White's turn: in game 1 that is the odd one's.
    lost = result.games[1]
    assert (lost.actions, lost.returns) == ((0, 1, 2), (1, -1))
    assert lost.num_moves == (2, 2)
    assert lost.message == "the process ended with status 7"


@pytest.mark.parametrize(
    ("odd", "message"),
    [
        (partial(odd_players.Stuck, after=2), "no answer after"),
        (odd_players.NeverReady, "not ready to play after"),
    ],
)
def test_who_never_answers_or_gets_ready_is_ended(odd, message, monkeypatch):
    monkeypatch.setattr("mctslab.arena.processes.GRACE_SECONDS", 0.1)
    monkeypatch.setattr("mctslab.arena.processes.PREPARING_SECONDS", 1.0)
    result = arena.match(
        "tictactoe", odd, "random", num_games=2, seed=1, processes=2, seconds_per_move=1.0
    )
    assert [game.reason for game in result.games] == [Reason.TIME] * 2
    assert all(message in game.message for game in result.games)
    assert result.score.losses == 2
    assert multiprocessing.active_children() == []


def test_what_a_player_loads_before_the_game_is_not_on_its_clock(monkeypatch):
    monkeypatch.setattr("mctslab.arena.processes.GRACE_SECONDS", 0.0)
    options = {"num_games": 1, "seed": 1, "processes": 1, "seconds_per_move": 2.0}
    entries = odd_players.slow_to_make, odd_players.OddPlayer
    result = arena.match("tictactoe", *entries, **options)
    assert [game.reason for game in result.games] == [Reason.RULES]
    assert result.cost("prepared").seconds < 2.5


# What cannot be played


def in_notebook(rng):
    return odd_players.OddPlayer(rng)


def test_what_cannot_be_sent_to_a_process_is_said(monkeypatch):
    # As in a notebook, whose definitions belong to a module that no other process has.
    import __main__

    monkeypatch.setattr(in_notebook, "__module__", "__main__")
    monkeypatch.setattr(__main__, "in_notebook", in_notebook, raising=False)
    for factory in (in_notebook, lambda rng: odd_players.OddPlayer(rng)):
        with pytest.raises(ValueError, match=r"cannot be sent to another process.*processes=None"):
            arena.match("tictactoe", factory, "random", num_games=2, seed=1, processes=2)
    assert arena.match("tictactoe", factory, "random", num_games=2, seed=1).is_complete


def test_a_script_without_a_guard_is_told(tmp_path):
    script = tmp_path / "unguarded.py"
    script.write_text(
        "from mctslab import arena\n"
        "arena.match('tictactoe', 'random', 'random', num_games=2, seed=1, processes=1)\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)],
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(PROJECT)},
        timeout=WAIT_SECONDS,
        check=False,
    )
    assert done.returncode == 1
    assert 'under `if __name__ == "__main__":`' in done.stderr


# The result


def test_the_score_is_counted_from_the_games():
    played = small_match(num_games=20)
    points = [game.points("uct:15") for game in played.games]
    score = played.score
    assert (score.points, score.num_games, played.elo) == (sum(points), 20, score.elo)
    halves = played.score_as(0), played.score_as(1)
    assert halves[0] + halves[1] == score
    assert halves[0].points == sum(points[::2])
    assert [each.value for each in played.running_score()] == [
        sum(points[:number]) / number for number in range(1, 21)
    ]
    text = str(played)
    assert text.startswith("uct:15 against random, Tic-Tac-Toe, 20 games\n")
    assert f"won {score.wins}, drawn {score.draws}, lost {score.losses}\n" in text
    assert f"{score.rate.value:.3f}, 95% interval {score.rate.low:.3f} to " in text
    assert "simulations a move" in text
    assert "by " not in text


def test_games_that_repeat_each_other_are_pointed_out():
    entries = Contestant("first", odd_players.OddPlayer), odd_players.OddPlayer
    result = arena.match("tictactoe", *entries, num_games=10, seed=1)
    assert "only 2 of the games are different; if the players" in str(result)
    opened = arena.match("tictactoe", *entries, num_games=10, seed=1, opening_plies=3)
    assert opened.num_different_games > 5
    assert "are different" not in str(opened)
