"""The log of a training run for TensorBoard, which draws it in a browser.

    tensorboard --logdir runs

What TensorBoard reads is made from the run's own log: a run that goes on writes the file anew, from
the first iteration on. So no iteration is in it twice, and none is missing, however a run ended.
"""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from mctslab.net.missing import MissingPackageError
from mctslab.net.yardstick import Measurement

FOLDER: Final = "tensorboard"
"""In the folder of a run."""
_EVENTS: Final = "events.out.tfevents.*"
_TAGS: Final[Mapping[str, str]] = {
    "value_loss": "loss/value",
    "policy_loss": "loss/policy",
    "policy_entropy": "loss/policy entropy",
    "learning_rate": "loss/learning rate",
    "num_games": "self-play/games",
    "num_positions": "self-play/positions",
    "game_length": "self-play/game length",
    "first_player_score": "self-play/first player's score",
    "gate_score": "gate/score of the newest net",
    "seconds": "time/seconds",
    "tree_seconds": "time/of trees",
    "net_seconds": "time/of the net",
    "training_seconds": "time/of learning",
}
"""Under which name TensorBoard has a number of an iteration."""


class EventLog:
    """The event file of a run; `close` it in the end.

    Args:
        folder: the folder of the run.
        iterations: those that are done, as `mctslab.net.training.read_log` gives them.
        measurements: of these.

    Raises:
        MissingPackageError: the package tensorboard is not installed.
        OSError: the file can't be written.
    """

    def __init__(
        self,
        folder: Path,
        iterations: Sequence[Mapping[str, Any]] = (),
        measurements: Sequence[Measurement] = (),
    ) -> None:
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError as error:
            raise MissingPackageError(
                "A log for TensorBoard needs the package tensorboard, which is not installed here: "
                "`python3 run.py python -m pip install tensorboard` installs it, and so does "
                "`pip install tensorboard`.",
                name="tensorboard",
            ) from error
        for file in (folder / FOLDER).glob(_EVENTS):
            with suppress(FileNotFoundError):
                file.unlink()
        self._writer = SummaryWriter(str(folder / FOLDER))
        # The clock of these events stands still while nobody trains.
        self._time = time.time() - sum(each["seconds"] for each in iterations)
        measured = list(measurements)
        for iteration in iterations:
            self.add_iteration(iteration)
            for measurement in measured:
                if measurement.iteration == iteration["number"]:
                    self.add_measurement(measurement)

    def close(self) -> None:
        """Write what is not written yet."""
        self._writer.close()

    def add_iteration(self, iteration: Mapping[str, Any]) -> None:
        """Note the numbers of an iteration; those that are None are left out."""
        self._time += iteration["seconds"]
        for name, tag in _TAGS.items():
            if iteration.get(name) is not None:
                self._add(tag, float(iteration[name]), iteration["number"])

    def add_measurement(self, measurement: Measurement) -> None:
        """Note the score of a net against an opponent."""
        self._add(f"strength/{measurement.opponent}", measurement.score, measurement.iteration)

    def _add(self, tag: str, number: float, iteration: int) -> None:
        self._writer.add_scalar(tag, number, iteration, walltime=self._time)
        self._writer.flush()
