"""Parts of segments: records and transfers in JSON in one zstd frame, byte for byte as in the journal."""

import threading
from collections.abc import Iterable, Iterator, Sequence

import msgspec
from zstandard import ZstdCompressor, ZstdDecompressor, ZstdError, get_frame_parameters

from fourcard.house.journal import JournalRecord
from fourcard.house.ledger import Transfer
from fourcard.house.store.interface import PartContent, SegmentPart, StoreError

LEVEL = 9
MAX_RECORDS = 500
MAX_BYTES = 1_000_000
"""A part ends after this many records or bytes of bodies, so that reading one round decompresses little."""
MAX_CONTENT = 128 * 1024 * 1024
"""The most bytes that a part may have, so that a forged one cannot exhaust the memory."""


class _PlainRecord(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A record in a part: its body and command as they are, its hash in hexadecimal."""

    sequence: int
    command_sequence: int
    kind: str
    version: int
    at: int
    by: str
    role: str
    key: str
    digest: str
    game: str
    body: msgspec.Raw
    hash: str
    command: msgspec.Raw


PlainTransfer = tuple[int, int, str, str, int, str, str, int]


class _PlainPart(msgspec.Struct, frozen=True, gc=False):
    stream: str
    records: list[_PlainRecord]
    transfers: list[PlainTransfer]


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(_PlainPart)
_NO_COMMAND = msgspec.Raw(b"null")


class _PartCodecs(threading.local):
    """Compressor and decompressor of one thread; they cannot be shared between threads."""

    def __init__(self) -> None:
        self.compressor = ZstdCompressor(LEVEL, write_content_size=True)
        self.decompressor = ZstdDecompressor()


_codecs = _PartCodecs()


def encode_part(day: int, earlier_hash: bytes, content: PartContent) -> SegmentPart:
    """Return a part with records of one stream and their transfers, after the record with a hash."""
    plain = _PlainPart(
        content.records[0].stream,
        [*map(_plain_record, content.records)],
        [*map(_plain_transfer, content.transfers)],
    )
    body = _codecs.compressor.compress(_encoder.encode(plain) + b"\n")
    return part_of(day, earlier_hash, content, body)


def part_of(day: int, earlier_hash: bytes, content: PartContent, body: bytes) -> SegmentPart:
    """Return a part with its content already compressed."""
    first, last = content.records[0], content.records[-1]
    return SegmentPart(
        stream=first.stream,
        last=last.sequence,
        first=first.first_sequence,
        day=day,
        records=len(content.records),
        transfers=len(content.transfers),
        last_transfer=content.transfers[-1].sequence if content.transfers else 0,
        earlier_hash=earlier_hash,
        hash=last.hash,
        body=body,
    )


def players_in(content: PartContent) -> list[str]:
    """Return the accounts of players in the transfers of a part, by which a player's transfers are found."""
    accounts = {each for transfer in content.transfers for each in (transfer.giver, transfer.taker)}
    return sorted(account for account in accounts if account.startswith("player/"))


def decode_part(part: SegmentPart) -> PartContent:
    """Return what a part holds, or refuse one that is damaged."""
    try:
        if get_frame_parameters(part.body).content_size > MAX_CONTENT:
            raise _damaged(part, "it is too large")
        plain = _decoder.decode(_codecs.decompressor.decompress(part.body, allow_extra_data=False))
        return PartContent(
            tuple(_record(plain.stream, each) for each in plain.records),
            tuple(Transfer(plain.stream, *each) for each in plain.transfers),
        )
    except (ZstdError, msgspec.MsgspecError, UnicodeError, ValueError, RecursionError) as error:
        raise _damaged(part, str(error)) from None


def _damaged(part: SegmentPart, reason: str) -> StoreError:
    place = f"{part.stream}, events {part.first} to {part.last}"
    return StoreError(f"The segment part of {place} cannot be read: {reason}.")


def _plain_record(record: JournalRecord) -> _PlainRecord:
    r = record
    return _PlainRecord(
        r.sequence, r.command_sequence, r.kind, r.version, r.at, r.by, r.role, r.key, r.digest, r.game,
        msgspec.Raw(r.body), r.hash.hex(), _NO_COMMAND if r.command is None else msgspec.Raw(r.command),
    )  # fmt: skip


def _record(stream: str, plain: _PlainRecord) -> JournalRecord:
    p, command = plain, bytes(plain.command)
    return JournalRecord(
        stream, p.sequence, p.command_sequence, p.kind, p.version, p.at, p.by, p.role, p.key, p.digest,
        p.game, bytes(p.body), bytes.fromhex(p.hash), None if command == b"null" else command,
    )  # fmt: skip


def _plain_transfer(transfer: Transfer) -> PlainTransfer:
    t = transfer
    return t.sequence, t.number, t.giver, t.taker, t.units, t.what, t.wager, t.at


def cut_parts(records: Iterable[JournalRecord], transfers: Iterable[Transfer]) -> Iterator[PartContent]:
    """Yield consecutive records of one stream, with their transfers, in parts of limited size."""
    waiting, own = iter(transfers), list[Transfer]()
    following = next(waiting, None)
    for page in _pages(records):
        while following is not None and following.sequence <= page[-1].sequence:
            own.append(following)
            following = next(waiting, None)
        yield PartContent(tuple(page), tuple(own))
        own = []


def _pages(records: Iterable[JournalRecord]) -> Iterator[Sequence[JournalRecord]]:
    page, size = list[JournalRecord](), 0
    for record in records:
        page.append(record)
        size += len(record.body)
        if len(page) >= MAX_RECORDS or size >= MAX_BYTES:
            yield page
            page, size = [], 0
    if page:
        yield page
