"""Pictures for files: a chart as SVG, PNG or one HTML page that loads nothing from outside."""

from pathlib import Path
from typing import TYPE_CHECKING

from fourcard.odds.whole_files import save

if TYPE_CHECKING:
    import altair as alt

PICTURES = (".svg", ".png", ".html")
SCALE = 2.0


def save_picture(chart: "alt.TopLevelMixin", path: Path) -> None:
    """Write a chart in the form that the file's ending names."""
    import vl_convert  # noqa: PLC0415  only pictures need it

    spec = chart.to_json()
    if path.suffix.lower() == ".png":
        content = vl_convert.vegalite_to_png(spec, scale=SCALE)
    elif path.suffix.lower() == ".svg":
        content = vl_convert.vegalite_to_svg(spec).encode()
    else:
        content = vl_convert.vegalite_to_html(spec, bundle=True).encode()
    save(path, (content,))
