"""JSON response: an encoded answer is sent with the headers that it needs and no others."""

from collections.abc import Iterable
from typing import Any

from litestar.types import Send

JSON_TYPE = (b"content-type", b"application/json")


async def send_json(
    send: Send, status: int, body: bytes, headers: Iterable[tuple[bytes, bytes]] = ()
) -> None:
    """Send an encoded answer."""
    length = (b"content-length", b"%d" % len(body))
    start: Any = {
        "type": "http.response.start",
        "status": status,
        "headers": [JSON_TYPE, length, *headers],
    }
    end: Any = {"type": "http.response.body", "body": body, "more_body": False}
    await send(start)
    await send(end)
