"""Games in files outside the package, as a student has them: each keeps the contract and trains."""

import sys

import pytest

from mctslab import fast, games
from mctslab.net import Gumbel, SelfPlayConfig, TrainingConfig
from mctslab.net.trainer import Trainer
from tests.games.own_games import MISERE
from tests.net.runs import SMALL, numbers, same
from tests.notebooks.reading import NOTEBOOKS, written_files

WRITTEN = written_files(next(path for path in NOTEBOOKS if path.stem == "15_your_own_game"))
HEX = WRITTEN["my_hex.py"].replace("size: int = 5", "size: int = 3")
BREAKTHROUGH = WRITTEN["my_breakthrough.py"].replace("ROWS, COLS = 8, 8", "ROWS, COLS = 5, 4")

MISERE_ON_INTS = '''
"""Tic-Tac-Toe in which three in a row lose: WON where Tic-Tac-Toe has LOST."""

from mctslab.games import TicTacToe
from mctslab.games.rules import LOST, WON
from mctslab.games.tictactoe import outcome as usual


def outcome(position, moves, geometry):
    result = usual(position, moves, geometry)
    return WON if result == LOST else result


class Misere(TicTacToe):
    __slots__ = ()
    game = "misere"
    title = "Misère"
    rules = TicTacToe.rules._replace(outcome=outcome)
'''

PASSES = '''
"""Reversi on a small board, where passes are common."""

from mctslab.games import Reversi


class Small(Reversi):
    game = "small_reversi"

    def __init__(self):
        super().__init__(size=4)
'''

PLAIN = """

    def compilable(self):
        return None
"""
"""Added to the end of a class, it takes away what can be compiled."""

PLAIN_HEX = f"{HEX}\n\nclass PlainHex(Hex):{PLAIN.lstrip()}".replace(":def", ":\n    def")

FILES = {
    "misere": (MISERE, "Misere", False),
    "misere_on_ints": (MISERE_ON_INTS, "Misere", True),
    "hex_on_ints": (HEX, "Hex", True),
    "plain_hex": (PLAIN_HEX, "PlainHex", False),
    "passes": (PASSES, "Small", True),
    "plain_passes": (PASSES + PLAIN, "Small", False),
    "breakthrough": (BREAKTHROUGH, "Breakthrough", False),
}
"""The text of a file, the class, and whether its rules can be compiled."""

PAIRS = [
    ("misere_on_ints", "misere"),
    ("hex_on_ints", "plain_hex"),
    ("passes", "plain_passes"),
]


@pytest.fixture
def first_state(tmp_path):
    """Makes the first position of the game in one of FILES; afterwards its module is gone."""
    made = []

    def make(name):
        text, kind, _ = FILES[name]
        file = tmp_path / f"own_{name}.py"
        file.write_text(text, "utf-8")
        made.append(file.stem)
        return games.make(f"{file}:{kind}")

    yield make
    for name in made:
        sys.modules.pop(name, None)


def trained(state, **playing):
    """The numbers of a net after two tiny iterations."""
    config = TrainingConfig(
        game=state,
        self_play=SelfPlayConfig(num_simulations=6, temperature_plies=4, **playing),
        **SMALL | {"num_iterations": 2, "replay_capacity": 200},
    )
    assert config.first_state() == state
    trainer = Trainer(config)
    while not trainer.is_done:
        iteration = trainer.iterate()
    assert iteration.num_games > 0
    return numbers(trainer.net)


@pytest.mark.parametrize("name", FILES)
def test_a_game_in_a_file_keeps_the_contract_and_is_compiled_or_says_why_not(name, first_state):
    state = first_state(name)
    assert "keeps to the protocol" in games.contract.check(state, num_games=5)
    assert (fast.why_not(state) == "") == FILES[name][2]


@pytest.mark.filterwarnings("ignore::mctslab.fast.SlowSearchWarning")
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair[0])
def test_a_game_in_a_file_trains_the_same_net_compiled_and_not(pair, first_state):
    compiled, plain = (trained(first_state(name), gumbel=Gumbel(4)) for name in pair)
    assert same(compiled, plain)


@pytest.mark.filterwarnings("ignore::mctslab.fast.SlowSearchWarning")
def test_a_game_whose_actions_are_not_squares_is_trained(first_state):
    net = trained(first_state("breakthrough"))
    assert net["policy_head.linear.weight"].shape[0] == 3 * 5 * 4
