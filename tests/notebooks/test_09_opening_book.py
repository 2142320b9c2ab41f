"""What the side road on opening books says is so."""

from mctslab import book, games


def test_the_small_book_is_full_and_knows_the_replies_to_d3(names):
    assert names["status"].num_positions == names["num_positions"] == 30
    replies = names["opening"].lookup(games.Reversi().child(19)).children
    after = names["after_d3"]
    assert {after.action_to_string(child.action) for child in replies} == {"c3", "c5", "e3"}


def test_a_small_book_is_widest_in_its_middle(tmp_path):
    file = tmp_path / "small.sqlite"
    book.build(file, "reversi", num_simulations=500, max_positions=300, seed=1)
    with book.Book(file) as opening:
        numbers = list(opening.summary().positions_by_ply.values())
    widest = numbers.index(max(numbers))

    assert 2 < widest < len(numbers) - 1
    assert numbers[: widest + 1] == sorted(numbers[: widest + 1])
    assert numbers[-1] < max(numbers) / 2
