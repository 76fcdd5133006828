"""Snapshots: a table or a meter at a quiet moment, so a start need not read the whole journal.

A table's snapshot is taken before a round begins and stored once that round is over. So the last round, which
people can still look at, is always in the events after it. A snapshot can be deleted at any time.
"""

from fractions import Fraction

import msgspec
from msgspec.structs import replace

from fourcard.house.commands import CardSource
from fourcard.house.meter_book import MeterBook, OpenRound, Totals, Win
from fourcard.house.meter_events import AdjustmentProposed, AwardLogged
from fourcard.house.postings import TableAccounts
from fourcard.house.table_book import Games, TableBook
from fourcard.meter import Meter
from fourcard.progressive.console import Console
from fourcard.round.commands import HandSide
from fourcard.round.rules import RoundRules
from fourcard.rules.procedures import DealingMethod, Spread
from fourcard.table.commands import Device
from fourcard.table.state import Deck, TablePhase, TableState

FORMAT = 2
"""A snapshot of another format is ignored."""
FIELDS = (
    "phase",
    "decks",
    "active",
    "seats",
    "number",
    "since_count",
    "by_hand",
    "failures",
    "failed",
    "away",
    "shoe_side",
    "hand",
    "spread",
    "at",
)
"""Stored fields of a table's state; the game is stored by hash, and the rules follow from it."""
METER_FIELDS = (
    "terms",
    "tables",
    "closed",
    "open",
    "borne",
    "totals",
    "hits",
    "count",
    "logged",
    "last",
    "proposals",
    "proposed",
    "restored",
)
"""Stored fields of a meter."""


class TableSnapshot(msgspec.Struct, frozen=True, kw_only=True):
    """A table between two rounds."""

    format: int
    table: str
    game: str
    method: DealingMethod
    shuffled_by_hand: bool
    cards: CardSource
    meter: str
    held: dict[str, int]
    counted: bool
    seeds: dict[str, str]
    shuffle: int
    commitment: str
    pending: dict[int, int]
    console: Console | None
    phase: TablePhase
    decks: tuple[Deck, ...]
    active: int
    seats: dict[int, str]
    number: int
    since_count: int
    by_hand: bool
    failures: int
    failed: tuple[Device, ...]
    away: tuple[Device, ...]
    shoe_side: HandSide
    hand: HandSide | None
    spread: Spread | None
    at: int


class MeterSnapshot(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A meter; default values are left out, as in snapshots older than the field."""

    format: int
    name: str
    meter: Meter
    rate: str
    reserve_rate: str
    terms: str
    tables: tuple[str, ...]
    closed: str
    open: dict[str, OpenRound]
    borne: int
    totals: Totals
    hits: dict[str, int]
    count: int
    logged: tuple[AwardLogged, ...]
    last: tuple[Win, ...]
    proposals: dict[int, AdjustmentProposed]
    proposed: int
    restored: int = 0


_tables = msgspec.json.Decoder(TableSnapshot)
_meters = msgspec.json.Decoder(MeterSnapshot)


def encode_table(book: TableBook) -> bytes:
    """Return a table between two rounds in JSON, without the last round."""
    state = book.state
    assert state.round is None
    kept = {name: getattr(state, name) for name in FIELDS}
    return msgspec.json.encode(
        TableSnapshot(
            format=FORMAT,
            table=book.table,
            game=book.game,
            method=state.method,
            shuffled_by_hand=state.rules.by_hand,
            cards=book.cards,
            meter=book.meter,
            held=dict(book.held),
            counted=book.counted,
            seeds=dict(book.seeds),
            shuffle=book.shuffle,
            commitment=book.commitment,
            pending=dict(book.pending),
            console=book.console,
            **kept,
        )
    )


def decode_table(body: bytes, games: Games) -> TableBook | None:
    """Return the table of a snapshot, or None if it is unusable."""
    try:
        kept = _tables.decode(body)
    except (msgspec.MsgspecError, UnicodeError):
        return None
    if kept.format != FORMAT:
        return None
    game = games(kept.game)
    rules = RoundRules(game, kept.method, by_hand=kept.shuffled_by_hand)
    state = TableState(game, rules)
    for name in FIELDS:
        state = replace(state, **{name: getattr(kept, name)})
    return TableBook(
        table=kept.table,
        state=state,
        cards=kept.cards,
        meter=kept.meter,
        held=kept.held,
        counted=kept.counted,
        seeds=kept.seeds,
        shuffle=kept.shuffle,
        commitment=kept.commitment,
        pending=kept.pending,
        console=kept.console,
        names=TableAccounts(kept.table, kept.meter),
    )


def encode_meter(book: MeterBook) -> bytes:
    """Return a meter in JSON."""
    return msgspec.json.encode(
        MeterSnapshot(
            format=FORMAT,
            name=book.name,
            meter=book.meter,
            rate=str(book.rate),
            reserve_rate=str(book.reserve_rate),
            **{name: getattr(book, name) for name in METER_FIELDS},
        )
    )


def decode_meter(body: bytes) -> MeterBook | None:
    """Return the meter of a snapshot, or None if it is unusable."""
    try:
        kept = _meters.decode(body)
    except (msgspec.MsgspecError, UnicodeError):
        return None
    if kept.format != FORMAT:
        return None
    fields = {name: getattr(kept, name) for name in METER_FIELDS}
    return MeterBook(kept.name, kept.meter, Fraction(kept.rate), Fraction(kept.reserve_rate), **fields)
