"""The command `reference`: the logs of some runs in one file, to compare other runs with."""

import argparse
import sys

from mctslab.net.reference import collect, write_reference


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The folders, and the file."""
    parser.add_argument(
        "folders",
        nargs="+",
        metavar="DIR",
        help="the folder of a run, made with the same settings as the others and its own seed",
    )
    parser.add_argument("--out", required=True, metavar="FILE", help="the file, lines of JSON")


def run(arguments: argparse.Namespace) -> int:
    """Write the file; 2 where a folder holds no run, or one that does not belong, else 0."""
    try:
        reference = collect(arguments.folders)
        file = write_reference(reference, arguments.out)
    except (ValueError, OSError) as error:
        print(f"reference: {error}", file=sys.stderr)
        return 2
    print(f"{len(reference.runs)} runs are in {file}")
    return 0
