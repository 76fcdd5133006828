"""Money arguments: parses amounts; what a whole number without a unit means depends on the command."""

import re
from typing import Any, Literal

import typer

from fourcard.money import MoneyError, parse_dollars

_BARE = re.compile(r"[0-9][0-9,]{0,30}")
"""A whole number without a unit; the units are ``$`` or a decimal point for dollars, ``c`` for cents."""
MOST_DIGITS = 20
"""More digits than any amount has."""
BareNumber = Literal["cents", "dollars", "refused"]
"""What a whole number without a unit means."""
HINTS: dict[BareNumber, str] = {
    "cents": "write cents, or dollars like '$20,000'",
    "dollars": "write it like 25, $1,000 or 2.50",
    "refused": "write it like '$50', '50.00' or '5000c'",
}


def Cents(*, help: str) -> Any:  # noqa: N802  used like typer.Option
    """Return an option that takes an amount in cents."""
    return typer.Option(metavar="CENTS", help=f"{help} Cents, or dollars like '$5'.")


def cents(text: str, *, signed: bool = False) -> int:
    """Parse an option in cents: ``2000000`` or ``$20,000``."""
    return _amount(text, "cents", signed=signed)


def money(text: str, *, signed: bool = False) -> int:
    """Parse an amount with its unit into cents: ``$50``, ``50.00``, ``1.5`` or ``5000c``."""
    return _amount(text, "refused", signed=signed)


def dollars_typed(text: str) -> int:
    """Parse an answer in dollars into cents: ``25``, ``$1,000`` or ``2.50``."""
    return _amount(text, "dollars")


def _amount(text: str, bare: BareNumber, *, signed: bool = False) -> int:
    """Parse an amount into cents, or raise MoneyError for invalid text or an amount out of range."""
    from fourcard.rules.options import MOST_CENTS

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
    """Parse an amount without a sign; one digit after the decimal point is accepted."""
    if text.endswith("c"):
        return _whole(text.removesuffix("c"))
    if bare == "cents" and not text.startswith("$"):
        return _whole(text)
    return parse_dollars("$" + re.sub(r"(\.[0-9])$", r"\g<1>0", text.removeprefix("$")))


def _whole(text: str) -> int:
    """Parse a number of at most MOST_DIGITS plain digits."""
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise MoneyError(f"{text!r} is not a whole number.")
    return int(text)
