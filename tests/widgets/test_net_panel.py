"""The panel that questions nets, with real widgets and without a browser.

What it shows of the nets' answers, and a match, are tested on a page, in tests/browser.
"""

import threading

import numpy as np
import pytest

from mctslab import fast, search
from mctslab.games import ConnectFour, IllegalActionError, Reversi
from mctslab.search import Evaluation
from mctslab.widgets import NetPanel, net_panel
from mctslab.widgets.board_view import legal_squares, position_of
from mctslab.widgets.records import RecordError
from tests.browser.examples import FOUR
from tests.search.toys import FORCED_PASS
from tests.widgets.browser_messages import click, command, event, see
from tests.widgets.fake_players import SlowDrawing, wait_for
from tests.widgets.test_records import state_after


class Loves:
    """An evaluator that gives one square nearly all of the prior, and player 0 a fixed value."""

    def __init__(self, square, value=0.5):
        self.square, self.value = square, value
        self.num_asked = 0
        self.wait = threading.Event()
        self.wait.set()

    def __call__(self, states, rng):
        self.num_asked += len(states)
        assert self.wait.wait(20)
        weights = [[9.0 if a == self.square else 0.03 for a in s.legal_actions()] for s in states]
        priors = [[weight / sum(each) for weight in each] for each in weights]
        return Evaluation([(self.value, -self.value)] * len(states), priors)


@pytest.fixture(scope="module", autouse=True)
def _compiled():
    """The searches are ready: how long a compiler takes is not what is tested."""
    fast.why_not(FOUR)
    fast.why_not_puct(FOUR)


@pytest.fixture
def make_panel(monkeypatch):
    """Make panels that are on a page; all are taken off it at the end."""
    made = []
    monkeypatch.setattr(net_panel, "PAUSE_BETWEEN_MOVES", 0.0)

    def make(*nets, state=FOUR, **options):
        nets = nets or (("corner", Loves(0, 0.6)), ("middle", Loves(14, -0.2)))
        panel = NetPanel(*nets, state=state, **options)
        made.append(panel)
        see(panel)
        return panel

    yield make
    for panel in made:
        event(panel, "page_opened")
        assert panel._thinker.wait(20)


DEEDS = (*4 * ["move"], "again", "miss", *3 * ["undo"], "redo", "set up", "wrong")


NEAR_A_PASS = state_after(FORCED_PASS, Reversi(size=4))


@pytest.mark.parametrize("first", [FOUR, ConnectFour(4, 4), NEAR_A_PASS], ids=repr)
def test_moves_are_played_taken_back_and_kept_and_each_position_is_asked_about_once(
    make_panel, first
):
    """The moves that were chosen, and how many of them are on the boards, are all that counts."""
    rng, net, chosen, length = np.random.default_rng(1), Loves(0), [], 0
    panel = make_panel(("a", net), ("b", Loves(1)), state=first)
    for _ in range(150):
        deed = rng.choice(DEEDS)
        before, asked, legal = panel.state, net.num_asked, legal_squares(panel.state)
        if deed in ("move", "again") and legal:
            action = before.square_action(int(rng.choice(legal)))
            if deed == "again":  # it keeps what comes after it
                action = (chosen[length:] or [action])[0]
            click(panel, before.action_square(action))
            if chosen[length : length + 1] != [action]:
                chosen[length:] = [action]
            length += 1
        elif deed == "miss":
            why = "the game is over" if before.is_terminal else "it is not a legal move"
            for square in {*range(len(before.board().stones))} - {*legal}:
                click(panel, square)
                assert panel.message.endswith(f" can't be chosen: {why}.")
        elif deed in ("undo", "redo"):
            getattr(panel, deed)()
            length = min(max(length + (1 if deed == "redo" else -1), 0), len(chosen))
        elif deed == "set up":
            panel.set_up(panel.view["record"])
            chosen = chosen[:length]
        elif deed == "wrong":
            for illegal in {*range(first.num_actions)} - {*before.legal_actions()}:
                with pytest.raises(IllegalActionError):
                    panel.play(illegal)
            with pytest.raises(RecordError, match="Move 2"):
                panel.set_up(f"{first.action_to_string(first.legal_actions()[0])} z9")
        state, record = first, []
        for action in chosen[:length]:
            actions = [action]
            while actions:
                record.append(state.action_to_string(actions[0]))
                state = state.child(actions[0])
                actions = [] if state.is_terminal or legal_squares(state) else [first.pass_action]
        assert (panel.state, panel.view["record"]) == (state, " ".join(record))
        assert panel.position.items() >= position_of(state.board()).items()
        assert net.num_asked - asked == (state != before and not state.is_terminal)
        can = {"undo": length, "redo": length < len(chosen), "let_play": not state.is_terminal}
        assert panel.view["commands"] == sorted(["new", *(name for name in can if can[name])])
        if state.is_terminal:
            share = (1 + state.returns()[0]) / 2
            assert panel.view["answers"] == 2 * [
                {"share": share, "worth": "The game is over.", "moves": [], "heat": []}
            ]
            panel.let_play()
        assert (panel.is_playing, len(panel.answers)) == (False, 0 if state.is_terminal else 2)


def test_a_click_on_another_position_or_on_no_square_of_the_board_plays_nothing(make_panel):
    panel = make_panel()
    click(panel, 14)
    for square, record in ((15, ""), ("15", "C4"), (36, "C4"), (-1, "C4")):
        command(panel, "choose", square=square, record=record)
        assert panel.view["record"] == "C4"


@pytest.mark.parametrize("deed", ["stop", "leave"])
def test_a_match_is_stopped_at_any_time(make_panel, deed):
    slow = Loves(0)
    panel = make_panel(("slow", slow), num_simulations=400)
    slow.wait.clear()
    asked = slow.num_asked
    command(panel, "let_play")
    wait_for(lambda: slow.num_asked > asked)
    assert panel.view["headline"] == "Black (slow) is thinking"
    # It does not wait for the net, which would be a deadlock.
    event(panel, "view_closed") if deed == "leave" else command(panel, "stop")
    assert not panel.is_playing
    slow.wait.set()
    assert panel._thinker.wait(20)
    assert (panel.view["record"], panel.is_playing) == ("", False)
    assert "let_play" in panel.view["commands"]


def test_trees_of_all_nets_and_of_uct_are_drawn_below_their_moves_and_no_click_waits_for_them(
    make_panel, monkeypatch
):
    panel = make_panel(num_simulations=36)
    command(panel, "trees", value=True)
    wait_for(lambda: all("svg" in tree for tree in panel.trees))
    assert [tree["title"] for tree in panel.trees] == ["corner", "middle", "UCT with rollouts"]
    assert panel.trees[0]["caption"].startswith("A6 got ")
    of_uct = panel._results[2]
    assert {child.visit_count for child in of_uct.children} == {1}
    move = FOUR.action_to_string(of_uct.principal_variation[0])
    assert panel.trees[2]["caption"].startswith(f"{move} got 3% of the visits")
    panel.play(0)
    drawing = SlowDrawing(net_panel.draw.tree)
    monkeypatch.setattr(net_panel.draw, "tree", drawing)
    panel.play(1)
    wait_for(drawing.begun.is_set)
    command(panel, "trees", value=False)
    click(panel, 20)
    assert panel.view["record"].endswith("C3")
    assert not drawing.done.is_set(), "the click did not have to wait for it"
    drawing.told.set()


def test_a_net_that_fails_is_told_and_the_page_goes_on(make_panel):
    calls = []

    def broken(states, rng):
        calls.append(len(states))
        if len(calls) > 1:
            raise RuntimeError("no electricity")
        return search.uniform_evaluator()(states, rng)

    panel = make_panel(("broken", broken), num_simulations=20)
    command(panel, "trees", value=True)
    wait_for(lambda: "no electricity" in panel.message)
    command(panel, "let_play")
    wait_for(lambda: "let_play" in panel.view["commands"])
    click(panel, 1)
    assert "no electricity" in panel.message


def test_nets_bring_their_game_along(make_panel):
    from mctslab.net.evaluator import WEIGHTS  # it loads PyTorch

    file = WEIGHTS / "gomoku6_1.safetensors"
    panel = make_panel(file, "gomoku6_2", state=None)
    assert panel.fixed["names"] == ["gomoku6_1", "gomoku6_2"]
    assert panel.state == FOUR
    assert sum(panel.answers["gomoku6_1"].policy.values()) == pytest.approx(1)
    with pytest.raises(ValueError, match="gomoku6_1 and gomoku9_1 are for different boards"):
        NetPanel(str(file), "gomoku9_1")
