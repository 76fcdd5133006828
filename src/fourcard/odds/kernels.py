"""Numba's decorator, wrapped once and typed; compiled kernels are kept in the user's cache folder.

Numba notices when a kernel's own file changes, but not a file that it calls into. The folder therefore
carries the digest of every module of this room, so that no kernel outlives the code that it was made from.
A kernel makes no arrays of its own: it then needs no reference counts, which cost more than the counting.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
from numba.core import config

from fourcard.odds.cache import cache_folder, has_room, law_sources, source_digest

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
OPTIONS: dict[str, Any] = {"cache": has_room(), "nogil": True, "_nrt": False}

_SOURCES = (*Path(__file__).parent.rglob("*.py"), *law_sources())
setattr(config, "CACHE_DIR", str(cache_folder() / "kernels" / source_digest(_SOURCES)))  # noqa: B010  not in its types


def kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a function over arrays to machine code, which runs without holding up other threads."""
    compiled = numba.njit(**OPTIONS)(function)
    return cast(Callable[Parameters, Result], compiled)


def inlined(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a small function into every kernel that calls it, which saves handing tables over."""
    compiled = numba.njit(forceinline=True, **OPTIONS)(function)
    return cast(Callable[Parameters, Result], compiled)
