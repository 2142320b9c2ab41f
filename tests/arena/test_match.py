"""Matches: reproducible on any number of processes, stopped and resumed, and nothing lost."""

import io
import json
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import psutil
import pytest

from mctslab import arena, games
from mctslab.arena import Contestant, Reason
from mctslab.arena.results_file import ResultsFile
from mctslab.arena.sprt import Decision
from mctslab.players import UCTPlayer
from tests import forks
from tests.arena import odd_players
from tests.arena.comparing import all_without_times

_forked = pytest.fixture(forks.child_processes, scope="module", autouse=True)

WAIT_SECONDS = 60.0
PROJECT = Path(arena.__file__).parents[2]


def small_match(**options):
    settings = {"num_games": 12, "seed": 3, "opening_plies": 2} | options
    return arena.match("tictactoe", "uct:15", "random", **settings)


def lines_of(file):
    return Path(file).read_text("utf-8").splitlines()


# The same games, however they are played


def test_a_match_is_what_its_seed_makes_it():
    once, again, other = small_match(), small_match(), small_match(seed=4)
    assert all_without_times(once.games) == all_without_times(again.games)
    assert [game.actions for game in once.games] != [game.actions for game in other.games]
    assert once.is_complete
    assert once.names == ("uct:15", "random")
    assert [game.number for game in once.games] == list(range(12))


def test_processes_play_the_same_games(tmp_path):
    kept = Contestant("kept", partial(UCTPlayer, 15, reuse_tree=True))
    here, there = (
        arena.match(
            "tictactoe", kept, "uct:15", num_games=6, seed=3, opening_plies=2, processes=processes,
            file=tmp_path / f"{processes}.jsonl",
        )
        for processes in (None, 2)
    )  # fmt: skip
    assert here.names == ("kept", "uct:15")
    assert all_without_times(there.games) == all_without_times(here.games)
    files = [lines_of(tmp_path / f"{processes}.jsonl") for processes in (None, 2)]
    assert files[0][0] == files[1][0]
    assert len(files[1]) == 7


def test_a_state_is_as_good_as_a_name():
    by_name = arena.match(
        "gomoku", "random", "random", num_games=2, seed=1, game_options={"size": 6}
    )
    by_state = arena.match(games.Gomoku(size=6), "random", "random", num_games=2, seed=1)
    assert all_without_times(by_name.games) == all_without_times(by_state.games)


# Stopping and going on


class StopAfter:
    """Stops, or does what Ctrl-C does, when so many games are finished."""

    def __init__(self, num_games, *, by_interrupt=False):
        self.num_games = num_games
        self.by_interrupt = by_interrupt
        self.told = []

    def progress(self, standing):
        self.told.append(standing)
        if self.by_interrupt and standing.num_played >= self.num_games and not standing.is_last:
            raise KeyboardInterrupt

    def stop(self):
        return not self.by_interrupt and self.told[-1].num_played >= self.num_games


@pytest.mark.parametrize("by_interrupt", [False, True])
@pytest.mark.parametrize("processes", [None, 2])
def test_a_match_that_was_stopped_goes_on_where_it_ended(by_interrupt, processes, tmp_path):
    file, whole = tmp_path / "stopped.jsonl", small_match()
    stopper = StopAfter(5, by_interrupt=by_interrupt)
    stopped = small_match(
        file=file, processes=processes, progress=stopper.progress, stop=stopper.stop
    )
    assert 5 <= len(stopped.games) < 12
    assert not stopped.is_complete
    kept = lines_of(file)
    assert len(kept) == 1 + len(stopped.games)

    told = []
    resumed = small_match(file=file, progress=told.append)
    assert told[0].num_resumed == told[0].num_played == len(stopped.games)
    assert resumed.is_complete
    assert all_without_times(resumed.games) == all_without_times(whole.games)
    assert lines_of(file)[: len(kept)] == kept  # finished games are not played again
    assert len(lines_of(file)) == 13


def test_ctrl_c_in_the_middle_of_a_game_keeps_those_before():
    result = arena.match(
        "tictactoe",
        partial(odd_players.Interrupted, after=1),
        "random",
        num_games=4,
        seed=0,
    )
    assert result.games == ()
    assert not result.is_complete


def test_ctrl_c_just_after_a_game_was_written_counts_it(tmp_path, monkeypatch):
    append = ResultsFile.append

    def append_and_interrupt(self, game):
        append(self, game)
        if game.number == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(ResultsFile, "append", append_and_interrupt)
    result = small_match(file=tmp_path / "written.jsonl")
    assert len(result.games) == 4
    assert arena.load(tmp_path / "written.jsonl").games == result.games


def test_more_games_can_be_added(tmp_path):
    file = tmp_path / "more.jsonl"
    small_match(file=file, num_games=5)
    kept = lines_of(file)
    more = small_match(file=file)
    assert all_without_times(more.games) == all_without_times(small_match().games)
    assert lines_of(file)[1:6] == kept[1:]
    assert json.loads(lines_of(file)[0])["num_games"] == 12
    assert arena.load(file).is_complete


COMMAND = ("tictactoe", "uct:100", "uct:100", "--seed", "5", "--processes", "2")
"""With more games than anybody will wait for; see `start_command`."""


def hear_ctrl_c():
    """For a program that was started in the background, where Ctrl-C is not heard."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def start_command(file):
    words = [*COMMAND, "--games", "100000", "--json", str(file)]
    return subprocess.Popen(
        [sys.executable, "-m", "mctslab", "arena", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=None if sys.platform == "win32" else hear_ctrl_c,
        start_new_session=True,
    )


def wait_for_lines(file, number):
    deadline = time.monotonic() + WAIT_SECONDS
    while not file.exists() or file.read_bytes().count(b"\n") < number:
        assert time.monotonic() < deadline, "no games were finished"
        time.sleep(0.01)


def test_a_tournament_that_is_killed_loses_no_finished_game(tmp_path):
    file = tmp_path / "killed.jsonl"
    process = start_command(file)
    wait_for_lines(file, 6)
    process.kill()
    process.communicate()

    kept = file.read_bytes().split(b"\n")[:-1]
    num_games = max(json.loads(line)[1] for line in kept[1:]) + 10
    resumed = arena.match("tictactoe", "uct:100", "uct:100", num_games=num_games, seed=5, file=file)
    whole = arena.match("tictactoe", "uct:100", "uct:100", num_games=num_games, seed=5)
    assert all_without_times(resumed.games) == all_without_times(whole.games)
    assert file.read_bytes().split(b"\n")[: len(kept)] == kept
    numbers = [json.loads(line)[1] for line in lines_of(file)[1:]]
    assert sorted(numbers) == list(range(num_games))


def test_a_player_that_never_answers_does_not_outlive_the_arena():
    code = (
        "from mctslab import arena; from tests.arena.odd_players import Announcing;"
        "arena.match('tictactoe', Announcing, 'random', num_games=2, seed=1, processes=1)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(PROJECT)},
    )
    assert process.stdout.readline().strip() == b"thinking"
    helpers = psutil.Process(process.pid).children(recursive=True)
    assert helpers != []
    process.kill()
    process.wait()
    process.stdout.close()
    _, alive = psutil.wait_procs(helpers, timeout=WAIT_SECONDS)
    for helper in alive:
        helper.kill()
    assert alive == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has another way to send Ctrl-C")
@pytest.mark.parametrize("num_lines", [1, 6])
def test_ctrl_c_ends_the_command_with_what_is_finished(num_lines, tmp_path):
    file = tmp_path / "interrupted.jsonl"
    process = start_command(file)
    wait_for_lines(file, num_lines)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: all its processes hear it
    out, err = process.communicate(timeout=WAIT_SECONDS)
    assert process.returncode == 130
    assert f"{len(lines_of(file)) - 1} of 100000 games" in out
    assert "The same command continues from here" in err
    assert "Traceback" not in err


# Players that do what they should not


def test_nothing_that_a_player_does_stops_a_match(tmp_path):
    for odd, reason in (
        (odd_players.Illegal, Reason.ILLEGAL),
        (odd_players.Exiting, Reason.EXCEPTION),
        (odd_players.EndingTheProcess, Reason.CRASH),
    ):
        file = tmp_path / f"{reason}.jsonl"
        entry = Contestant("odd", partial(odd, after=4))
        options = {"num_games": 4, "seed": 1, "processes": 2, "file": file}
        result = arena.match("tictactoe", entry, "random", **options)
        assert len(result.games) == 4
        assert result.losses_by("odd")[reason] >= 2
        assert result.losses_by("random")[reason] == 0
        assert arena.load(file).games == result.games
        assert all(game.message for game in result.games if game.reason is reason)
        assert f"odd lost {result.losses_by('odd')[reason]} by" in str(result)


def test_who_ends_the_process_loses_with_the_moves_so_far():
    entry = Contestant("odd", partial(odd_players.EndingTheProcess, after=3))
    result = arena.match(
        "tictactoe", entry, odd_players.OddPlayer, num_games=2, seed=1, processes=1
    )
    # With 3 stones on the board it is White's turn: in game 1 that is the odd one's.
    lost = result.games[1]
    assert lost.actions == (0, 1, 2)
    assert lost.reason is Reason.CRASH
    assert lost.message == "the process ended with status 7"
    assert lost.returns == (1, -1)
    assert [len(seconds) for seconds in lost.seconds] == [2, 2]
    assert result.games[0].reason is Reason.CRASH  # with 4 stones it is the turn of the first


def test_who_never_answers_is_ended(monkeypatch):
    monkeypatch.setattr("mctslab.arena.workers.GRACE_SECONDS", 0.1)
    entry = Contestant("asleep", partial(odd_players.NeverAnswering, after=2))
    result = arena.match(
        "tictactoe", entry, "random", num_games=2, seed=1, processes=2, seconds_per_move=1.5
    )
    assert [game.reason for game in result.games] == [Reason.TIME, Reason.TIME]
    assert result.score.losses == 2
    assert "no answer after" in result.games[0].message
    assert multiprocessing.active_children() == []


def test_what_a_player_loads_before_the_game_is_not_on_its_clock(monkeypatch):
    monkeypatch.setattr("mctslab.arena.workers.GRACE_SECONDS", 0.0)
    result = arena.match(
        "tictactoe",
        odd_players.slow_to_make,
        odd_players.OddPlayer,
        num_games=1,
        seed=1,
        processes=1,
        seconds_per_move=2.0,
    )
    assert [game.reason for game in result.games] == [Reason.RULES]
    assert result.clock("prepared").seconds < 2.5


# What cannot be played


def test_what_is_defined_in_a_function_cannot_be_sent_to_a_process():
    def local(rng):
        return odd_players.OddPlayer(rng)

    with pytest.raises(ValueError, match=r"cannot be sent to another process.*processes=None"):
        arena.match("tictactoe", local, "random", num_games=2, seed=1, processes=2)
    assert arena.match("tictactoe", local, "random", num_games=2, seed=1).is_complete


def test_what_the_process_cannot_find_is_said_as_well(monkeypatch):
    # As in a notebook, whose definitions belong to a module that no other process has.
    import __main__

    def in_notebook(rng):
        return odd_players.OddPlayer(rng)

    in_notebook.__module__, in_notebook.__qualname__ = "__main__", "in_notebook"
    monkeypatch.setattr(__main__, "in_notebook", in_notebook, raising=False)
    pickle.dumps(in_notebook)
    with pytest.raises(ValueError, match="cannot be sent to another process"):
        arena.match("tictactoe", in_notebook, "random", num_games=2, seed=1, processes=2)


def test_a_script_without_a_guard_is_told(tmp_path):
    script = tmp_path / "unguarded.py"
    script.write_text(
        "from mctslab import arena\n"
        "arena.match('tictactoe', 'random', 'random', num_games=2, seed=1, processes=1)\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(PROJECT)},
        timeout=WAIT_SECONDS,
        check=False,
    )
    assert done.returncode == 1
    assert "ValueError: A process of the arena ended with status 1" in done.stderr
    assert 'under `if __name__ == "__main__":`' in done.stderr


def test_numbers_that_are_out_of_range_are_refused_before_anything_begins(tmp_path):
    for options, message in (
        ({"num_games": 0}, "num_games = 0: expected an integer from 1"),
        ({"num_games": 2.5}, "num_games = 2.5"),
        ({"seed": -1}, "seed = -1"),
        ({"opening_plies": -1}, "opening_plies = -1"),
        ({"opening_plies": 9}, "Tic-Tac-Toe is over by then"),
        ({"seconds_per_move": 0}, "seconds_per_move = 0"),
        ({"processes": 0}, "processes = 0"),
        ({"game_options": {"size": 3}}, "size"),
    ):
        with pytest.raises(ValueError, match=message):
            small_match(file=tmp_path / "never.jsonl", **options)
    assert list(tmp_path.iterdir()) == []


# The result


@pytest.fixture(scope="module")
def played():
    return small_match(num_games=20)


def test_the_score_is_counted_from_the_games(played):
    points = [game.points("uct:15") for game in played.games]
    assert played.score.points == sum(points)
    assert played.score.num_games == 20
    halves = played.score_as(0), played.score_as(1)
    assert halves[0] + halves[1] == played.score
    assert halves[0].points == sum(points[::2])
    assert played.elo == played.score.elo
    pairs = [points[i] + points[i + 1] for i in range(0, 20, 2)]
    assert played.pair_counts == tuple(pairs.count(total) for total in (0, 0.5, 1, 1.5, 2))
    odd = replace(played, games=played.games[:7])  # the last game has no other half
    assert odd.pair_counts == replace(played, games=played.games[:6]).pair_counts
    running = played.running_score()
    assert [each.value for each in running] == [
        sum(points[:number]) / number for number in range(1, 21)
    ]
    assert running[-1] == played.score.rate
    with pytest.raises(ValueError, match="no game number 20"):
        played.states(20)


def test_it_tells_all_in_words_and_in_a_page(played):
    text = str(played)
    score = played.score
    assert text.startswith("uct:15 against random, Tic-Tac-Toe, 20 games\n")
    assert f"won {score.wins}, drawn {score.draws}, lost {score.losses}\n" in text
    assert f"{score.rate.value:.3f}, 95% interval {score.rate.low:.3f} to " in text
    assert "s a move, " in text
    assert "simulations a move" in text
    assert "by " not in text
    assert "<strong>uct:15 against random, Tic-Tac-Toe, 20 games</strong>" in played._repr_html_()
    assert repr(played) == f"<MatchResult: uct:15 against random, {score}>"


def test_games_that_repeat_each_other_are_pointed_out():
    first = Contestant("<b>", odd_players.OddPlayer)
    settings = {"num_games": 10, "seed": 1}
    result = arena.match("tictactoe", first, odd_players.OddPlayer, **settings)
    assert result.num_different_games == 2
    assert "only 2 of the games are different; if the players" in str(result)
    assert "<b>" not in result._repr_html_()  # markup in a name is no markup
    opened = arena.match("tictactoe", first, odd_players.OddPlayer, opening_plies=3, **settings)
    assert opened.num_different_games > 5
    assert "are different" not in str(opened)


# The sequential test


def test_a_sequential_test_ends_the_match_at_the_same_game_however_it_is_played(tmp_path):
    sprt = arena.SPRT(0, 100)
    results = [
        arena.match(
            "tictactoe", "uct:20", "random", num_games=300, seed=2, sprt=sprt,
            processes=processes, file=tmp_path / f"{processes}.jsonl",
        )
        for processes in (None, 2)
    ]  # fmt: skip
    assert all_without_times(results[0].games) == all_without_times(results[1].games)
    result = results[0]
    assert result.decision is Decision.H1
    assert result.is_complete
    assert 4 < len(result.games) < 100
    assert len(result.games) % 2 == 0
    assert result.log_likelihood_ratio >= sprt.bounds.high
    before = [game for game in result.games if game.number < len(result.games) - 2]
    shorter = arena.MatchResult(result.names, tuple(before), 300, games.TicTacToe(), sprt)
    assert shorter.decision is None
    assert "sequential test: Elo +100 is accepted" in str(result)
    assert "sequential test of Elo +0 and +100: log likelihood ratio" in str(shorter)
    assert result.num_games == 300
    # Nothing is played after the decision, unless another process was ahead.
    assert len(lines_of(tmp_path / "None.jsonl")) == 1 + len(result.games)
    for file in tmp_path.glob("*.jsonl"):
        assert all_without_times(arena.load(file).games) == all_without_times(result.games)


# Progress


def test_progress_is_told_of_every_game():
    told = []
    small_match(num_games=6, progress=told.append)
    assert [standing.num_played for standing in told] == [0, 1, 2, 3, 4, 5, 6, 6]
    assert [standing.is_last for standing in told] == [False] * 7 + [True]
    assert told[0].seconds_left is None
    assert told[-1].seconds_left == 0
    assert {standing.num_games for standing in told} == {6}


def test_the_time_that_is_left_follows_from_the_games_of_this_run():
    standing = arena.Standing(small_match, 30, 100, seconds=5.0, num_resumed=20)
    assert standing.seconds_left == 5.0 / 10 * 70
    written = io.StringIO()
    arena.TextProgress(written, in_place=False)(standing)
    assert "30/100" in written.getvalue()
    assert "0:35 left" in written.getvalue()


def test_the_line_of_progress_ends_with_the_score_and_tells_of_mistakes():
    entries = Contestant("odd", odd_players.Raising), "random"
    for in_place in (False, True):
        written = io.StringIO()
        progress = arena.TextProgress(written, in_place=in_place)
        result = arena.match("tictactoe", *entries, num_games=3, seed=1, progress=progress)
        text = written.getvalue()
        assert text.endswith("\n")
        last = text.replace("\r", "\n").strip().splitlines()[-1]
        assert f"3/3  +0 =0 -3  score {result.score.rate.value:.3f}" in last
        assert last.endswith("3 not by the rules")
        assert last.count("█") == 10
        assert ("\r" in text) == in_place
