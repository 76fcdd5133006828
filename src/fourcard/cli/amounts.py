"""Amounts of money on the command line: read in one place, whatever a bare whole number means there."""

import re
from typing import Any, Literal

import typer

from fourcard.money import MoneyError, parse_dollars
from fourcard.rules.options import MOST_CENTS

_BARE = re.compile(r"[0-9][0-9,]{0,30}")
"""A whole number without the mark of a unit: ``$`` or a point for dollars, ``c`` for cents."""
MOST_DIGITS = 20
"""More than any amount has, and few enough to be read at once."""
BareNumber = Literal["cents", "dollars", "refused"]
"""What a whole number without a unit means."""
HINTS: dict[BareNumber, str] = {
    "cents": "write cents, or dollars like '$20,000'",
    "dollars": "write it like 25, $1,000 or 2.50",
    "refused": "write it like '$50', '50.00' or '5000c'",
}


def Cents(*, help: str) -> Any:  # noqa: N802  it stands where typer.Option would
    """Return an option that takes an amount."""
    return typer.Option(metavar="CENTS", help=f"{help} Cents, or dollars like '$5'.")


def cents(text: str, *, signed: bool = False) -> int:
    """Return the cents of ``2000000`` or of ``$20,000``, for options that are in cents."""
    return _amount(text, "cents", signed=signed)


def money(text: str, *, signed: bool = False) -> int:
    """Return the cents of ``$50``, ``50.00``, ``1.5`` or ``5000c``; a bare whole number is refused."""
    return _amount(text, "refused", signed=signed)


def dollars_typed(text: str) -> int:
    """Return the cents of ``25``, ``$1,000`` or ``2.50``, for prompts that ask for dollars."""
    return _amount(text, "dollars")


def _amount(text: str, bare: BareNumber, *, signed: bool = False) -> int:
    """Return the cents of an amount, or refuse what is none, or more than any amount is."""
    size, sign = text.removeprefix("-"), "-" if text.startswith("-") else ""
    if bare == "refused" and _BARE.fullmatch(size):
        number = size.replace(",", "")
        raise MoneyError(f"{text!r} has no unit; write '{sign}${number}' or '{sign}{number}c'.")
    try:
        amount = _unsigned(size, bare)
    except MoneyError:
        raise MoneyError(f"{text!r} is not an amount; {HINTS[bare]}.") from None
    if amount > MOST_CENTS or (sign and not signed):
        raise MoneyError(f"{text!r} is not an amount from $0 to ten billion dollars.")
    return -amount if sign else amount


def _unsigned(text: str, bare: BareNumber) -> int:
    """Return the cents of an amount without a sign; of a dollar's part one digit is enough."""
    if text.endswith("c"):
        return _whole(text.removesuffix("c"))
    if bare == "cents" and not text.startswith("$"):
        return _whole(text)
    return parse_dollars("$" + re.sub(r"(\.[0-9])$", r"\g<1>0", text.removeprefix("$")))


def _whole(text: str) -> int:
    """Return a number of plain digits, of a length that any amount has."""
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise MoneyError(f"{text!r} is no whole number.")
    return int(text)
