"""The game panel in real JupyterLab: played by mouse and by keys, and through every mishap."""

import re

import pytest
from playwright.sync_api import Locator, expect

from mctslab.games import Reversi
from tests.browser.lab import Lab
from tests.browser.panel import COMPUTING, PanelOnPage, fits

IMPORT = "from mctslab import games\nfrom mctslab.widgets import GamePanel\n"


def open_panel(lab: Lab, source: str, *more_cells: str) -> PanelOnPage:
    lab.open_cells(f"{IMPORT}panel = {source}\npanel", *more_cells)
    lab.run_all()
    return PanelOnPage(lab)


def threads_that_think(lab: Lab) -> int:
    count: int = lab.evaluate(
        "sum(t.name == 'mctslab thinking' for t in __import__('threading').enumerate())"
    )
    return count


# Playing


LATE = """c4 c3 c2 c5 e6 b2 a1 f5 g6 g5 g4 e3 f4 c1 b5 f7 f2 h5 h7 c6 h6 a6 d2 h8 b4 d3 c7 f3
a4 f1 e2 c8 e7 d1 d7 a5 a7 d6 a3 b3 h3 b6 d8 f8 g1 g3 h2 b7 a2 f6 b1 g2 e1 e8 g7 g8"""
"""A game of Reversi up to where Black has to pass and four squares are left."""


def test_reversi_is_played_to_its_end_with_a_pass_by_clicks(lab: Lab) -> None:
    panel = open_panel(lab, "GamePanel('reversi', white='human')")
    panel.choose_player("White", "Level 2: Roxanne")
    panel.set_up(LATE)
    expect(panel.headline).to_have_text("Black has to pass")
    expect(panel.message).to_have_text("Black has no legal move: press Pass.")
    moves = panel.play_to_the_end()
    assert moves[: len(LATE.split()) + 1] == [*LATE.split(), "pass"]
    state = Reversi()
    for notation in moves:
        state = state.child(state.string_to_action(notation))
    assert state.is_terminal
    expect(panel.headline).to_contain_text("{} to {}".format(*state.disc_counts()))


def test_connect_four_is_played_by_keyboard_alone(lab: Lab) -> None:
    panel = open_panel(lab, "GamePanel('connect_four', white='random')", "2 + 2")
    keyboard = lab.page.keyboard
    panel.root.get_by_label("Who plays Yellow").focus()
    keyboard.press("Tab")
    focused = panel.board.locator(":focus")
    expect(focused).to_have_count(1)
    keyboard.press("Home")
    expect(focused).to_have_attribute("aria-label", re.compile("^column 1, "))
    column = 1
    while not panel.is_over():
        if "open" not in (panel.square(f"column {column}, row 6").get_attribute("class") or ""):
            keyboard.press("ArrowRight")
            column += 1
            continue
        before = panel.moves.count()
        keyboard.press("Enter" if before % 4 else " ")
        expect(panel.moves.nth(before)).to_have_text(str(column))
        panel.expect_turn()
    # Plain keys are commands on cells in JupyterLab ("dd" deletes one); here the board has them.
    for key in ("d", "d", "x", "b", "Escape", "ArrowDown", "Enter"):
        keyboard.press(key)
        expect(panel.board.locator(":focus")).to_have_count(1)
    expect(lab.page.locator(".jp-Notebook .jp-Cell")).to_have_count(2)


def test_keys_with_control_still_reach_the_notebook(lab: Lab) -> None:
    panel = open_panel(lab, "GamePanel('tictactoe', white='human')")
    panel.square("b2").click()
    panel.expect_moves("b2")
    lab.page.keyboard.press("Control+s")
    lab.wait_until(
        lambda: not lab.run_script("async () => jupyterapp.shell.currentWidget.context.model.dirty")
    )


def test_the_mouse_shows_where_the_stone_would_lie(lab: Lab) -> None:
    panel = open_panel(lab, "GamePanel('connect_four', white='human')")
    ghost = panel.root.locator(".ghost")
    expect(ghost).to_have_count(0)
    panel.square("column 3, row 6").hover()
    expect(ghost).to_have_count(1)
    assert center(ghost) == pytest.approx(center(panel.square("column 3, row 1")), abs=1)
    panel.square("column 3, row 6").click()
    panel.expect_moves("3")
    expect(panel.square("column 3, row 1")).to_have_attribute("aria-label", re.compile("Red"))


def center(locator: Locator) -> tuple[float, float]:
    box = locator.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_an_illegal_square_is_answered_gently(lab: Lab) -> None:
    panel = open_panel(lab, "GamePanel('reversi', white='human')")
    panel.square("a1").click()
    expect(panel.message).to_have_text("Black can't play a1: the dots show where it can.")
    panel.square("d4").click()
    expect(panel.message).to_have_text("d4 is taken.")
    panel.square("d3").click()
    panel.expect_moves("d3")
    expect(panel.message).to_have_text("")


def test_fast_clicks_play_one_move_a_position(lab: Lab) -> None:
    panel = open_panel(lab, "GamePanel('reversi', white='uct:200')")
    for turn in range(4):
        panel.root.locator(".overlay").evaluate(
            """overlay => {
                const open = [...overlay.querySelectorAll('rect.open')];
                for (let i = 0; i < 30; i++)
                    open[i % open.length].dispatchEvent(new MouseEvent('click', {bubbles: true}));
            }"""
        )
        panel.expect_reply(2 * turn + 2)
    panel.square("a1").dblclick()
    players = lab.evaluate("[m.player for m in panel.moves]")
    assert players == [0, 1] * 4
    assert lab.evaluate("panel.status['tone']") != "error"


# Thinking


def test_gomoku_is_stopped_in_mid_thought(lab: Lab) -> None:
    panel = open_panel(lab, "GamePanel('gomoku', white='uct:50s')")
    panel.square("H8").click()
    panel.expect_thinking()
    expect(panel.root.locator("[data-heat]").first).to_be_visible()
    bar = panel.root.get_by_role("progressbar")
    lab.wait_until(lambda: int(bar.get_attribute("aria-valuenow") or 0) >= 1)
    found = panel.root.locator(".found")
    expect(found).to_have_text(re.compile(r"^[A-P]\d+ so far, [\d,]+ simulations, [\d,.]+( M)?/s$"))
    panel.press("Stop")
    panel.expect_reply(seconds=10)
    expect(found).to_have_text(re.compile(r"^[\d,]+ simulations, [\d,.]+( M)?/s$"))
    expect(panel.root.locator("[data-heat]")).to_have_count(0)


def test_undo_while_the_other_side_thinks(lab: Lab) -> None:
    panel = open_panel(lab, "GamePanel('reversi', white='uct:50s')")
    panel.square("d3").click()
    panel.expect_thinking()
    panel.press("Undo")
    panel.expect_moves()
    expect(panel.headline).to_have_text("Your turn: Black")
    lab.wait_until(lambda: threads_that_think(lab) == 0)
    panel.square("f5").click()
    panel.expect_moves("f5")
    panel.expect_thinking()


def test_a_hint_rings_a_square(lab: Lab) -> None:
    panel = open_panel(lab, "GamePanel('tictactoe', white='human', hint='uct:500')")
    panel.press("Hint")
    expect(panel.message).to_have_text(re.compile(r"^Hint: \w\d, which won \d+% of "))
    ring = panel.root.locator("[data-hint]")
    expect(ring).to_be_visible()
    expect(panel.board.get_by_role("gridcell", name="hint")).to_have_count(1)
    expect(panel.root.locator(".found")).to_have_text(re.compile(r"^[\d,.]+( M)?/s$"))


def test_the_statistics_and_the_tree_of_the_last_move_are_shown(lab: Lab) -> None:
    panel = open_panel(lab, "GamePanel('reversi', white='uct:300')")
    panel.play("d3")
    panel.expect_reply()
    panel.press("Statistics")
    rows = panel.root.locator(".statistics tbody tr")
    expect(rows).to_have_count(3)
    visits = [int(row.locator("td").first.inner_text()) for row in rows.all()]
    assert sum(visits) == 300
    assert visits == sorted(visits, reverse=True)
    panel.press("Tree")
    tree = panel.root.locator(".tree svg g.node")
    expect(tree.first).to_be_visible(timeout=30_000)
    expect(panel.root.locator(".statistics")).to_be_hidden()
    drawing = panel.root.locator(".tree .scroller > svg")
    width = drawing.evaluate("svg => svg.getBoundingClientRect().width")
    panel.root.get_by_role("button", name="Larger").click()
    assert drawing.evaluate("svg => svg.getBoundingClientRect().width") > 1.2 * width
    panel.press("Tree")
    expect(panel.root.locator(".tree")).to_be_hidden()


def tab_to(lab: Lab, locator: Locator, *, key: str = "Tab") -> None:
    """Press Tab until the focus is there, as someone does who has no mouse."""
    for _ in range(20):
        lab.page.keyboard.press(key)
        if locator.evaluate("e => e === document.activeElement"):
            return
    raise AssertionError(f"{key} does not lead to {locator}")


def test_reversi_and_its_tree_are_worked_by_keys_and_fit_every_page(lab: Lab) -> None:
    panel = open_panel(lab, "GamePanel('reversi', white='uct:300')")
    keyboard = lab.page.keyboard
    panel.root.get_by_label("Who plays White").focus()
    tab_to(lab, panel.square("d3"))
    keyboard.press("Enter")
    panel.expect_reply()
    tab_to(lab, panel.root.get_by_role("button", name="Tree", exact=True))
    keyboard.press("Enter")
    scroller = panel.root.locator(".tree .scroller")
    expect(scroller.locator("g.node").first).to_be_visible(timeout=30_000)
    larger = panel.root.get_by_role("button", name="Larger")

    def layout() -> list[dict[str, float] | None]:
        around = (panel.root, panel.board, panel.root.locator(".side").first, scroller)
        return [locator.bounding_box() for locator in around]

    for width in (700, 900, 1_250, 1_900):
        lab.resize(width, 1_600)
        tab_to(lab, panel.root.get_by_role("button", name="Fit to width"), key="Tab")
        keyboard.press("Enter")
        assert fits(scroller), width
        tab_to(lab, larger, key="Shift+Tab")
        before = layout()
        for _ in range(4):
            keyboard.press("Enter")
        assert [sides(box) for box in layout()] == [sides(box) for box in before], width
        assert fits(panel.root), width
        swap = sides(panel.root.get_by_role("button", name="Swap").bounding_box())
        assert swap is not None
        assert swap[1] <= width
        assert not fits(scroller), width
        middle = scroller.evaluate("e => (e.scrollLeft + e.clientWidth / 2) / e.scrollWidth")
        assert middle == pytest.approx(0.5, abs=0.01), "what was in the middle stays there"
        tab_to(lab, scroller)
        place = scroller.evaluate("e => e.scrollLeft")
        keyboard.press("ArrowRight")
        lab.wait_until(lambda place=place: scroller.evaluate("e => e.scrollLeft") > place)
        tab_to(lab, larger, key="Shift+Tab")


def sides(box: dict[str, float] | None) -> tuple[float, float] | None:
    """Where something begins and ends from left to right; it may have been scrolled up or down."""
    return None if box is None else (round(box["x"], 1), round(box["x"] + box["width"], 1))


def test_the_iterations_of_alphabeta_are_its_statistics(lab: Lab) -> None:
    panel = open_panel(lab, "GamePanel('reversi', white='alphabeta:4')")
    panel.play("d3")
    panel.expect_reply()
    panel.press("Statistics")
    rows = panel.root.locator(".statistics tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.first).to_have_text(re.compile(r"^4[\d,]+0\.\d\d[a-h][1-8][+-]\d+ points$"))
    caption = panel.root.locator(".statistics caption")
    expect(caption).to_have_text(re.compile(r"^White: [a-h][1-8], after a search 4 plies ahead"))
    expect(panel.root.locator(".statistics .share-bar")).to_have_count(0)


def test_two_panels_on_one_page_think_one_after_the_other(lab: Lab) -> None:
    source = "GamePanel('reversi', white='uct:50s')\n"
    lab.open_cells(f"{IMPORT}one = {source}one", f"two = {source}two")
    lab.run_all()
    one, two = PanelOnPage(lab, 0), PanelOnPage(lab, 1)
    one.square("d3").click()
    one.expect_thinking()
    two.square("f5").click()
    expect(two.headline).to_have_text("Waiting for another search")
    one.press("Stop")
    one.expect_reply()
    two.expect_thinking()
    two.press("Stop")
    two.expect_reply()
    assert one.moves.first.inner_text() == "d3"
    assert two.moves.first.inner_text() == "f5"


def test_two_players_are_watched_and_paused(lab: Lab) -> None:
    panel = open_panel(lab, "GamePanel('reversi', black='roxanne', white='random')")
    expect(panel.headline).to_have_text("Black is to move")
    panel.press("Start")
    expect(panel.moves.nth(2)).to_be_attached()
    panel.press("Pause")
    expect(panel.root.get_by_role("button", name="Start", exact=True)).to_be_visible()
    count = panel.moves.count()
    lab.wait_until(lambda: threads_that_think(lab) == 0)
    assert panel.moves.count() in (count, count + 1)
    panel.press("Start")
    expect(panel.moves.nth(count + 1)).to_be_attached()


def test_a_move_that_takes_too_long_loses(lab: Lab) -> None:
    panel = open_panel(lab, "GamePanel('reversi', white='human', seconds_per_move=5)")
    panel.square("d3").click()
    panel.expect_moves("d3")
    panel.square("c3").click()
    panel.expect_moves("d3", "c3")
    expect(panel.root.locator(".is-in-hurry")).to_have_count(1)
    expect(panel.headline).to_have_text("White wins on time")
    expect(panel.message).to_have_text("Black took longer than 5 s for this move.")
    expect(panel.root.locator("rect.open")).to_have_count(0)


def test_the_limit_for_a_move_is_switched_off_and_on(lab: Lab) -> None:
    panel = open_panel(lab, "GamePanel('reversi', white='human', seconds_per_move=30)")
    limit = panel.root.get_by_role("switch", name="30 s a move")
    expect(limit).to_be_checked()
    panel.play("d3")
    panel.play("c3")
    left = panel.root.locator(".is-to-move .time-left")
    assert float(left.evaluate("e => parseFloat(e.style.width)")) > 0
    limit.focus()
    lab.page.keyboard.press(" ")
    expect(panel.message).to_have_text("There is no limit for a move now.")
    expect(left).to_have_css("width", "0px")
    assert lab.evaluate("panel.session.seconds_per_move") is None
    lab.page.keyboard.press(" ")
    expect(panel.message).to_contain_text("Whoever takes longer than 30 s for a move loses")
    expect(limit).to_be_checked()


def test_what_the_moves_cost_is_drawn_and_kept_right(lab: Lab) -> None:
    panel = open_panel(lab, "GamePanel('reversi', white='uct:300')")
    panel.press("Clocks")
    pane = panel.root.locator(".section.clocks")
    expect(pane).to_have_text("No time was measured and nothing was counted.")
    panel.play("d3")
    panel.expect_reply()
    charts = pane.locator(".charts svg")
    expect(charts).to_have_count(2)
    expect(charts.nth(0).locator("rect[data-ply]")).to_have_count(1)
    expect(charts.nth(1)).to_contain_text("White: 300 in total")
    panel.root.locator("rect.open").first.click()
    panel.expect_reply(4)
    plies = "e => [...e.querySelectorAll('rect[data-ply]')].map(bar => bar.dataset.ply)"
    # The first move that a human makes is not timed.
    assert charts.nth(0).evaluate(plies) == ["3", "2", "4"]
    pane.locator("summary").click()
    rows = pane.locator("tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.nth(3).locator("td").last).to_have_text("300")
    panel.press("Undo")
    expect(rows).to_have_count(2)
    expect(rows.first).to_be_visible()  # what was opened stays open
    expect(charts.nth(1)).to_contain_text("White: 300 in total")
    assert lab.evaluate("[move.num_simulations for move in panel.moves]") == [0, 300]
    panel.press("New")
    expect(pane).to_have_text("No time was measured and nothing was counted.")


# Records


def test_a_record_is_copied_set_up_and_its_bad_move_named(lab: Lab) -> None:
    panel = open_panel(lab, "GamePanel('reversi', white='human')")
    lab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    panel.square("d3").click()
    panel.expect_moves("d3")  # a click that was made for an older position would not count
    panel.square("c3").click()
    panel.expect_moves("d3", "c3")
    panel.press("Record")
    panel.press("Copy")
    expect(panel.root.locator(".copied")).to_have_text("Copied.")
    assert lab.page.evaluate("navigator.clipboard.readText()") == "d3 c3"
    text = panel.root.get_by_label("Game record")
    text.fill("1. d3 c3 2. c4 d9")
    panel.press("Set up this game")
    expect(panel.root.get_by_role("alert")).to_contain_text("Move 4: 'd9' is not a move of Reversi")
    expect(text).to_have_value("1. d3 c3 2. c4 d9")
    text.fill("1. d3 c3 2. c4 e3")
    panel.press("Set up this game")
    panel.expect_moves("d3", "c3", "c4", "e3")
    expect(panel.root.get_by_role("alert")).to_have_text("")


# Mishaps


def open_beside_a_computing_cell(lab: Lab, source: str) -> tuple[PanelOnPage, Locator]:
    """The panel, and the prompt of a cell that computes all the while."""
    lab.open_cells(f"{IMPORT}panel = {source}\npanel", COMPUTING)
    lab.run_cell(0)
    panel = PanelOnPage(lab)
    lab.start_cell(1)
    prompt = lab.page.locator(".jp-Cell").nth(1).locator(".jp-InputPrompt")
    expect(prompt).to_have_text("[*]:")
    return panel, prompt


def test_connect_four_is_played_while_another_cell_computes(lab: Lab) -> None:
    panel, prompt = open_beside_a_computing_cell(lab, "GamePanel('connect_four', white='uct:0.5s')")
    for turn in range(3):
        panel.play("column 4, row 6")
        panel.expect_reply(2 * turn + 2)
        expect(panel.root.locator(".found")).to_contain_text("simulations")
        expect(prompt).to_have_text("[*]:")
    rows = panel.root.locator(".moves tbody tr")
    replies = [float(row.locator(".seconds").last.inner_text()[:-2]) for row in rows.all()]
    assert len(replies) == 3
    # It is given its time; a search that the cell had put to sleep would take the whole limit.
    assert all(0.5 <= seconds < 10.0 for seconds in replies), replies
    lab.interrupt_kernel()
    expect(prompt).not_to_have_text("[*]:")
    assert lab.evaluate("count") > 0


def test_a_search_is_stopped_while_another_cell_computes(lab: Lab) -> None:
    panel, prompt = open_beside_a_computing_cell(lab, "GamePanel('connect_four', white='uct:50s')")
    panel.play("column 4, row 6")
    panel.expect_thinking()
    expect(panel.root.locator(".found")).to_contain_text("simulations")
    panel.press("Stop")
    panel.expect_reply(seconds=10)
    expect(prompt).to_have_text("[*]:")


def test_an_interrupted_kernel_plays_on(lab: Lab) -> None:
    panel = open_panel(lab, "GamePanel('reversi', white='uct:1s')")
    panel.square("d3").click()
    panel.expect_thinking()
    lab.interrupt_kernel()
    panel.expect_reply()
    panel.root.locator("rect.open").first.click()
    expect(panel.moves.nth(3)).to_be_attached(timeout=30_000)
    assert lab.evaluate("panel.status['tone']") == "plain"


def test_a_cell_that_is_run_again_ends_the_search_of_its_old_panel(lab: Lab) -> None:
    panel = open_panel(lab, "GamePanel('reversi', white='uct:50s')", "old = panel")
    panel.square("d3").click()
    panel.expect_thinking()
    lab.run_cell(0)
    panel = PanelOnPage(lab)
    panel.expect_moves()
    lab.wait_until(lambda: threads_that_think(lab) == 0)
    panel.square("d3").click()
    panel.expect_thinking()
    assert lab.evaluate("old.status['thinking']") == {}


def test_a_deleted_cell_ends_its_search(lab: Lab) -> None:
    panel = open_panel(lab, "GamePanel('reversi', white='uct:50s')", "1 + 1")
    panel.square("d3").click()
    panel.expect_thinking()
    lab.run_script(
        """async () => {
            jupyterapp.shell.currentWidget.content.activeCellIndex = 0;
            await jupyterapp.commands.execute('notebook:delete-cell');
        }"""
    )
    lab.wait_until(lambda: threads_that_think(lab) == 0)
    assert lab.evaluate("[panel.status['thinking'], panel.game['turn']['is_running']]") == [
        {},
        False,
    ]


def test_a_page_that_is_loaded_again_finds_its_game(lab: Lab) -> None:
    panel = open_panel(lab, "GamePanel('reversi', white='uct:300')")
    panel.play("d3")
    panel.expect_reply()
    moves = panel.moves.all_inner_texts()
    lab.command("docmanager:save")
    lab.page.reload()
    lab.wait_for_kernel()
    panel = PanelOnPage(lab)
    panel.expect_moves(*moves)
    panel.root.locator("rect.open").first.click()
    expect(panel.moves.nth(3)).to_be_attached(timeout=30_000)


# Looks

GAMES = ("reversi", "connect_four", "tictactoe", "gomoku")
LONG_NEWS = {".message": "Yellow played 4.", ".found": "12,345,678 simulations, 1.2 M/s"}
TOUCHING = """side => {
    // What stands in a side over another part of it, its times as long as they get.
    side.querySelector('.move-time').textContent = '12 s left';
    side.querySelector('.total-time').textContent = '59:59';
    const shown = [...side.querySelectorAll('.stone, .name, .discs, .move-time, .total-time')]
        .filter(part => !part.hidden).map(part => {
            const range = document.createRange();
            range.selectNodeContents(part);
            return [part.className, range.getBoundingClientRect()];
        });
    const meet = (a, b) =>
        a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    return shown.flatMap(([name, box], place) => shown.slice(place + 1)
        .filter(([, other]) => meet(box, other)).map(([other]) => `${name} and ${other}`));
}"""
NUM_LINES = "e => e.getBoundingClientRect().height / parseFloat(getComputedStyle(e).lineHeight)"


def test_every_game_fits_its_page(lab: Lab) -> None:
    cells = [f"GamePanel({game!r}, white='human')" for game in GAMES]
    lab.open_cells(IMPORT + cells[0], *cells[1:])
    lab.run_all()
    panels = [PanelOnPage(lab, cell) for cell in range(len(cells))]
    for width in (600, 760, 1200):
        lab.resize(width, 900)
        for game, panel in zip(GAMES, panels, strict=True):
            for side in panel.root.locator(".side").all():
                assert side.evaluate(TOUCHING) == [], (game, width)
            for part, text in LONG_NEWS.items():
                news = panel.root.locator(part).first
                news.evaluate("(element, text) => { element.textContent = text; }", text)
                assert news.evaluate(NUM_LINES) <= 2, (game, width, part)
            assert fits(panel.root), (game, width)
            assert fits(panel.root.locator(".news")), (game, width)
