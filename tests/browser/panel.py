"""A game panel on a page, as a person sees and uses it."""

import re

import numpy as np
from playwright.sync_api import FloatRect, Locator, Page, expect

from mctslab.boards import BoardStyle
from mctslab.games import State
from mctslab.widgets.board_view import legal_squares
from tests.browser.bridge import Bridge
from tests.browser.lab import Lab

ANSWER_SECONDS = 30
"""How long a player's answer may take on a busy machine, beyond what it thinks."""

YOUR_TURN = re.compile(r"^Your turn|^\w+ to move$|has to pass$")
OVER = re.compile(r"^Draw|wins")


SHOWN = """root => {
    const board = [...root.querySelectorAll('.cells rect')].map(() => '.');
    for (const { dataset } of root.querySelectorAll('.stone[data-square]'))
        board[dataset.square] = dataset.player;
    const open = [...root.querySelectorAll('.cells rect.open')];
    const moves = [...root.querySelectorAll('.moves .notation')];
    const squares = open.map(({ dataset }) => Number(dataset.square));
    return [moves.map((move) => move.innerText), board.join(''), squares];
}"""
"""At one moment: the moves that were played, the stones, and the squares that can be chosen."""


LATE = """c4 c3 c2 c5 e6 b2 a1 f5 g6 g5 g4 e3 f4 c1 b5 f7 f2 h5 h7 c6 h6 a6 d2 h8 b4 d3 c7 f3
a4 f1 e2 c8 e7 d1 d7 a5 a7 d6 a3 b3 h3 b6 d8 f8 g1 g3 h2 b7 a2 f6 b1 g2 e1 e8 g7 g8"""
"""A game of Reversi up to where Black has to pass and four squares are left."""


class PanelOnPage:
    """The game panel in the output of one cell, or elsewhere."""

    def __init__(self, place: Bridge | Lab | Locator, cell: int = 0) -> None:
        around = place if isinstance(place, Locator) else place.output(cell)
        self.root: Locator = around.locator(".mctslab-panel")
        self.headline = self.root.locator(".headline")
        self.message = self.root.locator(".message").first
        self.board = self.root.get_by_role("grid")
        self.moves = self.root.locator(".moves .notation")
        expect(self.board.get_by_role("gridcell").first).to_be_visible()

    def button(self, label: str) -> Locator:
        """The button that is called so."""
        return self.root.get_by_role("button", name=label, exact=True)

    def press(self, label: str) -> None:
        """Click the button that is called so."""
        self.button(label).click()

    def set_up(self, record: str) -> None:
        """Set a record up in the section that is open."""
        self.root.get_by_label("Game record").fill(record)
        self.press("Set up this game")

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

    def expect_turn(self) -> None:
        """Wait until it is the human's turn, or the game is over."""
        either = re.compile(f"{YOUR_TURN.pattern}|{OVER.pattern}")
        try:
            expect(self.headline).to_have_text(either, timeout=1000 * ANSWER_SECONDS)
        except AssertionError as error:
            error.add_note(f"The panel says: {self.message.inner_text()!r}")
            raise

    def expect_thinking(self) -> None:
        """Wait until somebody thinks."""
        expect(self.headline).to_have_text(re.compile("is thinking$"))

    def expect_moves(self, *notations: str) -> None:
        """Wait until exactly these moves have been played."""
        expect(self.moves).to_have_text(list(notations), timeout=1000 * ANSWER_SECONDS)

    def play_to_the_end(self, first_state: State) -> None:
        """Play at random by clicks; in each turn of a person the page agrees with the rules."""
        rng = np.random.default_rng(1)
        while True:
            self.expect_turn()
            played, stones, is_open = self.root.evaluate(SHOWN)
            state = first_state
            for notation in played:
                state = state.child(state.string_to_action(notation))
            board, legal = state.board(), legal_squares(state)
            assert stones == "".join(".01"[stone + 1] for stone in board.stones)
            if board.style is BoardStyle.DROP:  # a whole column can be clicked
                is_open = [square for square in is_open if square in legal]
            assert is_open == [*legal]
            if state.is_terminal:
                break
            square, before = (
                state.action_square(int(rng.choice(state.legal_actions()))),
                len(played),
            )
            if square is None:
                self.press("Pass")
            else:
                self.board.locator(f"rect[data-square='{square}']").click()
            expect(self.moves.nth(before)).to_be_attached()
        assert is_open == []
        first, second = state.returns()
        winner = state.player_names[int(second > first)]
        expect(self.headline).to_contain_text("Draw" if first == second else f"{winner} wins")

    def is_over(self) -> bool:
        """Whether the headline tells a result."""
        return OVER.search(self.headline.inner_text()) is not None


# What tests of all panels look at


def fits(locator: Locator) -> bool:
    """Whether nothing of an element is wider than the element."""
    return bool(locator.evaluate("e => e.scrollWidth <= e.clientWidth"))


def box_of(locator: Locator) -> FloatRect:
    """Where on the page something is, and how large."""
    box = locator.bounding_box()
    assert box is not None
    return box


def middle_of(locator: Locator) -> tuple[float, float]:
    """The middle of what is shown."""
    box = box_of(locator)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, *places: tuple[float, float], steps: int = 1) -> None:
    """Press the mouse at the first place and let go at the last."""
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=steps)
    page.mouse.up()


def tab_to(locator: Locator, *, key: str = "Tab") -> None:
    """Press Tab until the focus is there, as someone does who has no mouse."""
    for _ in range(60):
        if locator.evaluate("e => e === document.activeElement"):
            return
        locator.page.keyboard.press(key)
    raise AssertionError(f"{key} does not lead to {locator}")


def is_within(part: Locator, pane: Locator) -> bool:
    """Whether all of `part` is between the left and the right edge of `pane`."""
    box, shown = box_of(part), box_of(pane)
    return shown["x"] <= box["x"] and box["x"] + box["width"] <= shown["x"] + shown["width"] + 1
