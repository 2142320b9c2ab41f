"""How the implementations in `examined` are called by the examiner."""

from typing import Any

from mctslab import course, search
from mctslab.course.examiner import Report


def loaded(text: str) -> dict[str, Any]:
    """The names that a source text defines."""
    names: dict[str, Any] = {"__name__": "examined"}
    exec(text, names)
    return names


def report_on(module: str, text: str, num_simulations: int = 400) -> Report:
    """What the examiner says of one of the implementations, from its source."""
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


def package_puct(state: Any, num_simulations: int, rng: Any, net: Any, **options: Any) -> Any:
    """The package's search by PUCT."""

    evaluator = course.evaluator_of(net)
    return search.puct_search(
        state, num_simulations=num_simulations, rng=rng, evaluator=evaluator, **options
    )
