"""Browser windows that record console errors, script errors and outside requests, and an axe scan."""

import re
from functools import cache
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, ViewportSize

from tests.kit.support import ROOT
from tests.kit.waiting import PATIENCE

PHONE = ViewportSize(width=360, height=780)
DESKTOP = ViewportSize(width=1280, height=900)
SIZES = {"phone": PHONE, "desktop": DESKTOP}
TIMEOUT = PATIENCE * 1000
"""Milliseconds until what a test waits for must appear."""
CHECK_INTERVAL, IDLE_CHECKS, MAX_CHECKS = 50, 5, 1200
"""Milliseconds between two checks, idle checks in a row that count as idle, and the most checks."""


class BrowserWindow:
    """A browser window with its own cookies that fails when its page asks any but its own server."""

    def __init__(self, browser: Browser, address: str, size: ViewportSize = DESKTOP) -> None:
        """Open an empty page."""
        self.address, self.faults = address, list[str]()
        self._ignored: re.Pattern[str] | None = None
        self.context: BrowserContext = browser.new_context(
            viewport=size, has_touch=size is PHONE, is_mobile=size is PHONE, reduced_motion="reduce"
        )
        self.context.set_default_timeout(TIMEOUT)
        self.context.on("console", self._on_console)
        self.context.on("weberror", lambda error: self._record(f"script: {error.error.message}"))
        self._pending = set[Request]()
        self.context.on("request", self._on_request)
        self.context.on("requestfinished", self._on_response)
        self.context.on("requestfailed", self._on_response)
        self.page: Page = self.context.new_page()

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self._record(f"console: {message.text} {message.location['url']}")

    def _on_request(self, request: Request) -> None:
        self._pending.add(request)
        if not request.url.startswith((f"{self.address}/", "data:", "blob:")):
            self._record(f"outside: {request.url}")

    def _on_response(self, request: Request) -> None:
        self._pending.discard(request)

    def _record(self, fault: str) -> None:
        if not (self._ignored and self._ignored.search(fault)):
            self.faults.append(fault)

    def wait_until_idle(self) -> None:
        """Wait until the page has sent no request for a while."""
        idle, left = 0, MAX_CHECKS
        while idle < IDLE_CHECKS and left:
            self.page.wait_for_timeout(CHECK_INTERVAL)
            idle, left = 0 if self._pending else idle + 1, left - 1
        assert left, f"the page still waits for {[request.url for request in self._pending]}"

    def ignore_faults(self, faults: str) -> None:
        """Ignore faults that match a pattern, such as those of a stopped server."""
        self._ignored = re.compile(faults)

    def close(self) -> None:
        """Close the window, and fail if it recorded a fault."""
        self.context.close()
        assert not self.faults, "\n".join(self.faults)


SEVERE = frozenset({"serious", "critical"})
MIN_PASSED_RULES = 10
"""Rules that must have passed; a scan of an empty page proves nothing.

For rules that passed, axe then gives one element each and not all: far quicker.
"""
RUN = """(rules) => axe.run(document, {
  resultTypes: ["violations"], ...(rules.length ? {runOnly: {type: "rule", values: rules}} : {}),
}).then((found) => ({
  passed: found.passes.length,
  violations: found.violations.map((each) => ({
    id: each.id, impact: each.impact, help: each.help,
    where: each.nodes.map((node) => node.target.join(" ") + ": " + node.html.slice(0, 120)),
  })),
}))"""


@cache
def _axe() -> str:
    return (ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def accessibility_violations(page: Page, *rules: str) -> list[str]:
    """Return the serious and critical violations that axe finds on a page, of some rules or of all."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(_axe())
    found: dict[str, Any] = page.evaluate(RUN, rules)
    least = len(rules) or MIN_PASSED_RULES
    assert found["passed"] + len(found["violations"]) >= least, (
        f"axe checked too little: {found['passed']} rules"
    )
    return [
        f"{each['id']} ({each['impact']}): {each['help']}\n    " + "\n    ".join(each["where"][:5])
        for each in found["violations"]
        if each["impact"] in SEVERE
    ]
