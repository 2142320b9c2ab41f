"""MCTS-Solver, compiled: the readable search's tree with the same proofs, and they are all true."""

import copy
import itertools
import pickle
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab import fast, games, search
from mctslab.fast import ConnectFourSolver, EndgameSolver, SlowSearchWarning
from mctslab.fast.parallel import ParallelRoot
from mctslab.games import State
from mctslab.games.rules import DRAWN, OPEN, WON, Position
from mctslab.games.tictactoe import has_line
from mctslab.players import UCTPlayer
from mctslab.search import Node, minimax
from tests.fast.same_trees import both, difference
from tests.games.own_games import Hex
from tests.search.test_invariants import check_tree
from tests.search.toys import FORCED_PASS, all_nodes, play


def misere_outcome(position: Position, moves: int, geometry: None) -> int:
    """Won if the player who has just moved has a line: nobody wants one."""
    if has_line(position[1]):
        return WON
    return OPEN if moves else DRAWN


class MisereTicTacToe(games.TicTacToe):
    """A game in which a move can lose at once, while others have not been tried yet."""

    __slots__ = ()
    rules = games.TicTacToe.rules._replace(outcome=misere_outcome)


GAMES: dict[str, tuple[State, int]] = {
    # The first position, and how many squares are empty where the search begins.
    "tictactoe": (games.TicTacToe(), 7),
    "misere tic-tac-toe": (MisereTicTacToe(), 5),
    "connect_four 4x5": (games.ConnectFour(rows=4, cols=5), 10),
    "reversi": (games.Reversi(), 7),
    "reversi 4x4": (games.Reversi(size=4), 8),
    "gomoku 9x9": (games.Gomoku(size=9, in_a_row=5), 7),
}

OPTIONS: dict[str, dict[str, Any]] = {
    "UCT": {},
    "c = 0": {"selection": search.ucb1(0)},
    "PUCT": {"selection": search.puct()},
    "PUCT, c = 0": {"selection": search.puct(0)},
    "all children": {"expansion": "all"},
    "all children, PUCT, two rollouts": {
        "expansion": "all",
        "selection": search.puct(4.0),
        "evaluator": search.rollout_evaluator(num_rollouts=2),
    },
}


def late(first_state: State, num_empty: int, rng: np.random.Generator) -> State:
    """A position of a random game that goes on, with so many empty squares or one or two fewer."""
    while True:
        state = first_state
        while not state.is_terminal and state.board().stones.count(-1) > num_empty:
            state = state.child(search.uniform(state, rng))
        if not state.is_terminal:
            return state


def proofs(root: Node) -> list[Node]:
    return [node for node in all_nodes(root) if node.proven is not None]


# The same tree


def in_pairs(options: dict[str, dict[str, Any]]) -> list[Any]:
    """Each game with each option and one of three seeds; each game and option has all seeds."""
    return [
        pytest.param(*game, given, (row + column) % 3, id=f"{name}, {option}")
        for row, (name, game) in enumerate(GAMES.items())
        for column, (option, given) in enumerate(options.items())
    ]


@pytest.mark.parametrize(("first_state", "num_empty", "options", "seed"), in_pairs(OPTIONS))
def test_the_same_seed_grows_the_same_tree_with_the_same_proofs(
    first_state, num_empty, options, seed
):
    state = late(first_state, num_empty, np.random.default_rng(seed))
    for num_simulations in (30, 700):
        arguments = options | {"num_simulations": num_simulations, "solver": True}
        compiled, _ = both("mcts", state, seed, **arguments)
    assert proofs(compiled.root)


def check_whole_games(search_name: str, game: str, **options: Any) -> None:
    """Our move, the reply, and on with what is left of the tree, to the end of the game."""
    num_proven = 0
    for seed in range(4):
        state = play(games.Reversi(size=4), FORCED_PASS) if "pass" in game else GAMES[game][0]
        rng, roots, ply = np.random.default_rng(seed), (None, None), 0
        while not state.is_terminal:
            options["solver"] = rng.random() < 0.7
            results = both(search_name, state, ply, roots=roots, **options)
            roots = (results[0].root, results[1].root)
            num_proven += results[1].root.proven is not None
            for _ in range(2):
                if not state.is_terminal:
                    state = state.child(search.uniform(state, rng))
            ply += 1
    assert num_proven > 3


PLAYED = ("tictactoe", "reversi 4x4", "reversi before a pass")


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("game", PLAYED)
def test_whole_games_with_one_tree_and_the_solver_now_and_then(game, options):
    check_whole_games("mcts", game, num_simulations=150, **options)


def check_going_on_without(search_name: str, **options: Any) -> None:
    """The readable search goes on without a look at the proofs, and so does the compiled one."""
    state = games.TicTacToe().child(4).child(1)
    first = both(search_name, state, 1, num_simulations=10**6, solver=True, **options)
    visits = {id(node): node.visit_count for node in proofs(first[1].root)}
    roots = first[0].root, first[1].root
    result, readable = both(search_name, state, 2, num_simulations=500, roots=roots, **options)
    assert result.num_simulations == 500
    assert sum(node.visit_count > visits[id(node)] for node in proofs(readable.root)) > 10


def test_without_the_solver_a_tree_with_proofs_grows_on_as_any_other():
    check_going_on_without("mcts")


# Against exact solvers


EXACT = {
    "connect_four 4x5": lambda state: ConnectFourSolver(4, 5).solve(state),
    "reversi": lambda state: int(np.sign(EndgameSolver().solve(state))),
}
Proving: TypeAlias = Callable[[State, np.random.Generator], search.SearchResult]


def check_tic_tac_toe(prove: Proving) -> None:
    """Every position is proven, with its exact value."""
    memo: dict[State, tuple[float, float]] = {}
    minimax(games.TicTacToe(), memo)
    rng = np.random.default_rng(1)
    most = 0
    for state, values in memo.items():
        if not state.is_terminal:
            result = prove(state, rng)
            mover = state.current_player
            assert result.proven == result.value == values[mover]
            assert memo[state.child(result.best_action)][mover] == values[mover]
            most = max(most, result.num_simulations)
    assert most < 100_000
    assert len(memo) == 5_478


def check_small_reversi(prove: Proving) -> None:
    """White wins Reversi on 4 x 4, and every node of the proof is worth what minimax says."""
    memo: dict[State, tuple[float, float]] = {}
    result = prove(games.Reversi(4), np.random.default_rng(1))
    assert result.proven == -1.0
    nodes = proofs(result.root)
    assert len(nodes) > 200
    for node in nodes:
        assert node.proven == minimax(node.state, memo)[node.mover]


def check_endgames(name: str, prove: Proving) -> None:
    """Endgames are proven as other solvers say."""
    first_state, num_empty = GAMES[name]
    exact, values = EXACT[name], []
    for seed in range(25):
        rng = np.random.default_rng(seed)
        state = late(first_state, num_empty - 1, rng)
        result = prove(state, rng)
        assert result.num_simulations < 10**6
        assert result.proven == exact(state)
        child = state.child(result.best_action)
        if not child.is_terminal:
            sign = 1 if child.current_player == state.current_player else -1
            assert sign * exact(child) == result.proven
        values.append(result.proven)
    assert {-1.0, 1.0} <= set(values)


def proving(num_simulations: int, **options: Any) -> Proving:
    """The search by UCT with proofs."""
    options |= {"num_simulations": num_simulations, "solver": True}
    return lambda state, rng: fast.mcts(state, rng=rng, **options)


def test_every_position_of_tic_tac_toe_is_proven_with_its_exact_value():
    check_tic_tac_toe(proving(200_000))


def test_a_small_game_is_solved_from_its_first_position():
    check_small_reversi(proving(10**6))


@pytest.mark.parametrize("expansion", ["one", "all"])
@pytest.mark.parametrize("name", EXACT)
def test_endgames_are_proven_as_other_solvers_say(name, expansion):
    check_endgames(name, proving(10**6, expansion=expansion))


MEMO_SIZES = {"tictactoe": 9, "misere tic-tac-toe": 9, "connect_four 4x5": 9, "reversi 4x4": 8}


@pytest.fixture(scope="module")
def memo() -> dict[State, tuple[float, float]]:
    return {}


@given(st.sampled_from(sorted(MEMO_SIZES)), st.integers(0, 10**9), st.integers(1, 3_000))
def test_whatever_is_proven_anywhere_is_what_minimax_says(memo, name, seed, num_simulations):
    rng = np.random.default_rng(seed)
    state = late(GAMES[name][0], int(rng.integers(1, MEMO_SIZES[name] + 1)), rng)
    expansion = ("one", "all")[seed % 2]
    result = fast.mcts(
        state, num_simulations=num_simulations, expansion=expansion, solver=True, rng=rng
    )
    check_tree(result.root)
    for node in proofs(result.root):
        assert node.proven == minimax(node.state, memo)[node.mover]


# The search around it


def test_a_time_is_not_used_up_when_the_root_is_proven():
    state = games.TicTacToe().child(4).child(1)
    result = fast.mcts(state, seconds=3_600, solver=True, rng=np.random.default_rng(1))
    assert result.proven == 1.0
    assert result.seconds < 60
    again = fast.mcts(
        state, seconds=3_600, root=result.root, solver=True, rng=np.random.default_rng(1)
    )
    assert (again.num_simulations, again.proven) == (0, 1.0)
    assert again.best_action == result.best_action


@pytest.mark.parametrize("expansion", ["one", "all"])
def test_a_tree_that_is_full_proves_nothing_wrong(expansion):
    state, rng = games.TicTacToe(), np.random.default_rng(1)
    result = fast.mcts(
        state, num_simulations=30_000, max_nodes=400, expansion=expansion, solver=True, rng=rng
    )
    assert result.note.startswith("The tree is full")
    assert result.proven is None
    for node in proofs(result.root):
        assert node.proven == minimax(node.state)[node.mover]


@pytest.mark.parametrize("again", [copy.deepcopy, lambda kept: pickle.loads(pickle.dumps(kept))])
def test_a_result_that_is_copied_keeps_what_is_proven(again):
    state = games.TicTacToe().child(4).child(1)
    result = fast.mcts(state, num_simulations=200, solver=True, rng=np.random.default_rng(1))
    other = again(result)
    assert difference(other.root, result.root) == ""
    assert len(proofs(other.root)) == len(proofs(result.root)) > 0
    assert other.children == result.children
    early = fast.mcts(state, num_simulations=20, solver=True, rng=np.random.default_rng(1)).root
    later = fast.mcts(
        state, num_simulations=900, root=early, solver=True, rng=np.random.default_rng(1)
    )
    assert (early.proven, later.root.proven) == (None, 1.0)
    assert again(early).proven is None  # as it was when it was read


def test_what_cannot_be_compiled_is_proven_by_the_readable_search():
    state, rng = Hex(size=3, stones=(-1,) * 9), np.random.default_rng(1)
    with pytest.warns(SlowSearchWarning):
        result = fast.mcts(state, num_simulations=10**6, solver=True, rng=rng)
    assert result.proven == 1.0  # who moves first wins Hex
    assert result.num_simulations < 10**6


def test_the_readable_search_goes_on_with_proofs_of_the_compiled_one():
    state = games.TicTacToe().child(4)
    root = fast.mcts(state, num_simulations=800, solver=True, rng=np.random.default_rng(1)).root
    trace = search.Trace()
    with pytest.warns(SlowSearchWarning):
        result = fast.mcts(
            state, num_simulations=1, root=root, trace=trace, solver=True,
            rng=np.random.default_rng(1),
        )  # fmt: skip
    known = {id(node.state): node for node in proofs(result.root)}
    assert len(known) >= len(proofs(root)) > 0


# Threads and players


def test_threads_put_their_proofs_together():
    state = games.TicTacToe().child(4).child(1)
    rng = np.random.default_rng(1)
    result = fast.root_parallel(state, num_threads=2, num_simulations=100_000, solver=True, rng=rng)
    assert result.num_simulations < 2_000
    assert (result.proven, result.root.proven) == (1.0, 1.0)
    assert minimax(state.child(result.best_action))[0] == 1.0


def test_two_trees_prove_together_what_neither_does_alone():
    state = play(games.TicTacToe(), "a1 b1 c1 a2 b2 c2")
    roots = []
    for proven_action in state.legal_actions():
        root = Node(state)
        for action in state.legal_actions():
            root.untried_actions.remove(action)
            root.children.append(Node(parent=root, action=action))
            root.children[-1].visit_count = 1
            root.children[-1].proven = 0.0 if action == proven_action else None
        roots.append(root)
    assert [ParallelRoot(state, tuple(roots[:n])).proven for n in (1, 2, 3)] == [None, None, 0.0]


@pytest.mark.parametrize("num_threads", [1, 2])
@pytest.mark.parametrize("reuse_tree", [False, True])
def test_a_player_that_has_proven_its_move_plays_it_at_once(num_threads, reuse_tree):
    rng = np.random.default_rng(1)
    player = UCTPlayer(
        seconds=3_600, solver=True, num_threads=num_threads, reuse_tree=reuse_tree, rng=rng
    )
    state: State = games.TicTacToe().child(4).child(1)  # X wins by force
    while not state.is_terminal:
        if state.current_player == 0:
            *_, last = itertools.islice(player.think(state), 50)
            assert last.progress == 1.0
            assert last.result is None or last.result.proven == 1.0
            state = state.child(last.action)
        else:
            state = state.child(search.uniform(state, rng))
    assert state.returns() == (1.0, -1.0)


def test_a_player_does_not_prove_unless_it_is_asked_to():
    player = UCTPlayer(500, rng=np.random.default_rng(1))
    *_, last = player.think(games.TicTacToe().child(4).child(1))
    assert (last.num_simulations, last.result.proven) == (500, None)
