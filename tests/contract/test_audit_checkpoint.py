"""An audit goes on from its checkpoint on every store, after the house went on too."""

from fourcard.house.audit.auditor import audit_from
from fourcard.house.audit.checkpoint import write_checkpoint
from fourcard.house.store.backup import copy_house
from fourcard.house.store.interface import Store
from fourcard.house.store.memory import MemoryStore
from tests.kit.audited_houses import KEY, PLAYERS, Founded, play, told


def test_an_audit_goes_on_from_its_checkpoint_on_every_store(store: Store) -> None:
    """Copy a house, audit it, copy what came since, and audit that alone."""
    house = MemoryStore()
    made = Founded(house)
    made.staff()
    made.register(*PLAYERS)
    made.install("one", "maryland-everything")
    made.open("one")
    made.seat("one", PLAYERS)
    play(made, "one", 1)
    made.sign()
    copy_house(house, store)
    first = audit_from(store, None)
    assert first.checkpoint is not None, told(first.report)
    file = write_checkpoint(first.checkpoint, KEY.signer(first.report.house), made.clock.now())
    play(made, "one", 2)
    made.sign()
    copy_house(house, store, onto_earlier=True)
    step, full = audit_from(store, file), audit_from(store, file, full=True)
    assert (step.report.findings, full.report.findings) == ((), ())
    assert step.report.start.events == first.report.counts.events
    assert (step.report.counts.rounds, full.report.counts.rounds) == (2, 3)
    assert step.checkpoint is not None
    assert full.checkpoint is not None
    assert step.checkpoint.counts == full.checkpoint.counts
    assert step.checkpoint.balances == full.checkpoint.balances
