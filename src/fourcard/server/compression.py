"""Compression: responses of some size are sent with gzip to clients that take it."""

import zlib
from typing import Any

from litestar.types import Message, Send

LEAST_BYTES = 1_000
"""Smaller responses are sent as they are."""
LEVEL = 5
GZIP_WINDOW = zlib.MAX_WBITS | 16
"""Window size by which zlib writes the gzip format."""
CONTENT_ENCODING, CONTENT_LENGTH = b"content-encoding", b"content-length"
ADDED_HEADERS = ((CONTENT_ENCODING, b"gzip"), (b"vary", b"accept-encoding"))


class GzipSender:
    """A send function for one response: it compresses the body unless it is small or compressed already."""

    def __init__(self, send: Send) -> None:
        """Take the send function of the client."""
        self._send = send
        self._start: Any = None
        self._packer: Any = None

    async def __call__(self, message: Message) -> None:
        """Hold the start of a response back until its body tells whether to compress it."""
        if message["type"] == "http.response.start":
            self._start = message
            return
        if message["type"] == "http.response.body":
            whole = not message.get("more_body", False)
            start, self._start = self._start, None
            if start is not None and self._is_worth_it(start, message["body"], whole=whole):
                self._packer = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP_WINDOW)
            if self._packer is not None:
                message["body"] = self._packed(message["body"], whole=whole)
            if start is not None:
                if self._packer is not None:
                    length = len(message["body"]) if whole else None
                    start["headers"] = _packed_headers(start["headers"], length)
                await self._send(start)
        await self._send(message)

    def _is_worth_it(self, start: Any, body: bytes, *, whole: bool) -> bool:
        """Return whether to compress: a large body or one in parts, which is not compressed yet."""
        large = len(body) >= LEAST_BYTES or not whole
        return large and all(name != CONTENT_ENCODING for name, _ in start["headers"])

    def _packed(self, body: bytes, *, whole: bool) -> bytes:
        """Compress the next part, complete enough for the client to read it."""
        return self._packer.compress(body) + self._packer.flush(zlib.Z_FINISH if whole else zlib.Z_SYNC_FLUSH)  # type: ignore[no-any-return]


def _packed_headers(headers: Any, length: int | None) -> list[tuple[bytes, bytes]]:
    """Return the headers of a compressed response; the length of one in parts is unknown."""
    found = [each for each in headers if each[0] != CONTENT_LENGTH]
    if length is not None:
        found.append((CONTENT_LENGTH, str(length).encode()))
    return [*found, *ADDED_HEADERS]
