"""An engine for tests, well-behaved or odd: `python odd_engine.py KIND [LOG]`.

It plays the first free square. What it receives, and the numbers of its processes, go into LOG.
"""

import os
import subprocess
import sys
import time

KIND, *LOG = sys.argv[1:]


def say(text):
    print(text, flush=True)


def note(text):
    for log in LOG:
        with open(log, "a", encoding="utf-8") as file:
            file.write(f"{text}\n")


def lines():
    """What the manager writes, until END or DONE."""
    for line in sys.stdin:
        note(line.strip())
        if line.strip() in ("END", "DONE"):
            return
        yield line.strip()


def numbers(text):
    return tuple(map(int, text.split(",")))


def start():
    if KIND == "silent at start":
        time.sleep(10_000)
    if KIND == "dead at start":
        sys.exit(3)
    if KIND == "deaf":
        child = [sys.executable, "-c", "import time; time.sleep(10_000)"]
        note(f"child {subprocess.Popen(child).pid}")
    say("ERROR only 19, please" if KIND == "refusing" else "OK - at your service")


def move(size, taken):
    squares = ((number % size, number // size) for number in range(size**2))
    col, row = square = next(square for square in squares if square not in taken)
    answer = f"{col},{row}"
    if KIND == "silent":
        time.sleep(10_000)
    elif KIND == "dead":
        sys.exit(7)
    elif KIND == "chatty":
        for number in range(3_000):
            say(f"{('MESSAGE', 'DEBUG', 'message', 'debug')[number % 4]} depth {number}")
        say("\nMESSAGE " + 100_000 * "x")
    odd_answers = {"illegal": "0,0", "outside": f"{size},0", "giving up": "ERROR this is too hard"}
    say(odd_answers.get(KIND, f" {answer} "))
    taken.add(square)


def main():
    note(f"engine {os.getpid()}")
    size, taken = 0, set()
    for line in lines():
        word, _, rest = line.partition(" ")
        if word == "START":
            size = int(rest)
            start()
        elif word == "TURN":
            taken.add(numbers(rest))
            move(size, taken)
        elif word == "BOARD":
            taken |= {numbers(stone)[:2] for stone in lines()}
            move(size, taken)
        elif word == "BEGIN":
            move(size, taken)
    if KIND == "deaf":
        time.sleep(10_000)


if __name__ == "__main__":
    main()
