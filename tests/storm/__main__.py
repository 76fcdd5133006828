"""The storm from the command line: `python -m tests.storm --seed 7 --rounds 2000 --store memory`."""

import argparse
import secrets
import signal
import sys
import time
from typing import get_args

from tests.storm.counts import Counts, Failure
from tests.storm.kills import run_kills
from tests.storm.setup import ROUNDS_OF_A_HOUSE, TABLES, Plan, StoreKind, store_factory
from tests.storm.storm import run_houses

INTERRUPTED = 130
EVERY_SECONDS = 10.0
"""How often it is said how far the storm has come."""


def main(arguments: list[str] | None = None) -> int:
    """Run a storm and return 0, or 1 if something did not hold."""
    plan = _plan(arguments)
    counts, began = Counts(), time.monotonic()
    print(f"storm {plan.seed} on {plan.store}: {plan.rounds:,} rounds, {plan.kills:,} kills", flush=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    failure, interrupted = None, False
    with store_factory(plan.store) as place:
        try:
            failure = run_houses(plan, place, counts, _Progress())
            if failure is None and plan.kills:
                failure = run_kills(plan, place, counts, _Progress())
        except KeyboardInterrupt:
            interrupted = True
    _print_summary(counts, time.monotonic() - began, failure)
    if interrupted:
        print("stopped before the end")
        return INTERRUPTED
    return 0 if failure is None else 1


def _plan(arguments: list[str] | None) -> Plan:
    parser = argparse.ArgumentParser(prog="python -m tests.storm", description=__doc__)
    parser.add_argument("--seed", default="", help="everything follows from it; random by default")
    parser.add_argument("--rounds", type=int, default=ROUNDS_OF_A_HOUSE)
    parser.add_argument("--store", choices=get_args(StoreKind), default="memory")
    parser.add_argument(
        "--kills", type=int, default=0, help="processes killed on a database, after the rounds"
    )
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--house", type=int, help="replay only this house")
    options = parser.parse_args(arguments)
    if options.rounds < 0 or options.kills < 0 or options.tables < 1 or not options.rounds + options.kills:
        parser.error("a storm needs rounds or kills, and a table at least")
    if options.house is not None and options.house not in range(-(-options.rounds // ROUNDS_OF_A_HOUSE)):
        parser.error("a storm of so many rounds has no such house")
    if options.kills and options.store == "memory":
        parser.error("nothing is left of a store in memory whose process is killed; name a database")
    seed = options.seed or secrets.token_hex(4)
    return Plan(seed, options.rounds, options.store, options.tables, options.kills, options.house)


class _Progress:
    """Says now and then how far a storm has come."""

    def __init__(self) -> None:
        self.last = time.monotonic()

    def __call__(self, text: str) -> None:
        if time.monotonic() - self.last > EVERY_SECONDS:
            self.last = time.monotonic()
            print(text, file=sys.stderr, flush=True)


def _print_summary(counts: Counts, seconds: float, failure: Failure | None) -> None:
    for line in counts.lines():
        print(line)
    rounds = counts.seen["rounds"]
    print(f"{rounds:,} rounds in {seconds:,.1f} s, {rounds / seconds:,.1f} a second")
    if failure is None:
        print("everything held")
    else:
        print("\n".join(failure.lines()), file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
