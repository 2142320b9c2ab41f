"""An engine for tests, well-behaved or odd: `python odd_engine.py KIND [LOG]`.

It plays the first free square. What it receives, and the numbers of its processes, go into LOG.
"""

import os
import subprocess
import sys
import time


def say(text, end="\n"):
    sys.stdout.write(text + end)
    sys.stdout.flush()


def wait_for_ever():
    while True:
        time.sleep(1)


class Engine:
    """Knows the stones, and no more."""

    def __init__(self, kind, log):
        self.kind = kind
        self.log = log

    def run(self):
        for line in sys.stdin:
            self.note(line.strip())
            word, _, rest = line.strip().partition(" ")
            if word == "END":
                break
            getattr(self, word.lower())(rest)
        if self.kind == "deaf":
            wait_for_ever()

    def note(self, text):
        if self.log:
            with open(self.log, "a", encoding="utf-8") as file:
                file.write(text + "\n")

    def start(self, rest):
        self.size, self.taken = int(rest), set()
        if self.kind == "silent at start":
            wait_for_ever()
        if self.kind == "dead at start":
            print("cannot find\nmy weights", file=sys.stderr)
            sys.exit(3)
        if self.kind == "deaf":
            child = [sys.executable, "-c", "import time; time.sleep(10_000)"]
            self.note(f"child {subprocess.Popen(child).pid}")
        say("ERROR only 19, please" if self.kind == "refusing" else "OK - at your service")

    def info(self, rest):
        pass

    def begin(self, rest):
        self.move()

    def turn(self, rest):
        self.taken.add(tuple(map(int, rest.split(","))))
        self.move()

    def board(self, rest):
        for line in sys.stdin:
            self.note(line.strip())
            if line.strip() == "DONE":
                break
            col, row, whose = map(int, line.split(","))
            assert whose in (1, 2)
            self.taken.add((col, row))
        self.move()

    def move(self):
        squares = ((number % self.size, number // self.size) for number in range(self.size**2))
        square = next(square for square in squares if square not in self.taken)
        answer = "{},{}".format(*square)
        self.taken.add(square)
        getattr(self, f"move_{self.kind.replace(' ', '_')}", say)(answer)

    def move_silent(self, answer):
        wait_for_ever()

    def move_dead(self, answer):
        print("segmentation fault", file=sys.stderr)
        sys.exit(7)

    def move_illegal(self, answer):
        say("{},{}".format(*min(self.taken, key=lambda square: (square[1], square[0]))))

    def move_outside(self, answer):
        say(f"{self.size},0")

    def move_giving_up(self, answer):
        say("ERROR this is too hard")

    def move_chatty(self, answer):
        for number in range(3_000):
            say(f"{('MESSAGE', 'DEBUG', 'message', 'debug')[number % 4]} depth {number}")
        say("")
        say("MESSAGE " + 100_000 * "x")
        say(f" {answer} ")

    def move_complaining(self, answer):
        sys.stderr.write(300_000 * "warning\n")
        say(answer, end="\r\n")


if __name__ == "__main__":
    kind, *log = sys.argv[1:]
    engine = Engine(kind, log[0] if log else "")
    engine.note(f"engine {os.getpid()}")
    engine.run()
