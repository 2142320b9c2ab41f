"""The arena panel in real JupyterLab: started, stopped, resumed, replayed; and without a kernel."""

import re

from playwright.sync_api import expect

from tests.browser.lab import Lab
from tests.browser.modules import Module, module_of
from tests.browser.panel import COMPUTING, OnPage

# It takes a moment for each move, so that a match can be seen while it is played.
UNHURRIED = """\
import time
from mctslab.players import Player, Proposal

class Unhurried(Player):
    name = "unhurried"

    def __init__(self, *, rng):
        self.rng = rng

    def think(self, state):
        time.sleep(0.06)
        yield Proposal(int(self.rng.choice(state.legal_actions())), 1.0, num_simulations=7)
"""

MATCH = """\
from unhurried import Unhurried
from mctslab.widgets import ArenaPanel
panel = ArenaPanel("tictactoe", [Unhurried, "random"], num_games=150, seed=1, processes=2,
                   file="games.jsonl")
panel"""

PLAYED = """\
from mctslab.widgets import ArenaPanel
panel = ArenaPanel("reversi", ["roxanne", "random"], num_games=4, seed=1, start=True,
                   processes=None)
panel"""

START_SECONDS = 240
"""How long two processes may take to start, and to play, on a busy machine."""


class ArenaOnPage(OnPage):
    """The panel in the output of the first cell."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab, "arena")
        self.games = self.root.get_by_label("Games", exact=True).and_(self.root.locator("select"))
        self.bar = self.root.get_by_role("progressbar")
        self.move = self.root.locator(".replay-move")
        self.stones = self.root.locator(".board [data-player]")

    def expect_more(self) -> None:
        """Wait until the bar has come further."""
        before = self.bar.get_attribute("aria-valuenow")
        expect(self.bar).not_to_have_attribute("aria-valuenow", str(before))

    def says(self, pattern: str) -> None:
        expect(self.headline).to_have_text(re.compile(pattern), timeout=1000 * START_SECONDS)


logic = module_of("common.js", "words.js", "run_panel.js", "arena_panel.js")


def test_a_match_goes_on_beside_a_cell_through_stop_interrupt_and_rerun(lab: Lab) -> None:
    (lab.server.root / "unhurried.py").write_text(UNHURRIED)
    file = lab.server.root / "games.jsonl"
    file.unlink(missing_ok=True)
    lab.open_cells(MATCH, COMPUTING, own_kernel=True)
    lab.run_cell(0)
    panel = ArenaOnPage(lab)
    expect(panel.headline).to_have_text("Ready to play 150 games")
    panel.press("Start")
    panel.says(r"^[1-9]\d* of 150 games$")
    prompt = lab.start_cell(1)
    panel.expect_more()
    expect(panel.root.locator(".figure").first).to_contain_text("95% interval")
    expect(panel.root.locator(".left")).to_have_text(re.compile(r"^about \d+:\d\d left$"))
    panel.press("Stop")
    panel.says(r"^Stopped after \d+ of 150 games$")
    panel.button("Resume").focus()
    lab.page.keyboard.press("Enter")
    expect(panel.button("Stop")).to_be_focused()
    panel.expect_more()
    expect(prompt).to_have_text("[*]:")  # all that happened beside a cell that never rests
    lab.interrupt_kernel()
    expect(prompt).not_to_have_text("[*]:")
    panel.expect_more()

    lab.run_cell(0)  # a new panel on the file into which the old one was playing a moment ago
    panel = ArenaOnPage(lab)
    panel.says(r"^Stopped after \d+ of 150 games$")
    expect(panel.root.locator(".chart svg").first).to_be_visible()
    panel.press("Resume")
    panel.says("^All 150 games have been played$")
    expect(panel.games.locator("option")).to_have_count(150)
    assert lab.evaluate("[g.number for g in panel.result.games]") == list(range(150))
    assert len(file.read_text().splitlines()) == 1 + 150
    expect(panel.root.locator(".actions button:visible")).to_have_count(0)
    times = panel.root.get_by_role("region", name="Times and losses of each player")
    expect(times.get_by_role("row", name="unhurried")).to_contain_text("7")


def test_a_game_is_replayed_by_clicks_and_keys(lab: Lab) -> None:
    lab.open_cells(PLAYED)
    lab.run_all()
    played = ArenaOnPage(lab)
    played.says("^All 4 games have been played$")
    keyboard = lab.page.keyboard
    expect(played.root.locator(".stage")).to_be_hidden()
    played.games.focus()
    keyboard.press("ArrowDown")
    keyboard.press("ArrowDown")
    expect(played.root.locator(".replay-title")).to_have_text(re.compile("^Game 1. Black: random"))
    for label, count in (("Forward", 5), ("Forward", 6), ("Forward", 7), ("Back", 6)):
        played.press(label)
        expect(played.stones).to_have_count(count)
    expect(played.move).to_have_text(re.compile(r"^2\. White played [a-h][1-8]"))
    keyboard.press("ArrowRight")  # "Back" has the focus
    expect(played.stones).to_have_count(7)
    keyboard.press("End")
    expect(played.root.locator(".replay-end")).to_have_text(re.compile(r"(wins, \d+ to \d+|Draw)$"))
    slider = played.root.get_by_label("Ply")
    slider.focus()
    keyboard.press("ArrowLeft")
    num_plies = lab.evaluate("panel.replay['num_plies']")
    expect(played.move).to_have_text(re.compile(rf"^{num_plies - 1}\. "))
    played.root.get_by_role("gridcell").first.click()
    keyboard.press("Home")
    expect(played.stones).to_have_count(4)
    played.press("Last position")
    expect(played.move).to_have_text(re.compile(rf"^{num_plies}\. "))
    played.press("First position")
    expect(played.stones).to_have_count(4)
    assert lab.page.locator(".jp-Cell").count() == 1, "no key went to the notebook"


# Without a page and a kernel


def test_times_are_read_like_a_clock(logic: Module) -> None:
    times = logic.run("() => [0, 0.6, 59.6, 65, 600, 3599, 3600, 7301].map(clockTime)")
    assert times == ["0:00", "0:01", "1:00", "1:05", "10:00", "59:59", "1:00:00", "2:01:41"]


def test_places_stay_on_their_strip(logic: Module) -> None:
    places = logic.run("() => [-9, -3, 0, 1.5, 3, 9].map(value => place(value, -3, 3))")
    assert places == [0, 0, 0.5, 0.75, 1, 1]


def test_a_list_of_games_is_redrawn_from_where_it_changed(logic: Module) -> None:
    same = logic.run(
        """() => {
            const games = [["a", "1"], ["b", "2"], ["d", "4"]];
            return [samePrefix([], games), samePrefix(games, games),
                samePrefix(games, [...games, ["e", "5"]]),
                samePrefix(games, [["a", "1"], ["b", "2"], ["c", "3"], ["d", "4"]]),
                samePrefix(games, [["a", "0"]])];
        }"""
    )
    assert same == [0, 3, 3, 2, 0]
