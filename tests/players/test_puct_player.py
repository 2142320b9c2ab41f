"""Players that search by PUCT or with proofs: by their names, and what they remember of a game."""

import copy
import pickle
from functools import partial

import pytest

from mctslab import fast, players, search
from mctslab.games import ConnectFour, Gomoku, Reversi, TicTacToe
from mctslab.net import NetEvaluator
from mctslab.net.checkpoint import save_checkpoint
from mctslab.players import PUCTPlayer, UCTPlayer
from mctslab.search.knowledge.gomoku import gomoku_prior
from mctslab.search.knowledge.roxanne import roxanne_prior
from tests.games.playing import new_rng
from tests.net.nets import net_with_history, small_net

FOUR_IN_A_ROW = Gomoku(size=6, in_a_row=4)


def last_thought(player, state):
    """What a player, or the player of that name, thinks in the end."""
    player = players.make(player, rng=new_rng()) if isinstance(player, str) else player
    *_, thought = player.think(state)
    return thought


def test_the_names_stand_for_these_evaluators():
    rollout, gomoku = search.rollout_evaluator(), Gomoku(size=9)
    of_roxanne = search.rollout_evaluator(search.roxanne())
    for name, state, evaluator in (
        ("puct:80", TicTacToe(), rollout),
        ("puct:80:rollout", TicTacToe(), rollout),
        ("puct:80:uniform", ConnectFour(), search.uniform_evaluator()),
        ("puct:80:roxanne", Reversi(), search.with_priors(of_roxanne, roxanne_prior)),
        ("puct:80:static", gomoku, search.threat_evaluator()),
        ("puct:80:threats", gomoku, search.with_priors(rollout, gomoku_prior)),
    ):
        thought = last_thought(name, state)
        result = fast.puct_search(state, evaluator=evaluator, num_simulations=80, rng=new_rng())
        assert thought.result.children == result.children, name
        assert thought.action == result.best_action
        assert thought.num_simulations == 80


def test_the_names_stand_for_these_options(tmp_path):
    """Also if there is a colon in the file's name."""
    net = small_net(FOUR_IN_A_ROW)
    file = save_checkpoint(tmp_path / "small: the first.safetensors", net)
    with_net = {"evaluator": NetEvaluator(net), "batch_size": 8}
    static = {"evaluator": search.threat_evaluator()}
    parent = {"selection": search.puct(fpu="parent")}
    last_rows = {}
    for options, same in (
        ("", {}),
        ("+reuse", {"reuse_tree": True}),
        ("+parent", parent),
        ("+solver", {"solver": True}),
        ("+solver+reuse+parent", {"solver": True, "reuse_tree": True, **parent}),
    ):
        for name, evaluator in (
            (f"puct{options}:60:static", static),
            (f"net{options}:{file}:60", with_net),
        ):
            named = players.make(name, rng=new_rng())
            assert named.name == name
            other = PUCTPlayer(60, rng=new_rng(), **evaluator, **same)
            for state in (FOUR_IN_A_ROW, FOUR_IN_A_ROW):
                children = last_thought(named, state).result.children
                assert children == last_thought(other, state).result.children, name
            last_rows[options, name[:3]] = children
    assert len(set(last_rows.values())) > 5, "options make a difference"
    assert last_thought(f"net:{file}", FOUR_IN_A_ROW).num_simulations == 400
    assert last_thought(f"net:{file}:0.2s", FOUR_IN_A_ROW).seconds >= 0.2
    with pytest.raises(ValueError, match="There is no net 'clever'"):
        players.make("net+solver:clever:60", rng=new_rng())


@pytest.mark.parametrize("reuse_tree", [False, True])
@pytest.mark.parametrize(
    "kind",
    [partial(PUCTPlayer, evaluator=search.uniform_evaluator()), UCTPlayer],
    ids=["puct", "uct"],
)
def test_it_wins_by_what_it_has_proven_without_using_up_its_time(kind, reuse_tree):
    player = kind(seconds=3_600, solver=True, reuse_tree=reuse_tree, rng=new_rng())
    rng, state, spent = new_rng(2), TicTacToe().child(4).child(1), []
    while not state.is_terminal:
        if state.current_player == 0:
            thought = last_thought(player, state)
            spent.append(thought.num_simulations)
            assert thought.progress == 1.0
            state = state.child(thought.action)
        else:
            state = state.child(search.uniform(state, rng))
    assert state.returns() == (1.0, -1.0)
    assert len(spent) > 1
    won = TicTacToe().child(4).child(1)
    last_thought(player, won)
    again = last_thought(player, won).num_simulations
    assert (again == 0) == reuse_tree, "what is proven already takes no simulation"


def test_the_tree_is_gone_on_with_after_our_move_and_the_reply():
    """And after moves are taken back a new one begins."""
    player = PUCTPlayer(300, evaluator=search.uniform_evaluator(), rng=new_rng(), reuse_tree=True)
    state = TicTacToe()
    ours, reply = last_thought(player, state).result.principal_variation[:2]
    for position, visits in ((state.child(ours).child(reply), range(301, 600)), (state, (300,))):
        assert last_thought(player, position).result.root.visit_count in visits


def test_a_net_that_sees_earlier_positions_knows_those_of_its_game():
    """Also after a forced move, after moves that were taken back, and in the next game."""
    evaluator = NetEvaluator(net_with_history(ConnectFour()))
    player = PUCTPlayer(30, evaluator=evaluator, rng=new_rng())
    game = [ConnectFour()]
    for action in (3, 3, 2, 4, 1, 5):
        game.append(game[-1].child(action))
    for own in ([0, 2, 4], [2], [0, 1, 3]):
        for ply in own:
            expected = fast.puct_search(
                game[ply], evaluator=evaluator, past=game[:ply], num_simulations=30, rng=new_rng()
            )
            assert last_thought(player, game[ply]).result.children == expected.children
    stranger = PUCTPlayer(30, evaluator=evaluator, rng=new_rng())
    with pytest.raises(ValueError, match="sees the last 2 positions"):
        last_thought(stranger, game[2])


@pytest.mark.parametrize("name", ["puct+reuse:300", "net+endgame+reuse:connect_four_1:60"])
def test_a_player_that_keeps_its_tree_is_copied_and_pickled(name):
    player = players.make(name, rng=new_rng())
    state = ConnectFour().child(player.choose(ConnectFour())).child(0)
    others = [pickle.loads(pickle.dumps(player)), copy.deepcopy(player)]
    expected = last_thought(player, state).result
    assert expected.root.visit_count > expected.num_simulations
    for other in others:
        assert last_thought(other, state).result.children == expected.children
