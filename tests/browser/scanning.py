"""A scan of a page by axe-core, which knows what makes pages hard to use for people with disabilities."""

from functools import cache
from typing import Any

from playwright.sync_api import Page

from tests.support import ROOT

GRAVE = frozenset({"serious", "critical"})
LEAST_CHECKS = 10
"""Rules that must have found something to look at; a scan of an empty page proves nothing."""
RUN = """() => axe.run(document, {resultTypes: ["violations", "passes"]}).then((found) => ({
  passed: found.passes.length,
  violations: found.violations.map((each) => ({
    id: each.id, impact: each.impact, help: each.help,
    where: each.nodes.map((node) => node.target.join(" ") + ": " + node.html.slice(0, 120)),
  })),
}))"""


@cache
def _axe() -> str:
    return (ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def grave_findings(page: Page) -> list[str]:
    """Return what axe finds wrong with a page as it is now, the serious and the critical."""
    page.evaluate(_axe())
    found: dict[str, Any] = page.evaluate(RUN)
    assert found["passed"] >= LEAST_CHECKS, f"axe looked at too little: {found['passed']} rules"
    return [
        f"{each['id']} ({each['impact']}): {each['help']}\n    " + "\n    ".join(each["where"][:5])
        for each in found["violations"]
        if each["impact"] in GRAVE
    ]
