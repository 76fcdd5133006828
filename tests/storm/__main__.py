"""The storm from the command line: `python -m tests.storm --seed 7 --rounds 2000 --store memory`."""

import argparse
import secrets
import signal
import sys
import time
from typing import get_args

from tests.storm.counts import Tally
from tests.storm.failure import Failure
from tests.storm.kills import fell
from tests.storm.setup import ROUNDS_OF_A_HOUSE, TABLES, Plan, StoreKind
from tests.storm.stores import ground
from tests.storm.storm import brave

INTERRUPTED = 130
EVERY_SECONDS = 10.0
"""How often it is said how far the storm has come."""


def main(arguments: list[str] | None = None) -> int:
    """Run a storm and return 0, or 1 if something did not hold."""
    plan = _plan(arguments)
    tally, began = Tally(), time.monotonic()
    print(f"storm {plan.seed} on {plan.store}: {plan.rounds:,} rounds, {plan.kills:,} kills", flush=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    failure, interrupted = None, False
    with ground(plan.store) as place:
        try:
            failure = brave(plan, place, tally, _Progress())
            if failure is None and plan.kills:
                failure = fell(plan, place, tally, _Progress())
        except KeyboardInterrupt:
            interrupted = True
    _tell(tally, time.monotonic() - began, failure)
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
    told = parser.parse_args(arguments)
    if told.rounds < 0 or told.kills < 0 or told.tables < 1 or not told.rounds + told.kills:
        parser.error("a storm needs rounds or kills, and a table at least")
    if told.house is not None and told.house not in range(-(-told.rounds // ROUNDS_OF_A_HOUSE)):
        parser.error("a storm of so many rounds has no such house")
    if told.kills and told.store == "memory":
        parser.error("nothing is left of a store in memory whose process is killed; name a database")
    seed = told.seed or secrets.token_hex(4)
    return Plan(seed, told.rounds, told.store, told.tables, told.kills, told.house)


class _Progress:
    """Says now and then how far a storm has come."""

    def __init__(self) -> None:
        self.last = time.monotonic()

    def __call__(self, text: str) -> None:
        if time.monotonic() - self.last > EVERY_SECONDS:
            self.last = time.monotonic()
            print(text, file=sys.stderr, flush=True)


def _tell(tally: Tally, seconds: float, failure: Failure | None) -> None:
    for line in tally.lines():
        print(line)
    rounds = tally.seen["rounds"]
    print(f"{rounds:,} rounds in {seconds:,.1f} s, {rounds / seconds:,.1f} a second")
    if failure is None:
        print("everything held")
    else:
        print("\n".join(failure.lines()), file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
