"""Page checks: what every page must hold at every size and in both themes."""

from playwright.sync_api import Page, ViewportSize

from tests.browser.browser_window import accessibility_violations

SCREENS = {
    "large": ViewportSize(width=1440, height=900),
    "laptop": ViewportSize(width=1280, height=720),
    "phone": ViewportSize(width=390, height=844),
    "phone on its side": ViewportSize(width=844, height=390),
}
THEMES = ("dark", "light")
LEAST_FONT_SIZE = 11
"""Pixels."""
MIN_TEXTS = 5
"""Texts that a page must have; a measure of an empty page proves nothing."""
SMALL_TEXTS = """(least) => {
  const small = [];
  let texts = 0;
  const measure = (element, text) => {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return;
    const box = element.getBoundingClientRect();
    if (box.width <= 1 || box.height <= 1) return;
    const drawing = element.ownerSVGElement;
    const matrix = drawing ? element.getScreenCTM() : null;
    const scale = matrix ? Math.hypot(matrix.a, matrix.b) : 1;
    const size = parseFloat(getComputedStyle(element).fontSize) * scale;
    texts++;
    if (size < least - 0.01) small.push(`${size.toFixed(1)} px: ${text.trim().slice(0, 40)}`);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode())
    if (walker.currentNode.data.trim()) measure(walker.currentNode.parentElement, walker.currentNode.data);
  for (const element of document.querySelectorAll(".visual-text"))
    if (element.dataset.text) measure(element, element.dataset.text);
  return { texts, small: [...new Set(small)] };
}"""
"""The visible texts that are too small, in SVG as they are drawn."""


def small_texts(page: Page) -> list[str]:
    """Return the visible texts of a page that are smaller than 11 pixels."""
    found = page.evaluate(SMALL_TEXTS, LEAST_FONT_SIZE)
    assert found["texts"] >= MIN_TEXTS, "there is nothing to measure on this page"
    return [f"too small: {each}" for each in found["small"]]


def too_wide(page: Page) -> list[str]:
    """Say by how much a page is wider than its window."""
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return [f"{wide} pixels wider than the window"] if wide > 0 else []


def faults_everywhere(page: Page) -> dict[str, list[str]]:
    """Return what is wrong with the shown page, by size and theme; a theme changes only colors."""
    found = dict[str, list[str]]()
    for theme in THEMES:
        page.evaluate("(theme) => (document.documentElement.dataset.theme = theme)", theme)
        for name, size in SCREENS.items():
            page.set_viewport_size(size)
            if theme == THEMES[0]:
                wrong = [*accessibility_violations(page), *small_texts(page), *too_wide(page)]
            else:
                wrong = accessibility_violations(page, "color-contrast")
            found[f"{name}, {theme}"] = wrong
    page.set_viewport_size(SCREENS["laptop"])
    return {where: wrong for where, wrong in found.items() if wrong}
