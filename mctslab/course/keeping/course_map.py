"""The map of the course: a list of its notebooks, what is solved in each, and what comes next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

from mctslab.course.keeping import progress
from mctslab.course.keeping.calibration import Level, calibration
from mctslab.course.outline import cells_of, exercise_of, is_side_road, paths, place_of, title_of


class Stop(NamedTuple):
    """A notebook on the map."""

    file: str
    number: str
    title: str
    tasks: dict[str, bool]
    """Its exercises, and whether they are solved."""
    is_side_road: bool = False

    @property
    def is_open(self) -> bool:
        """Whether an exercise is left to solve."""
        return not all(self.tasks.values())

    @property
    def status(self) -> str:
        """How many of its exercises are solved; empty if it has none."""
        return f"{sum(self.tasks.values())} of {len(self.tasks)} solved" if self.tasks else ""


@dataclass(frozen=True, slots=True)
class CourseMap:
    """All notebooks in their order; text when printed, a list as the last line of a cell."""

    stops: Sequence[Stop]
    calibration: Sequence[Level] = ()

    @property
    def next(self) -> Stop | None:
        """The first notebook with an exercise that is not solved yet, side roads last."""
        in_order = sorted(self.stops, key=lambda stop: stop.is_side_road)
        return next((stop for stop in in_order if stop.is_open), None)

    @property
    def verdict(self) -> str:
        """What to do next, in a sentence."""
        if self.next is None:
            return "All exercises are solved."
        name = next(name for name, is_solved in self.next.tasks.items() if not is_solved)
        return f"Next: {self.next.number} {self.next.title}, exercise {name}."

    def __str__(self) -> str:
        lines = []
        for stop in self.stops:
            begin = "->" if stop is self.next else "  "
            begin += "   side road: " if stop.is_side_road else f" {stop.number} "
            tasks = "  ".join(f"{_SIGNS[solved]} {name}" for name, solved in stop.tasks.items())
            lines.append("  ".join([begin + stop.title, *filter(None, [tasks])]))
        return "\n".join([*lines, self.verdict, *map(str, self.calibration)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        lines = "".join(
            f'<li style="margin:3px 0">{self._line(stop)}{self._side_roads(stop)}</li>'
            for stop in self.stops
            if not stop.is_side_road
        )
        return (
            f'<nav aria-label="The course, and your progress in it" style="color:{_INK};'
            f'max-width:56em"><ul style="list-style:none;margin:0;padding:0">{lines}</ul>'
            f'<p style="margin:8px 0 0"><strong>{escape(self.verdict)}</strong></p>'
            f"{_calibration_html(self.calibration)}</nav>"
        )

    def _line(self, stop: Stop) -> str:
        tasks = "".join(f" {_task_html(*task)}" for task in stop.tasks.items())
        is_next = stop is self.next
        arrow = f' <strong style="color:{_BLUE}">← next</strong>' if is_next else ""
        current = ' aria-current="step"' if is_next else ""
        link = f'<a href="{escape(stop.file)}"{current}>{stop.number} {escape(stop.title)}</a>'
        return f'{link}{arrow}<span style="margin-left:12px">{stop.status}</span>{tasks}'

    def _side_roads(self, stop: Stop) -> str:
        """The side roads that branch off from a notebook, in one line."""
        roads = [each for each in self.stops if each.is_side_road and each.number == stop.number]
        links = " · ".join(
            f'<a href="{escape(road.file)}">{escape(road.title)}</a>'
            + (f" ({road.status})" if road.status else "")
            for road in roads
        )
        begin = '<div style="margin-left:2em;font-size:90%">Side roads: '
        return f"{begin}{links}</div>" if roads else ""


def progress_map(folder: Path | None = None) -> CourseMap:
    """The map of the notebooks in a folder; without a folder, of those next to the open
    notebook."""
    solved = {name for name, entry in progress.load().items() if entry.solved is not None}
    stops = []
    for path in paths(folder):
        try:
            cells = cells_of(path)
        except (OSError, ValueError):  # a damaged notebook must not hide the others
            continue
        tasks = {name: name in solved for name in filter(None, map(exercise_of, cells))}
        file, number = place_of(path).as_posix(), path.name[:2]
        stops.append(Stop(file, number, title_of(cells), tasks, is_side_road(path)))
    return CourseMap(stops, calibration(progress.predictions().values()))


# The green and the blue have a contrast of 4.5 with white and of 3 with JupyterLab's dark page.
_GREEN: Final = "#008a63"
_BLUE: Final = "#2b7fc3"
_INK: Final = "var(--jp-ui-font-color1,inherit)"
_RAIL: Final = "var(--jp-border-color1,#9a9a9a)"

_SIGNS: Final[Mapping[bool, str]] = {True: "✓", False: "○"}


def _task_html(name: str, is_solved: bool) -> str:
    color, word = (_GREEN, "solved") if is_solved else ("inherit", "open")
    return (
        f'<span style="margin-left:12px;white-space:nowrap"><span role="img" aria-label="{word}" '
        f'style="color:{color}">{_SIGNS[is_solved]}</span> <code>{escape(name)}</code></span>'
    )


def _calibration_html(levels: Sequence[Level]) -> str:
    """A line for each level: how sure the student was, and how often the predictions came true."""
    if not levels:
        return ""
    rows = "".join(f"<tr><td>{_level_svg(level)}</td><td>{level}</td></tr>" for level in levels)
    return (
        '<p style="margin:16px 0 4px"><strong>Your predictions</strong>: the bar is the 95% '
        "interval of how often they come true, and the line is how sure you were. If the line is "
        "to the right of the bar, you are overconfident.</p>"
        f'<table style="margin:0">{rows}</table>'
    )


def _level_svg(level: Level) -> str:
    width = 200
    low, high = (round(width * end) for end in level.interval)
    sure, share = (round(width * part) for part in (level.confidence / 100, level.share))
    return (
        f'<svg width="{width}" height="22" role="img" aria-label="{level}">'
        f'<rect y="8" width="{width}" height="6" fill="{_RAIL}" opacity="0.35"/>'
        f'<rect x="{low}" y="8" width="{max(high - low, 2)}" height="6" fill="{_BLUE}"/>'
        f'<circle cx="{share}" cy="11" r="5" fill="{_BLUE}"/>'
        f'<rect x="{min(sure, width - 2)}" y="1" width="2" height="20" style="fill:{_INK}"/></svg>'
    )
