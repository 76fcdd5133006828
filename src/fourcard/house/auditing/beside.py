"""Derived data checks: balances, meters, pairs, games, secrets and snapshots, after all streams are read."""

from collections.abc import Iterator, Mapping

from fourcard.house import accounts
from fourcard.house.auditing.case import Case
from fourcard.house.auditing.chain import Seals
from fourcard.house.auditing.report import Place
from fourcard.house.meter_book import MeterBook
from fourcard.house.records import Head


def lost_streams(
    context: Case, heads: Mapping[str, Head], seals: Mapping[str, Seals], followed: set[str]
) -> None:
    """Report streams of which only a head, a signature, a secret or a snapshot is left."""
    findings = context.findings
    for stream in sorted(heads.keys() - followed):
        sentence = f"The whole stream is missing: its head is at event {heads[stream].sequence}."
        findings.add(Place("events", stream), "missing", sentence)
    for stream in sorted(stream for stream, signed in seals.items() if signed):
        last = max(seals[stream])
        sentence = f"The whole stream is missing: {seals[stream][last][0][1]} has signed event {last}."
        findings.add(Place("events", stream), "missing", sentence)
    for stream, number in sorted(context.secrets):
        findings.add(Place("secrets", stream, number), "inserted", "There is no open commitment to it.")
    for stream in sorted(context.snapshots):
        findings.add(Place("snapshots", stream), "inserted", "No table and no meter has that name.")


def kept_beside(context: Case, balances: Mapping[str, int]) -> None:
    """Compare ledger, meters, pairs and games with what the events lead to."""
    context.ledger.end()
    context.ledger.hold(balances)
    for name, book in context.meters.items():
        for account, units in _meter_accounts(name, book):
            if context.ledger.balances.get(account, 0) != units:
                sentence = f"It shows {units} units in {account}; the transfers add up to another amount."
                context.findings.add(Place("meters", name), "meter", sentence)
    context.pairs.end()
    context.games.end()


def _meter_accounts(name: str, book: MeterBook) -> Iterator[tuple[str, int]]:
    yield accounts.meter(name), book.meter.amount
    yield accounts.reserve(name), book.meter.reserve
    yield accounts.prizes(name), book.owed
