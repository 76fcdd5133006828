"""What people changed at a meter, in sentences: adjustments with both names, and terms, old and new."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from fourcard.house.meter_events import (
    AdjustmentProposed,
    MeterAdjusted,
    MeterRestored,
    MeterStarted,
    TermsChanged,
)
from fourcard.house.reports.showing import exact_dollars
from fourcard.meter import UNITS_PER_CENT
from fourcard.money import dollars, share_text

AlertKind = Literal[
    "shortfall",
    "chips differ",
    "link lost",
    "link restored",
    "link closed",
    "link opened",
    "terms changed",
    "house bore",
    "large win",
    "backed out",
    "adjusted",
    "adjustment waits",
    "meter restored",
]
Said = tuple[AlertKind, str, tuple[str, ...]]
"""A kind, a sentence and its clauses."""
Terms = MeterStarted | TermsChanged


class MeterChanges:
    """Keeps what the sentences of one meter need: its terms, its prizes, and what was proposed."""

    def __init__(self, meter: str) -> None:
        """Begin before the meter's first event."""
        self.meter = meter
        self.terms: Terms | None = None
        self.prizes: dict[int, int] = {}
        """By the number of a win, its prize in cents."""
        self.proposals: dict[int, AdjustmentProposed] = {}

    def proposed(self, event: AdjustmentProposed) -> Said:
        """Tell of an adjustment that somebody has to approve or reject."""
        self.proposals[event.number] = event
        what = f"to back win {event.win} out" if event.win else f"of {_amount(event)}"
        sentence = f"Adjustment {event.number} of {self.meter} {what}: {event.reason}."
        return "adjustment waits", sentence, ("P30",)

    def restored(self, event: MeterRestored) -> Said:
        """Tell of a meter whose tables stay closed until its reading was approved."""
        sentence = f"{self.meter} waits for a reading by two people after restore {event.restore}."
        return "meter restored", sentence, ("P38",)

    def adjusted(self, event: MeterAdjusted) -> Iterator[Said]:
        """Tell of an adjustment that was approved, and of what the house bore by it."""
        asked = self.proposals[event.number]
        who = f"proposed by {asked.by}, approved by {event.by}"
        why = f"{who}: {asked.reason}{self._below_reset(event)}."
        if asked.win:
            prize = dollars(self.prizes[asked.win])
            sentence = f"Win {asked.win} of {self.meter}, {prize}, by adjustment {event.number}, {why}"
            yield "backed out", sentence, ("P30",)
        else:
            yield "adjusted", f"Adjustment {event.number} of {self.meter}, {_amount(asked)}, {why}", ("P30",)
        if event.borne:
            sentence = f"{exact_dollars(event.borne)} for adjustment {event.number} of {self.meter}."
            yield "house bore", sentence, ("R66",)

    def _below_reset(self, event: MeterAdjusted) -> str:
        seed = self.terms.seed if self.terms is not None else None
        if seed is None or event.amount >= seed * UNITS_PER_CENT:
            return ""
        return f"; it leaves {exact_dollars(event.amount)} in the meter, below its reset of {dollars(seed)}"

    def other_terms(self, event: TermsChanged) -> Said:
        """Tell of other terms: the old and the new ones where they differ."""
        before = {} if self.terms is None else _terms(self.terms)
        self.terms = event
        after = _terms(event)
        told = [f"{name} from {old} to {after[name]}" for name, old in before.items() if old != after[name]]
        words = "; ".join(filter(None, (", ".join(told), event.reason)))
        return "terms changed", f"{self.meter}: {words}.", ("P31",)


def _amount(asked: AdjustmentProposed) -> str:
    """Return what is added to a part of a meter, or taken from it."""
    way = "into" if asked.cents > 0 else "out of"
    return f"{dollars(abs(asked.cents))} {way} the {asked.part}"


def _terms(terms: Terms) -> dict[str, str]:
    return {
        "rate": share_text(Fraction(terms.rate)),
        "reserve": share_text(Fraction(terms.reserve_rate)),
        "reset": "none" if terms.seed is None else dollars(terms.seed),
    }
