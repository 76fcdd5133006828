"""Append checks: new heads and balances, computed before anything is written."""

from collections.abc import Mapping, Sequence

from fourcard.house.accounts import Transfer
from fourcard.house.records import Head, Recorded
from fourcard.house.store.contract import SequenceTakenError, StoreError

MOST_UNITS = 2**63 - 1
"""The largest balance that every store can hold."""


def follow(heads: Mapping[str, Head], events: Sequence[Recorded]) -> dict[str, Head]:
    """Return stream heads after some events, or refuse the first event that does not come next."""
    moved: dict[str, Head] = {}
    for event in events:
        head = moved.get(event.stream) or heads[event.stream]
        if event.sequence != head.sequence + 1:
            raise SequenceTakenError(
                f"Sequence {event.sequence} of {event.stream} does not come next after {head.sequence}."
            )
        _refuse_unfit(event.stream + event.key + event.by)
        moved[event.stream] = Head(event.sequence, event.hash)
    return moved


def _refuse_unfit(words: str) -> None:
    """Refuse the NUL character: not every database can hold it, and it hides what follows it."""
    if "\0" in words:
        raise StoreError(
            "A stream name, a person's name or a key contains a character that cannot be stored."
        )


def sums(transfers: Sequence[Transfer]) -> dict[str, int]:
    """Return the change of each account, sorted by account, so all writers use one order."""
    added: dict[str, int] = {}
    for transfer in transfers:
        _refuse_unfit(transfer.giver + transfer.taker)
        added[transfer.giver] = added.get(transfer.giver, 0) - transfer.amount
        added[transfer.taker] = added.get(transfer.taker, 0) + transfer.amount
    return dict(sorted(added.items()))


def refuse_too_much(account: str, units: int) -> None:
    """Refuse a balance that no database can hold as an integer."""
    if not -MOST_UNITS <= units <= MOST_UNITS:
        raise StoreError(f"The balance of {account} would be more than a store can hold.")
