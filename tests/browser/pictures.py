"""Reference pictures: how the main states of each page look, at a quarter of their size.

A picture is taken with the font that comes with the tests. It may differ a little from the reference: small
shifts of text are not faults, a broken layout is. `make picture` takes new references.
"""

import base64
import os
from functools import cache
from io import BytesIO

import numpy as np
from PIL import Image
from playwright.sync_api import Page

from tests.kit.support import ROOT

REFERENCES = ROOT / "tests" / "browser" / "pictures"
WRITE = "FOURCARD_WRITE_PICTURES"
"""Set to take new references instead of comparing."""
FONTS = ROOT / "web" / "node_modules" / "@fontsource" / "dejavu-sans" / "files"
SCALE = 4
MAX_DIFFERENCE = 40
"""How much a color of a pixel may differ, of 255."""
MAX_SHARE = 0.015
"""The share of pixels that may differ more."""
STILL = """
*, *::before, *::after {
  font-family: Bundled !important; animation: none !important; transition: none !important;
  caret-color: transparent !important;
}
[data-varies], [data-varies] *, [data-varies]::after { visibility: hidden !important; }
.card[data-varies] { visibility: visible !important; background: white !important; filter: none !important; }
"""
PREPARE = """async ({ faces, style, hidden }) => {
  if (hidden) for (const each of document.querySelectorAll(hidden)) each.dataset.varies = "";
  if ([...document.fonts].some((each) => each.family === "Bundled")) return;
  for (const [weight, data] of Object.entries(faces)) {
    const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
    document.fonts.add(await new FontFace("Bundled", bytes, { weight }).load());
  }
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets.push(sheet);
}"""
"""Gives the page the bundled font, stops what moves, and hides what varies, but not that a card lies there.

The policy of the page forbids other ways.
"""


@cache
def _faces() -> dict[str, str]:
    """Return the files of the bundled font by weight, in base 64."""
    files = {weight: FONTS / f"dejavu-sans-latin-{weight}-normal.woff2" for weight in ("400", "700")}
    return {weight: base64.b64encode(file.read_bytes()).decode() for weight, file in files.items()}


def taken(page: Page, hidden: str = "") -> Image.Image:
    """Return the picture of a page's window, with what matches a selector hidden because it varies."""
    page.evaluate(PREPARE, {"faces": _faces(), "style": STILL, "hidden": hidden})
    image = Image.open(BytesIO(page.screenshot())).convert("RGB")
    return image.resize((image.width // SCALE, image.height // SCALE), Image.Resampling.BOX)


def difference(page: Page, name: str, hidden: str = "") -> float:
    """Return the share of a page's picture that differs from its reference, or write the reference."""
    image, path = taken(page, hidden), REFERENCES / f"{name}.png"
    if WRITE in os.environ:
        path.parent.mkdir(exist_ok=True)
        image.quantize(64).save(path, optimize=True)
        return 0.0
    reference = Image.open(path).convert("RGB")
    if reference.size != image.size:
        return 1.0
    apart = np.abs(np.asarray(image, np.int16) - np.asarray(reference, np.int16)).max(axis=2)
    return float((apart > MAX_DIFFERENCE).mean())
