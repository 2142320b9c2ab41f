"""The student's own program: functions that passed their checks, and the search made from them."""

import difflib
import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Protocol, overload

import numpy as np

from mctslab.course import outline
from mctslab.course.checking.judging import judge
from mctslab.course.keeping import kept, progress
from mctslab.course.keeping.fitted import fitted
from mctslab.course.keeping.kept import Kept
from mctslab.course.question import Function, Question
from mctslab.course.result import Outcome
from mctslab.games.state import State
from mctslab.search.evaluators import RolloutEvaluator, RolloutPolicy
from mctslab.search.mcts import Phases, recorded
from mctslab.search.node import Node
from mctslab.search.selection import SelectionRule, ucb1
from mctslab.search.trace import Trace


@overload
def mine(part: str | Function | Question, /) -> Function: ...


@overload
def mine(part: str | Function | Question, /, *more: str) -> tuple[Function, ...]: ...


def mine(*parts: str | Function | Question) -> Function | tuple[Function, ...]:
    """Your function for an exercise if its check has passed, otherwise the package's.

        select = course.mine("select")
        puct, gather = course.mine("puct", "gather")

    One line says which of them it is, and why; functions with the same line share it. Your function
    is the last one that has passed, in this notebook or an earlier one, even after a restart. If it
    returns an iterator where the package's returns a list, its results become lists, too.

    Args:
        parts: the name of each exercise, such as `"select"`, or the exercise, or any function of
            that name.

    Returns:
        The function, or a tuple of them if there are several `parts`.

    Raises:
        ValueError: there is no such exercise.
    """
    found = [find(_name_of(part)) for part in parts]
    names_by_origin = dict[str, list[str]]()
    for part in found:
        name, _, origin = part.origin.partition(": ")
        names_by_origin.setdefault(origin, []).append(name)
    from IPython.display import display  # takes long to load

    for origin, names in names_by_origin.items():
        display(_Line(names, origin))  # type: ignore[no-untyped-call]
    functions = tuple(part.function for part in found)
    return functions[0] if len(parts) == 1 else functions


def _name_of(part: str | Function | Question) -> str:
    """The name of the exercise."""
    if isinstance(part, str | Question):
        return part if isinstance(part, str) else part.name
    return getattr(part, "__name__", repr(part))


@dataclass(frozen=True, slots=True, repr=False)
class _Line:
    """A line for the student. JupyterLab breaks a printed line inside a word, but not HTML."""

    names: Sequence[str]
    origin: str

    def __repr__(self) -> str:
        return f"{', '.join(self.names)}: {self.origin}"

    def _repr_html_(self) -> str:
        names = ", ".join(f"<code>{escape(name)}</code>" for name in self.names)
        return f"<div>{names}: {escape(self.origin)}</div>"


@dataclass(frozen=True, slots=True)
class Part:
    """A function for an exercise, and its origin."""

    function: Function
    origin: str
    """One line for the student."""
    kept: Kept | None
    """The student's; None for the package's, and for one that could not be written."""
    is_own: bool
    """Whether it is the student's."""


def find(name: str) -> Part:
    """The function for an exercise, as `mine` returns it.

    Raises:
        ValueError: there is no such exercise.
    """
    from mctslab.course.exercises import all_exercises  # which takes a while to load

    known = all_exercises()
    if name not in known:
        raise ValueError(_unknown(name, known))
    model_answer = known[name].model_answer
    if passed := kept.remembered(name):
        only_now = f"from this session; it is not kept for later, because {passed.reason}"
        function = fitted(passed.function, model_answer)
        return Part(function, f"{name}: yours, {only_now}.", None, is_own=True)
    try:
        own = kept.read(name)
        function = fitted(own.load(), model_answer)
        return Part(function, f"{name}: yours, {_history(own)}.", own, is_own=True)
    except FileNotFoundError:
        reason = _not_kept(name, known[name].notebook)
    except Exception as error:  # the student's code may raise anything
        reason = (
            f"yours cannot be loaded from {kept.path_of(name)}: {type(error).__name__}, {error}"
        )
    origin = f"{name}: the package's, because {reason}."
    return Part(model_answer, origin, None, is_own=False)


class WrongPartError(ValueError):
    """A program is made of a function that is not right; the sentences say which one, and why."""


def check_parts(**parts: Function) -> None:
    """Check the functions that a program is made of, each by its exercise.

        course.check_parts(encode=encode, loss=loss)

    Prints a line if all are right. Your progress stays as it is.

    Args:
        parts: the functions by the names of their exercises.

    Raises:
        WrongPartError: some are not right; the sentences say which ones, and why.
        ValueError: there is no such exercise.
    """
    from mctslab.course.exercises import all_exercises  # which takes a while to load

    known, wrong = all_exercises(), dict[str, str]()
    for name, function in parts.items():
        if name not in known:
            raise ValueError(_unknown(name, known))
        if function is known[name].model_answer:
            continue
        result = judge(known[name], function)
        if result.outcome is not Outcome.RIGHT:
            wrong[name] = (
                f"{result}\n  Its exercise is in notebook {known[name].notebook}. Run the check "
                f'there again, and then the cell with `course.mine("{name}")`.'
            )
    if wrong:
        raise WrongPartError("\n".join([f"Not right: {', '.join(wrong)}.", *wrong.values()]))
    print(f"All {len(parts)} parts are right.")


def _unknown(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    meant = f"Did you mean {close[0]}?" if close else f"Their names are {', '.join(known)}."
    return f"There is no exercise {name!r}. {meant}"


def _history(own: Kept) -> str:
    """The origin of a function, and whether it is the student's latest."""
    day = f"{own.checked.day} {own.checked:%B %Y}"
    history = f"from notebook {own.notebook}, checked on {day}"
    entry = progress.load().get(own.exercise)
    if entry is not None and entry.attempts > own.attempts:
        history += "; later versions of yours have not passed"
    return history


def _not_kept(name: str, notebook: str) -> str:
    entry, place = progress.load().get(name), _place_of(name, notebook)
    if entry is None or entry.solved is None:
        return f"no function of yours has passed its check {place} yet"
    return f"yours was not stored: run its check {place} again"


def _place_of(exercise: str, notebook: str) -> str:
    """The notebook in which an exercise is: its number, or the title of a side road."""
    home = outline.homes().get(exercise, notebook)
    side_road = outline.PROJECT_FOLDER / outline.SIDE_ROADS / f"{home}.ipynb"
    if not side_road.is_file():
        return f"in notebook {notebook}"
    return f"on the side road “{outline.title_of(outline.cells_of(side_road))}”"


# The search


def has_own_search() -> bool:
    """Whether the student's latest `uct` that has passed was stored on this computer."""
    if kept.remembered("uct"):
        return False
    try:
        kept.read("uct")
    except (OSError, ValueError, NotImplementedError):  # the last: a disk without file locks
        return False
    return True


def own_search() -> tuple[Function, str]:
    """The student's own `uct`, and twelve letters and digits that differ for another source.

    Raises:
        ValueError: there is none; the sentence says what to do.
    """
    found = find("uct")
    if found.kept is None:
        raise ValueError(
            f"The player 'mine' needs a search of your own that is kept. {found.origin}"
        )
    return found.function, hashlib.sha256(found.kept.source.encode()).hexdigest()[:12]


class Search(Protocol):
    """A search in the form of the exercise `uct`, which can record itself."""

    def __call__(
        self,
        state: State,
        num_simulations: int,
        rng: np.random.Generator,
        trace: Trace | None = None,
    ) -> Node:
        """The root of the tree; a new `Trace()` records every event for the phase stepper."""
        ...


def assemble(
    select: Callable[[Node, SelectionRule], Node],
    expand: Callable[[Node, np.random.Generator], Node | list[Node]],
    rollout: Callable[[State, RolloutPolicy, np.random.Generator], tuple[float, float]],
    backpropagate: Callable[[Node, tuple[float, float]], None],
) -> Search:
    """A search made from four functions in the form of their exercises: `search(state, 400, rng)`.

    `expand` can also return a list with one node, as `search.expand` does. The selection rule is
    UCB1, and rollouts are random. Called with `trace=search.Trace()`, it records itself.

    Raises:
        ValueError: one of them is not a function.
    """
    phases = {"select": select, "expand": expand, "rollout": rollout}
    for name, phase in (phases | {"backpropagate": backpropagate}).items():
        if not callable(phase):
            raise ValueError(f"{name} must be a function, got {phase!r}.")

    def expand_to_list(node: Node, rng: np.random.Generator) -> list[Node]:
        found = expand(node, rng)
        return found if isinstance(found, list) else [found]

    def simulate(leaf: Node, evaluator: object, rng: np.random.Generator) -> tuple[float, float]:
        assert isinstance(evaluator, RolloutEvaluator)
        return rollout(leaf.state, evaluator.policy, rng)

    def assembled(
        state: State, num_simulations: int, rng: np.random.Generator, trace: Trace | None = None
    ) -> Node:
        own = Phases(select, expand_to_list, simulate, backpropagate)
        root, rule, evaluator = Node(state), ucb1(), RolloutEvaluator()
        if trace is not None:
            trace.start(root)
            own = recorded(own, trace)
        for _ in range(num_simulations):
            [leaf] = own.expand(own.select(root, rule), rng)
            own.backpropagate(leaf, own.simulate(leaf, evaluator, rng))
        return root

    return assembled
