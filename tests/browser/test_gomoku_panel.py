"""Gomoku on the game panel in real JupyterLab: its rules, its heat, Stop and New at any moment."""

import re

from playwright.sync_api import expect

from tests.browser.lab import Lab
from tests.browser.panel import PanelOnPage
from tests.browser.test_game_panel import IMPORT, open_panel, threads_that_think

THINKS_LONG = "GamePanel('gomoku', white='uct:50s', seconds_per_move=None)"


def choose(panel: PanelOnPage, menu: str, label: str) -> None:
    panel.root.get_by_label(menu).select_option(label=label)


def heat(panel: PanelOnPage) -> list[str]:
    """The numbers on the squares."""
    return panel.root.locator(".board .picture svg [data-heat] + text").all_text_contents()


# Stop and New


def test_stop_ends_a_search_that_would_take_minutes(lab: Lab) -> None:
    source = "GamePanel('gomoku', white='puct:300s:threats', seconds_per_move=None)"
    panel = open_panel(lab, source)
    panel.play("H8")
    panel.expect_thinking()
    expect(panel.root.locator("[data-heat]").first).to_be_attached()
    panel.press("Stop")
    panel.expect_reply()
    assert lab.evaluate("panel.moves[1].num_simulations") > 0
    assert lab.evaluate("panel.moves[1].seconds") < 200


SLOW = """\
import threading
from mctslab.players import Player, Proposal

evaluated = threading.Event()

class SlowPlayer(Player):
    name = "slow"

    def think(self, state):
        yield Proposal(state.legal_actions()[0], 0.1, num_simulations=1, seconds=0.1)
        evaluated.wait(300)  # one evaluation that nothing can interrupt
        yield Proposal(state.legal_actions()[-1], 1.0)
"""


def test_stop_does_not_wait_for_a_slow_evaluation(lab: Lab) -> None:
    lab.open_cells(f"{IMPORT}{SLOW}\npanel = GamePanel('gomoku', white=SlowPlayer())\npanel")
    lab.run_all()
    panel = PanelOnPage(lab)
    panel.play("H8")
    panel.expect_thinking()
    expect(panel.root.locator(".found")).to_contain_text("A15 so far")
    panel.press("Stop")
    panel.expect_moves("H8", "A15")
    expect(panel.headline).to_have_text("Your turn: Black")
    assert threads_that_think(lab) == 1, "the evaluation still runs"
    lab.evaluate("evaluated.set()")
    lab.wait_until(lambda: threads_that_think(lab) == 0)
    panel.expect_moves("H8", "A15")


def test_new_while_a_player_thinks_begins_afresh(lab: Lab) -> None:
    panel = open_panel(lab, THINKS_LONG)
    panel.play("H8")
    panel.expect_thinking()
    expect(panel.root.locator("[data-heat]").first).to_be_attached()
    panel.press("New")
    panel.expect_moves()
    expect(panel.headline).to_have_text("Your turn: Black")
    lab.wait_until(lambda: threads_that_think(lab) == 0)
    expect(panel.root.locator("[data-heat]")).to_have_count(0)
    expect(panel.root.locator(".found")).to_have_text("")
    expect(panel.root.locator(".estimate.is-known")).to_have_count(0)
    panel.press("Statistics")
    expect(panel.root.locator(".statistics")).to_contain_text("Nothing has been searched yet.")
    panel.play("A1")
    panel.expect_thinking()
    panel.expect_moves("A1")


def test_new_while_the_first_player_thinks_lets_it_think_anew(lab: Lab) -> None:
    source = "GamePanel('gomoku', black='uct:50s', white='human', seconds_per_move=None)"
    panel = open_panel(lab, source)
    panel.expect_thinking()
    expect(panel.root.locator("[data-heat]").first).to_be_attached()
    lab.evaluate("exec('search = panel.session._thinker._search')")
    panel.press("New")
    lab.wait_until(lambda: lab.evaluate("panel.session._thinker._search is not search"))
    panel.expect_thinking()
    lab.wait_until(lambda: threads_that_think(lab) == 1)
    panel.press("Stop")
    expect(panel.moves).to_have_count(1)
    expect(panel.headline).to_have_text("Your turn: White")


# The rules


def test_the_rules_are_chosen_on_the_panel(lab: Lab) -> None:
    panel = open_panel(lab, "GamePanel('gomoku', white='human')")
    panel.play("H8")
    choose(panel, "Size of the board", "9 × 9")
    panel.expect_moves()
    expect(panel.board.get_by_role("gridcell")).to_have_count(81)
    panel.play("I9")
    choose(panel, "Whether a longer row wins", "exactly")
    panel.expect_moves()
    six = "A1 A9 B1 B9 C1 C9 E1 E9 F1 I9 D1"
    panel.set_up(six)
    expect(panel.headline).to_have_text("White to move")
    choose(panel, "Whether a longer row wins", "or more")
    panel.root.get_by_label("Game record").fill(six)
    panel.press("Set up this game")
    expect(panel.headline).to_have_text("Black wins")
    expect(panel.root.locator("[data-win]")).to_have_count(1)
    choose(panel, "How many in a row win", "3 in a row")
    panel.expect_moves()
    for square in ("A1", "A9", "B1", "B9", "C1"):
        panel.play(square)
    expect(panel.headline).to_have_text("Black wins")
    choose(panel, "Size of the board", "19 × 19")
    expect(panel.board.get_by_role("gridcell")).to_have_count(361)
    expect(panel.root.get_by_label("How many in a row win")).to_have_value("3 in a row")


def test_a_position_is_set_up_by_coordinates_and_a_wrong_one_loses_nothing(lab: Lab) -> None:
    panel = open_panel(lab, "GamePanel('gomoku', white='human')")
    panel.set_up("H8 I9 H9")
    panel.expect_moves("H8", "I9", "H9")
    text = panel.root.get_by_label("Game record")
    text.fill("h8 i9 h99")
    panel.press("Set up this game")
    alert = panel.root.get_by_role("alert")
    expect(alert).to_contain_text(
        "Move 3: 'h99' is not a move of Gomoku, whose moves are A15 to O1"
    )
    expect(text).to_have_value("h8 i9 h99")
    panel.expect_moves("H8", "I9", "H9")
    text.fill("h8i9h9j7")
    panel.press("Set up this game")
    panel.expect_moves("H8", "I9", "H9", "J7")
    expect(alert).to_have_text("")


def test_who_moves_first_is_drawn_at_random(lab: Lab) -> None:
    panel = open_panel(lab, "GamePanel('gomoku', white='random')")
    panel.root.get_by_role("switch", name="Random first player").check(force=True)
    expect(panel.message).to_have_text(
        "In the next new game, it is decided at random who moves first."
    )
    seen = set()
    for _ in range(40):
        panel.press("New")
        panel.expect_turn()
        headline = panel.headline.inner_text()
        if headline != "Black is to move":  # the new game has only now reached the page
            seen.add(headline)
        if len(seen) == 2:
            break
    assert seen == {"Your turn: Black", "Your turn: White"}


# The heat


def test_the_heat_is_chosen_while_a_player_thinks(lab: Lab) -> None:
    panel = open_panel(lab, THINKS_LONG)
    panel.play("H8")
    panel.expect_thinking()
    patches = panel.root.locator("[data-heat]")
    expect(patches).to_have_count(30)
    lab.wait_until(lambda: all(re.fullmatch(r"\d+k?", number) for number in heat(panel)))
    choose(panel, "What the board shows", "values")
    lab.wait_until(
        lambda: bool(heat(panel)) and all(re.fullmatch(r"\d+%", number) for number in heat(panel))
    )
    choose(panel, "What the board shows", "priors")
    expect(panel.message).to_have_text(re.compile("^All priors are the same"))
    expect(patches).to_have_count(0)
    choose(panel, "What the board shows", "visits")
    expect(patches).to_have_count(30)
    choose(panel, "What the board shows", "nothing")
    expect(patches).to_have_count(0)
    panel.press("Stop")
    panel.expect_reply()


def test_the_heat_grows_with_the_search(lab: Lab) -> None:
    panel = open_panel(lab, THINKS_LONG)
    panel.play("H8")
    panel.expect_thinking()
    expect(panel.root.locator("[data-heat]")).to_have_count(30)
    before = heat(panel)
    lab.wait_until(lambda: heat(panel) != before)
    panel.press("Stop")
    panel.expect_reply()
    expect(panel.root.locator("[data-heat]")).to_have_count(0)
