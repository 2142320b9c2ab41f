"""The training panel with real training and without a browser: what each button and event does."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace

import pytest
from filelock import FileLock

from mctslab.games import Gomoku
from mctslab.net import load
from mctslab.net.evaluation import Benchmark
from mctslab.net.run_folder import CHECKPOINT, train
from mctslab.net.run_log import LOG, read_log, read_strength
from mctslab.score import Score
from mctslab.widgets import TrainingPanel, training_panel
from mctslab.widgets import training_report as report
from mctslab.widgets.learning_board import frame_of
from tests.net import runs
from tests.net.runs import reference_lines
from tests.widgets.browser_messages import command, event, see
from tests.widgets.fake_players import WAIT_SECONDS, wait_for

YARDSTICK = Benchmark(("random",), every=2, num_games=4, num_simulations=4)


config = partial(runs.config, num_iterations=4)


def same_nets(*folders):
    """Whether the nets of these folders are the same to the last bit."""
    one, other = ((folder / CHECKPOINT).read_bytes() for folder in folders)
    return one == other


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a run that nobody has watched or stopped."""
    folder = tmp_path_factory.mktemp("whole")
    train(config(), folder, benchmark=YARDSTICK)
    return folder


@pytest.fixture
def make_drawing_panel(tmp_path, all_news):
    """Make panels; all are stopped at the end."""
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


@pytest.fixture
def make_panel(monkeypatch, make_drawing_panel):
    """The same, for tests that look at no curves: Matplotlib takes longer than all their nets."""
    monkeypatch.setattr(report, "curves", lambda *_: [SimpleNamespace(svg="<svg>curves</svg>")])
    return make_drawing_panel


class Gate:
    """Lets a run go on by single iterations: a stand-in for a person who is quick with Stop."""

    def __init__(self, monkeypatch):
        self.may_go_on = threading.Semaphore(0)
        self.num_begun = 0
        before = TrainingPanel._note_iteration

        def note(panel, iteration):
            before(panel, iteration)
            self.num_begun += 1
            assert self.may_go_on.acquire(timeout=WAIT_SECONDS)

        monkeypatch.setattr(TrainingPanel, "_note_iteration", note)

    def open(self, iterations=1_000):
        self.may_go_on.release(iterations)

    def wait(self, number):
        """Wait until so many iterations were noted."""
        wait_for(lambda: self.num_begun == number)


@pytest.fixture
def gate(monkeypatch, make_drawing_panel):
    gate = Gate(monkeypatch)
    yield gate
    gate.open()


def trained_to_the_end(panel):
    panel.start()
    assert panel.wait(WAIT_SECONDS)
    assert panel.message == ""
    wait_for(lambda: not panel._is_drawing)
    return panel


def test_nothing_is_trained_before_start(make_panel, tmp_path):
    panel = make_panel()
    assert (panel.commands, panel.title) == (["start"], "A net learns Gomoku")
    assert panel.about.startswith("size 6, in a row 4, 4 filters in 1 block, ")
    assert "6 simulations a move, 4 iterations, seed 1, kept in " in panel.about
    assert panel.progress == {"share": 0.0, "is_running": False, "left": None}
    assert (panel.charts, panel.figures, panel.log) == ([], [], [])
    assert panel.note.endswith("appear after the first iteration.")
    (tmp_path / LOG).write_text("no json\n")
    panel = make_panel()
    assert panel.message
    assert panel.log == []


def test_a_run_stays_in_its_folder_when_the_working_folder_changes(
    make_panel, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    panel = make_panel(folder="my_run", benchmark=YARDSTICK)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    panel.start()
    assert panel.wait(WAIT_SECONDS)
    assert (panel.message, panel.headline) == ("", "All 4 iterations are done")
    assert read_strength(tmp_path / "my_run")


def test_a_cell_that_waits_does_not_hold_up_run_all(make_panel):
    panel, waited = make_panel(), []
    panel._thread = SimpleNamespace(join=waited.append)
    assert not panel.wait()
    assert not panel.wait(None)
    panel._thread = None
    assert 0 < waited[0] <= 20
    assert waited[1] is None


def test_the_net_is_seen_in_a_position_and_an_earlier_panels_frames_are_kept(
    make_panel, gate, whole, tmp_path
):
    first_state = config().first_state()
    position = first_state.child(14).child(0).child(15).child(1).child(16)
    panel = make_panel(benchmark=YARDSTICK, position=position)
    panel.start()
    gate.open(1)
    gate.wait(2)
    panel.stop()
    gate.open()
    assert panel.wait(WAIT_SECONDS)
    resumed = make_panel(benchmark=YARDSTICK, position=position)
    assert resumed.seen.frames == panel.seen.frames
    (values,), (priors,) = load(panel.net_file)([position], None)
    assert resumed.seen.frames[-1] == {"iteration": 2, **frame_of(position, priors, values[1])}
    trained_to_the_end(resumed)
    assert [frame["iteration"] for frame in resumed.seen.frames] == [1, 2, 3, 4]
    assert same_nets(resumed.net_file.parent, whole)
    assert [m.iteration for m in read_strength(tmp_path)] == [2, 4]
    assert make_panel(position=position.child(2)).seen.frames == []
    with pytest.raises(ValueError, match="learns Gomoku on this board"):
        make_panel(position=Gomoku(size=7, in_a_row=4))


def test_progress_that_comes_too_fast_is_shown_later_or_at_the_end(make_panel, gate, monkeypatch):
    monkeypatch.setattr(training_panel, "SHORTEST_WAIT", 1e6)
    panel = make_panel()
    panel.start()
    gate.open(1)
    gate.wait(2)
    assert panel.headline == "1 of 4 iterations"
    panel._next_showing = 0.0  # as after that time
    assert not panel._must_stop()
    assert panel.headline == "2 of 4 iterations"
    gate.open()
    assert panel.wait(WAIT_SECONDS)
    assert panel.headline == "All 4 iterations are done"


def test_started_again_before_it_has_stopped_it_goes_on(make_panel, gate):
    panel = make_panel()
    panel.start()
    gate.wait(1)
    thread = panel._thread
    assert thread.daemon, "it does not keep a program from ending"
    with panel._lock:  # it cannot end meanwhile
        panel.stop()
        gate.open()
        threading.Event().wait(0.1)  # so that it has seen the stop; all holds without it too
        panel.start()
        assert panel._thread is thread
    assert panel.wait(WAIT_SECONDS)
    assert panel.headline == "All 4 iterations are done"
    assert [each["number"] for each in panel.log] == [1, 2, 3, 4]


def test_a_new_panel_goes_on_with_the_run_in_the_folder_and_says_so(make_panel, whole, tmp_path):
    """Also after a kill that left a line without its checkpoint: each iteration is shown once."""
    done = []
    train(config(), tmp_path, progress=done.append, stop=lambda: len(done) == 2)
    panel = make_panel()
    assert panel.note == (
        f"{tmp_path} holds a run of 2 of 4 iterations. Resume continues it exactly as if "
        "it had never been stopped."
    )
    assert (panel.headline, panel.commands) == ("Stopped after 2 of 4 iterations", ["resume"])
    assert panel.replay["num_plies"] == len(panel.log[-1]["sample_game"])
    wait_for(lambda: panel.charts)
    third = (whole / LOG).read_text().splitlines(keepends=True)[2]
    with (tmp_path / LOG).open("a") as log:
        log.write(third)
    panel = make_panel()
    assert len(panel.log) == 3
    trained_to_the_end(panel)
    assert [each["number"] for each in panel.log] == [1, 2, 3, 4]
    assert same_nets(tmp_path, whole)
    again = make_panel()
    assert again.note.endswith("holds a run of 4 of 4 iterations, which is finished.")
    assert (again.headline, again.commands) == ("All 4 iterations are done", [])
    again.start()
    assert not again.progress["is_running"]


def test_another_run_in_the_folder_is_a_sentence_and_stays(make_panel, tmp_path):
    train(config(num_iterations=1), tmp_path)
    before = (tmp_path / CHECKPOINT).read_bytes()
    panel = make_panel()
    told = "holds a run with other settings: num_iterations is 1 there, not 4"
    assert told in panel.message
    assert panel.note == ""
    panel.start()
    assert panel.wait(WAIT_SECONDS)
    assert told in panel.message
    assert (tmp_path / CHECKPOINT).read_bytes() == before


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


def test_it_starts_when_it_is_seen_unless_it_was_stopped(make_panel, tmp_path):
    panel, stopped = (make_panel(folder=tmp_path / each, start=True) for each in "ab")
    assert panel.commands == ["start"]
    stopped.stop()
    for each in (panel, stopped):
        see(each)
        assert each.wait(WAIT_SECONDS)
    assert (panel.headline, stopped.commands) == ("All 4 iterations are done", ["start"])


def test_it_stops_when_it_leaves_the_page_and_goes_on_when_it_comes_back(make_panel, gate):
    panel = make_panel()
    see(panel)
    event(panel, "view_opened")
    command(panel, "start")
    gate.wait(1)
    event(panel, "view_closed")
    assert panel.commands == ["stop"], "it is still seen somewhere"
    event(panel, "view_closed")
    assert panel.headline == "Stopping at the end of this iteration …"
    assert panel.commands == []
    gate.open(1)
    assert panel.wait(WAIT_SECONDS)
    event(panel, "view_opened")
    gate.wait(2)
    command(panel, "stop")
    gate.open(1)
    assert panel.wait(WAIT_SECONDS)
    event(panel, "view_closed")
    event(panel, "view_opened")
    assert not panel.progress["is_running"], "whoever has stopped it is not overruled"


def test_a_picture_takes_its_place_and_is_renewed(make_panel, notebook_output):
    panel = make_panel()
    shown, still = notebook_output(panel)
    assert shown["application/vnd.jupyter.widget-view+json"]["model_id"] == panel.model_id
    assert "<img" not in still["text/html"]
    renewed = []
    panel._still_handle.update = lambda data, **_: renewed.append(data)
    trained_to_the_end(panel)
    assert "<img" in renewed[-1]["text/html"]
    assert "All 4 iterations are done" in renewed[-1]["text/plain"]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(28, "No space left", "log.jsonl"), "The run can't be kept: No space left (log.js"),
        (OSError("gone"), "gone"),
        (KeyError("x"), "KeyError: 'x'"),
    ],
)
def test_a_problem_is_told(error, words):
    assert words in report.problem(error)


def test_bands_are_shown_and_hidden_and_other_settings_are_said(
    make_drawing_panel, whole, tmp_path
):
    file = tmp_path / "reference.jsonl"
    names = ("number", "seconds", "game_length")
    log = [{name: each[name] for name in names} for each in read_log(whole)]
    file.write_text("\n".join(reference_lines(config(), log)) + "\n")
    panel = make_drawing_panel(config(seed=5), folder=tmp_path / "run", reference=file)
    assert (panel.warning, panel.bands) == ("", {"num_runs": 1, "is_shown": True})
    other = make_drawing_panel(config(num_iterations=9), whole, reference=file, bands=False)
    assert (other.warning, other.bands["is_shown"]) == ("", False)
    wait_for(lambda: other.charts)
    assert "other runs" not in other.charts[0]
    command(other, "bands", value=True)
    assert "other settings (num_iterations)" in other.warning
    wait_for(lambda: "highest of 1 other runs" in other.charts[0])
    without = make_drawing_panel(folder=tmp_path / "new")
    command(without, "bands", value=True)
    assert without.bands == {"num_runs": 0, "is_shown": False}


# On a cluster


def test_a_net_is_trained_by_workers_that_the_panel_shows(monkeypatch, tmp_path):
    """Dask's own executor is tested with the training, in tests/net."""
    opened, terms = [], runs.config(num_shares=2)

    @contextmanager
    def open_pool(address):
        opened.append(address)
        with ThreadPoolExecutor(1) as pool:
            yield pool

    monkeypatch.setattr(training_panel, "open_cluster", open_pool)
    train(terms, tmp_path / "here", num_workers=0)
    panel, shown = TrainingPanel(terms, tmp_path / "there", cluster="local:1"), []
    panel.observe(lambda change: shown.append(change["new"]), "cluster")
    panel.start()
    assert panel.wait(WAIT_SECONDS)
    assert (panel.message, opened) == ("", ["local:1"])
    assert shown == ["Working on the cluster local:1", ""]
    assert same_nets(tmp_path / "here", tmp_path / "there")


def test_where_no_scheduler_answers_a_sentence_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr("mctslab.cluster._CONNECT_SECONDS", 0.5)
    panel = TrainingPanel(runs.config(), tmp_path, cluster="tcp://127.0.0.1:1")
    panel.start()
    assert panel.wait(WAIT_SECONDS)
    assert panel.message.startswith("No scheduler answers at tcp://127.0.0.1:1. `dask scheduler`")
    assert (panel.cluster, panel.commands) == ("", ["start"])


# The report


def line(number=1, **changes):
    return {
        "number": number, "num_positions": 1_000 * number, "num_games": 50, "game_length": 21.5,
        "first_player_score": 0.625, "value_loss": 0.5, "policy_loss": 2.0, "policy_entropy": 1.5,
        "seconds": 4.0, "training_seconds": 1.0, **changes,
    }  # fmt: skip


def test_figures_are_those_of_the_newest_iteration():
    rows = report.figures([line(), line(2, value_loss=0.25)], [])
    assert rows == [
        ["Loss of the value", "0.25", "1: no knowledge, 0: perfect"],
        ["Loss of the policy", "2.00", "at best the entropy of its target, 1.50"],
        ["Games", "21.5 plies", "the first player scores 0.62"],
        ["Positions played", "2,000", "250 positions and 12.5 games a second"],
    ]
    strength = [
        SimpleNamespace(iteration=iteration, opponent="random", score=Score(*counts))
        for iteration, counts in ((5, (1, 0, 19)), (10, (20, 0, 0)))
    ]
    unknown = report.figures([line(value_loss=None, game_length=float("nan"))], strength)
    # Wilson's interval for 20 of 20: from 1 / (1 + 1.96^2 / 20) = 0.839 to 1.
    interval = "0.84 to 1.00 · Elo +∞ (+287 to +∞), iteration 10"
    assert (unknown[0][1], unknown[2][1]) == ("–", "– plies")
    assert unknown[-1] == ["Score against random", "1.00", interval]


def test_time_left_is_that_of_the_newest_iterations(make_panel):
    panel = make_panel()
    panel._ends.append(100.0)
    assert panel._seconds_left() is None
    panel._ends += [105.0, 110.0]
    panel._log = [line(), line(2)]
    assert panel._seconds_left() == 2 * 5.0
