"""Figures as the page writes them, read back as numbers, and numbers written as the page does."""

import re

MINUS = "\N{MINUS SIGN}"
AMOUNT = re.compile(rf"([+{MINUS}]?)\$([\d,]+)(?:\.(\d\d))?")


def amounts(text: str) -> list[int]:
    """Return every amount of money in a text, in cents."""
    return [
        (-1 if sign == MINUS else 1) * (100 * int(whole.replace(",", "")) + int(part or 0))
        for sign, whole, part in AMOUNT.findall(text)
    ]


def cents(text: str) -> int:
    """Return the one amount of money in a text, in cents."""
    (amount,) = amounts(text)
    return amount


def percent(share: float, digits: int) -> str:
    """Return a share as the page writes it: "1.979%"."""
    return f"{100 * share:.{digits}f}%".replace("-", MINUS)
