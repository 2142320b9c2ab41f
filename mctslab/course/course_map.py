"""The map of the course: its notebooks, what is solved in each, and what comes next."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

from mctslab.course import progress
from mctslab.course.calibration import Level, calibration
from mctslab.course.outline import cells_of, exercise_of, is_side_road, paths, place_of, title_of


class Task(NamedTuple):
    """An exercise on the map."""

    name: str
    is_solved: bool

    @property
    def sign(self) -> str:
        """A tick, or an empty circle."""
        return "✓" if self.is_solved else "○"


@dataclass(frozen=True, slots=True)
class Stop:
    """A notebook on the map."""

    file: str
    number: str
    title: str
    tasks: Sequence[Task]
    is_side_road: bool = False

    @property
    def num_solved(self) -> int:
        """How many of its exercises are right."""
        return sum(task.is_solved for task in self.tasks)

    @property
    def is_open(self) -> bool:
        """Whether an exercise is left to solve."""
        return self.num_solved < len(self.tasks)

    @property
    def status(self) -> str:
        """The progress in it, in words."""
        if not self.tasks:
            return "nothing to solve"
        return f"{self.num_solved} of {len(self.tasks)} solved"


@dataclass(frozen=True, slots=True)
class CourseMap:
    """All notebooks in their order; printed it is a list, as the last line of a cell a map."""

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
        name = next(task.name for task in self.next.tasks if not task.is_solved)
        return f"Next: {self.next.number} {self.next.title}, exercise {name}."

    def __str__(self) -> str:
        lines = []
        for stop in self.stops:
            arrow = "->" if stop is self.next else "  "
            road = "  side road: " if stop.is_side_road else ""
            lines.append(f"{arrow} {road}{stop.number} {stop.title}: {stop.status}")
            if stop.tasks:
                lines.append("    " + "".join(f"  {task.sign} {task.name}" for task in stop.tasks))
        return "\n".join([*lines, self.verdict, *map(str, self.calibration)])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        last = len(self.stops) - 1
        stops = "".join(
            _stop_html(stop, is_next=stop is self.next, is_last=number == last)
            for number, stop in enumerate(self.stops)
        )
        return (
            f'<nav aria-label="The course, and your progress in it" style="color:{_INK};'
            f'max-width:46em"><ol style="list-style:none;margin:0;padding:0">{stops}</ol>'
            f'<p style="margin:4px 0 0">{escape(self.verdict)}</p>'
            f"{_calibration_html(self.calibration)}</nav>"
        )


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
        names = filter(None, map(exercise_of, cells))
        tasks = [Task(name, name in solved) for name in names]
        file, number = place_of(path).as_posix(), path.name[:2]
        stops.append(Stop(file, number, title_of(cells), tasks, is_side_road(path)))
    return CourseMap(stops, calibration(progress.predictions().values()))


# The green and the blue have a contrast of 4.5 with white and of 3 with JupyterLab's dark page.
_GREEN: Final = "#008a63"
_BLUE: Final = "#2b7fc3"
_INK: Final = "var(--jp-ui-font-color1,inherit)"
_PALE_INK: Final = "var(--jp-ui-font-color2,inherit)"
_RAIL: Final = "var(--jp-border-color1,#9a9a9a)"


def _stop_html(stop: Stop, *, is_next: bool, is_last: bool) -> str:
    current = ' aria-current="step"' if is_next else ""
    arrow = f' <strong style="color:{_BLUE}">← next</strong>' if is_next else ""
    number, road = f"{stop.number} ", ""
    if stop.is_side_road:
        number, road = "", f' <span style="color:{_PALE_INK}">· side road</span>'
    # With blanks between them, a long row of exercises can be broken into lines.
    tasks = "".join(f" {_task_html(task)}" for task in stop.tasks)
    return (
        f'<li{current} style="display:flex;gap:12px;margin:0">'
        f"{_rail(stop, is_next=is_next, is_last=is_last)}"
        f'<div style="padding:2px 0 12px">'
        f'<a href="{escape(stop.file)}">{number}{escape(stop.title)}</a>{road}{arrow}'
        f'<div style="color:{_PALE_INK}">{stop.status}{tasks}</div></div></li>'
    )


def _rail(stop: Stop, *, is_next: bool, is_last: bool) -> str:
    """The road to the left of a stop, with its circle; a side road branches off from it."""
    column = "flex:none;display:flex;flex-direction:column;align-items:center;width:26px"
    line = f'<span style="flex:1;width:2px;background:{"none" if is_last else _RAIL}"></span>'
    if not stop.is_side_road:
        return f'<span aria-hidden="true" style="{column}">{_badge(stop, is_next)}{line}</span>'
    branch = (
        "position:absolute;top:-4px;left:12px;width:30px;height:16px;box-sizing:border-box;"
        f"border:solid {_RAIL};border-width:0 0 2px 2px;border-bottom-left-radius:16px"
    )
    return (
        f'<span aria-hidden="true" style="position:relative;display:flex;gap:12px">'
        f'<span style="{column}">{line}</span><span style="{branch}"></span>'
        f'<span style="{column}">{_badge(stop, is_next)}</span></span>'
    )


def _badge(stop: Stop, is_next: bool) -> str:
    """A circle: full with a tick when all is solved, a ring when not, a dot without exercises."""
    circle = "flex:none;border-radius:50%;box-sizing:border-box;text-align:center;"
    if not stop.tasks:
        return f'<span style="{circle}width:12px;height:12px;margin:7px;background:{_RAIL}"></span>'
    size, margin = (18, 4) if stop.is_side_road else (24, 1)
    circle += f"width:{size}px;height:{size}px;margin:{margin}px;font-size:{size // 2 + 1}px;"
    if not stop.is_open:
        return f'<span style="{circle}line-height:{size}px;background:{_GREEN};color:#fff">✓</span>'
    color = _BLUE if is_next else _RAIL
    text = str(stop.num_solved) if stop.num_solved else ""
    return f'<span style="{circle}border:2px solid {color};line-height:{size - 4}px">{text}</span>'


def _task_html(task: Task) -> str:
    color = _GREEN if task.is_solved else "inherit"
    word = "solved" if task.is_solved else "open"
    return (
        f'<span style="margin-left:12px;white-space:nowrap"><span role="img" aria-label="{word}" '
        f'style="color:{color}">{task.sign}</span> <code>{escape(task.name)}</code></span>'
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
