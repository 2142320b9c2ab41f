"""Build the page on which the four games are played in a browser, without Python.

usage: python docs/site/play/build.py TARGET

The page is written to TARGET/play: the engine of each game as WebAssembly, what the page needs to
know about it, and the scripts and styles of the widgets.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np
from torch import nn

from mctslab import games
from mctslab.boards.board import Board
from mctslab.boards.style import LOOKS, value_color
from mctslab.boards.svg import stone_svg
from mctslab.draw.colors import UNKNOWN, visits_color
from mctslab.fast import nodes
from mctslab.fast.compile import module_builder
from mctslab.fast.compile.cache import cache_folder, only_one
from mctslab.fast.compile.module_builder import module_source
from mctslab.fast.compile.recipes import constants, game_text
from mctslab.fast.mcts import classes_of
from mctslab.fast.tree import Tree
from mctslab.games.rules import DRAWN, OPEN, PASS, WON, Compilable
from mctslab.games.state import State
from mctslab.net.checkpoint import load_checkpoint
from mctslab.net.encode import InputPlanes
from mctslab.net.inference import folded
from mctslab.net.model import PolicyValueNet, PooledPolicyHead, ResidualBlock
from mctslab.players.shipped import WEIGHTS, header, shipped_nets
from mctslab.search.knowledge.policies import rollout_policies
from mctslab.search.selection import puct, ucb1
from mctslab.widgets.board_view import board_look
from mctslab.widgets.front_end import STATIC, joined
from mctslab.widgets.game_panel import PAUSE_BEFORE_THINKING, GamePanel
from mctslab.widgets.menus import levels, levels_without_nets
from mctslab.widgets.trace_document import game_facts
from mctslab.widgets.tree_explorer import TreeExplorer

HERE: Final = Path(__file__).parent
_KERNEL: Final = HERE / "kernel.py"
GAMES: Final = ("tictactoe", "connect_four", "reversi", "gomoku")
WIDGETS: Final[dict[str, Any]] = {"game_panel.js": GamePanel, "tree_explorer.js": TreeExplorer}
"""The widgets on the page, by the names under which `play.js` and `server.js` import them."""

STYLES: Final = ("common.css", "board.css", "game_panel.css", "tree.css", "tree_explorer.css")
PRIMITIVES: Final = Path(module_builder.__file__).with_name("primitives.py")
TABLE_LENGTH: Final = 1 << 20
"""Logarithms are looked up in a table of this length, as in `mctslab/fast/mcts.py`."""

IN_A_ROW: Final = {"tictactoe": 3, "connect_four": 4}
"""How many stones in a row win; Gomoku's positions say it themselves."""

NUM_PLANES: Final = 4
"""What a net sees: own stones, the opponent's, the last move, and who is to move."""

# The C compiler and the linker that come with the package ziglang; its library has `log` and `exp`.
_CC: Final = ("cc", "-target", "wasm64-freestanding", "-msimd128", "-O2", "-ffreestanding", "-Wall")
_LD: Final = ("-s", "-Wl,--no-entry,--import-symbols,--export=__heap_base,--export=evaluate")


def build(target: Path) -> None:
    """Write the page into the folder `play` of `target`."""
    folder = target / "play"
    folder.mkdir(parents=True, exist_ok=True)
    shared = [HERE.parent / "static" / "theme.js", STATIC / "model.js", STATIC / "words.js"]
    for file in (*HERE.glob("*.html"), *HERE.glob("*.css"), *HERE.glob("*.js"), *shared):
        shutil.copy(file, folder)
    abouts = {name: about(state, name) for name, state in boards().items()}
    texts = {name: str(widget._esm) for name, widget in WIDGETS.items()}
    texts |= {"widgets.css": joined(*STYLES), "games.json": json.dumps(abouts)}
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    for name, state in boards().items():
        (folder / f"{name}.wasm").write_bytes(engine(state))
        for net in nets_for(state):
            (folder / f"{net}.net").write_bytes(net_file(net))


@cache
def boards() -> dict[str, State]:
    """The first position of each game, and of Gomoku on every board that there are nets for."""
    found = {game: games.make(game) for game in GAMES}
    for net in shipped_nets():
        is_known = any(net.fits(state) for state in found.values())
        if not is_known and nets_for(net.first_state()):
            found[net.name.rpartition("_")[0]] = net.first_state()
    return found


# What the page knows about a game


def about(state: State, name: str) -> dict[str, Any]:
    """The names, numbers and pictures of a game; its rules are in its engine.

    Args:
        state: the first position.
        name: of the board, as in `boards`.
    """
    rules, board = state.compilable(), state.board()
    assert rules is not None
    moves = moves_of(state, rules)
    colors = LOOKS[board.style]
    policy = rollout_policies()["roxanne"] if state.game == "reversi" else None
    return {
        "name": name,
        "game": state.game,
        "title": state.title,
        "rules": _board_menu(state, name),
        "num_actions": state.num_actions,
        "num_squares": len(board.stones),
        # Numbers of 64 bits are texts, because JavaScript's numbers are fractions.
        "start": [str(word) for word in rules.position],
        "words": [str(word) for word in rules.words],
        "classes": [str(int(squares)) for squares in classes_of(policy)],
        "moves": moves,
        "squares": [moves[bit]["square"] if bit in moves else 0 for bit in _bits(rules, board)],
        "actions": [moves[bit]["action"] if bit in moves else 0 for bit in _bits(rules, board)],
        "in_a_row": IN_A_ROW.get(state.game) or getattr(state, "in_a_row", None),
        "outcomes": {"open": OPEN, "drawn": DRAWN, "won": WON},
        "pass": {"move": PASS, "name": "pass", "action": rules.pass_action},
        "traced": game_facts(state),
        "walk": {
            name: (array.dtype.str[1:], *array.shape)
            for name, array in nodes.make_walks(1, rules)._asdict().items()
        },
        "counters": Tree(state, rules, ModuleType("none")).counters.tolist(),
        "node": _fields(_record(rules)),
        "guided_node": _fields(nodes.PUCT_NODE),
        "num_planes": NUM_PLANES,
        "table_length": TABLE_LENGTH,
        "c": ucb1().c,
        "c_puct": puct().c,
        **_players(state),
        "sides": [
            {"name": who, "stone": stone_svg(board.style, player), "color": colors.stones[player]}
            for player, who in enumerate(state.player_names)
        ],
        "look": board_look(board, state.player_names),
        "value_colors": [value_color(value) for value in np.linspace(-1, 1, 101).tolist()],
        "visit_colors": [visits_color(share) for share in np.linspace(0, 1, 41).tolist()],
        "unknown_color": UNKNOWN,
    }


def _record(rules: Compilable) -> np.dtype[Any]:
    """The record of a node in the search by rollouts."""
    return nodes.node_record(nodes.num_kept_words(rules))


def _fields(record: np.dtype[Any]) -> dict[str, Any]:
    """Where the fields of a node are."""
    assert record.fields is not None
    fields = {field: (place, kind.str[1:]) for field, (kind, place, *_) in record.fields.items()}
    return {"size": record.itemsize, "fields": fields}


def _board_menu(state: State, name: str) -> list[dict[str, Any]]:
    """A menu of the boards on which the game of `state` can be played, the smallest first."""
    same = [(each, other) for each, other in boards().items() if other.game == state.game]
    same.sort(key=lambda pair: pair[1].num_actions)
    options = [[each, _size_of(other)] for each, other in same]
    menu = {"name": "size", "label": "Board", "value": name, "options": options}
    return [menu] if len(options) > 1 else []


def _size_of(state: State) -> str:
    board = state.board()
    in_a_row = getattr(state, "in_a_row", 5)
    to_win = "" if in_a_row == 5 else f", {in_a_row} in a row"
    return f"{board.rows} × {board.cols}{to_win}"


def moves_of(state: State, rules: Compilable) -> dict[int, dict[str, Any]]:
    """The square, the action and the name of every move, by the number of its bit."""
    action_of, square_of = rules.rules.action_of, rules.rules.square_of
    moves = {}
    for bit in _bits(rules, state.board()):
        action = action_of(bit, rules.geometry) if action_of else bit
        square = square_of(bit, rules.geometry) if square_of else bit
        if 0 <= square < len(state.board().stones) and 0 <= action < state.num_actions:
            name = state.action_to_string(action)
            moves[bit] = {"square": square, "action": action, "name": name}
    return moves


def _bits(rules: Compilable, board: Board) -> range:
    """The bits of a bitboard; a game of more squares has a number for each instead."""
    return range(len(board.stones) if rules.num_move_words else 64)


_SECONDS: Final = (1, 3, 10)
"""Further levels: how long the search thinks about a move."""


def _players(state: State) -> dict[str, Any]:
    """The levels of the notebooks that need only this search, and others by their time.

    The page begins with the second level.
    """
    rollouts = ":roxanne" if state.game == "reversi" else ""
    nets = nets_for(state)
    usual = levels(state) if nets else levels_without_nets(state)
    offered = {level.player: level.label for level in usual if _parsed(level.player)}
    if nets:
        name = f"net {len(nets)} of {len(nets)}"
        offered |= {f"net:{nets[-1]}:{each}s": f"{name}, {each} s a move" for each in _SECONDS}
        offered = dict(sorted(offered.items(), key=lambda level: not level[0].startswith("net:")))
    for seconds in _SECONDS:
        label = f"{'MCTS' if rollouts else 'UCT'}, {seconds} s a move"
        if not any(label in each for each in offered.values()):
            offered[f"uct:{seconds}s{rollouts}"] = label
    return {
        "players": [
            {"value": value, "label": label, **(_parsed(value) or {})}
            for value, label in offered.items()
        ],
        "opponent": list(offered)[1],
        "hint": f"uct:1s{rollouts}",
        "pause": 1000 * PAUSE_BEFORE_THINKING,
    }


def _parsed(player: str) -> dict[str, Any] | None:
    """A player as the worker needs it; None for one that the page has not."""
    if player in ("random", "roxanne"):
        return {"kind": "policy", "by_classes": player == "roxanne"}
    found = re.fullmatch(r"(uct|net:(\w+)):(?:(\d+)|(\d+)s)(:roxanne)?", player)
    if found is None:
        return None
    _, net, simulations, seconds, by_classes = found.groups()
    budget = {"simulations": int(simulations)} if simulations else {"seconds": int(seconds)}
    if net:
        return {"kind": "net", **budget, "net": net}
    return {"kind": "uct", **budget, "by_classes": bool(by_classes)}


# The nets


def nets_for(state: State) -> list[str]:
    """The nets that come with mctslab and that `net.c` can compute, the youngest first."""
    heads = {net.name: header(net.file)["config"]["heads"] for net in shipped_nets(state)}
    return [name for name in heads if heads[name] == "pooled"]


def net_file(name: str) -> bytes:
    """A net with its weights in the order in which `net.c` uses them, its batch norms folded."""
    net = folded(load_checkpoint(WEIGHTS / f"{name}.safetensors").net)
    assert isinstance(net, PolicyValueNet)
    config = net.config
    sizes = [config.rows, config.cols, config.inputs.count]
    sizes += [config.num_filters, config.num_blocks, config.value_hidden]
    assert config.inputs == InputPlanes()
    assert config.num_filters % _FILTERS_AT_ONCE == 0
    policy, value = net.policy_head, net.value_head
    assert isinstance(policy, PooledPolicyHead)
    layers: list[nn.Module] = [net.stem.convolution]
    for block in net.tower:
        assert isinstance(block, ResidualBlock)
        layers += [block.first.convolution, block.second]
    layers += [policy.convolution.convolution, policy.squares]
    layers += [value.convolution.convolution, value.hidden, value.linear]
    return np.array(sizes, np.int32).tobytes() + b"".join(map(_weights, layers))


_FILTERS_AT_ONCE: Final = 16
"""As WIDTH in `net.c`."""


def _weights(layer: nn.Module) -> bytes:
    """The weights and biases of a layer: of a convolution by tap, input and output."""
    assert isinstance(layer, nn.Conv2d | nn.Linear)
    assert layer.bias is not None
    weights, biases = layer.weight.detach().numpy(), layer.bias.detach().numpy()
    if weights.ndim == 4 and len(biases) > 1:
        ordered = [weights.transpose(2, 3, 1, 0).ravel(), biases]
    else:  # one output after the other, each with its bias
        ordered = [np.column_stack([weights.reshape(len(biases), -1), biases]).ravel()]
    return np.concatenate(ordered).astype("<f4").tobytes()


# The engines


def engine(state: State) -> bytes:
    """The engine of a game as a module of WebAssembly; it is kept, because building takes a while.

    Args:
        state: the first position.
    """
    source = source_of(state)
    files = (HERE / "compile_engine.py", HERE / "net.c", PRIMITIVES, Path(nodes.__file__))
    parts = [source, *(file.read_text("utf-8") for file in files)]
    parts += [*_CC, *_LD, *(f"{name} {version(name)}" for name in ("llvmlite", "numba", "ziglang"))]
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
    kept = cache_folder() / f"mctslab_page_{state.game}_{digest}.wasm"
    with only_one(kept), tempfile.TemporaryDirectory() as folder:
        if not kept.exists():
            beside = kept.with_suffix(f".{os.getpid()}.new")
            shutil.copyfile(_compiled(source, Path(folder)), beside)
            os.replace(beside, kept)
        return kept.read_bytes()


def source_of(state: State) -> str:
    """The text of an engine, as Numba compiles it."""
    rules = state.compilable()
    assert rules is not None
    return module_source(
        game_text(rules, has_vectors=False),  # no lane of its vectors has a shift of its own
        _KERNEL,
        constants(rules),
        entry_points=_entry_points(),
    )


def _entry_points() -> list[str]:
    """The functions of an engine that the page calls."""
    return ["search", *re.findall(r"^def (\w+)", _KERNEL.read_text("utf-8"), re.MULTILINE)]


def _compiled(source: str, folder: Path) -> Path:
    """Compile the text of an engine in a process that has seen nothing of this processor."""
    text, compiled, linked = (folder / f"engine.{ending}" for ending in ("py", "o", "wasm"))
    text.write_text(source, "utf-8")
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(str(each) for each in sys.path if each),
        "ZIG_GLOBAL_CACHE_DIR": _zig_cache().name,
        "ZIG_LOCAL_CACHE_DIR": _zig_cache().name,
    }
    exported = ",".join(f"--export=engine_{name}" for name in _entry_points())
    for command in (
        [HERE / "compile_engine.py", text, compiled],
        ["-m", "ziglang", *_CC, HERE / "net.c", compiled, *_LD, f"-Wl,{exported}", "-o", linked],
    ):
        subprocess.run([sys.executable, *command], check=True, env=environment)
    return linked


@cache
def _zig_cache() -> tempfile.TemporaryDirectory[str]:
    """Where the C compiler keeps its library, which it compiles only for the first engine."""
    return tempfile.TemporaryDirectory()


if __name__ == "__main__":
    build(Path(sys.argv[1]))
