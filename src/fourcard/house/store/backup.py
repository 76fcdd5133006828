"""Backup and restore: copies a running house at one moment into an empty store of any kind."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import TypeVar

import msgspec

from fourcard.house.store.interface import (
    ReadTransaction,
    RoundQuery,
    Snapshot,
    Store,
    StoreError,
    WriteTransaction,
)

CopyProgress = Callable[[str, int], None]
"""Gets the name of the copied rows, and their number so far."""

COPY_PAGE_ROWS = 5000
ALL = 2**62
T = TypeVar("T")


class CopyCounts(msgspec.Struct, frozen=True):
    """Number of copied rows."""

    streams: int
    events: int
    transfers: int
    balances: int
    games: int
    secrets: int
    snapshots: int
    table_hours: int
    rounds: int
    credentials: int
    tokens: int
    security_notes: int


def copy_house(
    source: Store,
    target: Store,
    progress: CopyProgress | None = None,
    then: Callable[[WriteTransaction], None] | None = None,
) -> CopyCounts:
    """Copy a house as it is now; the target takes all of it or, if anything fails, nothing.

    ``then`` changes the copy in the same transaction, before anybody can open it.
    """
    with source.reading() as house, target.writing() as copy:
        _refuse_nonempty(copy, target.name)
        copied = _copy_all(house, copy, progress or _silent)
        _refuse_different(house, copy, source.name)
        if then is not None:
            then(copy)
    return copied


def _copy_all(house: ReadTransaction, copy: WriteTransaction, progress: CopyProgress) -> CopyCounts:
    heads = copy.lock_exclusive(house.journal_streams())
    games, secrets = house.games(), house.secrets()
    credentials, tokens, notes = house.credentials(), house.tokens(), house.security_notes(ALL)
    for hash_, body in games.items():
        copy.keep_game(hash_, body)
    for (stream, number), secret in secrets.items():
        copy.keep_secret(stream, number, secret)
    for credential in credentials:
        copy.put_credential(credential)
    for token in tokens:
        copy.put_token(token)
    for note in reversed(notes):
        copy.note_security(note)
    records = (record for stream in heads for record in house.records(stream))
    _write_in_pages(records, copy.append, "records", progress)
    transfer_count = _write_in_pages(house.transfers(), copy.post, "transfers", progress)
    snapshot_count = _write_in_pages(house.snapshots(), partial(_keep_snapshots, copy), "snapshots", progress)
    hour_count = _write_in_pages(house.table_hours(), copy.put_table_hours, "table hours", progress)
    round_count = _write_in_pages(
        house.rounds(RoundQuery()), lambda page: copy.add_rounds(page, ()), "rounds", progress
    )
    _write_in_pages(house.player_rounds(), lambda page: copy.add_rounds((), page), "players", progress)
    return CopyCounts(
        streams=len(heads),
        events=sum(head.sequence for head in copy.streams().values()),
        transfers=transfer_count,
        balances=len(house.balances()),
        games=len(games),
        secrets=len(secrets),
        snapshots=snapshot_count,
        table_hours=hour_count,
        rounds=round_count,
        credentials=len(credentials),
        tokens=len(tokens),
        security_notes=len(notes),
    )


def _keep_snapshots(copy: WriteTransaction, page: Sequence[Snapshot]) -> None:
    for snapshot in page:
        copy.keep_snapshot(snapshot)


def _write_in_pages(
    rows: Iterable[T], write: Callable[[Sequence[T]], None], what: str, progress: CopyProgress
) -> int:
    """Write rows in pages, and return how many there were."""
    done = 0
    for page in _pages(iter(rows)):
        write(page)
        done += len(page)
        progress(what, done)
    return done


def _pages(rows: Iterator[T]) -> Iterator[list[T]]:
    while page := list(islice(rows, COPY_PAGE_ROWS)):
        yield page


def _refuse_nonempty(copy: WriteTransaction, name: str) -> None:
    """Refuse a target that is not empty."""
    held: tuple[object, ...] = (
        copy.journal_streams(), copy.streams(), copy.balances(), copy.games(), copy.secrets(),
        copy.credentials(), copy.tokens(), copy.security_notes(1), next(iter(copy.transfers()), None),
        next(copy.snapshots(), None), next(copy.table_hours(), None),
        next(copy.rounds(RoundQuery(limit=1)), None), next(copy.player_rounds(), None),
    )  # fmt: skip
    if any(held):
        raise StoreError(f"{name} is not empty: a house can be copied only into an empty store.")


def _refuse_different(house: ReadTransaction, copy: WriteTransaction, name: str) -> None:
    """Refuse a house whose own tables disagree, because a copy would hide it."""
    if copy.streams() != house.streams():
        raise StoreError(f"{name} is damaged: its stream heads do not match its journal; run an audit.")
    if copy.balances() != house.balances():
        raise StoreError(f"{name} is damaged: its balances do not match its ledger; run an audit.")


def _silent(_what: str, _done: int) -> None:
    """Report no progress."""
