"""Checks of a soak: memory and latency stay flat, and the journal holds what the players were promised."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median

import msgspec

from bench.soak_players import SoakNote
from fourcard.house.audit.auditor import audit
from fourcard.house.decision import table_stream
from fourcard.house.round_index import decode_round
from fourcard.house.store.interface import ReadTransaction, RoundQuery, Store

MEMORY_TOLERANCE = 0.05
LATENCY_FACTOR, LATENCY_ROOM = 1.5, 0.02
"""How much higher p99 may be at the end than at the beginning: a factor, and seconds more."""
COMPARED_SHARE = 6
"""The first and the last sixth of the figures are compared: ten minutes of an hour."""
FINDINGS_SHOWN = 5
TOO_SHORT = f"not judged: fewer than {COMPARED_SHARE} figures"


class SoakCheck(msgspec.Struct, frozen=True):
    """One check of the verdict."""

    name: str
    passed: bool
    detail: str

    def __str__(self) -> str:
        """Return it as one line."""
        return f"{'ok    ' if self.passed else 'FAILED'} {self.name}: {self.detail}"


def check_memory(name: str, sizes: Sequence[int]) -> SoakCheck:
    """Check that memory grew by at most 5% from the first sixth of the samples to the last."""
    if len(sizes) < COMPARED_SHARE:
        return SoakCheck(name, passed=True, detail=TOO_SHORT)
    first, last = _ends(sizes)
    grown = last / first - 1
    detail = f"{first / 1e6:,.0f} MB at first, {last / 1e6:,.0f} MB at last ({grown:+.1%})"
    return SoakCheck(name, grown <= MEMORY_TOLERANCE, detail)


def check_latency(p99: Sequence[float]) -> SoakCheck:
    """Check that p99 did not rise from the first sixth of the reports to the last."""
    if len(p99) < COMPARED_SHARE:
        return SoakCheck("p99", passed=True, detail=TOO_SHORT)
    first, last = _ends(p99)
    passed = last <= first * LATENCY_FACTOR + LATENCY_ROOM
    return SoakCheck("p99", passed, f"{first * 1e3:,.0f} ms at first, {last * 1e3:,.0f} ms at last")


def _ends(figures: Sequence[float]) -> tuple[float, float]:
    """Return the medians of the first and of the last sixth of some figures."""
    share = max(1, len(figures) // COMPARED_SHARE)
    return median(figures[:share]), median(figures[-share:])


class PlayerNotes:
    """What the players of a soak sent and were told."""

    def __init__(self, notes: Iterable[SoakNote]) -> None:
        """Sort the notes."""
        self.sent: set[tuple[str, str]] = set()
        self.done: dict[tuple[str, str], int] = {}
        self.nets: dict[tuple[str, int, str], int] = {}
        for note in notes:
            if note.kind == "sent":
                self.sent.add((note.table, note.name))
            elif note.kind == "done":
                self.done[note.table, note.name] = note.number
            else:
                self.nets[note.table, note.number, note.name] = note.cents


def read_notes(path: Path) -> PlayerNotes:
    """Return the notes in a file."""
    decoder = msgspec.json.Decoder(SoakNote)
    with path.open("rb") as file:
        return PlayerNotes(map(decoder.decode, file))


def check_house(store: Store, notes: PlayerNotes, players: set[str]) -> list[SoakCheck]:
    """Check the journal against the notes, then the money, then everything by an audit."""
    with store.reading() as reading:
        commands, results = _check_commands(reading, notes, players), _check_results(reading, notes)
        total = sum(reading.balances().values())
    money = SoakCheck("money", total == 0, f"all accounts together hold {total} units")
    report = audit(store)
    told = "; ".join(map(str, report.findings[:FINDINGS_SHOWN])) or "nothing found"
    audited = SoakCheck(
        "audit", report.clean and report.counts.rounds > 0, f"{told}, {report.counts.rounds:,} rounds"
    )
    return [commands, results, money, audited]


def _check_commands(reading: ReadTransaction, notes: PlayerNotes, players: set[str]) -> SoakCheck:
    """Check that each answered command is in the journal once, where it was said, and no other was done."""
    found: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for stream in reading.streams_of("table"):
        table = stream.removeprefix(table_stream(""))
        for record in reading.events(stream):
            if record.key and record.by in players:
                found[table, record.key].append(record.sequence)
    wrong = Counter[str]()
    examples = list[str]()
    for place, sequence in notes.done.items():
        if found.get(place) != [sequence]:
            wrong["answered and not in the journal exactly so"] += 1
            examples.append(f"{place[1]} at {place[0]}")
    for place in found.keys() - notes.sent:
        wrong["in the journal and never sent"] += 1
        examples.append(f"{place[1]} at {place[0]}")
    detail = f"{len(notes.done):,} answered, each in the journal once"
    if wrong:
        detail = "; ".join(f"{count:,} {what}" for what, count in wrong.items())
        detail += f": {', '.join(sorted(examples)[:FINDINGS_SHOWN])}"
    enough = len(notes.done) >= len(players)
    return SoakCheck("commands", not wrong and enough, detail if enough or wrong else f"too few: {detail}")


def _check_results(reading: ReadTransaction, notes: PlayerNotes) -> SoakCheck:
    """Check that each result that a player saw is the one in the books."""
    nets = {
        (found.table, found.number, place.player): place.net
        for found in map(decode_round, reading.rounds(RoundQuery()))
        for place in found.places
    }
    wrong = [place for place, net in notes.nets.items() if nets.get(place) != net]
    detail = f"{len(notes.nets):,} results seen by players, as in the books"
    if wrong:
        examples = ", ".join(
            f"{player} in round {number} of {table}" for table, number, player in wrong[:FINDINGS_SHOWN]
        )
        detail = f"{len(wrong):,} results differ from the books: {examples}"
    return SoakCheck("results", bool(notes.nets) and not wrong, detail)
