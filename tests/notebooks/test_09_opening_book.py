"""What the side road on opening books says is so."""

from mctslab import arena, book, games
from tests.notebooks.reading import PROJECT


def stored(name):
    return arena.load(PROJECT / "notebooks" / "more" / "results" / f"09_{name}.jsonl")


def test_the_small_book_is_full_and_knows_the_replies_to_d3(names):
    assert names["status"].summary.num_positions == names["num_positions"] == 30
    replies = names["opening"].lookup(games.Reversi().child(19)).children
    after = names["after_d3"]
    assert {after.action_to_string(child.action) for child in replies} == {"c3", "c5", "e3"}


def test_a_small_book_is_widest_in_its_middle(tmp_path):
    file = tmp_path / "small.sqlite"
    book.build(file, "reversi", num_simulations=500, max_positions=300, seed=1)
    with book.Book(file) as opening:
        numbers = list(opening.positions_by_ply().values())
    widest = numbers.index(max(numbers))

    assert 2 < widest < len(numbers) - 1
    assert numbers[: widest + 1] == sorted(numbers[: widest + 1])
    assert numbers[-1] < max(numbers) / 2


def moves_known(result):
    """How many moves of a game the book spared its player."""
    own, other = (result.cost(player) for player in result.names)
    spared = other.simulations_per_move - own.simulations_per_move
    return spared / other.simulations_per_move * own.num_moves / len(result.games)


def test_a_book_helps_and_six_times_the_book_by_no_more_than_one_can_see():
    hour, small = (
        [stored(f"{book}{opening}") for opening in ("", "_two_plies")]
        for book in ("book", "small_book")
    )
    intervals = [result.elo for result in (*hour, *small)]
    assert all(result.elo.low > 0 for result in hour)
    assert min(result.elo.value for result in hour) > 45
    assert max(result.elo.value for result in hour) < 65
    assert small[0].elo.value > hour[0].elo.value
    assert small[1].elo.low < 0 < small[1].elo.high
    common = min(elo.high for elo in intervals) - max(elo.low for elo in intervals)
    assert 30 < common < 40
    for large, few in zip(hour, small, strict=True):
        assert 0.9 < moves_known(large) - moves_known(few) < 1.3
        assert 28 < large.cost(large.names[0]).num_moves / 400 < 32


def test_hardly_two_games_are_alike_after_ten_plies(names):
    assert names["beginnings"][10] > 380
    assert list(names["beginnings"].values()) == sorted(names["beginnings"].values())
