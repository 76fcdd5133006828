"""A minimal WebSocket client on an asyncio transport, so that many players cost little of the machine.

It reads whole, unmasked frames as a server sends them, answers pings, and sends text masked with zeros.
"""

import asyncio
import os
from base64 import b64encode
from collections.abc import Callable
from typing import cast

HEAD_ENDS = b"\r\n\r\n"
SWITCHED = b"HTTP/1.1 101 "
TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A
"""First byte of a whole frame of each kind."""
MASKED, LENGTH_16, LENGTH_64 = 0x80, 126, 127
NO_MASK = bytes(4)


class RawWebSocket(asyncio.Protocol):
    """One client connection: calls back with each text, and keeps why it ended."""

    def __init__(self, host: str, path: str, token: str, received: Callable[[bytes], None]) -> None:
        """Take the address, the token of the person, and the function that gets every text."""
        key = b64encode(os.urandom(16)).decode()
        self._request = (
            f"GET {path} HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\nupgrade: websocket\r\n"
            f"connection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: {key}\r\n\r\n"
        ).encode()
        self._received, self._open, self._buffer = received, False, b""
        self._transport: asyncio.WriteTransport | None = None
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        """Why the connection ended, once it has."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for a WebSocket."""
        self._transport = cast("asyncio.WriteTransport", transport)
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Read the frames that are complete."""
        self._buffer = self._buffer + data if self._buffer else data
        if self._open or self._read_head():
            self._read_frames()

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the connection ended."""
        self._end(f"lost: {exc}")

    def send(self, text: bytes) -> None:
        """Send a text of at most 65,535 bytes."""
        self._write(TEXT, text)

    def close(self) -> None:
        """End the connection."""
        self._end("closed here")

    def _read_head(self) -> bool:
        """Read the answer to the request; return whether the WebSocket is open."""
        end = self._buffer.find(HEAD_ENDS)
        if end >= 0:
            self._open = self._buffer.startswith(SWITCHED)
            if not self._open:
                self._end(f"refused: {self._buffer[:200]!r}")
            self._buffer = self._buffer[end + len(HEAD_ENDS) :]
        return self._open

    def _read_frames(self) -> None:
        data, at = self._buffer, 0
        while len(data) >= at + 2:
            size, begin = data[at + 1], at + 2
            if size >= LENGTH_16:
                begin += 2 if size == LENGTH_16 else 8
                if len(data) < begin:
                    break
                size = int.from_bytes(data[at + 2 : begin], "big")
            if len(data) < begin + size:
                break
            self._take_frame(data[at], data[begin : begin + size])
            at = begin + size
        self._buffer = data[at:]

    def _take_frame(self, kind: int, content: bytes) -> None:
        if kind == TEXT:
            self._received(content)
        elif kind == PING:
            self._write(PONG, content)
        elif kind == CLOSE:
            self._end(f"closed by the server: {int.from_bytes(content[:2], 'big')} {content[2:].decode()}")
        else:
            self._end(f"a frame of an unexpected kind, {kind:#x}")

    def _write(self, kind: int, content: bytes) -> None:
        size = len(content)
        length = (
            bytes((MASKED | size,))
            if size < LENGTH_16
            else bytes((MASKED | LENGTH_16,)) + size.to_bytes(2, "big")
        )
        assert self._transport is not None
        self._transport.write(b"%c%b%b%b" % (kind, length, NO_MASK, content))

    def _end(self, why: str) -> None:
        if not self.ended.done():
            self.ended.set_result(why)
        if self._transport is not None:
            self._transport.close()
