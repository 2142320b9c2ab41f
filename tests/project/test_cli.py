"""`python -m mctslab`: every command can be found, and explains itself."""

import importlib
import os
import subprocess
import sys
from unittest.mock import Mock

import pytest

from mctslab.__main__ import COMMANDS, main


def test_help_lists_every_command_and_each_explains_itself(capsys):
    for words in ([], *([name] for name in COMMANDS)):
        with pytest.raises(SystemExit) as ended:
            main([*words, "--help"])
        text = " ".join(capsys.readouterr().out.split())
        assert ended.value.code == 0
        for name, (_, purpose) in COMMANDS.items():
            assert words not in ([], [name]) or purpose[1:] in text


@pytest.mark.parametrize("words", [[], ["dokter"], ["doctor", "now"]])
def test_words_that_mean_nothing_are_answered_with_2(words, capsys):
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert "usage: python -m mctslab" in capsys.readouterr().err


@pytest.mark.parametrize("words", ["--help", "arena tictactoe random random --games 2"])
def test_a_command_ends_quietly_when_nobody_reads_on(words):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "mctslab", *words.split()]
    done = subprocess.run(
        command,
        stdout=writer,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONUNBUFFERED": ""},
        text=True,
        check=False,
    )
    os.close(writer)
    assert done.returncode == 141
    assert "Traceback" not in done.stderr
    assert "Broken pipe" not in done.stderr


def test_ctrl_c_is_answered_with_one_sentence_in_every_command(monkeypatch, capsys):
    doctor = importlib.import_module("mctslab.doctor")
    monkeypatch.setattr(doctor, "run", Mock(side_effect=KeyboardInterrupt))
    assert main(["doctor"]) == 130
    assert capsys.readouterr().err.startswith("\nStopped. ")
