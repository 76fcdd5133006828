"""A copy of the package with a module added, whose kernels need not be compiled again."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from numba.core.caching import UserProvidedCacheLocator

import fourcard
from fourcard.odds.kernels import KERNEL_FOLDER

PACKAGE = Path(fourcard.__file__).parent


def kernel_folder(module: Path) -> Path:
    """Return the folder in which Numba keeps the compiled kernels of a module."""
    name: str = UserProvidedCacheLocator.get_suitable_cache_subpath(str(module))  # type: ignore[no-untyped-call]
    return KERNEL_FOLDER / name


@contextmanager
def copied_package(folder: Path, *added: Path) -> Iterator[Path]:
    """Copy the package to a folder, with modules of wagers added; return what has to be on the path.

    Numba keeps kernels by the folder of their module: links lead to those of the package, which are the same.
    """
    copy = folder / PACKAGE.name
    shutil.copytree(PACKAGE, copy)
    for module in added:
        shutil.copy(module, copy / "wagers")
    links = list[Path]()
    for part in {module.parent for module in (copy / "odds").rglob("*.py")}:
        kept, link = (kernel_folder(each / part.relative_to(copy) / "any.py") for each in (PACKAGE, copy))
        kept.mkdir(parents=True, exist_ok=True)
        link.symlink_to(kept.name)
        links.append(link)
    try:
        yield copy.parent
    finally:
        for link in links:
            link.unlink()
