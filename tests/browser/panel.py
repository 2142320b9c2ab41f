"""A game panel on a page, as a person sees and uses it."""

import re
from collections.abc import Mapping, Sequence

import numpy as np
from playwright.sync_api import FloatRect, Locator, Page, expect

from mctslab.boards import BoardStyle
from mctslab.games import State
from mctslab.widgets.board_view import legal_squares
from tests.browser.bridge import Bridge
from tests.browser.lab import Lab

ANSWER_SECONDS = 30
"""How long a player's answer may take on a busy machine, beyond what it thinks."""

PERSONS_TURN = re.compile(r"^Your turn|^\w+ to move$|has to pass$|^Draw|wins")
"""What a headline says while nobody but a person can go on."""

SHOWN = """root => {
    const all = (selector) => [...root.querySelectorAll(selector)];
    const stones = all('.cells rect').map(() => -1);
    for (const { dataset } of all('.stone[data-square]'))
        stones[dataset.square] = Number(dataset.player);
    return {
        moves: all('.moves .notation').map(({ innerText }) => innerText),
        stones,
        open: all('.cells rect.open').map(({ dataset }) => Number(dataset.square)),
        players: all('.side select').map(({ value }) => value),
        commands: all('[data-command]:not(:disabled)').map(({ dataset }) => dataset.command).sort(),
        headline: root.querySelector('.headline').innerText,
        message: root.querySelector('.message').innerText,
    };
}"""
"""What the panel shows at one moment."""


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
        expect(self.headline).to_have_text(PERSONS_TURN, timeout=1000 * ANSWER_SECONDS)

    def expect_moves(self, *notations: str) -> None:
        """Wait until exactly these moves have been played."""
        expect(self.moves).to_have_text(list(notations), timeout=1000 * ANSWER_SECONDS)

    def play_to_the_end(self, first_state: State) -> None:
        """Play at random, and sometimes take back; whenever a person has the choice, and at the
        end, all that is shown agrees with the rules. Who can end a long game does."""
        rng, new_from = np.random.default_rng(1), self.moves.count()
        while True:
            self.expect_turn()
            shown = self.root.evaluate(SHOWN)
            moves, players, states = shown["moves"], shown["players"], [first_state]
            for move in moves:
                states.append(states[-1].child(states[-1].string_to_action(move)))
            choices = choices_of(states, players)
            expected = told(states, moves, players, is_new=len(moves) > new_from)
            if not choices:  # the website always offers to take back what was played
                shown["commands"] = [each for each in shown["commands"] if each != "undo"]
            assert shown == shown | expected
            state, new_from = states[-1], len(moves)
            if state.is_terminal:
                if players[0] == "human":  # otherwise the player moves at once
                    self.press("New")
                    self.expect_moves()
                return
            if choices and rng.integers(6) == 0:
                new_from = choices[-1]
                self.press("Undo")
                self.expect_moves(*moves[:new_from])
            else:
                actions = state.legal_actions()
                last = [a for a in actions if len(moves) > 30 and state.child(a).is_terminal]
                chosen = state.action_square(int(rng.choice(last or actions)))
                self.press("Pass") if chosen is None else self.click(chosen)
                expect(self.moves.nth(new_from)).to_be_attached()

    def click(self, square: int) -> None:
        """Click on a square."""
        self.board.locator(f"rect[data-square='{square}']").click()


def choices_of(states: Sequence[State], players: Sequence[str]) -> list[int]:
    """The plies in which a person has chosen a square."""
    plies = enumerate(states[:-1])
    return [ply for ply, s in plies if players[s.current_player] == "human" and legal_squares(s)]


def told(
    states: Sequence[State], moves: Sequence[str], players: Sequence[str], *, is_new: bool
) -> dict[str, object]:
    """What a panel shows by the rules when it is a person's turn; `is_new`: somebody has moved."""
    state, board, legal = states[-1], states[-1].board(), legal_squares(states[-1])
    names = state.player_names
    name = names[state.current_player]
    message = ""
    if is_new:
        mover = states[-2].current_player
        if not legal_squares(states[-2]):
            message = f"{names[mover]} had no legal move and passed."
        elif players[mover] != "human":
            message = f"{names[mover]} played {moves[-1]}."
    commands = {"new", "swap"} | ({"undo"} if choices_of(states, players) else set())
    if state.is_terminal:
        first, second = state.returns()
        headline = "Draw" if first == second else f"{names[int(second > first)]} wins"
        counts = board.stones.count(0), board.stones.count(1)
        if hasattr(state, "disc_counts"):
            headline += f", {counts[0]} to {counts[1]}"
    elif legal:
        commands |= {"hint"}
        headline = f"{name} to move" if players[0] == players[1] else f"Your turn: {name}"
    else:
        commands |= {"pass"}
        headline = f"{name} has to pass"
        message = message or f"{name} has no legal move: press Pass."
    squares = range(len(board.stones))
    if board.style is BoardStyle.DROP:  # a whole column can be clicked
        columns = {square % board.cols for square in legal}
        legal = tuple(square for square in squares if square % board.cols in columns)
    return {
        "stones": [*board.stones],
        "open": [*legal],
        "commands": sorted(commands),
        "headline": headline,
        "message": message,
    }


# What tests of all widgets look at


def shows(
    root: Locator | Page, parts: Mapping[str, str | int | re.Pattern[str]], *, seconds: float = 20
) -> None:
    """Wait until each of these parts says this, or until there are so many of them.

    Args:
        root: the widget, or the page.
        parts: by a selector, a piece of the first part's text ("" if it has none), or a number.
        seconds: how long each of them may take.
    """
    for selector, wanted in parts.items():
        found = root.locator(selector)
        if isinstance(wanted, int):
            expect(found).to_have_count(wanted, timeout=1000 * seconds)
        elif wanted:
            expect(found.first).to_contain_text(wanted, timeout=1000 * seconds)
        else:
            expect(found.first).to_be_empty()


def node(tree: Locator, number: int) -> Locator:
    """A node of the tree that a widget shows."""
    return tree.locator(f'.node[data-node="{number}"]')


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


COVERED = """(pane, selector) => {
    const boxes = [...pane.querySelectorAll(selector)].map(box => box.getBoundingClientRect());
    const meet = (a, b) => a.left < b.right && b.left < a.right
        && a.top < b.bottom && b.top < a.bottom;
    const covered = boxes.flatMap((a, n) => boxes.slice(n + 1).filter(b => meet(a, b)));
    return [boxes.length, covered.length];
}"""
"""How many things there are in a pane, and how many of them cover others."""


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
