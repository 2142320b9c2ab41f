"""How large are the house and the notebooks, which tests are slow, what do the checks see?

    python -m tests.measure --help

lists the commands. `house` prints the lines of each room; the package's files and functions that a
search, a click on a board, a check and a round of self-play pass through; and the public names that
nothing outside their room uses.
"""

import argparse
import ast
import json
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np

import mctslab
from mctslab.course import exercises
from mctslab.course.checking.judging import judge
from mctslab.course.outline import is_side_road
from mctslab.course.result import Outcome
from tests.conftest import group_of
from tests.course import examined
from tests.course.invented import Answer, answers_to, function_of
from tests.notebooks.reading import NOTEBOOKS, Size, size_of

SLOW_SECONDS = 4
"""Files of tests that take longer are listed in tests/slow.txt, and begin first."""

PACKAGE = Path(mctslab.__file__).parent
PROJECT = PACKAGE.parent


# Lines


def count(files: Iterator[Path]) -> tuple[int, int]:
    """How many files there are, and how many lines they have."""
    lines = [len(file.read_text("utf-8").splitlines()) for file in files]
    return len(lines), sum(lines)


def python_files(folder: Path) -> Iterator[Path]:
    return (file for file in folder.rglob("*.py") if file.parent.name != "exercises")


def print_lines() -> None:
    rooms = sorted(folder for folder in PACKAGE.iterdir() if (folder / "__init__.py").exists())
    table = [(room.name, *count(python_files(room))) for room in rooms]
    table.append(("beside the rooms", *count(PACKAGE.glob("*.py"))))
    table.append(("all but exercises", *count(python_files(PACKAGE))))
    table.append(("exercises", *count((PACKAGE / "course" / "exercises").glob("*.py"))))
    scripts = (file for end in ("js", "css") for file in PACKAGE.rglob(f"*.{end}"))
    table.append(("JavaScript and CSS", *count(scripts)))
    table.append(("tests", *count((PROJECT / "tests").rglob("*.py"))))
    table.append(("run.py", *count(iter([PROJECT / "run.py"]))))
    print(f"{'room':<20}{'files':>7}{'lines':>8}")
    for name, num_files, num_lines in table:
        print(f"{name:<20}{num_files:>7}{num_lines:>8,}")


# Trips


def trip(
    function: Callable[[], object],
    *,
    warm_up: Callable[[], object] | None = None,
    in_threads: bool = False,
) -> set[str]:
    """The functions of the package that a call passes through, each with its file.

    Args:
        function: what is called.
        warm_up: called before, for what is loaded or made only once; by default `function` itself.
        in_threads: whether the threads that the call starts count as well.
    """
    (warm_up or function)()
    functions: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(str(PACKAGE)):
            name = Path(file).relative_to(PACKAGE).as_posix()
            functions.add(f"{name}:{frame.f_code.co_qualname}")

    if in_threads:
        threading.setprofile(note)
    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
    return functions


def search_trip() -> set[str]:
    from mctslab import games, search

    state, rng = games.TicTacToe(), np.random.default_rng(1)
    return trip(lambda: search.mcts(state, num_simulations=50, rng=rng))


def puct_trip() -> set[str]:
    from mctslab import games, search

    state, even, rng = games.TicTacToe(), search.uniform_evaluator(), np.random.default_rng(1)
    return trip(lambda: search.puct_search(state, num_simulations=1, evaluator=even, rng=rng))


def click_trip(*, with_reply: bool = False) -> set[str]:
    """The second click of a game, until its state is published, or the reply to it as well."""
    from mctslab.widgets import GamePanel

    panel = GamePanel("reversi", "human", "uct:100", seconds_per_move=None)
    answers: list[int] = []
    panel.send = lambda content, buffers=None: answers.extend(_moves_in(content))  # type: ignore[method-assign]

    def play(move: int) -> None:
        """What the page's session does when a move has been chosen."""
        put = {"moves": [*panel.game["moves"], {"move": move}], "hint": None, "said": {}}
        message = {"put": put, "turn": panel.game["turn"], "next": True}
        panel._handle_custom_msg(message, [])

    def click() -> None:
        play(panel.game["position"]["legal"][0]["move"])

    def reply() -> None:
        answers.clear()
        wanted = {"turn": panel.game["turn"], "side": 1, "player": "uct:100", "is_hint": False}
        panel._handle_custom_msg({"think": wanted}, [])
        deadline = time.monotonic() + 100
        while not answers:
            assert time.monotonic() < deadline, "there was no reply"
            time.sleep(0.01)
        play(answers[0])

    def both() -> None:
        click()
        reply()

    try:
        return trip(click if not with_reply else both, warm_up=both, in_threads=with_reply)
    finally:
        panel.wait(20)


def _moves_in(content: dict[str, Any]) -> list[int]:
    """The move of an answer."""
    return [content["answer"]["move"]] if "answer" in content else []


def check_trip() -> set[str]:
    """A wrong answer on its way to the message about it."""
    exercise = exercises.backpropagate
    answer = exercise.wrong_answer(exercise.mistakes[0])
    return trip(lambda: str(exercise.check(answer)), in_threads=True)


def self_play_trip() -> set[str]:
    """A move in each of two games of self-play: the search, the choice, and the policy target."""
    from mctslab import net
    from mctslab.net.self_play import think

    config = net.TrainingConfig(
        num_filters=8, num_blocks=1, self_play=net.SelfPlayConfig(num_simulations=4)
    )
    inference = net.fastest(net.PolicyValueNet(config.net_config()).eval())
    positions, rng = [config.first_state()], np.random.default_rng(1)

    def move() -> None:
        roots = think([positions, positions], config, inference, rng)
        roots.policies()
        for action in roots.moves([0, 0]):
            positions[-1].child(action)

    return trip(move, warm_up=move)


def print_trips() -> None:
    trips = {
        "search.mcts": search_trip,
        "a simulation by PUCT": puct_trip,
        "a click on a board": click_trip,
        "a click and a reply": lambda: click_trip(with_reply=True),
        "a wrong answer": check_trip,
        "a round of self-play": self_play_trip,
    }
    print(f"\n{'trip':<22}{'files':>6}{'functions':>11}")
    for name, walk in trips.items():
        functions = walk()
        files = sorted({function.partition(":")[0] for function in functions})
        print(f"{name:<22}{len(files):>6}{len(functions):>11}   {', '.join(files)}")


# Public names


def code_of_notebooks() -> str:
    cells = []
    for file in sorted((PROJECT / "notebooks").rglob("*.ipynb")):
        for cell in json.loads(file.read_text("utf-8"))["cells"]:
            if cell["cell_type"] == "code":
                cells.append("".join(cell["source"]))
    return "\n".join(cells)


def public_names() -> Iterator[tuple[str, str]]:
    """Each room, with each name of its `__all__`."""
    for file in sorted(PACKAGE.glob("*/__init__.py")):
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                for name in ast.literal_eval(node.value):
                    yield file.parent.name, name


def words_in(*texts: str) -> set[str]:
    return {word for text in texts for word in re.findall(r"\w+", text)}


def print_unused() -> None:
    """Public names that stand in no notebook, no page of text, and in no other room."""
    rooms = {
        folder.name: words_in(*(file.read_text("utf-8") for file in folder.rglob("*.py")))
        for folder in PACKAGE.iterdir()
        if folder.is_dir()
    }
    pages = [PROJECT / "README.md", *(PROJECT / "docs").glob("*.md"), *PACKAGE.glob("*.py")]
    outside = words_in(code_of_notebooks(), *(page.read_text("utf-8") for page in pages))
    names = list(public_names())
    only_inside = [
        f"{room}.{name}"
        for room, name in names
        if name not in outside
        and not any(name in words for each, words in rooms.items() if each != room)
    ]
    in_notebooks = sum(name in outside for _, name in names)
    print(f"\n{len(names)} public names, {in_notebooks} of them in notebooks, README or docs.")
    print(f"{len(only_inside)} that nothing outside their room uses: {', '.join(only_inside)}")


def house() -> None:
    print_lines()
    print_trips()
    print_unused()


def notebooks() -> None:
    """The size of each notebook, as a table in Markdown, and what is shown and written in all."""
    print(f"| notebook | {' | '.join(Size._fields)} |\n{'|---' * (1 + len(Size._fields))}|")
    road: Counter[str] = Counter()
    for path in NOTEBOOKS:
        size = size_of(path)
        print(f"| {path.stem} | {' | '.join(f'{number:,}' for number in size)} |")
        if not is_side_road(path):
            road.update(size._asdict())
    print(
        f"\nOn the road, {road['shown']:,} lines of code are in view; the reader writes "
        f"{road['written']:,} and has {road['experiments']} experiments."
    )


def slow(report: Path) -> None:
    """Write tests/slow.txt: the files that take longest, with their seconds."""
    seconds: Counter[str] = Counter()
    for case in ElementTree.parse(report).iter("testcase"):
        file = case.attrib["classname"].replace(".", "/") + ".py"
        seconds[group_of(f"{file}::{case.attrib['name']}")] += float(case.attrib["time"])
    long = [(file, spent) for file, spent in seconds.most_common() if spent > SLOW_SECONDS]
    lines = [f"{spent:.0f} {file}\n" for file, spent in long]
    Path(__file__).with_name("slow.txt").write_text("".join(lines), "utf-8")


COLUMNS = ("wrong", "cause", "input", "passed", "right", "rejected")


def answers() -> None:
    """What a check says of the answers that were invented.

    A cause is named, or only an input is shown. At the end are the messages that took most time,
    and the longest ones.
    """
    messages: list[Message] = []
    print(f"{'':24}" + "".join(f"{column:>9}" for column in COLUMNS))
    total: Counter[str] = Counter()
    for exercise in exercises.all_exercises().values():
        row = Counter(word for answer in answers_to(exercise) for word in _told(answer, messages))
        total += row
        print(_row(exercise.name, row), flush=True)
    print(_row("all", total))
    for longest in (attrgetter("seconds"), attrgetter("lines")):
        print()
        for each in sorted(messages, key=longest, reverse=True)[:10]:
            print(f"{each.seconds:5.1f} s of CPU, {each.lines:2} lines: {each.answer}")


class Message(NamedTuple):
    """What a check of a wrong answer took, and how many lines it said."""

    seconds: float
    lines: int
    answer: str


def _told(answer: Answer, messages: list[Message]) -> Iterator[str]:
    """The columns in which an answer counts; the message to a wrong one is noted."""
    began = time.process_time()
    result = judge(answer.exercise, function_of(answer))
    seconds, lines = time.process_time() - began, len(str(result).splitlines())
    if not answer.is_right:
        messages.append(Message(seconds, lines, f"{answer.exercise.name}, {answer.why}"))
    passed = result.outcome is Outcome.RIGHT
    if answer.is_right:
        yield from ("right",) if passed else ("right", "rejected")
    else:
        told = "cause" if result.mistake else "input"
        yield from ("wrong", "passed" if passed else told)


def _row(name: str, row: Counter[str]) -> str:
    return f"{name:24}" + "".join(f"{row[column]:9,}" for column in COLUMNS)


def examiner() -> None:
    """In which phase the examiner finds planted faults, and in how many it is the right one."""
    named = []
    for fault, source in examined.planted():
        report = examined.report_on(source)
        named.append(examined.is_named(fault, report))
        print(f"{fault:70}{'named' if named[-1] else report}", flush=True)
    alarms = examined.report_on(examined.SOURCE).finding is not None
    print(f"{sum(named)} of {len(named)} named; without a fault {alarms:d} alarms")


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.measure", description=(__doc__ or "").partition("\n")[0]
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for command, about in {
        house: "lines, trips and public names",
        notebooks: "a table: words, minutes, exercises",
        slow: "list the slow files of tests in tests/slow.txt",
        answers: "what the checks of the exercises say of invented answers",
        examiner: "in which phase the examiner finds planted faults",
    }.items():
        commands.add_parser(command.__name__, help=about).set_defaults(run=command)
    commands.choices["slow"].add_argument(
        "report", type=Path, help="what `run.py test --all --junitxml=FILE` wrote"
    )
    arguments = parser.parse_args(words)
    arguments.run(*[arguments.report] if "report" in arguments else [])


if __name__ == "__main__":
    main()
