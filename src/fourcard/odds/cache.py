"""Where what was computed once is kept: the user's cache folder, or the one that the environment names."""

import os
from pathlib import Path

from platformdirs import user_cache_path

VARIABLE = "FOURCARD_CACHE"


def cache_folder() -> Path:
    """Return the folder for tables and kernels; it may not exist yet."""
    chosen = os.environ.get(VARIABLE)
    return Path(chosen) if chosen else user_cache_path("fourcard", appauthor=False)
