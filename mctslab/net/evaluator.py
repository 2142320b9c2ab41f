"""A net as an evaluator, which the search calls for the values of its leaves.

A net's value is for the player to move; the search needs a value for each player and priors over
the legal actions. Both translations are made here, and nowhere else.
"""

import pkgutil
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from mctslab import games
from mctslab.games.state import Rng, State
from mctslab.net.checkpoint import CHECKPOINT, SUFFIX, CheckpointError, has_changed, load_checkpoint
from mctslab.net.encode import Floats, encode_batch, planes_of
from mctslab.net.inference import Inference, fastest
from mctslab.net.model import AnyNet
from mctslab.net.own_net import MakeNet
from mctslab.search.evaluators import Evaluation, for_both
from mctslab.search.forest import Counts, Forest, softmax
from mctslab.typed import convert

WEIGHTS: Final = Path(__file__).resolve().parent / "weights"
"""The folder of the nets that come with mctslab."""


_NUM_SIMULATIONS: Final = 400
"""What a player searches for each move unless it is given a budget."""


class NetEvaluator:
    """Evaluates positions by a net.

    Args:
        net: the net; what it learns later makes no difference.
        about: the information about it in a checkpoint.
        device: where it is computed: `cpu`, `cuda`, `mps` (a Mac's graphics), or `auto` for the
            fastest one here.
        inference: computes the net; by default as `inference.fastest` does.

    Raises:
        ValueError: this machine has no such device.

    >>> from mctslab.games import TicTacToe
    >>> from mctslab.net.model import NetConfig, PolicyValueNet
    >>> evaluator = NetEvaluator(PolicyValueNet(NetConfig.for_game(TicTacToe())))
    >>> evaluation = evaluator([TicTacToe()], np.random.default_rng(1))
    >>> len(evaluation.priors[0])
    9
    """

    def __init__(
        self,
        net: AnyNet,
        *,
        about: Mapping[str, Any] | None = None,
        device: str = "auto",
        inference: Inference | None = None,
    ) -> None:
        self.config = net.config
        self.about = dict(about or {})
        self.inference = inference or fastest(net, device)

    @property
    def history(self) -> int:
        """The number of positions of a game that the net sees, the newest included."""
        return self.config.inputs.history

    def __call__(
        self,
        states: Sequence[State],
        rng: np.random.Generator,
        before: Sequence[Sequence[State]] = (),
    ) -> Evaluation:
        """Values and priors of `states`, none of which is terminal; `rng` is not used.

        Args:
            states: the positions.
            rng: not used.
            before: for each state the positions before it, the newest last; needed if `history` is
                above 1. Only what was before the start of a game can be missing, as in training.

        Raises:
            ValueError: a state of another game or board, or a terminal one; or earlier positions
                are missing; or an output of the net is not a finite number.
        """
        if not states:
            return Evaluation([], [])
        if not self.config.fits(states[0]):
            raise ValueError(
                f"This net is for a board of {self.config.rows} x {self.config.cols} and "
                f"{self.config.num_actions} actions, but this is another one:\n{states[0]}"
            )
        line_ups = zip(before or [()] * len(states), states, strict=True)
        seen = [(*earlier, state)[-self.history :] for earlier, state in line_ups]
        for positions in seen:
            if len(positions) < self.history and positions[0].last_action is not None:
                raise ValueError(
                    f"This net sees the last {self.history} positions of a game, but of the game "
                    f"up to this one only {len(positions)} were given. puct_search(past=...) takes "
                    "the positions before the first one that it searches; a player knows those "
                    f"since the start of its game.\n{positions[-1]}"
                )
        planes = encode_batch(seen, self.config.inputs)
        answer = self.inference(planes)
        answers = zip(states, answer.values.tolist(), answer.policy_logits.tolist(), strict=True)
        pairs, priors = [], []
        for state, value, logits in answers:
            legal = state.legal_actions()
            if not legal:
                raise ValueError(f"This is the end of a game, which needs no evaluation:\n{state}")
            pairs.append(for_both(value, state.current_player))
            priors.append(softmax([logits[action] for action in legal]))
        return Evaluation(pairs, priors)

    def look(self, forest: Forest, walks: Counts) -> tuple[Floats, Floats]:
        """The net's values, [walks], for the player to move, and its logits, [walks, A], at the
        leaves of some walks; a compiled forest draws the planes without making a state of each.

        Raises:
            ValueError: the forest is of another board; or an output is not a finite number.
        """
        if not self.config.fits(forest.states[0]):
            self(forest.states[:1], np.random.default_rng(0))  # raises the error
        logits, values = self.inference(planes_of(forest, walks, self.config.inputs))
        return values, logits

    def first_state(self) -> State:
        """The first position of the game that the net was trained for.

        Raises:
            CheckpointError: `about` does not name the game, or names an unknown one, or its board
                is not that of the net.
        """
        try:
            name = convert(self.about.get("game"), str, "game")
            if ":" in name:  # a file never names a module to import
                raise ValueError(f"game = {name!r}: expected the name of a game of mctslab.")
            state = games.make(name, **self.about.get("game_options", {}))
        except (TypeError, ValueError) as error:
            raise CheckpointError(f"The game of this net cannot be set up: {error}") from error
        if not self.config.fits(state):
            raise CheckpointError(f"This net is for another board than its game's:\n{state}")
        return state


# Nets by name


def load(
    name: str | Path, *, make_net: MakeNet | None = None, device: str = "auto"
) -> NetEvaluator:
    """The net called `name` that comes with mctslab, or the net in a file or a run's folder.

    Args:
        name: of the net, the file or the folder.
        make_net: what made the net, if it is one of your own; see `mctslab.net.own_net`.
        device: as for `NetEvaluator`.

    Warns:
        UserWarning: the source of `make_net` has changed since the file was written.

    Raises:
        ValueError: there is no net of that name, or this machine has no such device;
            CheckpointError if its file is damaged or the class of a net of your own is missing.
        OSError: there is no such file.
    """
    checkpoint = load_checkpoint(net_file(name), make_net)
    if make_net is not None and has_changed(checkpoint.about, make_net):
        warnings.warn(f"{make_net!r} has changed since {name} was written.", stacklevel=2)
    return NetEvaluator(checkpoint.net, about=checkpoint.about, device=device)


def player(
    net: str | Path | NetEvaluator,
    num_simulations: int | None = None,
    seconds: float | None = None,
    *,
    rng: Rng = None,
    make_net: MakeNet | None = None,
    device: str = "auto",
    **options: Any,
) -> Any:
    """A `mctslab.players.PUCTPlayer` that searches with a net, by default 400 simulations a move.

    Args:
        net: as for `load`, or a net that is loaded.
        num_simulations: the budget for a move.
        seconds: the time for a move.
        rng: the source of all random numbers, or its seed.
        make_net: as for `load`.
        device: as for `load`.
        options: others of `PUCTPlayer`; a net evaluates 8 positions in one call unless
            `batch_size` says another number.

    Raises:
        ValueError, OSError: as for `load`; also for an impossible budget.
    """
    make_player: Any = pkgutil.resolve_name("mctslab.players:PUCTPlayer")  # a room above this one
    loaded = net if isinstance(net, NetEvaluator) else load(net, make_net=make_net, device=device)
    if num_simulations is None and seconds is None:
        num_simulations = _NUM_SIMULATIONS
    budget = f"{seconds:g}s" if num_simulations is None else num_simulations
    label = "net" if isinstance(net, NetEvaluator) else f"net:{net}"
    return make_player(
        num_simulations,
        seconds,
        evaluator=loaded,
        rng=rng,
        **{"batch_size": 8, "name": f"{label}:{budget}", **options},
    )


def family(name: str) -> dict[str, NetEvaluator]:
    """The nets of one game and board that come with mctslab, by name, the youngest first.

    Args:
        name: of the family: `"gomoku9"` has the nets `gomoku9_1`, `gomoku9_2`, and so on.

    Raises:
        ValueError: there is no such family; the message lists those that there are.
    """
    ages: dict[str, list[int]] = {}
    for stem, _, age in (each.rpartition("_") for each in shipped_nets() if "_" in each):
        ages.setdefault(stem, []).append(int(age))
    if name not in ages:
        raise ValueError(f"There is no family of nets {name!r}. There are: {', '.join(ages)}.")
    return {f"{name}_{age}": load(f"{name}_{age}") for age in sorted(ages[name])}


def net_file(name: str | Path) -> Path:
    """The file of the net called `name`; a name that ends in `.safetensors` is a file already.

    Of a folder it is the checkpoint of the run there.

    Raises:
        ValueError: no net of that name comes with mctslab.
    """
    file = Path(name)
    if file.is_dir() and (file / CHECKPOINT).exists():
        return file / CHECKPOINT
    if file.suffix == SUFFIX or len(file.parts) != 1:
        return file
    if name not in shipped_nets():
        raise ValueError(
            f"There is no net {str(name)!r}. Nets that come with mctslab: "
            f"{', '.join(shipped_nets())}; others are named by their file, which ends in {SUFFIX}."
        )
    return WEIGHTS / f"{name}{SUFFIX}"


def shipped_nets() -> tuple[str, ...]:
    """The names of the nets that come with mctslab."""
    return tuple(sorted(file.stem for file in WEIGHTS.glob(f"*{SUFFIX}")))
