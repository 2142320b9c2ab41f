"""What the side road on opening books says is so."""

from mctslab import games


def test_the_small_book_is_full_and_knows_the_replies_to_d3(names):
    assert names["status"].num_positions == names["num_positions"] == 30
    replies = names["opening"].lookup(games.Reversi().child(19)).children
    after = names["after_d3"]
    assert {after.action_to_string(child.action) for child in replies} == {"c3", "c5", "e3"}
