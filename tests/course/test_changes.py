"""The changes of a function: each mistake of a table is mended by one, whose sentence is told."""

import ast
import itertools
import math

import pytest

from mctslab.course.checking.changes import MISSING, RULE, changes_of, hint
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
    """The first change that makes one body do what the other does, and its sentence."""
    tree, model = function(wrong), function(right)
    wanted = results(Copy(model, {"math": math}))
    assert results(Copy(tree, {"math": math})) != wanted
    for change in changes_of(tree.body[0], model.body[0]):
        instead = {change.part.number: change.instead}
        if change.also:
            instead[change.also.number] = []
        try:
            copy = Copy(tree, {"math": math}, instead)
        except (SyntaxError, ValueError):
            continue
        if results(copy) == wanted:
            return change.rank, change.sentence
    return None, ""


@pytest.mark.parametrize(
    ("wrong", "right", "rank", "words"),
    [
        ("return a < b", "return a <= b", RULE, "Is the limit of `a < b` off by one?"),
        ("return a == b", "return a != b", RULE, "the wrong way round?"),
        (
            "if a < b:\n    return\nreturn a",
            "if a <= b:\n    return\nreturn a",
            RULE,
            "off by one?",
        ),
        ("return a > 1 and b > 2", "return a > 1 or b > 2", RULE, "Are `and` and `or` confused"),
        (
            "x = [None, 0, 1, 2][a]\nreturn x or b",
            "x = [None, 0, 1, 2][a]\nreturn b if x is None else x",
            RULE,
            "count like None",
        ),
        ("return a - b", "return b - a", RULE, "two parts of `a - b` the wrong way round"),
        ("return a + b", "return a - b", RULE, "a plus and a minus confused"),
        ("return a * b + b", "return a * (b + b)", RULE, "Are brackets missing"),
        ("return a / b", "return a // b", RULE, "be rounded?"),
        ("return 2 * (a + b)", "return a + b", RULE, "have a part too many"),
        ("return c[1:]", "return c[:-1]", RULE, "begin and end at the right place"),
        ("return max(c)", "return min(c)", RULE, "or the smallest?"),
        ("return pow(a, b)", "return pow(b, a)", RULE, "arguments of `pow(a, b)`"),
        ("return (a, b)", "return (b, a)", RULE, "in the right order?"),
        ("return a", "return -a", RULE, "Does the result have the wrong sign"),
        ("return 3 * a", "return 4 * a", RULE, "Is `3` off by one here?"),
        ("d = list(c)\nd.pop()\nreturn c", "c.pop()\nreturn c", RULE, "be a copy?"),
        ("t = 0\nfor x in c:\n    t = x\nreturn t", "return sum(c)", RULE, "the old value be lost"),
        ("t = 1\nt += a\nt += a\nreturn t", "return 1 + a", RULE, "one too many"),
        ("b += 1\na += b\nreturn a, b", "a += b\nb += 1\nreturn a, b", RULE, "come too early"),
        (
            "t = 0\nfor x in c:\n    t += x\n    return t",
            "return sum(c)",
            RULE,
            "only after the loop",
        ),
        (
            "if a > 1:\n    a -= 1\n    b += 1\nreturn b",
            "while a > 1:\n    a -= 1\n    b += 1\nreturn b",
            RULE,
            "`while`",
        ),
        (
            "t = 1\nfor x in c:\n    t = 2 * t & x\nreturn t",
            "t = 1\nfor x in c:\n    t |= 2 * t & x\nreturn t",
            *(RULE, "overwrites it"),
        ),
        (
            "t, d = 0, []\nfor x in c:\n    for y in c:\n        t += y\n    d.append(t)\nreturn d",
            "d = []\nfor x in c:\n    d.append(sum(c))\nreturn d",
            *(RULE, "Must `t = 0` be done again in every round of `for x in c`?"),
        ),
        (
            "d = []\nfor x in c:\n    if x == a:\n        b = 1\n    d.append(x)\nreturn d",
            "d = []\nfor x in c:\n    d = [x] if x == a else [*d, x]\nreturn d",
            *(RULE, "Must `d = []` be done again under the condition `x == a`?"),
        ),
        (
            "for x in c:\n    if x == a:\n        t = 1\n    else:\n        t = 0\nreturn t",
            "return int(a in c)",
            *(RULE, "It undoes what an earlier one found"),
        ),
        (
            "for x in c:\n    if x == a:\n        return 1\n    else:\n        return 0",
            "return int(a in c)",
            *(RULE, "one round of the loop decide"),
        ),
        (
            "for x in c:\n    return x < 4\nreturn True",
            "return all(x < 4 for x in c)",
            *(RULE, "one round of the loop decide"),
        ),
        (
            "s = t = 0\nfor x in c:\n    s, t = divmod(x, 2)\nreturn s, t",
            "return sum(x // 2 for x in c), sum(x % 2 for x in c)",
            *(RULE, "old values be lost"),
        ),
        (
            "player = a % 2\nreturn b, -b",
            "player = a % 2\nreturn (b, -b) if player == 0 else (-b, b)",
            *(RULE, "Whose value is the first one"),
        ),
        (
            "d = [0] * 9\nfor i, x, y in [(1, a, b), (2, b, a)]:\n    if x == 2:\n        d[i] = 1"
            "\nreturn d",
            "d = [0] * 9\nfor i, x, y in [(1, a, b), (2, b, a)]:\n    if x == 2 and y == 2:"
            "\n        d[i] = 1\nreturn d",
            *(RULE, "Nothing is done with `y`"),
        ),
        (
            "d = sum(c)\nc.append(a)\nreturn sum(c), len(c)",
            "d = sum(c)\nc.append(a)\nreturn d, len(c)",
            *(RULE, "Must `sum(c)` be worked out again, or is `d` needed?"),
        ),
        ("return a <= b", "return a == b", RULE, "let too much in?"),
        ("return a * 3 / 2 * 3 * b", "return a * 3 / (2 * 3 * b)", RULE, "Are brackets missing"),
        ("return sorted(c, reverse=True)", "return c", RULE, "a part too many"),
        ("return a / 2", "return a * b / 2", MISSING, "Does `b` have its part in it?"),
        ("return a + len(c)", "return b + len(c)", MISSING, ""),
        ("return b / a", "if a == 0:\n    return 0\nreturn b / a", MISSING, "what if `a == 0`?"),
        ("return c", "c.append(a)\nreturn c", MISSING, "Is a call of `c.append` missing"),
        ("return a + 20", "return a + 5", MISSING, "Is `20` too large a number here?"),
        ("return a + 1", "return a + 5", MISSING, "Is `1` too small a number here?"),
        ("return a + 5", "return a - 5", RULE, "Are a plus and a minus confused in `a + 5`?"),
        ("return max(a - 2, 1)", "return max(a - 2, -1)", RULE, "Does `1` have the wrong sign?"),
    ],
)
def test_a_mistake_is_mended_by_a_change_that_says_what_is_wrong(wrong, right, rank, words):
    found, sentence = sentence_that_mends(wrong, right)
    assert words in sentence
    assert found == rank


def test_a_copy_that_never_ends_is_stopped_by_its_rounds_and_not_by_the_clock():
    for body in ("while True: pass", "return f(a, b, c)"):
        copy = Copy(function(body), {})
        copy.rounds_left = 500
        with pytest.raises(TooManyRoundsError):
            copy(1, 2, 3)


def test_a_copy_never_shifts_by_a_set_of_squares_and_gives_up_a_number_that_explodes():
    copy = Copy(function("return a << b"), {})
    copy.rounds_left = MANY_ROUNDS
    assert copy(3, 2, 0) == 12
    with pytest.raises(OverflowError):
        copy(3, 2**40, 0)
    copy = Copy(function("return a + b"), {})
    copy.rounds_left = MANY_ROUNDS
    assert copy(3, 2_000, 0) == 2_003
    copy = Copy(function("for _ in range(40):\n    a = a ** 2\nreturn a"), {})
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


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("up << 1", "(up & through) << 1", " Think of `through`."),
        ("math.exp(n / t)", "n ** (1 / t)", " Think of `**`."),
        ("s", "node.state", " Think of `.state` and `node`."),
        ("best(node)", "max(node.children)", " Think of `max()` and `.children`."),
        ("p[q]", "p[0]", " Can it do without `q`?"),
        ("a + b", "b + a", ""),
        ("a", "a + hidden", " Think of `+`."),
    ],
)
def test_a_hint_names_what_a_part_lacks_or_has_too_much(old, new, words):
    one, other = (ast.parse(each, mode="eval").body for each in (old, new))
    assert hint(one, other, {"hidden"}) == words
