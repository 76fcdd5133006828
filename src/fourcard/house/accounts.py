"""The accounts of the ledger and what moves between them.

Every movement takes from one account and gives to another, so that the books balance by their shape. Amounts
are whole units of a ten-thousandth of a cent; all but those of a meter, its reserve and its link are whole
cents.
"""

import msgspec

from fourcard.rules.nodes import WagerName

CAGE = "cage"
"""The house's own: everything that was paid in or out, and what the tables won; the balance of all others."""


class Transfer(msgspec.Struct, frozen=True, gc=False):
    """One movement of money, and the event that it follows from; the fields stand in the order of columns."""

    stream: str
    sequence: int
    number: int
    """Its place among the movements of the same event, from 0."""
    giver: str
    taker: str
    amount: int
    """Units, more than 0."""
    what: str
    """Why it moved, in a word such as ``buy_in``, ``stake``, ``take`` or ``pay``."""
    wager: WagerName | str
    """The wager that it belongs to, where there is one; otherwise empty."""
    at: int


def player(name: str) -> str:
    """Return the account of a player's money with the house."""
    return f"player/{name}"


def chips(table: str, name: str) -> str:
    """Return the account of a player's chips at a table."""
    return f"chips/{table}/{name}"


def layout(table: str, wager: str) -> str:
    """Return the account of the chips in play on one wager."""
    return f"layout/{table}/{wager}"


def tray(table: str) -> str:
    """Return the account of a table's chips."""
    return f"tray/{table}"


def drop(table: str) -> str:
    """Return the account of what was paid in for chips at a table and not collected yet."""
    return f"drop/{table}"


def meter(name: str) -> str:
    """Return the account of a progressive meter."""
    return f"meter/{name}"


def reserve(name: str) -> str:
    """Return the account of a meter's reserve."""
    return f"reserve/{name}"


def prizes(name: str) -> str:
    """Return the account of what a meter owes for wins that are logged and not paid yet."""
    return f"prizes/{name}"


def link(name: str) -> str:
    """Return the account out of which everything came that was put into a meter and its reserve."""
    return f"link/{name}"
