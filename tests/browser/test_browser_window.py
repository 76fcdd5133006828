"""Windows of these tests: what goes wrong in one fails its test."""

import pytest
from playwright.sync_api import Browser

from tests.browser.browser_window import BrowserWindow
from tests.browser.served_house import BrowserHouse

FAULTS = {
    "location.assign('http://localhost:9/')": "outside: http://localhost:9/",
    "location.assign('https://fourcard.example/')": "outside: https://fourcard.example/",
    "fetch('https://fourcard.example/').catch(() => 0)": "console: ",
    "console.error('a fault')": "console: a fault",
    "setTimeout(() => { throw new Error('a fault') })": "script: a fault",
}


def test_a_fault_in_a_window_is_found_when_it_closes(browser: Browser, running_house: BrowserHouse) -> None:
    for script, fault in FAULTS.items():
        window = BrowserWindow(browser, running_house.address)
        window.page.goto(running_house.player)
        window.page.evaluate(f"() => {{ {script} }}")
        window.wait_until_idle()
        with pytest.raises(AssertionError) as failed:
            window.close()
        assert fault in str(failed.value)
