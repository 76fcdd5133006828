"""Searches for secrets and cards that nobody may find, however the program would write them."""

import json
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from sqlalchemy import select

from fourcard.cards import card_text, cards_text
from fourcard.house.journal import JournalRecord
from fourcard.house.store import schema
from fourcard.house.store.compression import compress_body, decompress_body
from tests.kit.audited_houses import Forger

RUN, RAW_RUN = 6, 8
"""Cards in a row of a deck whose order must not be found, in text and as bytes."""
COMPRESSED_PART = slice(8, 56)
PAGE = 8_192


def secret_pieces(secret: bytes) -> set[bytes]:
    """Return both halves of a secret as bytes, in hexadecimal and in both kinds of base 64."""
    half = len(secret) // 2
    coded = (b64encode(secret), urlsafe_b64encode(secret))
    starts = {each[n : n + half] for each in coded for n in (0, half)}
    return starts.union(*({part, part.hex().encode()} for part in (secret[:half], secret[half:])))


def card_pieces(cards: Sequence[int]) -> set[bytes]:
    """Return cards in this order as numbers and as names, in JSON, in Python and in words."""
    names = [card_text(each) for each in cards]
    numbers = [*map(str, cards)]
    texts = (",".join(numbers), ", ".join(numbers), cards_text(cards), json.dumps(names)[1:-1])
    return {each.encode() for each in (*texts, '","'.join(names), "".join(names))}


def order_pieces(order: Sequence[int]) -> set[bytes]:
    """Return every piece of the order of a deck, wherever it is cut."""
    around = (*order, *order[:RAW_RUN])
    pieces = {bytes(around[n : n + RAW_RUN]) for n in range(len(order))}
    return pieces.union(*(card_pieces(around[n : n + RUN]) for n in range(len(order))))


def record_piece(record: JournalRecord) -> bytes:
    """Return the part of a record after its salt begins, as it would be stored if it were not sealed.

    A search of files cannot look into compressed records, but it finds their bytes.
    """
    return compress_body(record.body)[COMPRESSED_PART]


class ContentSearch:
    """Searches contents for pieces, and skips the parts that it has searched before.

    A piece is made after those parts were written, so it cannot be in them.
    """

    def __init__(self) -> None:
        """Begin with nothing searched."""
        self.searches = self.pieces = self.bytes = 0
        """How often it was searched, for how many pieces, and how many bytes in all."""
        self._known: set[int] = set()

    def find(self, pieces: Collection[bytes], contents: Iterable[bytes]) -> set[bytes]:
        """Return the pieces that are in one of the contents."""
        self.searches += 1
        self.pieces += len(pieces)
        margin, found = max(map(len, pieces)), set[bytes]()
        for content in contents:
            for part in self._changed_parts(content, margin):
                self.bytes += len(part)
                found.update(piece for piece in pieces if piece in part)
        return found

    def _changed_parts(self, content: bytes, margin: int) -> Iterator[bytes]:
        """Yield the pages of a content that are new, with a margin at both ends."""
        pages = range(0, len(content), PAGE)
        fresh = [start for start in pages if self.is_new(content[start : start + PAGE])]
        breaks = [n for n, (one, other) in enumerate(pairwise(fresh), 1) if other > one + PAGE]
        for first, last in pairwise((0, *breaks, len(fresh))) if fresh else ():
            yield content[max(0, fresh[first] - margin) : fresh[last - 1] + PAGE + margin]

    def is_new(self, part: Hashable) -> bool:
        """Say whether a page or a row is searched for the first time."""
        before = len(self._known)
        self._known.add(hash(part))
        return len(self._known) > before


def stored_values(address: str, search: ContentSearch) -> Iterator[bytes]:
    """Yield what a reader of a database without the key finds in new rows: each value, also decompressed."""
    engine = Forger(address).engine
    with engine.connect() as connection:
        rows = (row for table in schema.metadata.tables.values() for row in connection.execute(select(table)))
        for value in (value for row in rows if search.is_new(tuple(row)) for value in row):
            yield value if isinstance(value, bytes) else str(value).encode()
            if isinstance(value, bytes):
                yield decompress_body(value)


def file_contents(folder: Path) -> Iterator[bytes]:
    """Yield the content of every file in a folder; some may be removed meanwhile."""
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError):
            if path.is_file():
                yield path.read_bytes()
