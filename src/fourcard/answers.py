"""Answers: how the figures of a report become JSON, in the API and in the commands alike.

A report is one frozen struct. An exact figure in it is a fraction; an estimate says its standard error.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, Self

import msgspec
from msgspec import UNSET, UnsetType

InCents = Annotated[int, "cents"]
"""An amount of money in cents, which tables show in dollars."""
InUnits = Annotated[int, "units"]
"""An amount in units of 1/10,000 cent."""
InWords = Annotated[str, "words"]
"""A name with underscores, such as ``pair_of_aces``, which tables show with spaces."""


class Estimate(Fraction):
    """A figure that was sampled instead of counted; a result of arithmetic with it has no error any more."""

    __slots__ = ("standard_error",)
    standard_error: float

    def __new__(cls, value: Fraction, standard_error: float) -> Self:
        """Take the sampled figure and its standard error."""
        self = super().__new__(cls, value)
        self.standard_error = standard_error
        return self


def standard_error(figure: Fraction) -> float:
    """Return the standard error of a figure: zero if it is exact."""
    return figure.standard_error if isinstance(figure, Estimate) else 0.0


class FigureValue(msgspec.Struct, frozen=True, kw_only=True):
    """A figure: an exact fraction and its value, or an estimate and its standard error."""

    fraction: str | UnsetType = UNSET
    value: float
    standard_error: float | UnsetType = UNSET


def figure_value(figure: Fraction) -> FigureValue:
    """Return a figure as it is sent."""
    if isinstance(figure, Estimate):
        return FigureValue(value=float(figure), standard_error=figure.standard_error)
    return FigureValue(fraction=exact_text(figure), value=float(figure))


def exact_text(figure: Fraction) -> str:
    """Return a fraction as text with its denominator, such as ``1/1``."""
    return f"{figure.numerator}/{figure.denominator}"


def json_data(answer: object) -> Any:
    """Return an answer as JSON data: dictionaries, lists, texts and numbers."""
    return msgspec.to_builtins(answer, enc_hook=_plain)


def json_bytes(answer: object) -> bytes:
    """Return an answer as encoded JSON."""
    return msgspec.json.encode(answer, enc_hook=_plain)


def _plain(value: object) -> object:
    """Return a value that msgspec does not know as one that it does."""
    if isinstance(value, Fraction):
        return figure_value(value)
    if isinstance(value, Mapping):
        return dict(value)
    return int(value) if isinstance(value, int) else str(value)
