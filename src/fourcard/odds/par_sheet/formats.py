"""PAR sheet formats: names and figures as text."""

from fractions import Fraction
from math import floor, log10

from fourcard.money import dollars
from fourcard.odds.par_sheet.section import OurFigure
from fourcard.odds.side_bets import LOSES

LABELS = {
    LOSES: "no paying hand",
    "house_edge": "house edge",
    "hit_frequency": "hit frequency",
    "house_advantage": "house advantage",
    "top_odds": "odds of the top award",
    "top_average": "average top award",
}
PLACES = 4
SIGNIFICANT = 4


def row_label(text: str) -> str:
    """Return the display name of a row or a measure."""
    words = LABELS.get(text, text.replace("_", " "))
    return words[:1].upper() + words[1:]


def format_percent(value: Fraction | float, places: int = PLACES) -> str:
    """Format a share in percent; zero has no sign."""
    text = f"{float(value) * 100:,.{places}f}%"
    return text if any(digit in text for digit in "123456789") else text.removeprefix("-")


def format_probability(probability: Fraction | float) -> str:
    """Format a probability in percent; a small one gets more decimal places."""
    shown = float(probability) * 100
    if not shown or shown >= 1:
        return format_percent(probability)
    return format_percent(probability, _places(shown))


def format_expected(hits: float) -> str:
    """Return how often something is to be expected."""
    return f"{hits:,.1f}" if hits >= 1 else f"{hits:,.{_places(hits) - 2}f}" if hits else "0"


def _places(value: float) -> int:
    """Return the decimal places that show a number under one with four significant digits."""
    return max(PLACES, SIGNIFICANT - 1 - floor(log10(value)))


def format_one_in(probability: Fraction) -> str:
    """Format a probability as 'one in', whole from 1,000 on."""
    if not probability:
        return "never"
    odds = float(1 / probability)
    return f"{odds:,.0f}" if odds >= 1000 else f"{odds:,.2f}"


def format_number(value: Fraction | float, places: int = 4) -> str:
    """Format a number."""
    return f"{float(value):,.{places}f}"


def format_net(value: Fraction) -> str:
    """Format a net result in units, with its sign."""
    places = 0 if value.denominator == 1 else 2
    return f"{float(value):+,.{places}f}"


def format_amount(cents: Fraction) -> str:
    """Format an amount to the nearest cent."""
    return dollars(round(cents))


def format_fraction(value: Fraction) -> str:
    """Format an exact fraction with thousands separators."""
    return f"{value.numerator:,}/{value.denominator:,}"


def format_our_figure(ours: OurFigure) -> str:
    """Format our figure in the unit of the printed one."""
    value = Fraction(ours.fraction)
    if ours.unit == "cents":
        return format_amount(value)
    return f"1 in {format_one_in(value)}" if ours.unit == "chance" else format_percent(value)
