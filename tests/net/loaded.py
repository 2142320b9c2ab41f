"""Imported once by a process that is then forked, so that its forks need not load compiled code.

It learns nothing, because PyTorch cannot be forked once it has computed gradients on a graphics
card.
"""

from mctslab.fast.compile.cache import cache_folder
from mctslab.net.evaluation import play_match
from mctslab.net.self_play import self_play
from mctslab.net.training import Run
from tests.net.runs import BENCHMARK, config

run = Run(config())
self_play(run.config, 0, 0, run.net)
play_match(BENCHMARK, run.config.first_state(), run.net, "uct:40", (1,))

cache_folder.cache_clear()  # a fork can be told another folder
