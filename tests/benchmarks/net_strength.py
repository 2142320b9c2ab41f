"""How strong are nets? Against UCT, against each other, and in Gomoku's tactical positions.

    python -m tests.benchmarks.net_strength gomoku6_4
    python -m tests.benchmarks.net_strength runs/six/checkpoint.safetensors --rivals uct:1000
    python -m tests.benchmarks.net_strength gomoku9_1 gomoku9_4 --simulations 400 --games 200

With `--solver` the nets' searches carry proofs up their trees (the player `net+solver`); with
`--reuse` they keep their trees from move to move (`net+reuse`), and the simulations are new ones;
with `--parent` a move that was never tried counts for what its position does (`net+parent`).

A net is a file, or the name of one that comes with mctslab. Every game begins with two plies by
lot, and two games share an opening, with colours swapped; the net's searches have no noise. What
comes out are tables for a README: scores with 95 % Wilson intervals, over both colours and as each
of them. Nets of the same game also play each other.

Every finished game, and every solved position, is in a file of the folder `--results` at once; the
same command goes on there, and with other nets or more games plays only what is missing. The nets
are copied into that folder, so that a run that is training one of them can go on meanwhile.
"""

import argparse
import hashlib
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from mctslab import arena, net, players
from mctslab.arena import tactics
from mctslab.games import Gomoku, State
from mctslab.net.evaluator import WEIGHTS

OPTIONS = {
    "parent": "what was never tried counts as its position",
    "reuse": "keep the tree",
    "solver": "search with proofs",
}
KINDS = ("complete", "block", "win")
MATCHES = ("net", "against", "games", "score", "as first player", "as second player")
TACTICS = ("net", *KINDS, "all")


@dataclass(frozen=True)
class Entrant:
    """A net that takes part."""

    name: str
    digest: str
    """Of its numbers: a net that has learnt more is another one."""
    file: Path
    """The copy."""
    about: Mapping[str, Any]
    first_state: State
    kind: str = "net"
    """Of player: `net`, or with options, such as `net+parent+reuse`."""

    @property
    def label(self) -> str:
        return f"{self.name}-{self.digest}"

    def player(self, simulations: int) -> str:
        """The short name of the player."""
        return f"{self.kind}:{self.file}:{simulations}"

    def contestant(self, simulations: int) -> arena.Contestant:
        return arena.Contestant(
            f"{self.label}:{simulations}", partial(players.make, self.player(simulations))
        )


def enter(word: str, folder: Path, kind: str = "net") -> Entrant:
    """The net called `word`, its numbers copied into `folder`."""
    file = WEIGHTS / f"{word}.safetensors" if word in net.known() else Path(word)
    kept = net.load_checkpoint(file)
    digest = digest_of(kept.net)
    name = file.parent.name if file.stem == "checkpoint" else file.stem
    copy = folder / "nets" / f"{name}-{digest}.safetensors"
    if not copy.exists():
        copy.parent.mkdir(parents=True, exist_ok=True)
        net.save_checkpoint(copy, kept.net, about=kept.about)
    name += kind.removeprefix("net")
    return Entrant(name, digest, copy, kept.about, kept.first_state(), kind)


def digest_of(some_net: net.PolicyValueNet) -> str:
    """Eight digits that tell a net from others."""
    digest = hashlib.sha256(repr(some_net.config).encode())
    for _, tensor in sorted(some_net.state_dict().items()):
        digest.update(tensor.numpy().tobytes())
    return digest.hexdigest()[:8]


def results_file(entrant: Entrant, against: str, arguments: argparse.Namespace) -> Path:
    """Where stands what a net has done against a rival, or in the tactics: a file a seed."""
    searched = f"{entrant.label}-{arguments.simulations}-seed_{arguments.seed}"
    return arguments.results / f"{searched}--{against.replace(':', '_')}.jsonl"


# Matches


def match(
    entrant: Entrant, rival: Entrant | str, arguments: argparse.Namespace
) -> arena.MatchResult:
    """The match of a net against another net, or a player by short name; only what is missing."""
    other = rival if isinstance(rival, str) else rival.contestant(arguments.simulations)
    name = rival if isinstance(rival, str) else rival.label
    return arena.match(
        entrant.about["game"],
        entrant.contestant(arguments.simulations),
        other,
        game_options=entrant.about.get("game_options"),
        num_games=arguments.games,
        seed=arguments.seed,
        opening_plies=2,
        processes=arguments.processes,
        file=results_file(entrant, name, arguments),
        progress=arena.TextProgress(),
    )


def pairings(
    entrants: Sequence[Entrant], rivals: Sequence[str]
) -> Iterator[tuple[Entrant, Entrant | str]]:
    """Each net with each rival, then each two nets of one game, the one named later first."""
    yield from itertools.product(entrants, rivals)
    for other, entrant in itertools.combinations(entrants, 2):
        if entrant.first_state == other.first_state:
            yield entrant, other


def match_row(entrant: Entrant, rival: Entrant | str, result: arena.MatchResult) -> str:
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


def solved(entrant: Entrant, arguments: argparse.Namespace) -> dict[str, list[bool]]:
    """For each kind of tactical position which of them a net solves, on boards of its size."""
    file = results_file(entrant, "tactics", arguments)
    known = played_before(file)
    found: dict[str, list[bool]] = {kind: [] for kind in KINDS}
    for number, tactic in enumerate(tactics.load()):
        if Gomoku(tactic.state.size) != entrant.first_state:
            continue
        if tactic.name not in known:
            rng = np.random.default_rng([arguments.seed, number])
            player = players.make(entrant.player(arguments.simulations), rng=rng)
            known[tactic.name] = player.choose(tactic.state)
            with file.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps([tactic.name, known[tactic.name]]) + "\n")
        found[tactic.kind].append(known[tactic.name] in tactic.solutions)
    return found


def played_before(file: Path) -> dict[str, int]:
    """The moves in a file, by the name of the position; a line that was cut off counts for none."""
    if not file.exists():
        return {}
    whole = [line for line in file.read_text("utf-8").splitlines(keepends=True) if line[-1] == "\n"]
    file.write_text("".join(whole), "utf-8")
    return dict(json.loads(line) for line in whole)


def tactics_row(entrant: Entrant, found: Mapping[str, Sequence[bool]]) -> str:
    """A line of the table of tactics: how many of how many, and the share of all."""
    cells = [f"{sum(found[kind])} of {len(found[kind])}" for kind in KINDS]
    every = list(itertools.chain.from_iterable(found.values()))
    share = arena.Score(wins=sum(every), losses=len(every) - sum(every)).rate
    return f"| `{entrant.name}` | {' | '.join(cells)} | {written(share)} |"


def has_tactics(entrant: Entrant) -> bool:
    """Whether there are tactical positions for this board."""
    return entrant.first_state in (Gomoku(9), Gomoku(15))


# The command


def words() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("nets", nargs="+", metavar="NET", help="a file, or a name of ours")
    parser.add_argument("--simulations", type=int, default=400, help="of a net (default: 400)")
    parser.add_argument("--games", type=int, default=200, help="of each pair (default: 200)")
    parser.add_argument(
        "--rivals", nargs="*", default=("uct:1000", "uct:10000"), help="by their short names"
    )
    add_kinds(parser)
    parser.add_argument("--processes", type=int, help="games at once (default: one)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=Path, default=Path("runs/strength"), metavar="DIR")
    return parser.parse_args()


def add_kinds(parser: argparse.ArgumentParser) -> None:
    """How the nets search, if not as the player `net` does; see `kind_of`."""
    for option, what in OPTIONS.items():
        parser.add_argument(f"--{option}", action="store_true", help=what)


def kind_of(arguments: argparse.Namespace) -> str:
    """The kind of player that `add_kinds` let choose: `net+parent+reuse`."""
    return "+".join(["net", *(option for option in OPTIONS if getattr(arguments, option))])


def main() -> None:
    arguments = words()
    torch.set_num_threads(1)
    kind = kind_of(arguments)
    entrants = [enter(word, arguments.results, kind) for word in arguments.nets]
    rows = []
    for entrant, rival in pairings(entrants, arguments.rivals):
        result = match(entrant, rival, arguments)
        rows.append(match_row(entrant, rival, result))
        print(rows[-1], flush=True)
        if not result.is_complete:  # by Ctrl-C
            break
    else:
        lines = [
            tactics_row(each, solved(each, arguments)) for each in entrants if has_tactics(each)
        ]
        print(f"\n{arguments.simulations} simulations a move")
        print_table(MATCHES, rows)
        if lines:
            print_table(TACTICS, lines)


def print_table(head: Sequence[str], rows: Sequence[str]) -> None:
    """A table in Markdown."""
    print(f"\n| {' | '.join(head)} |", "|---" * len(head) + "|", *rows, sep="\n")


if __name__ == "__main__":
    main()
