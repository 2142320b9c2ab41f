"""The comparisons of nets and of self-play run; how fast anything is, no test asks."""

import torch

from tests.benchmarks import net_speed, self_play_speed


def test_the_comparison_runs(capsys, monkeypatch):
    threads_before = torch.get_num_threads()
    words = "net_speed --nets tiny --batches 1 3 --threads 1 --runs 1"
    monkeypatch.setattr("sys.argv", words.split())
    try:
        net_speed.main()
    finally:
        torch.set_num_threads(threads_before)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "tiny, 1 thread, batch 1",
        "tiny, 1 thread, batch 3",
    ]
    assert all(" ONNX " in line and " eager " in line for line in lines)


def test_the_comparison_of_self_play_with_the_plain_loop_runs(capsys, monkeypatch):
    threads_before = torch.get_num_threads()
    words = "self_play_speed --visits 4 --games 4 --moves 2 --runs 1 --workers 2"
    monkeypatch.setattr("sys.argv", words.split())
    try:
        self_play_speed.main()
    finally:
        torch.set_num_threads(threads_before)
    assert "4 visits a move, 2 cores, medians of 1: plain loop " in capsys.readouterr().out
