"""What the side road on four honest tests says is so."""

import pytest


@pytest.mark.thorough
def test_every_fault_is_found_and_by_these_tests(names, monkeypatch):
    monkeypatch.setitem(names, "num_steps", 150)
    failed = {
        fault: [test.__name__ for test in names["TESTS"] if not test(names["PARTS"] | changes)]
        for fault, changes in names["FAULTS"].items()
    }

    assert failed == {
        "none": [],
        "values [N, 1]": ["shapes", "one_batch"],
        "softmax twice": ["one_batch"],
        "value cut off": ["one_batch"],
        "policy unturned": ["symmetry"],
        "z for Black": ["by_hand"],
    }
