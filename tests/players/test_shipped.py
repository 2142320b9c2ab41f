"""Which nets there are is told from the headers of their files.

That it is told without PyTorch is shown by tests/net/test_without_torch.py.
"""

from mctslab.games import Gomoku, TicTacToe
from mctslab.net import evaluator as net_evaluator
from mctslab.players.shipped import WEIGHTS, has_torch, shipped_nets
from tests.net.nets import save_nets


def test_the_nets_of_a_board_and_rules_come_youngest_first(tmp_path):
    nine, six = Gomoku(size=9), Gomoku(size=6, in_a_row=4)
    names = {"gomoku9_2": nine, "gomoku9_10": nine, "gomoku9_1": nine, "gomoku6_1": six}
    save_nets(tmp_path, names)
    assert has_torch()
    assert net_evaluator.WEIGHTS == WEIGHTS
    found = shipped_nets(Gomoku(size=9).child(40).child(41), folder=tmp_path)
    assert [each.name for each in found] == ["gomoku9_1", "gomoku9_2", "gomoku9_10"]
    assert found[0].first_state() == Gomoku(size=9)
    assert next(each.name for each in shipped_nets(folder=tmp_path)) == "gomoku6_1"
    for state in (Gomoku(size=9, exactly_five=True), Gomoku(size=9, in_a_row=4), Gomoku(),
                  TicTacToe()):  # fmt: skip
        assert shipped_nets(state, folder=tmp_path) == ()
