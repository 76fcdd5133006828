"""Numba's decorator, wrapped once and typed; compiled kernels are kept in the user's cache folder.

Numba notices when a kernel's own file changes, but not a file that it calls into. The folder therefore
carries the digest of every module of this room, so that no kernel outlives the code that it was made from.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar, cast

import numba

from fourcard.odds.cache import cache_folder

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
KERNELS = "kernels"
SHOWN = 12


def _source_digest() -> str:
    """Return the digest of the modules that kernels are written in."""
    total = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        total.update(path.name.encode() + path.read_bytes())
    return total.hexdigest()[:SHOWN]


numba.config.CACHE_DIR = str(cache_folder() / KERNELS / _source_digest())


def kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a function over arrays to machine code, which runs without holding up other threads."""
    compiled = numba.njit(cache=True, nogil=True, _nrt=False)(function)
    return cast(Callable[Parameters, Result], compiled)


def inlined(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a small function into every kernel that calls it, which saves handing tables over."""
    compiled = numba.njit(cache=True, nogil=True, _nrt=False, forceinline=True)(function)
    return cast(Callable[Parameters, Result], compiled)
