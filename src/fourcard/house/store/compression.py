"""Compression of journal records by zstd, with a dictionary of typical records for the short ones."""

import threading
from functools import cache
from importlib.resources import files
from typing import Any

from msgspec.structs import astuple, force_setattr
from zstandard import (
    FORMAT_ZSTD1_MAGICLESS,
    ZstdCompressionDict,
    ZstdCompressionParameters,
    ZstdCompressor,
    ZstdDecompressor,
    ZstdError,
    get_frame_parameters,
)

from fourcard.house.journal import RECORD_KIND, JournalRecord

DICTIONARIES = {1: "journal-1.zdict"}
"""By the first byte of a compressed body, the file of its dictionary; none is ever changed or removed."""
NEWEST = max(DICTIONARIES)
LEVEL = 3
MAX_BODY = 64 * 1024 * 1024
"""The most bytes that a record may have, so that a forged one cannot exhaust the memory."""
_BODY = JournalRecord.__struct_fields__.index("body")


@cache
def _dictionary(number: int) -> ZstdCompressionDict:
    return ZstdCompressionDict(files(__package__).joinpath(DICTIONARIES[number]).read_bytes())


class _Codecs(threading.local):
    """Compressor and decompressors of one thread; they cannot be shared between threads."""

    def __init__(self) -> None:
        parameters = ZstdCompressionParameters.from_level(
            LEVEL, format=FORMAT_ZSTD1_MAGICLESS, write_content_size=True, write_dict_id=False
        )
        self.compressor = ZstdCompressor(dict_data=_dictionary(NEWEST), compression_params=parameters)
        self._decompressors = {
            number: ZstdDecompressor(dict_data=_dictionary(number), format=FORMAT_ZSTD1_MAGICLESS)
            for number in DICTIONARIES
        }

    def decompress(self, body: bytes) -> bytes:
        """Return a compressed body decompressed; one that is not compressed as here stays as it is."""
        decompressor = self._decompressors.get(body[0]) if body else None
        if decompressor is None:
            return body
        frame = body[1:]
        try:
            # A frame that declares its size is decompressed to that size, whatever the limit.
            if get_frame_parameters(frame, format=FORMAT_ZSTD1_MAGICLESS).content_size > MAX_BODY:
                return body
            return decompressor.decompress(frame, allow_extra_data=False)
        except ZstdError:
            return body


_codecs = _Codecs()
_PREFIX = bytes((NEWEST,))


def compress_body(body: bytes) -> bytes:
    """Return a body compressed with the newest dictionary, whose number is the first byte."""
    return _PREFIX + _codecs.compressor.compress(body)


def decompress_body(body: bytes) -> bytes:
    """Return a compressed body decompressed; one that is not compressed as here stays as it is."""
    return _codecs.decompress(body)


def row_of_record(record: JournalRecord) -> tuple[Any, ...]:
    """Return a record as a row of the database, with its body compressed; those of 0.1 stay as they are."""
    row = astuple(record)
    if record.kind != RECORD_KIND:
        return row
    return (*row[:_BODY], compress_body(record.body), *row[_BODY + 1 :])


def record_of_row(row: Any) -> JournalRecord:
    """Return a record from its row; a body that cannot be decompressed stays as it is, for the audit."""
    record = JournalRecord(*row)
    if record.kind == RECORD_KIND:
        force_setattr(record, "body", decompress_body(record.body))
    return record
