"""The kills of a storm: one process at a time, and on PostgreSQL also two at once at the same tables."""

import tempfile
from pathlib import Path

from tests.storm.failure import Failure, failure
from tests.storm.houses import Told
from tests.storm.kills import Kills
from tests.storm.plan import Plan
from tests.storm.stores import Ground
from tests.storm.tally import Tally


def fell(plan: Plan, place: Ground, tally: Tally, told: Told) -> Failure | None:
    """Kill as many processes as a plan says, and return what broke if something did."""
    for processes, kills in _shares(plan):
        word = f"{plan.seed}/{processes} at once"
        try:
            with tempfile.TemporaryDirectory(prefix="fourcard-kills-") as folder:
                house = Kills(place.address(), Path(folder), word, plan.tables, processes, tally)
                house.run(kills, lambda number: told(f"kill {number:,} of {kills:,}"))  # noqa: B023
        except Exception as error:  # noqa: BLE001  whatever went wrong is what the storm is for
            return failure(f"kill {tally.seen['kills']}", error, plan.kills_again())
    return None


def _shares(plan: Plan) -> list[tuple[int, int]]:
    """Return how many processes there are at once, and how many kills come to them."""
    if plan.store == "postgres":
        return [(1, plan.kills // 2), (2, plan.kills - plan.kills // 2)]
    return [(1, plan.kills)]
