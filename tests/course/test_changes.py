"""The changes of a function: each mistake of a table is mended by one, whose sentence is told."""

import ast
import itertools
import math

import pytest

from mctslab.course.checking.changes import changes_of
from mctslab.course.checking.counted import MANY_ROUNDS, Copy, TooManyRoundsError, Work, numbered

INPUTS = list(itertools.product((0, 1, 2, 3), (0.5, 2, 3), ([1, 2, 4], [3])))


def function(body):
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    return numbered(ast.parse(f"def f(a, b, c):\n    ''\n{lines}"))


def results(copy):
    found = []
    for a, b, c in INPUTS:
        copy.rounds_left = 1_000
        try:
            found.append(repr(copy(a, b, list(c))))
        except (Exception, TooManyRoundsError) as error:
            found.append(type(error))
    return found


def sentence_that_mends(wrong, right):
    """The sentence of the first change that makes one body do what the other does."""
    tree, model = function(wrong), function(right)
    wanted = results(Copy(model, {"math": math}))
    assert results(Copy(tree, {"math": math})) != wanted
    for change in changes_of(tree.body[0]):
        try:
            copy = Copy(tree, {"math": math}, change.replaced)
        except (SyntaxError, ValueError):
            continue
        if results(copy) == wanted:
            return change.sentence
    return ""


@pytest.mark.parametrize(
    ("wrong", "right", "words"),
    [
        ("return a < b", "return a <= b", "Is the limit of `a < b` off by one?"),
        ("return a == b", "return a != b", "the wrong way round?"),
        ("if a < b:\n    return\nreturn a", "if a <= b:\n    return\nreturn a", "off by one?"),
        ("return a > 1 and b > 2", "return a > 1 or b > 2", "Are `and` and `or` confused"),
        (
            "x = [None, 0, 1, 2][a]\nreturn x or b",
            "x = [None, 0, 1, 2][a]\nreturn b if x is None else x",
            "count like None",
        ),
        ("return a - b", "return b - a", "two parts of `a - b` the wrong way round"),
        ("return a + b", "return a - b", "a plus and a minus confused"),
        ("return a * b + b", "return a * (b + b)", "Are brackets missing"),
        ("return a / b", "return a // b", "be rounded?"),
        ("return 2 * (a + b)", "return a + b", "have a part too many"),
        ("return c[1:]", "return c[:-1]", "begin and end at the right place"),
        ("return max(c)", "return min(c)", "or the smallest?"),
        ("return pow(a, b)", "return pow(b, a)", "arguments of `pow(a, b)`"),
        ("return (a, b)", "return (b, a)", "in the right order?"),
        ("return a", "return -a", "Does the result have the wrong sign"),
        ("return 3 * a", "return 4 * a", "Is `3` off by one here?"),
        ("d = list(c)\nd.pop()\nreturn c", "c.pop()\nreturn c", "be a copy?"),
        ("t = 0\nfor x in c:\n    t = x\nreturn t", "return sum(c)", "the old value be lost"),
        ("t = 1\nt += a\nt += a\nreturn t", "return 1 + a", "one too many"),
        (
            "b += 1\na += b\nreturn a, b",
            "a += b\nb += 1\nreturn a, b",
            "come too early? What must happen before it?",
        ),
        ("t = 0\nfor x in c:\n    t += x\n    return t", "return sum(c)", "or only after it?"),
        (
            "if a > 1:\n    a -= 1\n    b += 1\nreturn b",
            "while a > 1:\n    a -= 1\n    b += 1\nreturn b",
            "`while`",
        ),
        (
            "t = 1\nfor x in c:\n    t = 2 * t & x\nreturn t",
            "t = 1\nfor x in c:\n    t |= 2 * t & x\nreturn t",
            "overwrites it",
        ),
        (
            "t = 0\nd = []\nfor x in c:\n    for y in c:\n        t += y\n    d += [t]\nreturn d",
            "d = []\nfor x in c:\n    d.append(sum(c))\nreturn d",
            "Does this step belong in every round of `for x in c`?",
        ),
        ("return a + len(c)", "return b + len(c)", "Is `a` the right one here?"),
        ("return a + 20", "return a + 1", "Is `20` too large a number here?"),
        ("return a + 3", "return a + 6", "Is `3` too small a number here?"),
        ("rng = b\nreturn math.default_rng(0)", "return b", "other random numbers than those of"),
        ("return a / 2", "return a / 3", "Is `2` the right number to divide by?"),
        ("return a + 5", "return a - 5", "Are a plus and a minus confused in `a + 5`?"),
        ("return max(a - 2, 1)", "return max(a - 2, -1)", "Does `1` have the wrong sign?"),
    ],
)
def test_a_mistake_is_mended_by_a_change_that_says_what_is_wrong(wrong, right, words):
    assert words in sentence_that_mends(wrong, right)


def test_a_copy_that_never_ends_is_stopped_by_its_rounds_and_not_by_the_clock():
    for body in ("while True: pass", "return f(a, b, c)"):
        copy = Copy(function(body), {})
        copy.rounds_left = 500
        with pytest.raises(TooManyRoundsError):
            copy(1, 2, 3)


def test_a_copy_never_shifts_by_a_set_of_squares_and_gives_up_what_explodes():
    copy = Copy(function("return a << b"), {})
    copy.rounds_left = MANY_ROUNDS
    assert copy(3, 2, 0) == 12
    with pytest.raises(OverflowError):
        copy(3, 2**40, 0)
    copy = Copy(function("return a + b"), {})
    copy.rounds_left = MANY_ROUNDS
    assert copy(3, 2_000, 0) == 2_003
    for body in ("for _ in range(40):\n    a = a ** 2\nreturn a", "a = [1]\na.append(a)\nreturn a"):
        copy = Copy(function(body), {})
        copy.rounds_left = MANY_ROUNDS
        with pytest.raises(OverflowError):
            copy(3, 0, 0)


def test_a_replaced_part_can_stand_in_what_replaces_it_and_the_tree_stays_as_it_was():
    tree = function("a += 1\nreturn a")
    before = ast.unparse(tree)
    step = tree.body[0].body[1]
    copy = Copy(tree, {}, {step.number: [step, step]})
    copy.rounds_left = 1
    assert copy(1, 0, 0) == 3
    assert ast.unparse(tree) == before


def test_work_is_over_when_it_is_spent():
    work = Work(2)
    work.spend(2)
    assert not work.is_over
    work.spend(1)
    assert work.is_over
