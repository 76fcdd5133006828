"""The whole house at once: a fresh desk stands where the journal stands, and an audit finds nothing."""

from fourcard.house.auditing.audit import audit
from fourcard.house.desk import Desk
from fourcard.house.outcome import HOUSE
from fourcard.house.ports import SeededEntropy, SimulatedClock
from fourcard.house.store.contract import Store
from tests.storm.money import difference
from tests.storm.tally import Tally, demand
from tests.storm.witness import Witness


def look_at_all(store: Store, witness: Witness, tally: Tally) -> None:
    """Check everything that takes too long to be checked after every step."""
    look_at_states(store, witness)
    _look_at_transfers(store, witness)
    report = audit(store)
    demand(report.clean, "the audit found something", *report.findings[:5])
    demand(
        report.counts.events == sum(head.sequence for head in witness.heads.values()), "not all was audited"
    )
    tally.checked["whole houses replayed and audited"] += 1
    tally.checked["events audited"] += report.counts.events


def look_at_states(store: Store, witness: Witness) -> None:
    """Find what a fresh desk makes of snapshots and journal the same as what every event has made."""
    desk = Desk(store, SimulatedClock(), SeededEntropy("unused"))
    streams = sorted(stream for stream in witness.books if stream != HOUSE)
    desk.look_up(streams)
    for stream in streams:
        demand(desk.library.heads[stream] == witness.heads[stream], "a fresh desk stands elsewhere", stream)
        demand(desk.library.books[stream] == witness.books[stream], "a fresh desk has another state", stream)


def _look_at_transfers(store: Store, witness: Witness) -> None:
    """Find every movement in the ledger, and the balances their sums."""
    held: dict[str, int] = {}
    count = 0
    with store.reading() as reading:
        for transfer in reading.transfers():
            count += 1
            held[transfer.giver] = held.get(transfer.giver, 0) - transfer.amount
            held[transfer.taker] = held.get(transfer.taker, 0) + transfer.amount
        balances = reading.balances()
    demand(count == witness.moves, "the ledger has another number of movements", count, witness.moves)
    wrong = difference(balances, held)
    demand(not wrong, "the movements do not add up to the balances", wrong)
