"""The student's own program: functions that passed their checks, and the search made from them."""

import hashlib
from collections.abc import Callable
from datetime import date
from typing import Any, NamedTuple

import numpy as np

from mctslab.course import outline
from mctslab.course.checking.cases import Function
from mctslab.course.checking.judging import judge
from mctslab.course.exercise import Exercise, Text, is_of_the_course
from mctslab.course.keeping import kept, progress
from mctslab.course.result import Outcome
from mctslab.games.state import State
from mctslab.search.evaluators import RolloutEvaluator, RolloutPolicy
from mctslab.search.mcts import Phases, recorded
from mctslab.search.node import Node
from mctslab.search.selection import SelectionRule, ucb1
from mctslab.search.trace import Trace


def mine(*parts: str | Exercise) -> Any:
    """Your function for an exercise if its check has passed, otherwise the package's.

        select = course.mine("select")
        puct, gather = course.mine("puct", "gather")

    One line says which of them it is, and why; functions with the same line share it. Your function
    is the last one that has passed, in this notebook or an earlier one, even after a restart. If it
    returns an iterator where the package's returns a list, its results become lists, too.

    Args:
        parts: the name of each exercise, such as `"select"`; of one that is not the course's, the
            exercise itself.

    Returns:
        The function, or a tuple of them if there are several `parts`.

    Raises:
        AttributeError: there is no such exercise.
    """
    from IPython.display import display  # takes long to load

    found = [find(part) for part in parts]
    for origin in dict.fromkeys(each.origin for each in found):
        same = [part for part, each in zip(parts, found, strict=True) if each.origin == origin]
        names = [part.name if isinstance(part, Exercise) else part for part in same]
        display(Text(f"{', '.join(names)}: {origin}."))  # type: ignore[no-untyped-call]
    functions = tuple(each.function for each in found)
    return functions[0] if len(parts) == 1 else functions


class Part(NamedTuple):
    """A function for an exercise, and its origin."""

    function: Function
    origin: str
    """Where it comes from, and why, for the student."""
    source: str | None = None
    """The source of the student's function; None if it is the package's."""


def find(part: str | Exercise) -> Part:
    """The function for an exercise, as `mine` returns it.

    Raises:
        AttributeError: there is no such exercise.
    """
    from mctslab.course import exercises  # which take a while to load

    # Not `getattr`, which finds the module's imports, too.
    exercise = part if isinstance(part, Exercise) else exercises.__getattr__(part)
    name = exercise.name
    home = outline.homes().get(name, exercise.notebook)
    path = kept.path_of(name)
    notebook = f"notebook {home}" if home[:2].isdecimal() else "this notebook"
    done = progress.of(name)
    try:
        source = path.read_text("utf-8")
        function = kept.fitted(kept.load(name, source), exercise.model_answer)
        day = date.fromtimestamp(path.stat().st_mtime)
        origin = f"yours, from {notebook}, checked on {day.day} {day:%B %Y}"
        if not done.last_was_right:
            origin += "; later versions of yours have not passed"
        return Part(function, origin, source)
    except FileNotFoundError:
        reason = f"no function of yours has passed its check in {notebook} yet"
        if done.solved:
            reason = f"yours was not stored: run its check in {notebook} again"
    except Exception as error:  # the student's code may raise anything
        reason = f"yours cannot be loaded from {path}: {type(error).__name__}, {error}"
    whose = "the package's" if is_of_the_course(exercise.model_answer) else "the model answer"
    return Part(exercise.model_answer, f"{whose}, because {reason}")


def check_parts(**parts: Function) -> None:
    """Check the functions that a program is made of, each by its exercise.

        course.check_parts(encode=encode, loss=loss)

    Prints a line if all are right. Your progress stays as it is.

    Args:
        parts: the functions by the names of their exercises.

    Raises:
        ValueError: some are not right; the sentences say which ones, and why.
        AttributeError: there is no such exercise.
    """
    from mctslab.course import exercises  # which take a while to load

    wrong: dict[str, str] = {}
    for exercise, function in [(getattr(exercises, name), each) for name, each in parts.items()]:
        if function is exercise.model_answer:
            continue
        result = judge(exercise, function)
        if result.outcome is not Outcome.RIGHT:
            wrong[exercise.name] = (
                f"{result}\n  Its exercise is in notebook {exercise.notebook}. Run the check there "
                f'again, and then the cell with `course.mine("{exercise.name}")`.'
            )
    if wrong:
        raise ValueError("\n".join([f"Not right: {', '.join(wrong)}.", *wrong.values()]))
    print(f"All {len(parts)} parts are right.")


# The search


def has_own_search() -> bool:
    """Whether a `uct` of the student's that has passed its check is stored on this computer."""
    try:
        return kept.path_of("uct").is_file()
    except OSError:
        return False


def own_search() -> tuple[Function, str]:
    """The student's own `uct`, and twelve letters and digits that differ for another source.

    Raises:
        ValueError: there is none; the sentence says what to do.
    """
    found = find("uct")
    if found.source is None:
        raise ValueError(f"The player 'mine' needs a search of your own. uct: {found.origin}.")
    return found.function, hashlib.sha256(found.source.encode()).hexdigest()[:12]


def assemble(
    select: Callable[[Node, SelectionRule], Node],
    expand: Callable[[Node, np.random.Generator], Node | list[Node]],
    rollout: Callable[[State, RolloutPolicy, np.random.Generator], tuple[float, float]],
    backpropagate: Callable[[Node, tuple[float, float]], None],
) -> Callable[..., Node]:
    """A search made from four functions in the form of their exercises: `search(state, 400, rng)`.

    `expand` can also return a list with one node, as `search.expand` does. The selection rule is
    UCB1, and rollouts are random. Called with `trace=search.Trace()`, it records itself.
    """

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
