"""The board on which a net is seen learning: frames that come while it is shown, and the slider."""

from playwright.sync_api import expect

from tests.browser.bridge import Bridge

CELL = """\
from mctslab import games
from mctslab.widgets import LearningBoard
seen = LearningBoard(games.TicTacToe().child(0).child(4).child(1))
def add(share): seen.add([share, *[(1 - share) / 5] * 5], share - 1)
seen"""


def test_frames_are_shown_as_they_come_and_gone_through_afterwards(bridge: Bridge) -> None:
    root = bridge.show(CELL)
    headline, ring = root.locator(".headline"), root.locator(".ring")
    slider = root.get_by_role("slider", name="Iteration")
    block = root.locator('rect[data-heat="2"] + text')
    expect(headline).to_have_text("No iteration yet")
    expect(ring).to_have_count(1)
    for number, share in enumerate((0.05, 0.1, 0.4, 0.8)):
        bridge.evaluate(f"add({share})")
        expect(headline).to_have_text(f"Iteration {number}")
        expect(block).to_have_text("5.0%" if share < 0.1 else f"{share:.0%}")
    expect(root.get_by_role("status")).to_contain_text("Since iteration 2 the net's favourite")
    expect(root.locator(".said")).to_contain_text("c1, with 80%. Value for O: −0.20.")

    slider.fill("1")
    expect(headline).to_have_text("Iteration 1")
    expect(slider).to_have_attribute("aria-valuetext", "Iteration 1. The net's favourite move for "
                                     "O is a2, with 18%. Value for O: −0.90.")  # fmt: skip
    bridge.evaluate("add(0.9)")  # what the reader looks at stays
    expect(slider).to_have_attribute("max", "4")
    expect(headline).to_have_text("Iteration 1")
    slider.fill("4")
    bridge.evaluate("add(0.95)")
    expect(headline).to_have_text("Iteration 5")


def test_without_a_move_that_blocks_there_is_only_the_policy(bridge: Bridge) -> None:
    root = bridge.show(CELL.replace("child(1)", "child(5)"))
    bridge.evaluate("add(0.5)")
    expect(root.locator("rect[data-heat]")).to_have_count(6)
    expect(root.locator(".ring, path.share")).to_have_count(0)
    expect(root.locator("path.value")).to_have_count(1)
    expect(root.get_by_role("status")).to_be_empty()
