"""The map of the course: a list of its notebooks, what is solved in each, and what comes next."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import NamedTuple

from mctslab.course.keeping import progress
from mctslab.course.keeping.progress import Prediction
from mctslab.course.outline import (
    SIDE_ROADS,
    cells_of,
    exercise_of,
    is_side_road,
    paths,
    place_of,
    title_of,
)
from mctslab.score import wilson


class Stop(NamedTuple):
    """A notebook on the map."""

    file: str
    number: str
    title: str
    tasks: dict[str, bool]
    """Its exercises, and whether they are solved."""
    is_side_road: bool

    def link(self, attribute: str = "") -> str:
        """The HTML of a link to the notebook, and how many of its exercises are solved."""
        number = "" if self.is_side_road else f"{self.number} "
        link = f'<a href="{escape(self.file)}"{attribute}>{number}{escape(self.title)}</a>'
        if not self.tasks:
            return link
        return f"{link} ({sum(self.tasks.values())} of {len(self.tasks)} solved)"


@dataclass(frozen=True, slots=True)
class CourseMap:
    """All notebooks in their order, as a list when it is the last line of a cell."""

    stops: Sequence[Stop]
    calibration: Sequence[str] = ()
    """A line for each confidence: how many of these predictions came true."""

    @property
    def next(self) -> Stop | None:
        """The first notebook with an exercise that is not solved yet, side roads last."""
        in_order = sorted(self.stops, key=lambda stop: stop.is_side_road)
        return next((stop for stop in in_order if not all(stop.tasks.values())), None)

    def __str__(self) -> str:
        """What to do next, in a sentence."""
        if self.next is None:
            return "All exercises are solved."
        name = next(name for name, is_solved in self.next.tasks.items() if not is_solved)
        return f"Next: {self.next.number} {self.next.title}, exercise {name}."

    __repr__ = __str__

    def _repr_html_(self) -> str:
        items = "".join(self._item(stop) for stop in self.stops if not stop.is_side_road)
        predictions = "".join(f"<li>{line}</li>" for line in self.calibration)
        if predictions:
            predictions = (
                "<p><strong>Your predictions</strong>, with the 95% interval of how often they "
                "come true. If an interval is below how sure you were, you are overconfident.</p>"
                f"<ul>{predictions}</ul>"
            )
        return (
            '<nav aria-label="The course, and your progress in it" '
            'style="color:var(--jp-ui-font-color1,inherit);max-width:56em">'
            f'<ul style="list-style:none;margin:0;padding:0">{items}</ul>'
            f'<p style="margin:8px 0 0"><strong>{escape(str(self))}</strong></p>'
            f"{predictions}</nav>"
        )

    def _item(self, stop: Stop) -> str:
        """A notebook and its exercises and, in a second line, the side roads from it."""
        is_next = stop is self.next
        parts = [stop.link(' aria-current="step"' * is_next)]
        # The blue has a contrast of 4.5 with white and of 3 with JupyterLab's dark page.
        blue = "var(--mctslab-next,#2b7fc3)"
        parts += [f'<strong style="color:{blue}">← next</strong>'] * is_next
        parts += [_task_html(*task) for task in stop.tasks.items()]
        roads = " · ".join(
            road.link() for road in self.stops if road.is_side_road and road.number == stop.number
        )
        if roads:
            parts.append(f'<div style="margin-left:2em;font-size:90%">Side roads: {roads}</div>')
        return f'<li style="margin:3px 0">{" ".join(parts)}</li>'


def _task_html(name: str, is_solved: bool) -> str:
    green = "var(--mctslab-right,#008a63)"
    color, word = (green, "solved") if is_solved else ("inherit", "open")
    return (
        f'<span style="margin-left:12px;white-space:nowrap"><span role="img" aria-label="{word}" '
        f'style="color:{color}">{"○✓"[is_solved]}</span> <code>{escape(name)}</code></span>'
    )


def progress_map(folder: Path | None = None) -> CourseMap:
    """The map of the notebooks in a folder; without a folder, of those next to the open
    notebook."""
    done = progress.load()
    solved = {name for name, entry in done.exercises.items() if entry.solved is not None}
    up = "../" if folder is None and Path.cwd().name == SIDE_ROADS else ""
    stops = []
    for path in paths(folder):
        try:
            cells = cells_of(path)
        except (OSError, ValueError):  # a damaged notebook must not hide the others
            continue
        tasks = {name: name in solved for name in filter(None, map(exercise_of, cells))}
        file, number = f"{up}{place_of(path).as_posix()}", path.name[:2]
        stops.append(Stop(file, number, title_of(cells), tasks, is_side_road(path)))
    return CourseMap(stops, calibration(done.predictions.values()))


def calibration(predictions: Iterable[Prediction]) -> list[str]:
    """How many predictions came true, by how sure the student was; curves do neither."""
    outcomes: dict[int, list[bool]] = defaultdict(list)
    for each in predictions:
        if each.confidence is not None and each.came_true is not None:
            outcomes[each.confidence].append(each.came_true)
    lines = []
    for sure, true in sorted(outcomes.items()):
        low, high = wilson(sum(true), len(true))
        share = f"{sum(true)} of {len(true)} came true ({low:.0%} to {high:.0%})"
        lines.append(f"{sure}% sure: {share}")
    return lines
