"""Searches of three styles, with and without faults, for the examiner to find.

Beside each implementation are its faults. A fault is described as a mistake of an exercise is: its
name is what the examiner should call it, and below it are the edits that make it. Those of SEEN
were written before the examiner, those of UNSEEN when it was finished.
"""

from pathlib import Path
from typing import Any, Final

from mctslab import course
from mctslab.course.examiner import Report
from mctslab.course.question import Mistake, edited
from tests.course.catalogue import mistakes_in

SEEN: Final = ("recursive", "tables", "alpha_zero")
UNSEEN: Final = ("by_mover", "flat_net")
SEARCHES: Final = (*SEEN, *UNSEEN)


def source(module: str) -> str:
    """The text of one of the implementations."""
    return Path(__file__).with_name(f"{module}.py").read_text("utf-8")


def faults_of(module: str) -> list[Mistake]:
    """The faults of an implementation, which is `loop` for self-play."""
    return mistakes_in(Path(__file__).with_name(f"{module}.txt").read_text("utf-8"))


def planted(*modules: str) -> list[tuple[str, str, str]]:
    """Searches with each of their faults: module, the fault's name, the faulty source."""
    return [
        (module, fault.name, edited(source(module), fault.edits))
        for module in modules or SEARCHES
        for fault in faults_of(module)
    ]


def loaded(text: str) -> dict[str, Any]:
    """The names that a source text defines."""
    names: dict[str, Any] = {"__name__": "examined"}
    exec(text, names)
    return names


def report_on(module: str, text: str, num_simulations: int = 400) -> Report:
    """What the examiner says of one of the searches, from its source."""
    names = loaded(text)
    options: Any = {"num_simulations": num_simulations, "progress": str}
    if module == "tables":
        return course.examine(names["uct"], adapter=course.MutableBoard, **options)
    if module == "alpha_zero":
        return course.examine(_alpha_zero(names), adapter=course.ArrayGame, **options)
    return course.examine(names["mcts" if module == "by_mover" else "search"], **options)


def _alpha_zero(names: dict[str, Any]) -> Any:
    """The search that keeps its tree as long as the game is the same."""
    kept: dict[int, Any] = {}

    def alpha_zero(position: Any, num_simulations: int, rng: Any, net: Any) -> Any:
        number = int(position.board[0])
        if number not in kept:
            kept[number] = names["Searcher"](position, net)
        searcher = kept[number]
        searcher.game, searcher.predict = position, net
        return searcher.visits(position.board, position.player, num_simulations, rng)

    return alpha_zero
