"""The panel that questions nets, with real widgets and without a browser."""

import threading

import numpy as np
import pytest

from mctslab import fast, search
from mctslab.games import ConnectFour, Gomoku, IllegalActionError, Reversi
from mctslab.search import Evaluation
from mctslab.widgets import NetPanel, net_panel
from mctslab.widgets.match import RecordError, must_pass
from mctslab.widgets.net_answers import ask
from tests.widgets.browser_messages import click, command, event, see, send
from tests.widgets.fake_players import wait_for

FOUR = Gomoku(size=6, in_a_row=4)


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
        priors = []
        for state in states:
            weights = [9.0 if a == self.square else 1 / 36 for a in state.legal_actions()]
            priors.append([weight / sum(weights) for weight in weights])
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
        event(panel, "page_opened", "nowhere")
        assert panel._thinker.wait(20)


# What the nets answer


def test_every_net_answers_about_the_same_position(make_panel):
    panel = make_panel()
    corner, middle = panel.answers_data
    assert corner["share"] == pytest.approx(0.8)
    assert corner["worth"] == "value +0.60 for Black, to move"
    assert corner["moves"][0]["notation"] == "A6"
    assert corner["moves"][0]["share"] > 0.89
    assert middle["share"] == pytest.approx(0.4)
    assert middle["moves"][0]["notation"] == "C4"
    assert 'data-heat="0"' in panel.boards[0].picture
    assert 'data-heat="0"' not in panel.boards[1].picture
    assert 'data-heat="14"' in panel.boards[1].picture
    svg = panel.still_svg()
    assert svg.count("<svg") == 3
    assert "corner: value +0.60 for Black, to move" in svg
    assert "Run this cell again" in panel.still_note()
    assert panel.get_state("boards")["boards"] == [
        f"anywidget:{board.model_id}" for board in panel.boards
    ]
    panel.play(20)  # the bar stays where it is, and the value changes its sign
    corner, _ = panel.answers_data
    assert corner["share"] == pytest.approx(0.8)
    assert corner["worth"] == "value −0.60 for White, to move"
    assert panel.answers["corner"].value == pytest.approx(-0.6)


def test_an_answer_is_what_the_evaluator_says():
    state = FOUR.child(7)
    evaluator = search.threat_evaluator()
    values, (priors,) = evaluator([state], np.random.default_rng(0))
    answer = ask(evaluator, state)
    assert answer.value == values[0][1]
    assert list(answer.policy.values()) == priors
    assert answer.top(1)[0][1] == max(priors)
    assert answer.win_rate_of_first == pytest.approx((1 + values[0][0]) / 2)
    assert set(ask(search.uniform_evaluator(), state).policy.values()) == {1 / 35}


def test_one_answer_about_a_position_is_enough(make_panel):
    nets = [Loves(0), Loves(1)]
    panel = make_panel(("a", nets[0]), ("b", nets[1]))
    before = [net.num_asked for net in nets]
    panel.play(5)
    panel.stop()
    command(panel, "simulations", value=100)
    assert [net.num_asked for net in nets] == [number + 1 for number in before]


# Stones


def test_a_click_on_any_board_puts_a_stone_on_all(make_panel):
    panel = make_panel()
    assert panel.commands == ["let_play", "new"]
    click(panel.boards[1], 14)
    assert panel.record == "C4"
    click(panel.boards[0], 15)
    assert panel.state == FOUR.child(14).child(15)
    for board in panel.boards:
        assert board.picture.count("data-player") == 2
    assert panel.headline == "Black to move"
    click(panel.boards[0], 14)
    assert panel.message == "C4 can't be chosen: it is not a legal move."
    with pytest.raises(IllegalActionError):
        panel.play(14)
    assert panel.record == "C4 D4"
    command(panel, "undo")
    assert panel.record == "C4"
    assert "redo" in panel.commands
    command(panel, "redo")
    assert panel.record == "C4 D4"
    command(panel, "new")
    assert panel.record == ""
    assert "undo" not in panel.commands


def test_positions_are_set_up_by_name_and_by_record(make_panel):
    panel = make_panel()
    assert "a four to block" in panel.positions
    command(panel, "set_up", record="a four to block")
    assert panel.headline == "White to move"
    panel.set_up("c3d4")
    assert panel.record == "C3 D4"
    command(panel, "set_up", record="c3 c3")
    assert panel.message.startswith("RecordError: Move 2")
    assert panel.record == "C3 D4"
    with pytest.raises(RecordError):
        panel.set_up("nowhere")


def test_at_the_end_of_a_game_nobody_is_asked(make_panel):
    net = Loves(0)
    panel = make_panel(("a", net))
    panel.set_up("A1 A6 B1 B6 C1 C6")
    asked = net.num_asked
    panel.play(FOUR.string_to_action("D1"))
    assert panel.headline == "Black wins"
    assert net.num_asked == asked
    assert panel.answers == {}
    assert panel.answers_data == [{"share": 1.0, "worth": "The game is over.", "moves": []}]
    assert "let_play" not in panel.commands
    panel.let_play()
    assert not panel.is_playing
    click(panel.boards[0], 0)
    assert panel.message == "A6 can't be chosen: the game is over."


# A match between nets


def test_two_nets_play_on_until_the_end(make_panel):
    panel = make_panel(num_simulations=20)
    panel.set_up("A1 A6 B1 B6")
    command(panel, "let_play")
    assert panel.is_playing
    assert panel.headline == "Black (corner) is thinking"
    wait_for(lambda: panel.state.is_terminal)
    assert not panel.is_playing
    assert panel.headline in ("Black wins", "White wins", "Draw")


def test_who_plays_which_side_is_chosen(make_panel):
    nets = {"corner": Loves(0), "middle": Loves(14)}
    panel = make_panel(*nets.items(), num_simulations=8)
    assert panel.sides == [0, 1]
    command(panel, "side", side=0, net=1)
    command(panel, "side", side=1, net=0)
    assert panel.sides == [1, 0]
    command(panel, "let_play")
    wait_for(lambda: len(panel.record.split()) >= 2)
    command(panel, "stop")
    assert panel.record.split()[:2] == ["C4", "A6"], "each has played its favourite"
    command(panel, "side", side=0, net=2)
    assert panel.message == "ValueError: There is no net number 2."


def test_a_match_is_stopped_at_any_time(make_panel):
    slow = Loves(0)
    panel = make_panel(("slow", slow), num_simulations=400)
    slow.wait.clear()
    asked = slow.num_asked
    command(panel, "let_play")
    wait_for(lambda: slow.num_asked > asked)
    command(panel, "stop")  # it does not wait for the net, which would be a deadlock
    assert not panel.is_playing
    slow.wait.set()
    assert panel._thinker.wait(20)
    assert panel.record == ""
    assert not panel.is_playing
    assert "let_play" in panel.commands


def test_a_stone_of_ones_own_ends_the_match(make_panel):
    panel = make_panel(num_simulations=400)
    command(panel, "let_play")
    click(panel.boards[0], 21)
    assert not panel.is_playing
    assert panel.record == "D3"
    assert panel._thinker.wait(20)
    assert panel.record == "D3"


def test_what_nobody_sees_does_not_play_on(make_panel):
    panel = make_panel(num_simulations=400)
    command(panel, "let_play")
    event(panel, "view_closed")
    assert not panel.is_playing
    assert panel._thinker.wait(20)
    assert len(panel.record.split()) <= 1


# Trees


def test_trees_of_all_nets_and_of_uct_are_drawn(make_panel):
    panel = make_panel(num_simulations=60)
    assert panel.trees_open is False
    command(panel, "trees", value=True)
    wait_for(lambda: all("svg" in tree for tree in panel.trees))
    assert [tree["title"] for tree in panel.trees] == ["corner", "middle", "UCT with rollouts"]
    results = panel._results
    assert [result.root.visit_count for result in results] == [60, 60, 60]
    assert panel.trees[0]["caption"].startswith("A6 got ")
    visits = {child.action: child.visit_count for child in results[0].children}
    assert max(visits, key=visits.get) == 0
    panel.play(0)
    wait_for(lambda: all("svg" in tree for tree in panel.trees))
    assert {result.state for result in panel._results} == {FOUR.child(0)}
    command(panel, "trees", value=False)
    assert not any(panel._results)


def test_of_too_few_simulations_it_is_said_in_place_of_the_tree(make_panel):
    panel = make_panel(num_simulations=20)
    command(panel, "trees", value=True)
    too_few = "20 simulations are too few to try each of the 36 legal moves once."
    wait_for(lambda: panel.trees[2].get("remark") == too_few)
    assert panel.message == ""


def test_the_number_of_simulations_is_chosen(make_panel):
    panel = make_panel(num_simulations=40)
    command(panel, "trees", value=True)
    assert panel.budgets == [40, 100, 400, 1_600, 6_400]
    command(panel, "simulations", value=100)
    wait_for(lambda: all(panel._results))
    assert {result.num_simulations for result in panel._results} == {100}
    command(panel, "simulations", value=101)
    assert panel.num_simulations == 100


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
    click(panel.boards[0], 1)
    assert "no electricity" in panel.message


# The page


def test_other_messages_do_no_harm(make_panel):
    panel = make_panel()
    side = {"command": "side", "side": 3, "net": 0}
    for content in ({"command": "dance"}, side, 7, None, {"event": "x"}):
        send(panel, content)
        assert panel.message == ""


def test_wrong_arguments_are_named():
    fake = ("a", Loves(0))
    for nets, options, words in (
        ([], {}, "0 nets don't fit side by side; choose 1 to 4"),
        ([fake] * 5, {"state": FOUR}, "5 nets"),
        ([fake], {"state": FOUR, "num_simulations": 0}, "num_simulations=0"),
        ([fake], {}, "names its game, so give a position"),
        (["clever"], {}, "There is no net 'clever'"),
    ):
        with pytest.raises(ValueError, match=words):
            NetPanel(*nets, **options)


# Nets from files


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    import torch

    from mctslab.net import NetConfig, PolicyValueNet, save_checkpoint

    folder = tmp_path_factory.mktemp("nets")
    for name, size in (("young", 6), ("old", 6), ("large", 7)):
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(len(name))
            state = Gomoku(size=size, in_a_row=4)
            config = NetConfig.for_game(state, num_filters=4, num_blocks=1, value_hidden=4)
            about = {"game": "gomoku", "game_options": {"size": size, "in_a_row": 4}}
            save_checkpoint(
                folder / f"{name}.safetensors", PolicyValueNet(config).eval(), about=about
            )
    return folder


def test_nets_bring_their_game_along(files, make_panel):
    panel = make_panel(files / "young.safetensors", str(files / "old.safetensors"), state=None)
    assert panel.names == ["young", "old"]
    assert panel.state == FOUR
    assert sum(panel.answers["young"].policy.values()) == pytest.approx(1)
    with pytest.raises(ValueError, match="young and large are for different boards"):
        NetPanel(files / "young.safetensors", files / "large.safetensors")


@pytest.mark.parametrize("state", [ConnectFour(), Reversi(), Reversi(size=6)], ids=repr)
def test_it_questions_nets_for_other_games(make_panel, state):
    panel = make_panel(("corner", Loves(0)), ("middle", Loves(3)), state=state)
    for name in panel.positions:
        panel.set_up(name)
        assert len(panel.answers) == 2
        square = panel.boards[0].view.legal_squares[0]
        click(panel.boards[0], square)
        assert panel.message == ""
        assert panel.state.board().stones[square] >= 0
        assert panel.boards[1].view.board == panel.state.board()


def test_a_side_that_can_only_pass_does_so(make_panel):
    state = pass_ahead()
    panel = make_panel(state=state)
    mover = state.current_player
    panel.play(forcing(state))
    assert panel.state.current_player == mover
    assert len(panel.record.split()) == 2
    panel.undo()
    assert panel.state == state
    panel.redo()
    assert panel.state.current_player == mover
    assert len(panel.record.split()) == 2


def forcing(state):
    """A move after which the other side can only pass; None if there is none."""
    children = {action: state.child(action) for action in state.legal_actions()}
    return next((action for action, child in children.items() if must_pass(child)), None)


def pass_ahead():
    """A position of Reversi in which a move makes the other side pass."""
    rng = np.random.default_rng(1)
    while True:
        state = Reversi()
        while not state.is_terminal:
            if forcing(state) is not None:
                return state
            state = state.child(int(rng.choice(state.legal_actions())))
