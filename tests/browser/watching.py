"""Browser windows that note every fault: errors on the console, broken scripts, requests to the outside."""

import re

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Route, ViewportSize

PHONE = ViewportSize(width=360, height=780)
DESKTOP = ViewportSize(width=1280, height=900)
SIZES = {"phone": PHONE, "desktop": DESKTOP}
PATIENCE = 60_000
"""Milliseconds in which whatever a test waits for must be seen."""
BEAT, CALM, SETTLING = 50, 5, 1200
"""Milliseconds between two looks, looks without a request that make a page calm, and looks at most."""


class Window:
    """A person's browser, with cookies of its own, that may speak to one house only."""

    def __init__(self, browser: Browser, address: str, size: ViewportSize = DESKTOP) -> None:
        """Open an empty page."""
        self.address, self.faults = address, list[str]()
        self._forgiven: re.Pattern[str] | None = None
        self.context: BrowserContext = browser.new_context(
            viewport=size, has_touch=size is PHONE, is_mobile=size is PHONE, reduced_motion="reduce"
        )
        self.context.set_default_timeout(PATIENCE)
        self.context.route("**/*", self._let_through)
        self.context.on("console", self._heard)
        self.context.on("weberror", lambda error: self._note(f"script: {error.error.message}"))
        self._asked = set[Request]()
        self.context.on("request", self._asks)
        self.context.on("requestfinished", self._has_its_answer)
        self.context.on("requestfailed", self._has_its_answer)
        self.page: Page = self.context.new_page()

    def _let_through(self, route: Route) -> None:
        asked = route.request.url
        if asked.startswith((f"{self.address}/", "data:", "blob:")):
            route.continue_()
        else:
            self._note(f"outside: {asked}")
            route.abort()

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self._note(f"console: {message.text} {message.location['url']}")

    def _asks(self, request: Request) -> None:
        self._asked.add(request)

    def _has_its_answer(self, request: Request) -> None:
        self._asked.discard(request)

    def _note(self, fault: str) -> None:
        if not (self._forgiven and self._forgiven.search(fault)):
            self.faults.append(fault)

    def settle(self) -> None:
        """Wait until the page has asked for nothing for a while."""
        quiet, left = 0, SETTLING
        while quiet < CALM and left:
            self.page.wait_for_timeout(BEAT)
            quiet, left = 0 if self._asked else quiet + 1, left - 1
        assert left, f"the page still waits for {[request.url for request in self._asked]}"

    def forgive(self, faults: str) -> None:
        """Note no faults of a kind that a test brings about, such as those of a server that is gone."""
        self._forgiven = re.compile(faults)

    def close(self) -> None:
        """Close the window, and fail where anything went wrong in it."""
        self.context.close()
        assert not self.faults, "\n".join(self.faults)
