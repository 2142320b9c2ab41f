"""What every widget keeps: nothing else than a command has an effect, and faults are named."""

import math
from functools import partial
from hashlib import sha256

import pytest

from mctslab import search
from mctslab.games import Gomoku, Reversi, TicTacToe
from mctslab.widgets import (
    AlphaBetaStepper,
    BanditGame,
    BanditPlayground,
    ConvolutionBoard,
    GamePanel,
    LearningBoard,
    MinimaxByHand,
    NetPanel,
    PhaseStepper,
    SearchSliders,
)
from mctslab.widgets.front_end import STATIC
from tests.browser.examples import EXAMPLES, FOUR, THREATS, traced
from tests.search.toys import WrittenOut
from tests.widgets.browser_messages import send

THREAT = TicTacToe().child(0).child(4).child(1)
NET, SAME_NAME = ("a", search.uniform_evaluator()), ("a", THREATS)


NOT_POSSIBLE = [
    (partial(AlphaBetaStepper, TicTacToe()), "more than 40 leaves"),
    (partial(AlphaBetaStepper, WrittenOut(3)), "before the end of a game"),
    (partial(AlphaBetaStepper, TicTacToe), "is not a position"),
    (partial(BanditPlayground, (0.5,)), r"length 2 <= L <= 6, but a value of \[0.5\]"),
    (partial(BanditPlayground, (0.5, 1.5)), "1.5 is not a win rate"),
    (partial(BanditPlayground, (0.5, math.nan)), "nan is not a win rate"),
    (partial(BanditPlayground, c=3.1), "'c' trait .* greater than 3.0, but a value of 3.1"),
    (partial(BanditGame, num_arms=1), "'num_arms' trait .* less than 2, but a value of 1"),
    (partial(ConvolutionBoard, Gomoku), "is not a position"),
    (partial(GamePanel, Reversi), "<class '.*Reversi'> is not a position of a game: give one"),
    (partial(GamePanel, "reversi", white=None), "None cannot play: give .human., a short name"),
    *(
        (partial(GamePanel, "reversi", seconds_per_move=limit), f"seconds_per_move={limit!r}")
        for limit in ("1", 0, -1, math.nan)
    ),
    (partial(GamePanel, "reversi", heat="wins"), "heat='wins' can't be shown on the board; it is"),
    (partial(LearningBoard, TicTacToe), "is not a position"),
    (partial(LearningBoard, THREAT.child(3).child(2)), "There is no square to choose"),
    (partial(LearningBoard(THREAT).add, [0.2] * 5, 0), "5 priors, but 6 legal actions"),
    (partial(LearningBoard(THREAT).add, [-0.3, 1.2, 0, 0, 0, 0], 0), "from 0 to 1"),  # logits
    (partial(LearningBoard(THREAT).add, [0.2] * 4 + [0.1] * 2, 1.5), "a value from -1 to 1"),
    (partial(MinimaxByHand, TicTacToe), "is not a position"),
    (NetPanel, "0 nets don't fit side by side; choose 1 to 4"),
    (partial(NetPanel, *[NET] * 5, state=FOUR), "5 nets"),
    (partial(NetPanel, NET, state=FOUR, num_simulations=0), "num_simulations=0"),
    (partial(NetPanel, NET), "names its game, so give a position"),
    (partial(NetPanel, NET, SAME_NAME, state=FOUR), "Two of the nets have the same name"),
    (partial(PhaseStepper, TicTacToe()), "TicTacToe is not a trace of a search: record one with"),
    (partial(PhaseStepper, search.Trace()), "no simulation yet"),
    *(
        (partial(PhaseStepper, traced(), simulation=number), "which are 1 to 30")
        for number in (0, 31)
    ),
    (partial(SearchSliders, WrittenOut(3)), "not fast enough for sliders, because A toy has no"),
    (partial(SearchSliders, TicTacToe(), num_simulations=1), "=1 is too few: at least 2"),
]


@pytest.mark.parametrize(("make", "words"), NOT_POSSIBLE)
def test_what_is_not_possible_is_named(make, words):
    with pytest.raises(Exception, match=words) as error:  # a trait has an error of its own
        make()
    assert isinstance(error.value, ValueError) or type(error.value).__name__ == "TraitError"


PREACT = "72284e8e9079c87817145df1110f74e8a2aa040b2fc384922e18dfcb46fc1fd7"
"""SHA-256 of preact/standalone.module.js in version 3.1.1 of npm's package htm."""


def test_the_vendored_file_is_npms():
    assert sha256((STATIC / "vendor" / "preact.js").read_bytes()).hexdigest() == PREACT


NO_SQUARES = (64, -1, "19", True, 19.0, None)


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_is_no_command_is_dropped(name):
    widget = EXAMPLES[name]()
    before = widget.get_state()
    # Commands that are not offered now, and methods that are no commands.
    offered = before.get("view", {}).get("commands", ["start"])
    names = {"undo", "redo", "pause", "stop", "pass", "close", "state", "go_on", "show"}
    for content in (
        *(None, [], "new", {}, {"command": 1}, {"command": ["new"]}, {"event": None}),
        *({"event": "view_closed"}, {"command": "by_lot", "value": 1}),
        *({"command": name} for name in names.difference(offered)),
        *({"command": "show_ply", "ply": "1"}, {"command": "move", "places": 1}),
        *({"command": "choose", "square": square, "record": "x"} for square in NO_SQUARES),
        *({"put": {"turn": 9}}, {"put": {"moves": []}, "turn": 7, "next": True}, {"put": 1}),
        *({"stop": "now"}, {"think": {"turn": 0}}, {"section": 3}),
    ):
        send(widget, content)
        assert widget.get_state() == before, content
    assert widget.comm is not None
