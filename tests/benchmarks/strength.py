"""How strong is a player? By the exact solver, and on the ladder.

    python -m tests.benchmarks.strength exact net:connect_four_4:400 uct:10000
    python -m tests.benchmarks.strength exact --positions 400 --plies 10 25 --most-best 2 \\
        uct:1600 uct+solver:1600 uct:25600 uct+solver:25600
    python -m tests.benchmarks.strength opponents
    python -m tests.benchmarks.strength rungs 04 06
    python -m tests.benchmarks.strength notebook-14

`exact`: random positions of Connect Four after 8 to 24 plies in which some moves keep the outcome
under perfect play and some do not, as the exact solver finds. It counts how often each player
chooses a move that keeps it; `net:NAME:0` is the bare net, its favourite move without a search.

`opponents` and `rungs` write what the ladder shows (`mctslab/course/ladder.json`): the opponents'
matches with each other, also in Hex if notebook 15 has written `notebooks/my_hex.py`; and the
players of the notebooks, all or those with these numbers, with all exercises solved.

`notebook-14` plays the stored matches of notebook 14's side roads again, with the nets that mctslab
has now, and notes which nets have played, so that a test can tell when a net was changed.
"""

import argparse
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence, Set
from pathlib import Path
from typing import Any, Final

import msgspec
import nbformat
import numpy as np
from IPython.core.interactiveshell import InteractiveShell

from mctslab import arena, games, net, players, solvers
from mctslab.course import climbing
from mctslab.course.keeping import progress
from mctslab.course.notebooks import with_solutions
from mctslab.games import State
from mctslab.players.shipped import ShippedNet
from tests.benchmarks.shared import parser_of, share

PROJECT: Final = Path(__file__).parents[2]

# Connect Four, solved

Positions = list[tuple[State, Set[int]]]


def mixed_positions(
    number: int, rng: np.random.Generator, plies: Sequence[int], most_best: int
) -> Positions:
    """Random positions in which the choice matters, each with the moves that keep its outcome."""
    solver, found = solvers.ConnectFourSolver(), Positions()
    while len(found) < number:
        state: State = games.ConnectFour()
        for _ in range(int(rng.integers(plies[0], plies[1] + 1))):
            if not state.is_terminal:
                state = state.child(int(rng.choice(state.legal_actions())))
        if state.is_terminal:
            continue
        outcomes = solver.solve_moves(state)
        best = {action for action in outcomes if outcomes[action] == max(outcomes.values())}
        if len(best) < len(outcomes) and len(best) <= most_best:
            found.append((state, best))
    return found


def chooser(name: str, seed: int) -> Callable[[State], int]:
    """The choice of the player called `name`, or of a bare net."""
    rng = np.random.default_rng(seed)
    if not (name.startswith("net:") and name.endswith(":0")):
        return players.make(name, rng=rng).choose
    evaluator = net.load(name[len("net:") : -len(":0")])

    def favourite(state: State) -> int:
        priors = evaluator([state], rng).priors
        assert priors is not None, "a net has priors"
        return state.legal_actions()[int(np.argmax(priors[0]))]

    return favourite


def exact(words: argparse.Namespace) -> None:
    rng = np.random.default_rng(words.seed)
    positions = mixed_positions(words.positions, rng, words.plies, words.most_best)
    by_chance = np.mean([len(best) / len(state.legal_actions()) for state, best in positions])
    print(f"a random move keeps the outcome in {by_chance:.3f} of {len(positions)} positions")
    print("| player | keeps the outcome |\n|---|---|")
    for name in words.players:
        choose = chooser(name, words.seed)
        kept = sum(choose(state) in best for state, best in positions)
        print(f"| {name} | {share(kept, len(positions))} |", flush=True)


# The ladder

LADDER: Final = PROJECT / "mctslab" / "course" / "ladder.json"
HEX: Final = PROJECT / "notebooks" / "my_hex.py"


def first_positions() -> Iterator[tuple[str, State, int]]:
    """The name of each game, its first position, and the games between any two opponents."""
    yield "Connect Four", games.ConnectFour(), 2_000
    yield "Reversi", games.Reversi(), 2_000
    yield "Gomoku 9 × 9", games.Gomoku(size=9), 400
    if HEX.exists():
        yield "Hex", games.make(f"{HEX}:Hex"), 400


def opponents(words: argparse.Namespace) -> None:
    tables = {}
    for title, first_state, num_games in first_positions():
        is_wide = len(first_state.legal_actions()) > climbing.MANY_MOVES
        names = climbing.OPPONENTS_OF_MANY_MOVES if is_wide else climbing.OPPONENTS
        played = arena.round_robin(
            first_state, names, num_games=num_games, seed=1, progress=arena.TextProgress()
        )

        def points(name: str, other: str, played: Any = played) -> float:
            both = [game for game in played.games if {*game.players} == {name, other}]
            return float(sum(game.points(name) for game in both)) if name != other else 0.0

        tables[title] = [[points(name, other) for other in names] for name in names]
    write_ladder(opponents=tables)


def rung(path: Path) -> dict[str, Any]:
    """The rung of a notebook when all its exercises are solved, by its number."""
    notebook = with_solutions(nbformat.read(path, as_version=4))
    with tempfile.TemporaryDirectory() as home:
        os.environ[progress.HOME_VARIABLE] = home
        sources = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
        last = next(at for at, source in enumerate(sources) if "course.climb(" in source)
        run_cells(path.parent, sources[: last + 1])
        return {number: msgspec.to_builtins(each) for number, each in progress.load().rungs.items()}


def run_cells(folder: Path, sources: Sequence[str]) -> None:
    """Run cells in a folder, with full budgets."""
    os.chdir(folder)
    os.environ.pop("MCTSLAB_QUICK", None)
    shell = InteractiveShell.instance()
    for source in sources:
        # IPython keeps the source of what was defined, and the ladder records the functions.
        result = shell.run_cell(source, store_history=True)
        result.raise_error()  # type: ignore[no-untyped-call]


def rungs(words: argparse.Namespace) -> None:
    for path in sorted((PROJECT / "notebooks").glob("[0-9]*.ipynb")):
        is_meant = not words.numbers or path.name[:2] in words.numbers
        if is_meant and "course.climb(" in path.read_text("utf-8"):
            write_ladder(rungs=json.loads(LADDER.read_text("utf-8"))["rungs"] | rung(path))


def write_ladder(**parts: Any) -> None:
    content = json.loads(LADDER.read_text("utf-8")) | parts
    LADDER.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", "utf-8")


# Notebook 14

SIDE_ROADS = PROJECT / "notebooks" / "more"
RESULTS = SIDE_ROADS / "results"
CELLS = {
    "14_strength": ("budgets", "round-robin"),
    "14_two_halves": ("budgets", "halves", "halves-match", "halves-chart", "neither"),
    "14_elo_grid": ("budgets", "training", "games"),
}
"""By notebook, those that play, and those that they need."""
NETS = RESULTS / "14_nets.json"


def nets() -> list[ShippedNet]:
    """The nets that play in these matches."""
    return [each for each in players.shipped_nets() if each.name.startswith("gomoku")]


def digests() -> dict[str, str]:
    """What tells the nets that come with mctslab from others of the same names."""
    return {each.name: hashlib.sha256(each.file.read_bytes()).hexdigest()[:16] for each in nets()}


def notebook_14(words: argparse.Namespace) -> None:
    for name in ("14_ages", "14_half_*", "14_strength_*", "14_elo_grid"):
        for file in [] if words.go_on else RESULTS.glob(f"{name}.jsonl"):
            file.unlink()
    for notebook, names in CELLS.items():
        cells = nbformat.read(SIDE_ROADS / f"{notebook}.ipynb", as_version=4).cells
        sources = {cell.id: cell.source for cell in cells}
        run_cells(SIDE_ROADS, [sources[name] for name in names])
    for file in [RESULTS / "14_ages.jsonl", *RESULTS.glob("14_half_*.jsonl")]:
        header, _, rest = file.read_text("utf-8").partition("\n")
        command = {"command": "python -m tests.benchmarks.strength notebook-14"}
        file.write_text(json.dumps({**json.loads(header), **command}) + "\n" + rest, "utf-8")
    for each in nets():
        size = each.game_options["size"]
        simulations, num_games = {6: 200}.get(size, 400), {6: 200, 15: 40}.get(size, 100)
        arena.match(
            each.game,
            f"net:{each.name}:{simulations}",
            "uct:10000",
            game_options=each.game_options,
            num_games=num_games,
            seed=1,
            opening_plies=2,
            processes=2,
            file=RESULTS / f"14_strength_{each.name}.jsonl",
            progress=arena.TextProgress(),
        )
    NETS.write_text(json.dumps(digests(), indent=1) + "\n", "utf-8")


def main() -> None:
    parser = parser_of(__doc__)
    commands = parser.add_subparsers(dest="what", required=True)
    ways = (exact, opponents, rungs, notebook_14)
    by_name = {each.__name__.replace("_", "-"): each for each in ways}
    of = {name: commands.add_parser(name) for name in by_name}
    of["exact"].add_argument("players", nargs="+", metavar="PLAYER", help="such as uct:10000")
    of["exact"].add_argument("--positions", type=int, default=500)
    of["exact"].add_argument("--plies", type=int, nargs=2, default=[8, 24], metavar=("FROM", "TO"))
    of["exact"].add_argument("--most-best", type=int, default=6, help="moves that keep the outcome")
    of["exact"].add_argument("--seed", type=int, default=1)
    of["rungs"].add_argument("numbers", nargs="*", metavar="NN", help="such as 04")
    of["notebook-14"].add_argument("--go-on", action="store_true", help="keep what is there")
    words = parser.parse_args()
    by_name[words.what](words)


if __name__ == "__main__":
    main()
