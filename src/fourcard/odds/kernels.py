"""Numba decorators: typed wrappers that compile kernels and store them in the user's cache folder.

Numba recompiles a kernel when its own file changes, but not when a file that it calls into changes. The
cache folder's name therefore contains the digest of every module in this package. Kernels allocate no
arrays: they then need no reference counting, which would cost more than the work itself.

Numba is imported when the first kernel is called, because most processes call none.
"""

from collections.abc import Callable
from functools import cache, update_wrapper
from pathlib import Path
from threading import RLock
from typing import Any, Generic, ParamSpec, TypeVar

from fourcard.odds.disk_cache import cache_folder, core_sources, has_free_space, source_digest

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
_SOURCES = (*Path(__file__).parent.rglob("*.py"), *core_sources())
KERNEL_FOLDER = cache_folder() / "kernels" / source_digest(_SOURCES)
"""The folder of the compiled kernels of this version of the code."""
_COMPILING = RLock()


@cache
def _compiler() -> Callable[..., Callable[[Any], Any]]:
    import numba  # noqa: PLC0415
    from numba.core import config  # noqa: PLC0415

    vars(config)["CACHE_DIR"] = str(KERNEL_FOLDER)
    return numba.njit


class Kernel(Generic[Parameters, Result]):
    """A function over arrays that is compiled, with the kernels that it calls, when it is first called."""

    def __init__(self, function: Callable[Parameters, Result], **options: bool) -> None:
        """Take a function; nothing is compiled yet."""
        self._function, self._options = function, options
        self._compiled: Callable[Parameters, Result] | None = None
        update_wrapper(self, function)

    def __call__(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        """Call the compiled function."""
        return (self._compiled or self._compile())(*args, **kwargs)

    def _compile(self) -> Callable[Parameters, Result]:
        with _COMPILING:
            if self._compiled is None:
                # Numba looks up what a kernel calls by its global name, and takes only compiled functions.
                known = self._function.__globals__
                for name in self._function.__code__.co_names:
                    if isinstance(called := known.get(name), Kernel):
                        known[name] = called._compile()
                options = {"cache": has_free_space(), "nogil": True, "_nrt": False, **self._options}
                self._compiled = _compiler()(**options)(self._function)
            return self._compiled


def kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a function over arrays to machine code that runs without the global interpreter lock."""
    return Kernel(function)


def inline_kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a small function inline into every kernel that calls it, which avoids passing tables."""
    return Kernel(function, forceinline=True)
