"""Train the mask's head: `python -m core.training --clips DIR`; see docs/head.md."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from core.errors import CleanplateError
from core.training.recording import Clips
from core.training.rounds import Course, licensed, recalibrate, train


def main(arguments: Sequence[str] | None = None) -> int:
    """Train as the arguments say; return the exit status."""
    usual = Course()
    parser = argparse.ArgumentParser(prog="python -m core.training", description=__doc__)
    parser.add_argument(
        "--rounds", type=int, default=usual.rounds, help="of recording and fitting; 0: find the bias of --start anew"
    )
    parser.add_argument("--steps", type=int, default=usual.steps, help="batches of each fit")
    parser.add_argument("--clips", type=Path, help="folder of the clips that things are cut out of, for composites")
    parser.add_argument("--drawn", type=int, default=usual.clips.drawn, help="drawn clips of each round")
    parser.add_argument(
        "--composites", type=int, default=usual.clips.composites, help="pasted clips of each round; 0: none"
    )
    parser.add_argument("--size", type=int, nargs=2, metavar=("W", "H"), help="of all clips; drawn otherwise")
    parser.add_argument("--frames", type=int, help="of all clips; drawn otherwise")
    parser.add_argument("--examples", type=int, default=usual.most_examples, help="kept at a time, 0.7 MB each at most")
    parser.add_argument("--labelled", type=Path, nargs="+", default=[], help="folders of sequences to learn from too")
    parser.add_argument("--validate", type=Path, nargs="+", default=[], help="folders of sequences to be scored on")
    parser.add_argument("--out", type=Path, default=Path("resources/head.npz"), help="where the weights go")
    parser.add_argument("--shadows", type=float, default=usual.shadows, help="how much a cell in shadow counts")
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--seed", type=int, default=usual.clips.seed)
    given = parser.parse_args(arguments)
    size = tuple(given.size) if given.size else None
    clips = Clips(given.drawn, given.composites, size, given.frames, given.seed)
    try:
        course = Course(given.rounds, given.steps, clips, given.examples, given.shadows, given.start)
        if clips.composites and given.clips is None:
            raise CleanplateError("Name the folder of the clips with --clips, or ask for none with --composites 0.")
        footage = licensed(given.clips) if clips.composites else []
        if course.rounds:
            train(course, given.out, footage, given.labelled, given.validate, _tell)
        else:
            recalibrate(course, given.out, footage, _tell)
    except CleanplateError as error:
        print(f"training: {error}", file=sys.stderr)
        return 2
    return 0


def _tell(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
