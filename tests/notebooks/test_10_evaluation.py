"""What the side road on the evaluation says is so."""


def test_a_sum_of_terms_is_the_evaluation(names):
    evaluation, later = names["evaluation"], names["later"]
    counts = evaluation.counts(later).items()
    total = sum(getattr(evaluation, term) * (black - white) for term, (black, white) in counts)

    assert total == evaluation(later) > 10
