"""The training panel with real training and without a browser: what each button and event does."""

import threading
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace

import pytest
from filelock import FileLock

from mctslab.games import Gomoku
from mctslab.net import load, training
from mctslab.net.evaluation import Benchmark
from mctslab.net.run_folder import CHECKPOINT, train
from mctslab.net.run_log import LOG, read_log, read_strength
from mctslab.score import Score
from mctslab.widgets import TrainingPanel, training_panel
from mctslab.widgets import training_report as report
from mctslab.widgets.learning_board import frame_of
from tests.net import runs
from tests.net.own_nets import MLP
from tests.net.runs import reference_lines
from tests.widgets.browser_messages import command, event, see
from tests.widgets.fake_players import WAIT_SECONDS, wait_for

YARDSTICK = Benchmark(("random",), every=2, num_games=4, num_simulations=4)


config = partial(runs.config, num_iterations=4)


def svg_of(reference):
    return f"<svg>curves, bands of {len(reference.runs) if reference else 0} runs</svg>"


@pytest.fixture
def make_panel(tmp_path, monkeypatch):
    """Make panels, which show all progress, however fast it comes; all are stopped at the end.

    The curves only say how many runs they are compared with: Matplotlib takes longer than all nets.
    """
    monkeypatch.setattr(training_panel, "SHORTEST_WAIT", 0.0)
    monkeypatch.setattr(report, "curves", lambda *given: [SimpleNamespace(svg=svg_of(given[-1]))])
    panels = []

    def make(settings=None, folder=tmp_path, **options):
        panel = TrainingPanel(settings or config(), folder, **options)
        panels.append(panel)
        return panel

    yield make
    for panel in panels:
        panel.stop()
        assert panel.wait(WAIT_SECONDS)
        wait_for(lambda panel=panel: not panel._is_drawing)


@contextmanager
def held_back(monkeypatch):
    """Each iteration learns when this is released: else a run is over before it can be stopped.

    `begun` can be acquired once for each iteration that waits for it.
    """
    gate, learn = threading.Semaphore(0), training.learn
    gate.begun = threading.Semaphore(0)

    def learn_when_told(run):
        gate.begun.release()
        assert gate.acquire(timeout=WAIT_SECONDS)
        return learn(run)

    monkeypatch.setattr(training, "learn", learn_when_told)
    yield gate
    gate.release(100)


@pytest.fixture
def may_train(monkeypatch, make_panel):
    with held_back(monkeypatch) as gate:
        yield gate


def trained_to_the_end(panel):
    panel.start()
    has_ended(panel)


def has_ended(panel):
    """Wait for a run, and see that all of it is there."""
    assert panel.wait(WAIT_SECONDS)
    assert (panel.message, panel.headline) == ("", "All 4 iterations are done")
    assert [each["number"] for each in panel.log] == [1, 2, 3, 4]
    wait_for(lambda: not panel._is_drawing)


def test_a_run_stays_in_its_folder_when_the_working_folder_changes_and_its_picture_is_renewed(
    make_panel, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    panel, renewed = make_panel(folder="my_run", benchmark=YARDSTICK), []
    assert "<img" not in panel._still()["text/html"]
    panel._still_handle = SimpleNamespace(update=lambda data, **_: renewed.append(data))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    trained_to_the_end(panel)
    assert read_strength(tmp_path / "my_run")
    assert "<img" in renewed[-1]["text/html"]
    assert "All 4 iterations are done" in renewed[-1]["text/plain"]


def test_the_net_is_seen_in_a_position_and_an_earlier_panels_frames_are_kept(
    make_panel, may_train, tmp_path
):
    first_state = config().first_state()
    position = first_state.child(14).child(0).child(15).child(1).child(16)
    panel = make_panel(benchmark=YARDSTICK, position=position)
    panel.start()
    may_train.release()
    wait_for(lambda: panel.log)
    panel.stop()
    may_train.release(3)
    assert panel.wait(WAIT_SECONDS)
    resumed = make_panel(benchmark=YARDSTICK, position=position)
    assert resumed.seen.frames == panel.seen.frames
    (values,), (priors,) = load(panel.net_file)([position], None)
    answer = frame_of(position, priors, values[1])
    assert resumed.seen.frames[-1] == {"iteration": len(panel.log), **answer}
    trained_to_the_end(resumed)
    assert [frame["iteration"] for frame in resumed.seen.frames] == [1, 2, 3, 4]
    assert [m.iteration for m in read_strength(tmp_path)] == [2, 4]
    assert make_panel(position=position.child(2)).seen.frames == []
    with pytest.raises(ValueError, match="learns Gomoku on this board"):
        make_panel(position=Gomoku(size=7, in_a_row=4))


def test_a_net_of_ones_own_is_trained_and_seen(make_panel):
    position = config().first_state()
    panel = make_panel(config(num_iterations=2), make_net=MLP, position=position)
    panel.start()
    assert panel.wait(WAIT_SECONDS)
    assert panel.message == ""
    assert [frame["iteration"] for frame in panel.seen.frames] == [1, 2]
    assert "make_net=MLP" in make_panel(config(num_iterations=2)).message


def test_a_new_panel_goes_on_with_the_run_in_the_folder_and_says_so(make_panel, tmp_path):
    """Also after a kill that left a line without its checkpoint: each iteration is shown once."""
    runs.train_on(tmp_path, 2, config())
    after_two = (tmp_path / CHECKPOINT).read_bytes()
    panel = make_panel()
    assert panel.note == (
        f"{tmp_path} holds a run of 2 of 4 iterations. Resume continues it exactly as if "
        "it had never been stopped."
    )
    assert (panel.headline, panel.commands) == ("Stopped after 2 of 4 iterations", ["resume"])
    assert panel.replay["num_plies"] == len(panel.log[-1]["sample_game"])
    wait_for(lambda: panel.charts)
    runs.train_on(tmp_path, 1, config())
    (tmp_path / CHECKPOINT).write_bytes(after_two)
    panel = make_panel()
    assert len(panel.log) == 3
    trained_to_the_end(panel)
    again = make_panel()
    assert again.note.endswith("holds a run of 4 of 4 iterations, which is finished.")
    assert (again.headline, again.commands) == ("All 4 iterations are done", [])
    again.start()
    assert not again.progress["is_running"]


def test_another_run_or_a_damaged_log_in_the_folder_is_a_sentence(make_panel, tmp_path):
    train(config(num_iterations=1, seed=2), tmp_path)
    before = (tmp_path / CHECKPOINT).read_bytes()
    panel = make_panel()
    told = "holds a run with other settings: seed is 2 there, not 1"
    assert (told in panel.message, panel.note) == (True, "")
    panel.start()
    assert panel.wait(WAIT_SECONDS)
    assert told in panel.message
    assert (tmp_path / CHECKPOINT).read_bytes() == before
    (tmp_path / LOG).write_text("no json\n")
    panel = make_panel()
    assert (bool(panel.message), panel.log) == (True, [])


def test_it_waits_for_a_folder_and_gives_up_with_a_sentence(make_panel, tmp_path, monkeypatch):
    panel = make_panel()
    with FileLock(tmp_path / ".lock"):
        panel.start()
        wait_for(lambda: panel.headline.startswith("Waiting for the folder"))
        panel.stop()
        assert panel.wait(WAIT_SECONDS)
        assert panel.headline == "Ready for 4 iterations"
        monkeypatch.setattr(training_panel, "PATIENCE", 0.0)
        panel.start()
        assert panel.wait(WAIT_SECONDS)
    assert panel.message == f"Another program is training in {tmp_path}."
    trained_to_the_end(panel)


def test_it_stops_when_it_leaves_the_page_and_goes_on_when_it_comes_back(make_panel, may_train):
    panel = make_panel()
    see(panel)
    event(panel, "view_opened", "two")
    command(panel, "start")
    assert may_train.begun.acquire(timeout=WAIT_SECONDS)
    event(panel, "view_closed", "two")
    assert panel.commands == ["stop"], "it is still seen somewhere"
    event(panel, "view_closed")
    assert panel.headline == "Stopping at the end of this iteration …"
    assert panel.commands == []
    may_train.release()
    assert panel.wait(WAIT_SECONDS)
    event(panel, "view_opened")
    assert may_train.begun.acquire(timeout=WAIT_SECONDS)
    assert panel.commands == ["stop"]
    event(panel, "view_closed")
    command(panel, "stop")
    may_train.release()
    assert panel.wait(WAIT_SECONDS)
    for name in ("view_opened", "view_closed", "view_opened"):
        event(panel, name)
        assert not panel.progress["is_running"], "whoever has stopped it is not overruled"


def test_a_problem_is_told():
    disk = report.problem(OSError(28, "No space left", "log.jsonl"))
    assert disk.startswith("The run can't be kept: No space left (log.jsonl). All iterations")
    assert report.problem(OSError("gone")) == "gone"
    assert report.problem(KeyError("x")) == "KeyError: 'x'"


def test_bands_are_shown_and_hidden_and_other_settings_are_said(make_panel, tmp_path):
    train(config(), whole := tmp_path / "whole")
    file = tmp_path / "reference.jsonl"
    names = ("number", "seconds", "game_length")
    log = [{name: each[name] for name in names} for each in read_log(whole)]
    file.write_text("\n".join(reference_lines(config(), log)) + "\n")
    panel = make_panel(config(seed=5), folder=tmp_path / "run", reference=file)
    assert (panel.warning, panel.bands) == ("", {"num_runs": 1, "is_shown": True})
    other = make_panel(config(num_iterations=9), whole, reference=file, bands=False)
    assert (other.warning, other.bands["is_shown"]) == ("", False)
    wait_for(lambda: other.charts == [svg_of(None)])
    command(other, "bands", value=True)
    assert "other settings (num_iterations)" in other.warning
    wait_for(lambda: other.charts == [svg_of(other._reference)])
    without = make_panel(folder=tmp_path / "new")
    command(without, "bands", value=True)
    assert without.bands == {"num_runs": 0, "is_shown": False}


# The report


def line(number=1, **changes):
    return {
        "number": number, "num_positions": 1_000 * number, "num_games": 50, "game_length": 21.5,
        "first_player_score": 0.625, "value_loss": 0.5, "policy_loss": 2.0, "policy_entropy": 1.5,
        "seconds": 4.0, "training_seconds": 1.0, **changes,
    }  # fmt: skip


def test_figures_and_the_time_left_are_those_of_the_newest_iterations(make_panel):
    rows = report.figures([line(), line(2, value_loss=0.25)], [])
    assert rows == [
        ["Loss of the value", "0.25", "1: no knowledge, 0: perfect"],
        ["Loss of the policy", "2.00", "at best the entropy of its target, 1.50"],
        ["Games", "21.5 plies", "the first player scores 0.62"],
        ["Positions played", "2,000", "250 positions and 12.5 games a second"],
    ]
    strength = [
        SimpleNamespace(iteration=iteration, opponent=opponent, score=Score(*counts))
        for iteration, opponent, counts in (
            (5, "random", (1, 0, 19)),
            (10, "uct:2", (10, 0, 10)),
            (10, "random", (20, 0, 0)),
        )
    ]
    unknown = report.figures([line(value_loss=None, game_length=float("nan"))], strength)
    # Wilson's interval for 20 of 20: from 1 / (1 + 1.96^2 / 20) = 0.839 to 1.
    interval = "0.84 to 1.00 · Elo +∞ (+287 to +∞), iteration 10"
    assert (unknown[0][1], unknown[2][1]) == ("–", "– plies")
    assert unknown[-2] == ["Score against random", "1.00", interval]
    assert "Elo 0 (−148 to +148)" in unknown[-1][2]
    # The time left is that of iterations without a match.
    panel = make_panel()
    panel._ends.append(100.0)
    assert panel._seconds_left() is None
    panel._ends += [105.0, 190.0, 195.0]
    panel._log = [line(), line(2)]
    assert panel._seconds_left() == 2 * 5.0
