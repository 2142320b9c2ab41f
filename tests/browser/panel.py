"""A game panel on a page, as a person sees and uses it."""

import re
from typing import Final

from playwright.sync_api import Locator, Page, expect

from tests.browser.lab import Lab

ANSWER_SECONDS = 30
"""How long a player's answer may take on a busy machine, beyond what it thinks."""

COMPUTING = "count = 0\nwhile True:\n    count += 1"
"""A cell that never sleeps and never ends by itself."""

YOUR_TURN = re.compile(r"^Your turn|has to pass$")
OVER = re.compile(r"^Draw|wins")


class PanelOnPage:
    """The panel in the output of one cell."""

    def __init__(self, lab: Lab, cell: int = 0) -> None:
        self.page: Page = lab.page
        self.root: Locator = lab.output(cell).locator(".mctslab-panel")
        self.headline = self.root.locator(".headline")
        self.message = self.root.locator(".message").first
        self.board = self.root.get_by_role("grid")
        self.moves = self.root.locator(".moves .notation")
        expect(self.board.get_by_role("gridcell").first).to_be_visible()

    def square(self, name: str) -> Locator:
        """The square that a screen reader calls `name`."""
        return self.board.get_by_role("gridcell", name=re.compile(rf"^{re.escape(name)},"))

    def play(self, name: str) -> None:
        """Click on the square called `name`, and wait until the move is noted."""
        before = self.moves.count()
        self.square(name).click()
        expect(self.moves.nth(before)).to_be_attached()

    def expect_reply(self, num_moves: int = 2, *, seconds: float = ANSWER_SECONDS) -> None:
        """Wait until so many moves were played, and it is the human's turn or all is over."""
        expect(self.moves.nth(num_moves - 1)).to_be_attached(timeout=1000 * seconds)
        self.expect_turn()

    def press(self, label: str) -> None:
        """Click the button that is called so."""
        self.root.get_by_role("button", name=label, exact=True).click()

    def choose_player(self, side: str, label: str) -> None:
        """Choose who plays the side called `side`."""
        self.root.get_by_label(f"Who plays {side}").select_option(label=label)

    def set_up(self, record: str) -> None:
        """Paste a record and set the game up from it."""
        self.press("Record")
        self.root.get_by_label("Game record").fill(record)
        self.press("Set up this game")

    def expect_turn(self, *, seconds: float = ANSWER_SECONDS) -> None:
        """Wait until it is the human's turn, or the game is over."""
        either = re.compile(f"{YOUR_TURN.pattern}|{OVER.pattern}")
        try:
            expect(self.headline).to_have_text(either, timeout=1000 * seconds)
        except AssertionError as error:
            error.add_note(f"The panel says: {self.message.inner_text()!r}")
            raise

    def expect_thinking(self) -> None:
        """Wait until somebody thinks."""
        expect(self.headline).to_have_text(
            re.compile("is thinking$"), timeout=1000 * ANSWER_SECONDS
        )

    def expect_moves(self, *notations: str) -> None:
        """Wait until exactly these moves have been played."""
        expect(self.moves).to_have_text(list(notations), timeout=1000 * ANSWER_SECONDS)

    def is_over(self) -> bool:
        """Whether the headline tells a result."""
        return OVER.search(self.headline.inner_text()) is not None

    def play_to_the_end(self) -> list[str]:
        """Click on the first square that is open, or on Pass, until the game is over."""
        for _ in range(200):
            self.expect_turn()
            if self.is_over():
                return self.moves.all_inner_texts()
            before = self.moves.count()
            if self.headline.inner_text().endswith("has to pass"):
                self.press("Pass")
            else:
                self.root.locator("rect.open").first.click()
            expect(self.moves.nth(before)).to_be_attached()
        raise AssertionError("the game did not end")


# What tests of all panels look at


CONTRAST: Final = """
    const draw = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const over = (color, ground) => {
        if (color === 'rgba(0, 0, 0, 0)') return ground;
        draw.fillStyle = ground; draw.fillRect(0, 0, 1, 1);
        draw.fillStyle = color; draw.fillRect(0, 0, 1, 1);
        const [r, g, b] = draw.getImageData(0, 0, 1, 1).data;
        return `rgb(${r}, ${g}, ${b})`;
    };
    const luminance = color => {
        const [r, g, b] = color.match(/\\d+/g).map(Number).map(c => c / 255)
            .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrastOf = element => {
        const grounds = [];
        for (let e = element; e; e = e.parentElement)
            grounds.unshift(getComputedStyle(e).backgroundColor);
        const ground = grounds.reduce((below, color) => over(color, below), 'rgb(255, 255, 255)');
        const text = over(getComputedStyle(element).color, ground);
        const [low, high] = [luminance(text), luminance(ground)].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
    };"""
"""The contrast of a text with what is behind it, by WCAG 2, as a function on the page."""


def contrast_of(root: Locator, selector: str) -> float:
    """The contrast of a text with what is behind it, by WCAG 2."""
    script = f"element => {{ {CONTRAST} return contrastOf(element); }}"
    contrast: float = root.locator(selector).first.evaluate(script)
    return contrast


def fits(locator: Locator) -> bool:
    """Whether nothing of an element is wider than the element."""
    is_as_wide: bool = locator.evaluate("e => e.scrollWidth <= e.clientWidth")
    return is_as_wide


def is_in_view(part: Locator, pane: Locator) -> bool:
    """Whether all of `part` is between the left and the right edge of `pane`."""
    shown, box = pane.bounding_box(), part.bounding_box()
    assert shown is not None
    assert box is not None
    return shown["x"] <= box["x"] and box["x"] + box["width"] <= shown["x"] + shown["width"]
