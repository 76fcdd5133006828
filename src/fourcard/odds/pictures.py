"""Pictures for files: a chart as SVG, PNG or one HTML page that loads nothing from outside."""

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from fourcard.errors import BadInputError

if TYPE_CHECKING:
    import altair as alt

SUFFIXES = (".svg", ".png", ".html")
SCALE = 2.0


class PictureError(BadInputError):
    """A file that a picture cannot be written to."""


def check_suffix(path: Path, suffixes: tuple[str, ...] = SUFFIXES) -> None:
    """Refuse, before any work is done, a file that names no form or stands where nothing can be written."""
    if path.suffix.lower() not in suffixes:
        raise PictureError(f"{path.name} must end in {', '.join(suffixes[:-1])} or {suffixes[-1]}.")
    if not os.access(path.parent, os.W_OK):
        raise PictureError(f"{path} cannot be written: there is no such folder, or it is closed.")


def save_picture(chart: "alt.TopLevelMixin", path: Path) -> None:
    """Write a chart in the form that the file's ending names."""
    import vl_convert  # noqa: PLC0415  only pictures need it

    check_suffix(path)
    spec = chart.to_json()
    if path.suffix.lower() == ".png":
        content = vl_convert.vegalite_to_png(spec, scale=SCALE)
    elif path.suffix.lower() == ".svg":
        content = vl_convert.vegalite_to_svg(spec).encode()
    else:
        content = vl_convert.vegalite_to_html(spec, bundle=True).encode()
    save_whole(path, content)


def save_whole(path: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            Path(name).chmod(0o644)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise PictureError(f"{path} cannot be written: {error.strerror}.") from None
