"""Draws docs/demo.svg, the picture in the README, from the demonstration itself."""

from io import StringIO
from unittest.mock import patch

from rich.console import Console
from rich.terminal_theme import TerminalTheme

from fourcard.cli import demo
from tools.claims import ROOT

FELT = TerminalTheme(
    (12, 41, 31),
    (226, 232, 226),
    [(70, 80, 75), (235, 110, 100), (120, 205, 130), (240, 205, 110), (120, 175, 240), (200, 150, 230),
     (120, 210, 210), (230, 235, 230)],
    [(110, 125, 118), (245, 130, 120), (140, 225, 150), (250, 220, 130), (140, 195, 250), (215, 170, 240),
     (140, 225, 225), (255, 255, 255)],
)  # fmt: skip
FRAME = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"
 xml:space="preserve" role="img">
<title>fourcard demo</title>
<style>
.{unique_id}-matrix {{ font: {char_height}px ui-monospace, Menlo, Consolas, monospace; white-space: pre }}
{styles}
</style>
<defs>{lines}</defs>
<rect width="{width}" height="{height}" rx="12" fill="#0c291f"/>
<g transform="translate({terminal_x}, {terminal_y})">
{backgrounds}
<g class="{unique_id}-matrix">{matrix}</g>
</g>
</svg>
"""
WIDTH = 112
SEED = 44


def main() -> None:
    """Record the demonstration with the same cards every time, and write it as a picture."""
    console = Console(record=True, width=WIDTH, file=StringIO(), force_terminal=True, highlight=False)
    with patch.object(demo, "console", lambda: console):
        demo.demo(seed=SEED, pause=False)
    picture = console.export_svg(title="", theme=FELT, code_format=FRAME, unique_id="fourcard")
    (ROOT / "docs" / "demo.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
