"""The exercises, by their names: `exercises.ucb1.check(your_function)`.

An exercise is found by itself: `04_expansion.py` in this folder has the right answer and the inputs
of the exercises of notebook 04, `04_expansion.md` their words.
"""

import functools
from collections.abc import Iterable
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path

from mctslab.course.exercise import Exercise


@functools.cache
def all_exercises() -> dict[str, Exercise]:
    """Every exercise by its name, in the order of the notebooks and of their files."""
    found: dict[str, Exercise] = {}
    for path in sorted(Path(__file__).parent.glob("[0-9][0-9]_*.py")):
        module = import_module(f"{__name__}.{path.stem}")
        found |= {each.name: each for each in vars(module).values() if isinstance(each, Exercise)}
    return found


def __getattr__(name: str, others: Iterable[str] = ()) -> Exercise:
    known = {} if name.startswith("_") else all_exercises()
    if name in known:
        return known[name]
    close = get_close_matches(name, [*others, *known], 1)
    like = f" Did you mean {close[0]!r}?" if close else ""
    raise AttributeError(f"There is no exercise {name!r}.{like}")


def __dir__() -> list[str]:
    return [*all_exercises(), "all_exercises"]
