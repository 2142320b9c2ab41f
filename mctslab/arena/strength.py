"""The command `strength`: how strong nets are, against other players and in tactical positions.

    python -m mctslab strength gomoku6_4
    python -m mctslab strength runs/six/checkpoint.safetensors --rivals uct:1000
    python -m mctslab strength gomoku9_1 gomoku9_4 --simulations 400 --games 200

Every game begins with two random plies, and two games share an opening, with colours swapped; the
searches of the nets have no noise. The output is tables in Markdown: scores with 95% Wilson
intervals, over both colours and as each of them. Nets of the same game also play each other, and
nets for boards that have tactical positions of Gomoku solve these.

Every finished game and every solved position is written to a file at once. The same command
continues there, and with other nets or more games it plays only what is missing. The nets are
copied next to these files, so that a run that is training one of them can continue meanwhile.
"""

import argparse
import hashlib
import itertools
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Final

import numpy as np

from mctslab import arena, net, players
from mctslab.arena import tactics
from mctslab.cluster import ClusterError
from mctslab.cluster_tasks import Cluster, add_cluster, open_cluster
from mctslab.games import Gomoku, State
from mctslab.typed import from_json_lines

_OPTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "parent": "an untried move starts with the value of its position (the player net+parent)",
        "reuse": "keep the tree from move to move; the simulations are additional ones (net+reuse)",
        "solver": "search with proofs (net+solver)",
    }
)
_KINDS: Final = ("complete", "block", "win")
MATCHES: Final = ("net", "against", "games", "score", "as first player", "as second player")
TACTICS: Final = ("net", *_KINDS, "all")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The nets, their rivals, and how they play."""
    parser.add_argument("nets", nargs="+", metavar="NET", help="a file, or the name of a net")
    parser.add_argument("--simulations", type=int, default=400, help="of a net (default: 400)")
    parser.add_argument("--games", type=int, default=200, help="of each pair (default: 200)")
    parser.add_argument(
        "--rivals",
        nargs="*",
        default=("uct:1000", "uct:10000"),
        help="short names of players (default: uct:1000 uct:10000)",
    )
    for option, what in _OPTIONS.items():
        parser.add_argument(f"--{option}", action="store_true", help=what)
    parser.add_argument("--processes", type=int, help="games at once (default: one)")
    add_cluster(parser)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=Path, default=Path("runs/strength"), metavar="DIR")


def run(arguments: argparse.Namespace) -> int:
    """Print the tables; 2 if a net or a rival is wrong, else 0."""
    try:
        with open_cluster(arguments, arena.connect) as cluster:
            return _run(arguments, cluster)
    except (ValueError, OSError, ClusterError) as error:
        print(f"strength: {error}", file=sys.stderr)
        return 2


def _run(arguments: argparse.Namespace, cluster: Cluster | None) -> int:
    kind = "+".join(["net", *(option for option in _OPTIONS if getattr(arguments, option))])
    entrants = [enter(name, arguments.results, kind) for name in arguments.nets]
    rows = []
    for entrant, rival in _pairings(entrants, arguments.rivals):
        result = _match(entrant, rival, arguments, cluster)
        if not result.is_complete:
            raise KeyboardInterrupt
        rows.append(_match_row(entrant, rival, result))
        print(rows[-1], flush=True)
    print(f"\n{arguments.simulations} simulations a move")
    _print_table(MATCHES, rows)
    with_tactics = [each for each in entrants if each.first_state in (Gomoku(9), Gomoku(15))]
    if with_tactics:
        lines = [_tactics_row(each, _solved(each, arguments)) for each in with_tactics]
        _print_table(TACTICS, lines)
    return 0


@dataclass(frozen=True, slots=True)
class Entrant:
    """A net that takes part."""

    name: str
    label: str
    """The name and a digest of the weights: a net that has learned more is a different one."""
    file: Path
    """The copy."""
    first_state: State
    kind: str
    """Of player: `net`, or with options, such as `net+parent+reuse`."""

    def player(self, simulations: int) -> str:
        """The short name of the player."""
        return f"{self.kind}:{self.file}:{simulations}"

    def contestant(self, simulations: int) -> arena.Contestant:
        """The player for a match."""
        return arena.Contestant(
            f"{self.label}:{simulations}", partial(players.make, self.player(simulations))
        )


def enter(name: str, folder: Path, kind: str = "net") -> Entrant:
    """The net called `name`, or in a file of that name, copied into `folder`.

    Raises:
        ValueError: there is no such net, or its file is damaged.
        OSError: there is no such file, or the copy can't be written.
    """
    file = net.net_file(name)
    kept = net.load_checkpoint(file)
    digest = _digest(kept.net)
    stem = file.parent.name if file.stem == "checkpoint" else file.stem
    copy = folder / "nets" / f"{stem}-{digest}.safetensors"
    if not copy.exists():
        copy.parent.mkdir(parents=True, exist_ok=True)
        net.save_checkpoint(copy, kept.net, about=kept.about)
    stem += kind.removeprefix("net")
    return Entrant(stem, f"{stem}-{digest}", copy, kept.first_state(), kind)


def _digest(some_net: net.PolicyValueNet) -> str:
    """Eight digits that distinguish a net from others."""
    digest = hashlib.sha256(repr(some_net.config).encode())
    for _, tensor in sorted(some_net.state_dict().items()):
        digest.update(tensor.numpy().tobytes())
    return digest.hexdigest()[:8]


def _results_file(entrant: Entrant, against: str, arguments: argparse.Namespace) -> Path:
    """The file of a net's games with a rival, or of its tactics; each seed has its own."""
    searched = f"{entrant.label}-{arguments.simulations}-seed_{arguments.seed}"
    file: Path = arguments.results / f"{searched}--{against.replace(':', '_')}.jsonl"
    return file


# Matches


def _pairings(
    entrants: Sequence[Entrant], rivals: Sequence[str]
) -> Iterator[tuple[Entrant, Entrant | str]]:
    """Each net against each rival, then every two nets of one game, the one named later first."""
    yield from itertools.product(entrants, rivals)
    for other, entrant in itertools.combinations(entrants, 2):
        if entrant.first_state == other.first_state:
            yield entrant, other


def _match(
    entrant: Entrant, rival: Entrant | str, arguments: argparse.Namespace, cluster: Cluster | None
) -> arena.MatchResult:
    """The match of a net against another net, or a player by short name; only what is missing."""
    about = net.load_checkpoint(entrant.file).about
    return arena.match(
        about["game"],
        entrant.contestant(arguments.simulations),
        rival if isinstance(rival, str) else rival.contestant(arguments.simulations),
        game_options=about.get("game_options"),
        num_games=arguments.games,
        seed=arguments.seed,
        opening_plies=2,
        processes=arguments.processes,
        cluster=cluster,
        file=_results_file(entrant, rival if isinstance(rival, str) else rival.label, arguments),
        progress=arena.TextProgress(),
    )


def _match_row(entrant: Entrant, rival: Entrant | str, result: arena.MatchResult) -> str:
    """A line of the table of matches."""
    scores = [result.score.rate, *(result.score_as(player).rate for player in (0, 1))]
    name = rival if isinstance(rival, str) else rival.name
    cells = [f"`{entrant.name}`", f"`{name}`", str(len(result.games)), *map(written, scores)]
    return f"| {' | '.join(cells)} |"


def written(score: arena.Estimate) -> str:
    """A score with its interval: `.955 (.917 to .976)`."""
    value, low, high = (f"{end:.3f}".removeprefix("0") for end in score)
    return f"{value} ({low} to {high})"


# Tactics


def _solved(entrant: Entrant, arguments: argparse.Namespace) -> dict[str, list[bool]]:
    """For each kind of tactical position on boards of its size, the positions that a net solves."""
    file = _results_file(entrant, "tactics", arguments)
    moves = _moves_in(file)
    found: dict[str, list[bool]] = {kind: [] for kind in _KINDS}
    for number, tactic in enumerate(tactics.load()):
        if Gomoku(tactic.state.size) != entrant.first_state:
            continue
        if tactic.name not in moves:
            rng = np.random.default_rng([arguments.seed, number])
            player = players.make(entrant.player(arguments.simulations), rng=rng)
            moves[tactic.name] = player.choose(tactic.state)
            with file.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps([tactic.name, moves[tactic.name]]) + "\n")
        found[tactic.kind].append(moves[tactic.name] in tactic.solutions)
    return found


def _moves_in(file: Path) -> dict[str, int]:
    """The moves in a file, by the name of the position; a line that was cut short is removed."""
    if not file.exists():
        return {}
    text = file.read_text("utf-8")
    whole = text[: text.rfind("\n") + 1]
    file.write_text(whole, "utf-8")
    return dict(from_json_lines(whole, tuple[str, int], str(file)))


def _tactics_row(entrant: Entrant, found: Mapping[str, Sequence[bool]]) -> str:
    """A line of the table of tactics: the number solved of each kind, and the share of all."""
    cells = [f"{sum(found[kind])} of {len(found[kind])}" for kind in _KINDS]
    every = list(itertools.chain.from_iterable(found.values()))
    share = arena.Score(wins=sum(every), losses=len(every) - sum(every)).rate
    return f"| `{entrant.name}` | {' | '.join(cells)} | {written(share)} |"


def _print_table(head: Sequence[str], rows: Sequence[str]) -> None:
    """A table in Markdown."""
    print(f"\n| {' | '.join(head)} |", "|---" * len(head) + "|", *rows, sep="\n")
