"""The kills of a storm: one process at a time, and on PostgreSQL also several at once on the same meters."""

import tempfile
from pathlib import Path

from tests.storm.failure import Failure, failure
from tests.storm.houses import Told
from tests.storm.kills import Kills, Processes
from tests.storm.plan import Plan
from tests.storm.stores import Ground
from tests.storm.tally import Tally

MOST_AT_ONCE = 3


def fell(plan: Plan, place: Ground, tally: Tally, told: Told) -> Failure | None:
    """Kill as many processes as a plan says, and return what broke if something did."""
    for processes, kills in _shares(plan):
        word = f"{plan.seed}/{processes.count} at once{', apart' if processes.apart else ''}"
        try:
            with tempfile.TemporaryDirectory(prefix="fourcard-kills-") as folder:
                house = Kills(place.address(), Path(folder), word, plan.tables, processes, tally)
                house.run(kills, lambda number: told(f"kill {number:,} of {kills:,}"))  # noqa: B023
        except Exception as error:  # noqa: BLE001  whatever went wrong is what the storm is for
            return failure(f"kill {tally.seen['kills']}", error, plan.kills_again())
    return None


def _shares(plan: Plan) -> list[tuple[Processes, int]]:
    """Return which processes there are at once, and how many kills come to them.

    On PostgreSQL half of the kills come to one, and the others to two at the same tables and to three that
    have tables of their own, linked to the same meters.
    """
    if plan.store != "postgres" or plan.tables < MOST_AT_ONCE:
        return [(Processes(), plan.kills)]
    together = plan.kills // 4
    apart = (plan.kills - together) // 3
    counts = {
        Processes(): plan.kills - together - apart,
        Processes(2): together,
        Processes(MOST_AT_ONCE, apart=True): apart,
    }
    return [(processes, kills) for processes, kills in counts.items() if kills]
