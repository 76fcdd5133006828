"""Safe conversion: plain data into structs, from one thread at a time.

msgspec learns a struct at its first conversion, and the interpreter crashes if another thread converts to the
same struct meanwhile; a server whose first requests come together would end.
"""

from threading import RLock
from typing import Any, TypeVar

import msgspec

Shape = TypeVar("Shape")
_lock = RLock()


def safe_convert(raw: object, shape: type[Shape], **options: Any) -> Shape:
    """Return plain data as a shape, or raise msgspec's validation error."""
    with _lock:
        found: Shape = msgspec.convert(raw, shape, **options)
    return found
