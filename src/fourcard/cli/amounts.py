"""Amounts on the command line: whole cents, as scripts give them, or dollars, as people write them."""

from typing import Any

import typer

from fourcard.money import MoneyError, parse_dollars
from fourcard.rules.options import MOST_CENTS

MOST_DIGITS = 20
"""More than any amount has, and few enough to be read at once."""


def Cents(*, help: str) -> Any:  # noqa: N802  it stands where typer.Option would
    """Return an option that takes an amount."""
    return typer.Option(metavar="CENTS", help=f"{help} Cents, or dollars like '$5'.")


def cents(text: str) -> int:
    """Return the cents of ``2000000`` or of ``$20,000``."""
    try:
        amount = parse_dollars(text) if text.startswith("$") else _whole(text)
    except MoneyError:
        raise MoneyError(f"{text!r} is not an amount; write cents, or dollars like '$20,000'.") from None
    if not 0 <= amount <= MOST_CENTS:
        raise MoneyError(f"{text!r} is not an amount from $0 to ten billion dollars.")
    return amount


def _whole(text: str) -> int:
    """Return a number of plain digits, signed or not, of a length that any amount has."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS):
        raise MoneyError(f"{text!r} is no whole number.")
    return int(text)
