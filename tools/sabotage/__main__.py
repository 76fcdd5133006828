"""`make sabotage`: alters rulebooks and code, and fails if an alteration survives."""

import argparse
import subprocess
import sys
from typing import get_args

from tools.sabotage.outcome import ClauseCounts, Part, write_outcome


def main() -> int:
    """Alter everything or a seeded sample, in one part or in both."""
    parser = argparse.ArgumentParser(prog="python -m tools.sabotage", description=__doc__)
    parser.add_argument("part", nargs="?", choices=get_args(Part), help="only the rulebooks or only the code")
    parser.add_argument("--sample", type=int, help="try only this many alterations")
    parser.add_argument("--seed", type=int, default=1, help="choose another sample")
    parser.add_argument(
        "--place",
        action="append",
        default=[],
        help="only alterations whose line contains this text, or another",
    )
    parser.add_argument(
        "--write", action="store_true", help="store the results that `fourcard clauses` shows"
    )
    options = parser.parse_args()
    if options.write and options.sample is not None:
        parser.error("--write needs whole places, not a sample")
    if options.part is None:
        # Each in a process of its own: the code part instruments what is imported.
        command = [sys.executable, "-m", "tools.sabotage"]
        return max(
            subprocess.run([*command, part, *sys.argv[1:]], check=False).returncode for part in get_args(Part)
        )
    return _run(options)


def _run(options: argparse.Namespace) -> int:
    counts = ClauseCounts()
    if options.part == "data":
        from tools.sabotage.data import alter_data as alter
    else:
        from tools.sabotage.code import alter_code as alter
    status = alter(counts, sample=options.sample, seed=options.seed, places=options.place)
    if options.write and counts.whole:
        write_outcome(counts)
    return status


if __name__ == "__main__":
    sys.exit(main())
