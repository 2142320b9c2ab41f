"""Notebooks that want points that they have not earned, or harm: invented before the grading was.

Each is a cell for exercise `ucb1`, or a file that is not what its name says. None earns a point.
"""

import json
import os
from typing import NamedTuple

from mctslab.course import exercises
from tests.course.small_course import code, notebook, write

UCB1 = exercises.ucb1.solution_source


class Where(NamedTuple):
    """What the notebooks would like to get at."""

    folder: object
    """Where all notebooks are."""
    table: object
    port: int
    """A server on this computer."""


GUESS = "def ucb1(*given):\n    return {}"
"""An answer that is some expression."""

# What a submission does to be judged as right. `PACKAGE` stands for the folder of the package.
CHEATS = {
    "asks_the_model": "from mctslab.course import exercises\n"
    + GUESS.format("exercises.ucb1.model_answer(*given)"),
    "asks_the_solution": "from mctslab.course import exercises\n"
    "exec(str(exercises.ucb1.solution()).strip('`').removeprefix('python'))",
    "imports_the_answers": "from mctslab.course.exercises.nb03_selection import ucb1 as real\n"
    + GUESS.format("real.model_answer(*given)"),
    "imports_anew": "import sys, importlib\n"
    "for name in [name for name in sys.modules if name.startswith('mctslab.course')]:\n"
    "    del sys.modules[name]\n"
    "real = importlib.import_module('mctslab.course.exercises.nb03_selection').ucb1\n"
    + GUESS.format("real.model_answer(*given)"),
    "reads_the_answers": "text = open(PACKAGE + '/course/exercises/nb03_selection.py').read()\n"
    "names = {'__name__': 'stolen'}\nexec(text, names)\n"
    + GUESS.format("names['ucb1'].model_answer(*given)"),
    "unmarshals_the_answers": "import glob, marshal\n"
    "file = glob.glob(PACKAGE + '/course/exercises/__pycache__/nb03_selection*')[0]\n"
    "names = {'__name__': 'stolen'}\n"
    "exec(marshal.loads(open(file, 'rb').read()[16:]), names)\n"
    + GUESS.format("names['ucb1'].model_answer(*given)"),
    "loads_by_its_place": "import importlib.util as util\n"
    "place = PACKAGE + '/course/exercises/nb03_selection.py'\n"
    "spec = util.spec_from_file_location('mctslab.course.stolen', place)\n"
    "module = util.module_from_spec(spec)\nspec.loader.exec_module(module)\n"
    + GUESS.format("module.ucb1.model_answer(*given)"),
    "reads_the_tests": "file = PACKAGE + '/../tests/course/test_right_answers.py'\n"
    "text = open(file).read()\n" + GUESS.format("text"),
    "reads_the_notebooks": "text = open(PACKAGE + '/../notebooks/03_selection.ipynb').read()\n"
    + GUESS.format("text"),
    "copies_a_neighbour": "import json\n"
    "cells = json.load(open(FOLDER + '/honest_00.ipynb'))['cells']\n"
    "for each in cells:\n    exec(''.join(each['source']))",
    "patches_the_comparison": "import mctslab.course.comparing as c\n"
    "c.same = c._same = c._close = lambda *given: True\n" + GUESS.format("0"),
    "patches_the_tolerance": "import mctslab.course.comparing as c, math\n"
    "c.TOLERANCE = 1e99\nmath.isclose = lambda *a, **b: True\n" + GUESS.format("0"),
    "patches_the_judge": "import mctslab.course.judging as j\nfrom mctslab.course.result import *\n"
    "j.judge = lambda *given: Result('ucb1', Outcome.RIGHT, '')\n"
    "j.Trial.is_right = property(lambda me: True)\n" + GUESS.format("0"),
    "patches_builtins": "import builtins\nbuiltins.abs = lambda x: 0\n"
    "builtins.isinstance = lambda *given: True\n" + GUESS.format("0"),
    "rebinds_the_package": "import mctslab.search, mctslab.search.selection as s\n"
    "mctslab.search.ucb1 = s.ucb1 = lambda *given: 0\n" + GUESS.format("0"),
    "finds_the_judge": "import gc\n"
    "for each in gc.get_objects():\n"
    "    if type(each).__name__ in ('Trial', 'Case', 'Exercise'):\n"
    "        each.expected = 0\n" + GUESS.format("0"),
    "reads_the_callers": "import sys\ndef ucb1(*given):\n"
    "    frame = sys._getframe()\n"
    "    while frame:\n"
    "        for name, value in frame.f_locals.items():\n"
    "            if name == 'expected' or hasattr(value, 'expected'):\n"
    "                return getattr(value, 'expected', value)\n"
    "        frame = frame.f_back",
    "writes_a_report": "import os, json\n"
    "line = dict(kind='check ends', cell=1, outcome='right', message='')\n"
    "for name in ('report.jsonl', 'report.json', 'outcome.json'):\n"
    "    open(name, 'w').write(json.dumps(line) + '\\n')\nos._exit(0)",
    "forges_a_message": "import os, struct, msgspec\n"
    "body = msgspec.msgpack.encode([['return'], ['right'], [], []])\n"
    "for number in range(3, 12):\n"
    "    try:\n        os.write(number, struct.pack('<Q', len(body)) + body)\n"
    "    except OSError:\n        pass\n" + GUESS.format("0"),
    "floods_the_pipe": "import os\nfor number in range(3, 12):\n"
    "    try:\n        os.write(number, b'\\xff' * 60_000)\n"
    "    except OSError:\n        pass\n" + GUESS.format("0"),
    "closes_the_pipe": "import os\nos.closerange(0, 100)\n" + GUESS.format("0"),
    "speaks_for_itself": "import gc\nfrom mctslab.course.wire import Wire\n"
    "wire = next(each for each in gc.get_objects() if isinstance(each, Wire))\n"
    "def ucb1(*given):\n    return wire.call(2)",
    "calls_the_judge": "import gc\nfrom mctslab.course.wire import Wire\n"
    "wire = next(each for each in gc.get_objects() if isinstance(each, Wire))\n"
    "def ucb1(*given):\n    return wire.call('judge', given)",
    "equals_everything": "class Any:\n    def __eq__(self, other): return True\n"
    "    def __ne__(self, other): return False\n    def __hash__(self): return 1\n"
    + GUESS.format("Any()"),
    "is_a_float_of_its_own": "class Any(float):\n"
    "    def __eq__(self, other): return True\n"
    "    def __sub__(self, other): return 0.0\n    __rsub__ = __add__ = __sub__\n"
    "    def __float__(self): return 1.0\n" + GUESS.format("Any(0)"),
    "is_a_numpy_number": "import numpy as np\nclass Any(np.float64):\n"
    "    def __eq__(self, other): return np.True_\n    def item(self): return Other()\n"
    "class Other(float):\n    def __eq__(self, other): return True\n" + GUESS.format("Any(0)"),
    "is_an_expectation": "class Any:\n    def agrees_with(self, found): return True\n"
    + GUESS.format("Any()"),
    "is_a_mock": "from unittest.mock import ANY\n" + GUESS.format("ANY"),
    "is_not_a_number": GUESS.format("float('nan')"),
    "is_one_of_many": GUESS.format("[0, 0.5, 1, 1.5, 2, 2.5]"),
    "pretends_by_its_module": "class Any(float):\n    def __eq__(self, other): return True\n"
    "Any.__module__, Any.__qualname__ = 'mctslab.course.comparing', 'Near'\n"
    + GUESS.format("Any(0)"),
    "pickles_itself": "import os\nclass Any:\n"
    "    def __reduce__(self): return eval, (\"__import__('os')._exit(0)\",)\n"
    "Any.__module__ = 'mctslab.games.state'\n" + GUESS.format("Any()"),
    "raises_what_it_likes": "class E(BaseException):\n    def __str__(self): raise self\n"
    "E.__module__, E.__qualname__ = 'mctslab.course.sandbox', 'call'\n"
    "def ucb1(*given):\n    raise E(0)",
    "is_interrupted": "def ucb1(*given):\n    raise KeyboardInterrupt",
    "raises_what_says_stop": "def ucb1(*given):\n    raise GeneratorExit",
    "contains_itself": "me = []\nme.append(me)\n" + GUESS.format("me"),
    "is_a_deep_tuple": "me = 0\nfor _ in range(200_000):\n    me = (me,)\n" + GUESS.format("me"),
    "is_endless": GUESS.format("iter(int, 1)"),
    "changes_its_name": "def ucb1(*given):\n    return 0\nucb1.__name__ = '../../evil'",
    "traces": "import sys, threading\n"
    "def trace(frame, what, value):\n    return trace\n"
    "threading.settrace(trace)\nsys.settrace(trace)\n" + GUESS.format("0"),
    "talks_in_formulas": "def ucb1(*given):\n"
    "    raise ValueError('=HYPERLINK(1)<script>x</script>')",
}

# What a submission does to do harm; it needs a system that can shut it in.
HARM = {
    "deletes_the_others": "import os, glob\nfor each in glob.glob(FOLDER + '/*'):\n"
    "    os.unlink(each)",
    "deletes_one": "import os\nos.unlink(FOLDER + '/honest_00.ipynb')",
    "overwrites_one": "open(FOLDER + '/honest_00.ipynb', 'w').write('')",
    "moves_one": "import os\nos.rename(FOLDER + '/honest_00.ipynb', 'mine')",
    "locks_one": "import os\nos.chmod(FOLDER + '/honest_00.ipynb', 0)",
    "cuts_one_short": "import os\nos.truncate(FOLDER + '/honest_00.ipynb', 1)",
    "writes_the_table": "open(TABLE, 'w').write('mine,2')",
    "writes_beside": "open(FOLDER + '/planted.ipynb', 'w').write('{}')",
    "links_to_one": "import os\nos.symlink(FOLDER + '/honest_00.ipynb', 'l')\nopen('l', 'w')",
    "outlives": "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
    "        time.sleep(1000)\n        open(TABLE, 'w').write('mine,2')",
    "starts_a_program": "import subprocess\nsubprocess.Popen(['sleep', '1000'])",
    "forks_without_end": "import os\nwhile True:\n    os.fork()",
    "calls_home": "import socket\nsocket.create_connection(('127.0.0.1', PORT)).send(b'x')",
    "kills_its_parent": "import os\nos.kill(os.getppid(), 9)",
    "kills_everything": "import os\nos.kill(-1, 9)",
    "reads_its_parent": "import os\nopen(f'/proc/{os.getppid()}/environ').read()",
    "leaves_shared_memory": "import ctypes\nctypes.CDLL(None).shmget(4711, 4096, 0o1666)",
}

# What a submission does until somebody ends it.
TOO_MUCH = {
    "takes_all_memory": "eaten = []\nwhile True:\n    eaten.append(b'x' * 1_000_000)",
    "writes_many_files": "import os\nfor n in range(100_000):\n    open(str(n), 'w')",
    "digs_deep": "import os\nfor _ in range(100_000):\n    os.mkdir('d')\n    os.chdir('d')",
    "starts_many_threads": "import threading, time\nwhile True:\n"
    "    threading.Thread(target=time.sleep, args=(1000,)).start()",
    "never_returns": "import itertools\ndef ucb1(*given):\n    return sum(itertools.count())",
    "does_not_stop": "def ucb1(*given):\n    while True:\n        try:\n"
    "            while True: pass\n        except BaseException: pass",
    "crashes": "import ctypes\ndef ucb1(*given):\n    return ctypes.string_at(0)",
    "aborts": "import os\ndef ucb1(*given):\n    os.abort()",
    "leaves": "import os\ndef ucb1(*given):\n    os._exit(0)",
    "runs_on": "import threading\ndef go():\n    while True: pass\n"
    "threading.Thread(target=go).start()\n" + GUESS.format("0"),
}


def plant(where: Where, package: str, *, can_be_shut_in: bool) -> list[str]:
    """Put them all into the folder; returns their names."""
    programs = CHEATS | TOO_MUCH | (HARM if can_be_shut_in else {})
    for name, program in programs.items():
        places = {"PACKAGE": package, "FOLDER": where.folder, "TABLE": where.table}
        head = "".join(f"{key} = {str(value)!r}\n" for key, value in places.items())
        source = f"{head}PORT = {where.port}\n{program}"
        write(where.folder, **{name: handed_in(code("exercise-ucb1", source, "exercise:ucb1"))})
    files = odd_files()
    for name, content in files.items():
        with open(os.path.join(os.fsencode(where.folder), name), "wb") as stream:
            stream.write(content)
    return [f"{name}.ipynb" for name in programs] + [shown(name) for name in files]


def shown(name: bytes) -> str:
    return name.decode("utf-8", "backslashreplace")


def handed_in(*cells):
    return notebook(code("hand-in-imports", "import math"), *cells, mctslab_hand_in="03_selection")


def odd_files() -> dict[bytes, bytes]:
    """Files that are no proper notebooks."""

    def with_cell(**fields):
        cell = {"cell_type": "code", "id": "a", "metadata": {"tags": ["exercise:ucb1"]}}
        metadata = {"mctslab_hand_in": "03_selection"}
        return json.dumps({"cells": [cell | fields], "metadata": metadata}).encode()

    twice = handed_in(
        code("a", GUESS.format("0"), "exercise:ucb1"), code("b", UCB1, "exercise:ucb1")
    )
    return {
        b"tags_are_null.ipynb": with_cell(metadata={"tags": None}, source="x = 1"),
        b"metadata_is_null.ipynb": with_cell(metadata=None, source="x = 1"),
        b"source_is_null.ipynb": with_cell(source=None),
        b"source_is_missing.ipynb": with_cell(),
        b"source_is_a_number.ipynb": with_cell(source=[1, None]),
        b"source_is_deep.ipynb": with_cell(source="x = " + "(" * 50_000),
        b"source_adds_up.ipynb": with_cell(source="x = " + "-" * 500_000 + "1"),
        b"source_has_surrogates.ipynb": with_cell(source="def ucb1(*g): return '\ud800'"),
        b"source_has_nulls.ipynb": with_cell(source="def ucb1(*g): \0 return 1"),
        b"cells_are_null.ipynb": b'{"cells": null, "metadata": null}',
        b"is_a_list.ipynb": b"[1, 2]",
        b"is_deep.ipynb": b"[" * 1_000_000,
        b"is_empty.ipynb": b"",
        b"is_binary.ipynb": bytes(range(256)) * 10,
        b"is_not_unicode.ipynb": '{"cells": ["ä"]}'.encode("latin-1"),
        b"is_large.ipynb": b" " * 21_000_000,
        b"named_in_latin_1_\xe4.ipynb": with_cell(source=GUESS.format("0")),
        b"Named_Loudly.IPYNB": with_cell(source=GUESS.format("0")),
        b"=named_like_a_formula.ipynb": with_cell(source=GUESS.format("0")),
        b"says_it_twice.ipynb": json.dumps(twice).encode(),
    }


def plant_odd_places(folder) -> list[str]:
    """What is called like a notebook and is no file: links, folders, pipes."""
    (folder / "is_a_folder.ipynb").mkdir()
    os.symlink(folder / "honest_00.ipynb", folder / "is_a_link.ipynb")
    os.symlink("/dev/zero", folder / "is_a_device.ipynb")
    os.symlink(folder / "nowhere", folder / "leads_nowhere.ipynb")
    os.link(folder / "talks_in_formulas.ipynb", folder / "is_the_same_file.ipynb")
    os.mkfifo(folder / "is_a_pipe.ipynb")
    return [
        "is_a_folder.ipynb",
        "is_a_link.ipynb",
        "is_a_device.ipynb",
        "leads_nowhere.ipynb",
        "is_the_same_file.ipynb",
        "is_a_pipe.ipynb",
    ]
