"""Matches on a cluster: the same games as in one process, whatever happens to its workers."""

import contextlib

import pytest

from mctslab import arena
from mctslab.__main__ import main
from tests.clusters import OwnCluster, end, forked_workers, wait_until

_forked = pytest.fixture(forked_workers, scope="module", autouse=True)

TERMS = {"num_games": 30, "seed": 3, "opening_plies": 2}


def games(result):
    return sorted((game.pairing, game.number, game.actions) for game in result.games)


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    with contextlib.closing(OwnCluster(tmp_path_factory.mktemp("cluster"))) as own:
        yield own


def test_the_games_are_those_of_one_process_also_where_a_worker_dies(tmp_path, own):
    workers, file = [own.add_worker() for _ in range(2)], tmp_path / "games.jsonl"
    players = ["uct:300", "uct:100", "random"]

    def kill(standing):
        if standing.num_played == 20:
            end(workers[0])

    with arena.connect(own.address) as cluster:
        wait_until(lambda: cluster.num_workers() == 2)
        played = arena.round_robin(
            "connect_four", players, cluster=cluster, file=file, progress=kill, **TERMS
        )
    assert played.is_complete
    here = arena.round_robin("connect_four", players, **TERMS)
    assert games(played) == games(here) == games(arena.load(file))


def test_stopped_it_gives_up_what_is_not_played_and_goes_on_later(tmp_path, own):
    done, match = [], ("tictactoe", "uct:50", "random")
    with arena.connect(own.address) as cluster:
        kept = {**TERMS, "cluster": cluster, "file": tmp_path / "games.jsonl"}

        def note(standing):
            done.append(standing)
            with pytest.raises(arena.FileInUseError):  # a second driver
                arena.match(*match, **kept)

        stopped = arena.match(*match, **kept, progress=note, stop=lambda: len(done) > 5)
        assert 4 < len(stopped.games) < 30
        whole = arena.match(*match, **kept)
    assert games(whole) == games(arena.match(*match, **TERMS))


def test_the_command_plays_on_processes_of_this_machine(tmp_path, capsys):
    words = ["arena", "tictactoe", "uct:50", "random", "--games", "6", "--seed", "3"]
    assert main([*words, "--cluster", "local:1", "--json", str(tmp_path / "a.jsonl")]) == 0
    assert main([*words, "--json", str(tmp_path / "b.jsonl")]) == 0
    assert games(arena.load(tmp_path / "a.jsonl")) == games(arena.load(tmp_path / "b.jsonl"))
    assert main([*words, "--exact"]) == 1
    assert "--exact needs --cluster ADDRESS." in capsys.readouterr().err
