"""JSON response: an answer that is a plain struct is encoded and sent at once."""

from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec
from litestar import MediaType, Request, Response
from litestar.datastructures import Cookie
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send

JSON_TYPE = (b"content-type", b"application/json")
AnswerType = TypeVar("AnswerType")
_encoder = msgspec.json.Encoder()


def json_messages(status: int, body: bytes) -> tuple[Any, Any]:
    """Return the two messages of a JSON response."""
    headers = [JSON_TYPE, (b"content-length", str(len(body)).encode())]
    return (
        {"type": "http.response.start", "status": status, "headers": headers},
        {"type": "http.response.body", "body": body, "more_body": False},
    )


class EncodedAnswer(ASGIResponse):
    """An encoded answer; what the framework prepares for other responses is left out."""

    def __init__(self, status: int, body: bytes) -> None:
        """Take the status and the body."""
        self.status_code, self.body = status, body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Send the answer."""
        for message in json_messages(self.status_code, self.body):
            await send(message)


class JsonResponse(Response[AnswerType]):
    """A response that takes the short way if it is a plain struct, and the framework's way otherwise."""

    def to_asgi_response(
        self,
        app: Any,
        request: Request[Any, Any, Any],
        *,
        cookies: Iterable[Cookie] | None = None,
        headers: dict[str, str] | None = None,
        **choices: Any,
    ) -> ASGIResponse:
        """Return the response as it is sent."""
        more = self.headers or self.cookies or self.background or headers or cookies
        if (
            not more
            and self.media_type in (None, MediaType.JSON)
            and isinstance(self.content, msgspec.Struct)
        ):
            try:
                return EncodedAnswer(self.status_code or 200, _encoder.encode(self.content))
            except TypeError:  # a figure, which the application's own encoders write
                pass
        return super().to_asgi_response(app, request, cookies=cookies, headers=headers, **choices)
