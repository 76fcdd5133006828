"""Ledger accounts: their names, and the transfers between them.

Each transfer takes from one account and gives to another, so the books always balance. Amounts are whole
units of 1/10,000 cent. Only meters, reserves and their links hold fractions of a cent.
"""

import msgspec

from fourcard.rules.nodes import WagerName

CAGE = "cage"
"""The house's own account: money paid in and out, and table winnings. It balances all other accounts."""


class Transfer(msgspec.Struct, frozen=True, gc=False):
    """One transfer of money and the event that caused it; the fields are in the order of the columns."""

    stream: str
    sequence: int
    number: int
    """Its index among the transfers of the same event, from 0."""
    giver: str
    taker: str
    amount: int
    """Units, more than 0."""
    what: str
    """The reason, such as ``buy_in``, ``stake``, ``take`` or ``pay``."""
    wager: WagerName | str
    """The wager that it belongs to; empty if none."""
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
    """Return the account of the chips in a table's tray."""
    return f"tray/{table}"


def drop(table: str) -> str:
    """Return the account of money paid for chips at a table and not collected yet."""
    return f"drop/{table}"


def meter(name: str) -> str:
    """Return the account of a progressive meter."""
    return f"meter/{name}"


def reserve(name: str) -> str:
    """Return the account of a meter's reserve."""
    return f"reserve/{name}"


def prizes(name: str) -> str:
    """Return the account of prizes that a meter owes: wins logged and not paid yet."""
    return f"prizes/{name}"


def link(name: str) -> str:
    """Return the account that funds a meter and its reserve."""
    return f"link/{name}"
