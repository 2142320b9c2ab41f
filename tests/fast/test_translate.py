"""The compiler is handed the very rules that the states play by; it refuses others with the reason.

That they say the same to it is shown by counts that others have published, and by same trees.
"""

import gc
import importlib.util
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import llvmlite.binding
import numpy as np
import pytest

from mctslab import games
from mctslab.fast.compile import primitives, recipes
from mctslab.fast.compile.module_builder import compiled_module
from mctslab.fast.compile.translate import NotCompilableError, rules_text
from mctslab.games.rules import Compilable, Rules

KERNEL = Path(__file__).with_name("rules_kernel.py")


def perft_of(game: Compilable) -> Callable[[int, int], int]:
    """The kernel's function over the rules of `game`."""
    start = tuple(map(np.uint64, game.position))
    module = compiled_module(
        "rules", rules_text(game), KERNEL, {}, entry_points=("perft",),
        warm_up=lambda module: module.perft(start, 0, 0),
    )  # fmt: skip
    return partial(module.perft, start)


# Counts that others have published


def test_perft_of_reversi_to_ply_10_in_both_conventions():
    """228 games are over after nine plies. At ply 10 one convention still counts them."""
    ways = perft_of(games.Reversi().compilable())
    assert [ways(plies, 0) for plies in range(1, 9)] == [
        4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216
    ]  # fmt: skip
    assert ways(9, 0) == ways(9, 1) == 3_005_288
    assert ways(10, 1) == 24_571_284
    assert ways(10, 0) == 24_571_284 - 228 == 24_571_056


def test_perft_of_connect_four_to_ply_8_and_of_tictactoe_to_the_end():
    ways = perft_of(games.ConnectFour().compilable())
    assert [ways(plies, 0) for plies in range(1, 9)] == [
        7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234
    ]  # fmt: skip
    assert perft_of(games.TicTacToe().compilable())(9, 1) == 255_168


# Bits


@pytest.fixture(scope="module")
def portable() -> Any:
    """The same file as it is on a processor that cannot deposit bits."""
    spec = importlib.util.spec_from_file_location("portable_primitives", primitives.__file__)
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(llvmlite.binding, "get_host_cpu_features", dict)
        spec.loader.exec_module(module)
    return module


def words_of_all_kinds() -> list[int]:
    rng = np.random.default_rng(1)
    words = rng.integers(0, 2**64, size=(3, 500), dtype=np.uint64)
    dense, sparse = words[0] | words[1] | words[2], words[0] & words[1] & words[2]
    return [1, 2**63, 2**64 - 1, 2**63 + 1, *words[0].tolist(), *dense.tolist(), *sparse.tolist()]


def test_the_nth_bit_is_found_on_every_processor(portable):
    assert portable._has_fast_pdep.__globals__ is not primitives._has_fast_pdep.__globals__
    for word in words_of_all_kinds():
        places = [place for place in range(64) if word >> place & 1]
        for module in (portable, primitives):
            assert [module.nth_bit(np.uint64(word), n) for n in range(len(places))] == places


def test_bits_are_counted_and_measured_as_by_python():
    for word in (0, *words_of_all_kinds()):
        assert primitives.bit_count(np.uint64(word)) == word.bit_count()
        assert primitives.bit_length(np.uint64(word)) == word.bit_length()


# What is refused, and why


OWN_GAME = '''\
"""A game that a student might write: nobody wins."""

from functools import cache

import numpy as np

FULL = 0b111_111_111
HALF = 0.5
LIST = [1, 2]


def pick(bits):
    return bits


def legal_moves(position, geometry):
    """The empty squares."""
    return FULL & ~(position[0] | position[1])


def play(position, move, geometry):
    own, opponent, player = position
    return opponent, own | 1 << move, 1 - player


def outcome(position, moves, geometry):
    return 0 if moves else 2
'''
RETURNED = "return FULL & ~(position[0] | position[1])"


@pytest.fixture
def game_of(tmp_path: Path) -> Callable[..., Compilable]:
    """Make a game of rules that are imported from a file of their own."""

    def game_of(source: str, geometry: object = None) -> Compilable:
        file = tmp_path / "own_game.py"
        file.write_text(source, "utf-8")
        spec = importlib.util.spec_from_file_location("own_game", file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        rules = Rules(module.legal_moves, module.play, module.outcome)
        return Compilable(rules, geometry, (0, 0, 0))

    return game_of


INNER = """

def make(result):
    def outcome(position, moves, geometry):
        return result

    return outcome

outcome = make(0)
"""
INSTEAD = {
    "return geometry": "uses `geometry` as a whole",
    "return FULL & HALF": "HALF is 0.5: only ints and tables of ints",
    "return LIST[0]": r"LIST is \[1, 2\]: only ints",
    "return np.uint64(1)": "np is <module 'numpy'",
    "return 1 << 64 & 0xFFFF_FFFF_FFFF_FFFF_F": "does not fit into 64 bits, so the board",
    "return FULL / 2": r"divides by `/`, and only whole numbers are compiled: write `//`",
    "return FULL - -1": r"uses a number below zero, `-1`, and only `x & -x`",
    "return sum([1])": "uses sum, and besides functions of your own only bool, int, len",
    "raise ValueError": "uses ValueError, and",
}
"""What the rules return instead of the empty squares, and why it is refused."""
OTHERWISE = {
    OWN_GAME.replace("def legal", "@cache\ndef legal"): r"cache_wrapper.* plain function, and",
    f"{OWN_GAME}\n\noutcome = lambda position, moves, geometry: 0\n": "not a plain `def`",
    OWN_GAME + INNER: r"outcome\(\) reads variables of the function ar",
    f"{OWN_GAME}\n\nexec('def play(position, move, geometry): pass')\n": "text of play.. was",
}
"""Sources of games whose rules are no plain functions, and why they are refused."""


def test_what_would_mean_something_else_is_refused(game_of):
    assert RETURNED in OWN_GAME
    sources = {OWN_GAME.replace(RETURNED, new): reason for new, reason in INSTEAD.items()}
    for source, reason in (sources | OTHERWISE).items():
        with pytest.raises(NotCompilableError, match=reason):
            rules_text(game_of(source))


def test_a_text_that_was_changed_after_its_import_is_refused(game_of, tmp_path):
    game = game_of(OWN_GAME)
    assert "1" in rules_text(game)
    for old, new in {
        "1 - player": "2 - player",
        "1 << move": "1 >> move",
        "own |": "own + 0 |",
    }.items():
        (tmp_path / "own_game.py").write_text(OWN_GAME.replace(old, new) + "\n" * len(new), "utf-8")
        with pytest.raises(
            NotCompilableError, match=r"play\(\) was changed after .* restart the k"
        ):
            rules_text(game)


def test_what_numba_does_not_take_is_refused_with_its_words(game_of):
    with pytest.raises(NotCompilableError, match=r"accept its rules or formula \(.*getitem"):
        recipes.engine(game_of(OWN_GAME.replace(RETURNED, "return pick(FULL)[1]")))


def test_a_geometry_that_can_change_is_refused(game_of):
    with pytest.raises(NotCompilableError, match=r"can be changed .*unhashable type: 'list'"):
        recipes.engine(game_of(OWN_GAME, [3]))


# Names


def test_names_that_the_engine_has_do_no_harm(game_of):
    """`count_bits` is a function of the engine, `OPEN` a number of its, among many others."""
    source = OWN_GAME.replace("pick", "count_bits").replace("FULL", "OPEN")
    wrapped = "return count_bits(OPEN & ~(position[0] | position[1]))"
    source = source.replace(RETURNED.replace("FULL", "OPEN"), wrapped)
    assert wrapped in source
    assert perft_of(game_of(source))(4, 0) == 9 * 8 * 7 * 6


def test_threads_can_read_rules_at_the_same_time():
    """Python 3.11 fails where two of them parse, and one gives way while objects are collected."""
    callback, threshold = lambda *_: time.sleep(0), gc.get_threshold()
    gc.callbacks.append(callback)
    gc.set_threshold(50)
    try:
        with ThreadPoolExecutor(3) as threads:
            read = threads.map(lambda _: rules_text(games.Gomoku().compilable()), range(60))
            assert len(set(read)) == 1
    finally:
        gc.set_threshold(*threshold)
        gc.callbacks.remove(callback)
