"""The arena panel in real JupyterLab: started, stopped, resumed, replayed; and without a kernel."""

import re

from playwright.sync_api import expect

from tests.browser.lab import Lab

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
panel = ArenaPanel("tictactoe", [Unhurried, "random"], num_games={num_games}, seed=1,
                   processes=2, file="games.jsonl")
panel"""

PLAYED = """\
from mctslab.widgets import ArenaPanel
panel = ArenaPanel("reversi", ["roxanne", "random"], num_games=4, seed=1, start=True,
                   processes=None)
panel"""

START_SECONDS = 240
"""How long two processes may take to start, and to play, on a busy machine."""


class ArenaOnPage:
    """The panel in the output of one cell."""

    def __init__(self, lab: Lab, cell: int = 0) -> None:
        self.root = lab.output(cell).locator(".mctslab-arena")
        self.headline = self.root.locator(".headline")
        self.games = self.root.get_by_label("Games", exact=True).and_(self.root.locator("select"))
        self.bar = self.root.get_by_role("progressbar")
        self.move = self.root.locator(".replay-move")
        self.stones = self.root.locator(".board [data-player]")
        expect(self.headline).not_to_be_empty()

    def press(self, label: str) -> None:
        self.root.get_by_role("button", name=label, exact=True).click()

    def expect_more(self, lab: Lab) -> None:
        """Wait until the bar has come further."""
        before = self.percent()
        lab.wait_until(lambda: self.percent() > before)

    def percent(self) -> int:
        """How far the bar has come."""
        return int(self.bar.get_attribute("aria-valuenow") or 0)

    def has_said(self, pattern: str) -> None:
        expect(self.headline).to_have_text(re.compile(pattern), timeout=1000 * START_SECONDS)


def test_a_match_goes_on_beside_a_cell_through_stop_interrupt_and_rerun(lab: Lab) -> None:
    (lab.server.root / "unhurried.py").write_text(UNHURRIED)
    file = lab.server.root / "games.jsonl"
    file.unlink(missing_ok=True)
    endless = "while True:\n    pass"
    lab.open_cells(MATCH.format(num_games=150), endless, own_kernel=True)
    lab.run_cell(0)
    panel = ArenaOnPage(lab)
    expect(panel.headline).to_have_text("Ready to play 150 games")
    panel.press("Start")
    panel.has_said(r"^[1-9]\d* of 150 games$")
    lab.start_cell(1)
    prompt = lab.page.locator(".jp-Cell").nth(1).locator(".jp-InputPrompt")
    expect(prompt).to_have_text("[*]:")
    panel.expect_more(lab)
    expect(panel.root.locator(".figure").first).to_contain_text("95% interval")
    expect(panel.root.locator(".left")).to_have_text(re.compile(r"^about \d+:\d\d left$"))
    panel.press("Stop")
    panel.has_said(r"^Stopped after \d+ of 150 games$")
    panel.root.get_by_role("button", name="Resume").focus()
    lab.page.keyboard.press("Enter")
    expect(panel.root.get_by_role("button", name="Stop")).to_be_focused()
    panel.expect_more(lab)
    expect(prompt).to_have_text("[*]:")  # all that happened beside a cell that never rests
    lab.interrupt_kernel()
    expect(prompt).not_to_have_text("[*]:")
    panel.expect_more(lab)

    lab.run_cell(0)  # a new panel on the file into which the old one was playing a moment ago
    panel = ArenaOnPage(lab)
    panel.has_said(r"^Stopped after \d+ of 150 games$")
    expect(panel.root.locator(".chart svg").first).to_be_visible()
    panel.press("Resume")
    panel.has_said("^All 150 games have been played$")
    expect(panel.games.locator("option")).to_have_count(150)
    assert lab.evaluate("[g.number for g in panel.result.games]") == list(range(150))
    assert len(file.read_text().splitlines()) == 1 + 150
    expect(panel.root.locator(".actions button:visible")).to_have_count(0)
    times = panel.root.get_by_role("region", name="Times and losses of each player")
    expect(times).to_contain_text("in total")
    expect(times.get_by_role("row", name="unhurried")).to_contain_text("7")


def test_a_game_is_replayed_by_clicks_and_keys(lab: Lab) -> None:
    lab.open_cells(PLAYED)
    lab.run_all()
    played = ArenaOnPage(lab)
    played.has_said("^All 4 games have been played$")
    keyboard = lab.page.keyboard
    expect(played.root.locator(".stage")).to_be_hidden()
    played.games.focus()
    keyboard.press("ArrowDown")
    expect(played.root.locator(".replay-title")).to_have_text(re.compile("^Game 0. Black: roxanne"))
    keyboard.press("ArrowDown")
    expect(played.root.locator(".replay-title")).to_have_text(re.compile("^Game 1. Black: random"))
    expect(played.stones).to_have_count(4)
    for count in (5, 6, 7):
        played.press("Forward")
        expect(played.stones).to_have_count(count)
    played.press("Back")
    expect(played.stones).to_have_count(6)
    expect(played.move).to_have_text(re.compile(r"^2\. White played [a-h][1-8]: "))
    keyboard.press("ArrowRight")  # "Back" has the focus
    keyboard.press("ArrowRight")
    expect(played.stones).to_have_count(8)
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
    keyboard.press("ArrowRight")
    expect(played.stones).to_have_count(5)
    played.press("Last position")
    expect(played.move).to_have_text(re.compile(rf"^{num_plies}\. "))
    played.press("First position")
    expect(played.stones).to_have_count(4)
    assert lab.page.locator(".jp-Cell").count() == 1, "no key went to the notebook"
    expect(played.root.locator(".replay .charts svg")).to_have_count(1)  # times; nobody searched


def test_an_error_is_a_sentence_on_the_panel(lab: Lab) -> None:
    lab.open_cells(
        f"{UNHURRIED}\nfrom mctslab.widgets import ArenaPanel\n"
        "panel = ArenaPanel('tictactoe', [Unhurried, 'random'], num_games=2, seed=1)\npanel"
    )
    lab.run_all()
    panel = ArenaOnPage(lab)
    panel.press("Start")
    alert = panel.root.get_by_role("alert")
    expect(alert).to_contain_text("cannot be sent to another process")
    expect(alert).to_contain_text("processes=None")
    expect(panel.root.get_by_role("button", name="Start")).to_be_visible()


def test_the_workers_of_a_cluster_are_shown_while_they_play(lab: Lab) -> None:
    (lab.server.root / "unhurried.py").write_text(UNHURRIED)
    lab.open_cells(
        "import os\nos.environ['PYTHONPATH'] += os.pathsep + os.getcwd()\n"
        "from unhurried import Unhurried\nfrom mctslab.widgets import ArenaPanel\n"
        "panel = ArenaPanel('tictactoe', [Unhurried, 'random'], num_games=400, seed=1,\n"
        "                   cluster='local:1')\npanel",
        own_kernel=True,
    )
    lab.run_all()
    panel = ArenaOnPage(lab)
    line = panel.root.get_by_role("status", name="Cluster")
    expect(line).to_be_hidden()
    panel.press("Start")
    expect(line).to_contain_text("1 worker, ", timeout=1000 * START_SECONDS)
    expect(line.get_by_role("link", name="Dask's dashboard")).to_have_attribute(
        "href", re.compile(r"^http://127\.0\.0\.1:\d+/status$")
    )
    panel.has_said(r"^[1-9]\d* of 400 games")
    panel.press("Stop")
    expect(line).to_be_hidden(timeout=1000 * START_SECONDS)
    panel.has_said("^Stopped after")
