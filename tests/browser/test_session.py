"""The session of a game without a panel: clocks, undo, sentences and two tabs.

The server here is a few lines that keep the game, as Python or the worker do, and the test moves
the time."""

import pytest

from tests.browser.modules import exports_of

module = exports_of("session.js")

SERVER = """() => {
  const names = ["d3", "c3", "e3"];
  const about = {
    title: "Test", players: [["human", "Human"], ["one", "One"], ["two", "Two"]], rules: [],
    sides: [{ name: "Black" }, { name: "White" }], limit: 60, hint: "one", pause: 350,
    look: { style: "discs", names: ["d3", "c3", "e3"] },
  };
  const position = (moves) => ({
    stones: "...", last: null, winning: [], line: "", returns: null, discs: [2, 1],
    player: moves.length % 2,
    legal: globalThis.legal ?? names.map((name, square) => ({ move: square, square, name })),
  });
  globalThis.sent = [];
  globalThis.sessions = [];
  globalThis.game = {
    turn: 0, moves: [], sides: ["human", "human"], set_up: 0, hint: null, said: {},
    is_paused: false, is_lost: false, heat: "visits", random_sides: false, limit: 60,
    position: position([]),
  };
  globalThis.change = (changes, isNext = true) => {
    const moves = changes.moves ?? game.moves;
    game = { ...game, ...changes, turn: game.turn + Number(isNext), position: position(moves) };
    for (const session of sessions) session.arrive(about, game);
  };
  const send = (message) => {
    if (!message.put) return sent.push(message);
    const { put, turn = game.turn, next = false } = message;
    if (turn === game.turn) change(put, next);
  };
  globalThis.tab = () => {
    const session = new Session(send, about, game);
    sessions.push(session);
    session.open();
  };
  globalThis.view = () => sessions[0].panel.get("view");
  globalThis.command = (name, more) => sessions[0].obey(name, more);
  globalThis.click = (square) => sessions[0].choose(square);
  globalThis.hear = (news) => {
    const { turn } = game;
    for (const session of sessions) session.hear({ turn, is_hint: false, ...news });
  };
  globalThis.found = (more) => ({
    move: 1, simulations: 1500, nodes: 0, seconds: 0.5, took: 0.5, progress: 0.5, children: [
      { move: 1, visits: 900, rate: 0.6, prior: 0.7 },
      { move: 0, visits: 600, rate: 0.5, prior: 0.28 },
      { move: 2, visits: 0, rate: null, prior: 0.02 },
    ], ...more,
  });
  tab();
}"""


@pytest.fixture
def page(module):
    module.clock.install()
    module.clock.pause_at(2_000_000_000_000)
    module.evaluate("() => { globalThis.legal = undefined; }")
    module.evaluate(SERVER)
    return module


def after(page, *steps):
    """The view after these steps of JavaScript, and a number is so many milliseconds."""
    for step in steps:
        if isinstance(step, int):
            page.clock.run_for(step)
        else:
            page.evaluate(f"() => {{ {step}; }}")
    return page.evaluate("view()")


def test_a_clock_runs_from_the_second_move_on_and_who_is_too_slow_loses(page):
    view = after(page, 100_000, "click(0)", 100_000, "click(1)", 2_000)
    assert [move[2] for move in view["moves"]] == [None, None]
    assert (view["turn"]["is_running"], view["headline"]) == (True, "Black to move")
    view = after(page, "click(2)", 59_000)
    assert view["moves"][2][2] == pytest.approx(2, abs=0.1)
    assert view["seconds"] == pytest.approx([2, 0], abs=0.1)
    view = after(page, 1_500)
    assert (view["headline"], view["estimate"]) == ("Black wins on time", 1)
    assert view["message"] == "White took longer than 60 s for this move."
    assert "hint" not in view["commands"]
    view = after(page, "click(0)")
    assert view["message"] == "The game is over. Press New for another one."
    view = after(page, "command('undo')")
    assert (len(view["moves"]), view["headline"]) == (3, "White to move"), "only the loss"


def test_a_limit_that_is_switched_counts_for_this_move_only_if_it_leaves_more_time(page):
    view = after(page, "click(0)", "click(1)", "command('limit', { value: false })", 90_000)
    assert (view["message"], view["turn"]["limit"]) == ("There is no limit for a move now.", None)
    view = after(page, "command('limit', { value: true })", 1_000)
    words = "Whoever takes longer than 60 s for a move loses, from the next move on."
    assert (view["message"], view["turn"]["limit"]) == (words, None)
    assert after(page, "click(2)", 61_000)["headline"] == "Black wins on time"


def test_a_player_thinks_after_a_pause_and_an_undo_gives_it_up(page):
    view = after(page, "command('set_player', { side: 1, player: 'one' })", "click(0)")
    assert (view["headline"], page.evaluate("sent.length")) == ("White is to move", 0)
    after(page, 400)
    asked = {"turn": 2, "side": 1, "player": "one", "is_hint": False}
    assert page.evaluate("sent.pop()") == {"think": asked}
    assert after(page, "hear({ stage: 'waiting' })")["headline"] == "Waiting for another search"
    view = after(page, "hear({ stage: 'preparing' })")
    assert (view["headline"], view["turn"]["is_running"]) == ("White is getting ready", False)
    view = after(page, "hear({ stage: 'started' })", "hear({ progress: found() })")
    assert view["headline"] == "White is thinking"
    thinking = page.evaluate("sessions[0].panel.get('thinking')")
    assert thinking["text"] == "c3 so far, 1,500 simulations, 3,000/s"
    assert thinking["estimate"] == pytest.approx(1 - 0.56)
    squares = "sessions[0].board.get('heat').squares"
    assert page.evaluate(squares) == [[1, 900], [0, 600], [2, 0]]
    for heat, numbers in (("priors", [[1, 0.7], [0, 0.28]]), ("values", [[1, 0.6], [0, 0.5]])):
        after(page, f"command('heat', {{ value: '{heat}' }})", "hear({ progress: found() })")
        assert page.evaluate(squares) == numbers
    old = page.evaluate("game.turn")
    view = after(page, "command('undo')", f"hear({{ turn: {old}, answer: found() }})", 400)
    assert (view["moves"], view["headline"]) == ([], "Your turn: Black")
    view = after(page, "click(0)", 400, "hear({ answer: found() })")
    assert (view["message"], view["effort"]) == ("White played c3.", "1,500 simulations, 3,000/s")
    assert view["estimate"] == pytest.approx(1 - 0.56)
    view = after(page, "click(2)", "hear({ error: 'ValueError: no' })")
    assert (view["tone"], view["message"]) == ("error", "White's player failed. ValueError: no")
    assert "start" in view["commands"]


def test_two_tabs_go_on_with_one_game_and_one_search(page):
    after(page, "command('set_player', { side: 1, player: 'one' })", "tab()", "click(0)", 400)
    assert page.evaluate("sent.map(({ think }) => think.turn)") == [2, 2]
    assert len(after(page, "hear({ answer: found() })")["moves"]) == 2
    other = "sessions[1].panel.get('view')"
    assert page.evaluate(f"{other}.moves") == page.evaluate("view().moves")
    after(page, "click(0)", "sessions[0].close(); sessions[1].close(); sent.length = 0", 400)
    assert page.evaluate("sent") == [], "nobody thinks where nobody looks"
    after(page, "sessions[1].open()", 400)
    assert page.evaluate("sent.length") == 1


def test_a_hint_is_shown_until_the_next_move(page):
    after(page, "command('hint')")
    assert page.evaluate("sent.pop().think.is_hint")
    view = after(page, "hear({ is_hint: true, stage: 'started' })")
    assert (view["headline"], "hint" in view["commands"]) == ("Looking for a hint", False)
    view = after(page, "hear({ is_hint: true, answer: found() })")
    assert view["message"] == "Hint: c3, win rate 60% in 900 simulations."
    assert (view["tone"], view["estimate"]) == ("hint", pytest.approx(0.56))
    assert page.evaluate("sessions[0].board.get('position').hint") == 1
    view = after(page, "click(0)")
    assert (view["message"], view["estimate"]) == ("", None)
    assert page.evaluate("sessions[0].board.get('position').hint") is None


def test_sides_are_drawn_at_random_and_said(page):
    after(page, "command('set_player', { side: 1, player: 'one' })")
    view = after(page, "command('random_sides', { value: true })")
    assert view["message"] == "In the next new game, it is decided at random who moves first."
    found = set()
    for _ in range(40):
        view = after(page, "command('new')")
        human = [side["choice"] for side in view["sides"]].index("human")
        said = ("you are Black and move first.", "you are White and move second.")[human]
        assert view["message"] == f"Drawn at random: {said}"
        found.add(human)
    assert found == {0, 1}
    after(page, "command('set_player', { side: 0, player: 'two' })")
    after(page, "command('set_player', { side: 1, player: 'one' })")
    said = {after(page, "command('new')")["message"] for _ in range(40)}
    assert said == {f"Drawn at random: {name} is Black and moves first." for name in ("One", "Two")}
