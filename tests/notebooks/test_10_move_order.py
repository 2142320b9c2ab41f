"""What the side road on move order says is so."""


def test_the_tree_of_twelve_takes_seven_looks_at_best_and_twelve_at_worst(names):
    best = names["best_first"]

    assert len(names["looked_at"](best)) == 3 * 2 + 2 - 1
    assert len(names["looked_at"](names["backwards"](best))) == 12
    assert names["worth"](best) == names["worth"](names["backwards"](best)) == 6
