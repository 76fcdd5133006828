"""The log of the program, captured as a served house writes it."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO

from fourcard.server.middleware import JsonLogFormatter

OTHERS = ("websockets", "httpx", "httpcore")
"""Clients of the tests, which log what they send."""


@contextmanager
def logged(level: int) -> Iterator[StringIO]:
    """Capture what is logged at a level or above."""
    text, root = StringIO(), logging.getLogger()
    handler, before = logging.StreamHandler(text), root.level
    handler.setFormatter(JsonLogFormatter())
    handler.addFilter(lambda record: not record.name.startswith(OTHERS))
    root.addHandler(handler)
    root.setLevel(level)
    try:
        yield text
    finally:
        root.removeHandler(handler)
        root.setLevel(before)
