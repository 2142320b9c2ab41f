"""Values pass between the judge and a submission, and the judge believes none of them."""

import contextlib
import functools
import inspect
import queue
import sys
import threading

import msgspec
import numpy as np
import pytest
import torch

from mctslab import games, search
from mctslab.course import exercises
from mctslab.course.checking.comparing import Unknown
from mctslab.course.checking.judging import judge as judged
from mctslab.course.question import Elsewhere
from mctslab.course.tree_game import SPARSE, TreeGame, drawn, turn_of, won_by
from mctslab.course.wire import GoneError, Wire, WireError
from mctslab.games.state import IllegalActionError


class Proud(float):
    """A number that claims to be equal to everything."""

    def __eq__(self, other):
        return True

    __hash__ = float.__hash__


@pytest.fixture
def judge():
    """The judge's end; at the other end everything that is called `do` is done."""
    there, back = queue.Queue(), queue.Queue()
    judge = Wire(there.put, lambda: received(back), is_judge=True)
    student = Wire(back.put, lambda: received(there), is_judge=False)

    def serve():
        with contextlib.suppress(GoneError):
            student.serve({"do": lambda function, *given: DONE[function](*given)})

    thread = threading.Thread(target=serve)
    thread.start()
    yield judge
    there.put(None)
    thread.join(10)


def received(messages):
    message = messages.get(timeout=10)
    if message is None:
        raise GoneError
    return message


DONE = {
    "same": lambda value: value,
    "append": lambda items: items.append(7),
    "enter": lambda entries: entries.update(b=2),
    "halve": lambda array: array.__itruediv__(2),
    "draw": lambda rng: rng.random(),
    "expand": lambda node: search.expand(node, np.random.default_rng(1))[0],
    "call": lambda function, *given: function(*given),
    "illegal": lambda state: state.child(99),
    "own error": lambda: (_ for _ in ()).throw(type("Mine", (Exception,), {})("so it is")),
    "proud": lambda: [Proud(0.25), type("Text", (str,), {})("a"), type("Many", (list,), {})([1])],
    "object": object,
    "is the same twice": lambda one, other: one is other,
    "count": lambda: (number**2 for number in range(3)),
    "is a tensor": lambda value: isinstance(value, torch.Tensor) and value.requires_grad,
    "add in place": lambda one, other: one.add_(other),
}


def contains_itself():
    items = [1]
    items.append(items)
    return items


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, 0, -1, 10**40, 0.1, float("inf"), "", "ä€", ..., (), (1, (2, [3]))),
        *([[], [1, None]], {}, {"a": {(1, 2): 0.5}}, {1, 2}, frozenset({3})),
        *(games.TicTacToe().child(4), games.Reversi().child(19), games.Gomoku(6).child(2)),
        TreeGame(turn_of(0, won_by(1), drawn()), (3,), SPARSE),
    ],
    ids=repr,
)
def test_a_value_comes_back_as_it_went(judge, value):
    found = judge.call("do", "same", value)

    assert found == value
    assert type(found) is type(value)


def test_numpys_numbers_and_arrays_come_back(judge):
    for array in (np.arange(6).reshape(2, 3), np.array([True]), np.zeros((0, 2), np.float32)):
        found = judge.call("do", "same", array)
        assert found.dtype == array.dtype
        assert np.array_equal(found, array)
    assert judge.call("do", "same", np.int8(3)) == 3


def test_tensors_are_tensors_there_and_what_is_changed_there_is_changed_here(judge):
    plain, leaf = torch.tensor([[1.0, 2.0]]), torch.tensor([3.0], requires_grad=True)

    assert judge.call("do", "is a tensor", leaf)
    assert not judge.call("do", "is a tensor", plain)
    assert judge.call("do", "same", plain) is plain
    judge.call("do", "add in place", plain, 1.0)
    assert plain.tolist() == [[2.0, 3.0]]
    judge.call("do", "add in place", plain, plain)
    assert plain.tolist() == [[4.0, 6.0]]


@pytest.mark.parametrize(
    ("exercise", "name"),
    [
        (exercises.loss, ""),
        (exercises.loss, "half of the squared error"),
        (exercises.loss, "a result that is cut off from the net"),
        (exercises.residual_block, ""),
        (exercises.residual_block, "the skip connection forgotten"),
        (exercises.residual_block, "the input changed in place"),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_an_answer_on_tensors_is_judged_the_same_from_outside(judge, exercise, name):
    mistakes = {mistake.name: mistake for mistake in exercise.mistakes}
    DONE["answer"] = function = (
        exercise.wrong_answer(mistakes[name]) if name else exercise.model_answer
    )
    signature, answer = inspect.signature(function), functools.partial(judge.call, "do", "answer")
    outside = Elsewhere(answer, exercise.name, signature, is_stub=False, essence="")
    found, expected = judged(exercise, outside), judged(exercise, function)

    assert (found.outcome, found.mistake) == (expected.outcome, name)
    assert found.facts == expected.facts


def test_a_judge_without_pytorch_receives_arrays(monkeypatch):
    monkeypatch.delitem(sys.modules, "torch")
    message = returned([1], fixed=[[1, "derived", [["<f4", [2], b"\0\0\x80?" * 2], []]]])
    found = Wire(lambda _: None, lambda: message, is_judge=True).call("do")

    assert isinstance(found, np.ndarray)
    assert found.tolist() == [1.0, 1.0]


def test_what_is_one_thing_here_is_one_thing_there(judge):
    items, node = [1], search.Node(games.TicTacToe())

    assert judge.call("do", "is the same twice", items, items)
    assert not judge.call("do", "is the same twice", items, [1])
    assert judge.call("do", "same", node) is node
    found = judge.call("do", "same", contains_itself())
    assert found[1] is found


def test_what_is_changed_there_is_changed_here(judge):
    items, entries, array = [1], {"a": 1}, np.array([2.0, 6.0])
    judge.call("do", "append", items)
    judge.call("do", "enter", entries)
    judge.call("do", "halve", array)
    assert (items, entries, array.tolist()) == ([1, 7], {"a": 1, "b": 2}, [1.0, 3.0])

    rng, twin = np.random.default_rng(5), np.random.default_rng(5)
    assert judge.call("do", "draw", rng) == twin.random()
    assert rng.random() == twin.random()

    root = search.Node(games.TicTacToe())
    child = judge.call("do", "expand", root)
    assert root.children == [child]
    assert child.parent is root
    assert len(root.untried_actions) == 8
    assert child.state == games.TicTacToe().child(child.action)


def test_a_function_stays_where_it_is_and_is_called_there(judge):
    given = []

    def noted(*arguments):
        given.append(arguments)
        return len(given)

    assert judge.call("do", "call", noted, 4, "five") == 1
    assert given == [(4, "five")]
    assert list(judge.call("do", "count")) == [0, 1, 4]


def test_an_error_comes_back_with_its_class_if_it_is_one_of_ours(judge):
    with pytest.raises(IllegalActionError, match="99"):
        judge.call("do", "illegal", games.TicTacToe())
    with pytest.raises(ZeroDivisionError):
        judge.call("do", "call", lambda: 1 / 0)
    with pytest.raises(Exception, match="so it is") as caught:
        judge.call("do", "own error")
    assert type(caught.value).__name__ == "Mine"
    assert judge.call("do", "same", 1) == 1


def test_what_an_object_says_of_itself_is_not_believed(judge):
    number, text, items = judge.call("do", "proud")

    assert (type(number), type(text), type(items)) == (float, str, list)
    assert number == 0.25 != 0.5
    assert isinstance(judge.call("do", "object"), Unknown)


def returned(value, *, fixed=(), changing=()):
    """A message by which a submission answers."""
    return msgspec.msgpack.encode([["return"], [value], list(fixed), list(changing)])


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"\xc1 no message",
        msgspec.msgpack.encode([]),
        returned([1]),  # nothing has this key
        returned([1], fixed=[[1, "object", ["subprocess", "Popen", [["true"]], []]]]),
        returned([1], fixed=[[1, "object", ["mctslab.games.state", "IllegalActionError", [], []]]]),
        returned([1], fixed=[[1, "object", ["mctslab.course.tree_game", "np", [], []]]]),
        returned([20], fixed=[[20, "tuple", []]]),  # a key that only the judge may give
        returned([1], changing=[[1, "array", ["O", [1], b"12345678"]]]),
        returned([1], changing=[[1, "list", []], [1, "generator", ["{}"]]]),
        returned([1], changing=[[1, "tensor", [True, "O", [1], b"12345678"]]]),
        returned(
            [1], fixed=[[1, "derived", [["<f4", [1], b"1234"], [[2, ["<f4", [1], b"1234"]]]]]]
        ),
        msgspec.msgpack.encode([["call", 2], [{}], [], []]),  # nothing was lent
    ],
    ids=range(13),
)
def test_a_forged_message_is_refused(message):
    sent = []
    messages = iter([message, returned(None)])
    judge = Wire(sent.append, lambda: next(messages), is_judge=True)

    try:
        found = judge.call("do")
    except WireError:
        return
    assert found is None  # the call was answered with an error, and waited on
    head = msgspec.msgpack.decode(sent[1])[0]
    assert head[:3] == ["raise", "mctslab.course.wire", "WireError"]


def test_a_global_of_another_module_is_never_looked_up_for_a_submission():
    message = returned([1], fixed=[[1, "global", ["os", "system"]]])
    judge = Wire(lambda _: None, lambda: message, is_judge=True)

    assert judge.call("do") == Unknown("os", "system")
