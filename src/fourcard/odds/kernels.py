"""Numba decorators: typed wrappers that compile kernels and store them in the user's cache folder.

Numba recompiles a kernel when its own file changes, but not when a file that it calls into changes. The
cache folder's name therefore contains the digest of every module in this package. Kernels allocate no
arrays: they then need no reference counting, which would cost more than the work itself.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
from numba.core import config

from fourcard.odds.disk_cache import cache_folder, core_sources, has_free_space, source_digest

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
NUMBA_OPTIONS: dict[str, Any] = {"cache": has_free_space(), "nogil": True, "_nrt": False}

_SOURCES = (*Path(__file__).parent.rglob("*.py"), *core_sources())
vars(config)["CACHE_DIR"] = str(cache_folder() / "kernels" / source_digest(_SOURCES))


def kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a function over arrays to machine code that runs without the global interpreter lock."""
    compiled = numba.njit(**NUMBA_OPTIONS)(function)
    return cast(Callable[Parameters, Result], compiled)


def inline_kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a small function inline into every kernel that calls it, which avoids passing tables."""
    compiled = numba.njit(forceinline=True, **NUMBA_OPTIONS)(function)
    return cast(Callable[Parameters, Result], compiled)
