"""Meter change sentences: adjustments with proposer and approver, and old and new terms."""

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
"""The kind, sentence and clauses of an alert."""
Terms = MeterStarted | TermsChanged


class MeterChanges:
    """Holds what the sentences about one meter need: its terms, prizes and proposals."""

    def __init__(self, meter: str) -> None:
        """Start before the meter's first event."""
        self.meter = meter
        self.terms: Terms | None = None
        self.prizes: dict[int, int] = {}
        """Prizes in cents by win number."""
        self.proposals: dict[int, AdjustmentProposed] = {}

    def proposed(self, event: AdjustmentProposed) -> Said:
        """Describe an adjustment that waits for approval."""
        self.proposals[event.number] = event
        what = f"to back win {event.win} out" if event.win else f"of {_amount(event)}"
        sentence = f"Adjustment {event.number} of {self.meter} {what}: {event.reason}."
        return "adjustment waits", sentence, ("P30",)

    def restored(self, event: MeterRestored) -> Said:
        """Describe a restored meter, whose tables stay closed until a reading is approved."""
        sentence = f"{self.meter} waits for a reading by two people after restore {event.restore}."
        return "meter restored", sentence, ("P38",)

    def adjusted(self, event: MeterAdjusted) -> Iterator[Said]:
        """Describe an approved adjustment, and what the house paid for it."""
        proposal = self.proposals[event.number]
        who = f"proposed by {proposal.by}, approved by {event.by}"
        why = f"{who}: {proposal.reason}{self._below_reset(event)}."
        if proposal.win:
            prize = dollars(self.prizes[proposal.win])
            sentence = f"Win {proposal.win} of {self.meter}, {prize}, by adjustment {event.number}, {why}"
            yield "backed out", sentence, ("P30",)
        else:
            yield (
                "adjusted",
                f"Adjustment {event.number} of {self.meter}, {_amount(proposal)}, {why}",
                ("P30",),
            )
        if event.borne:
            sentence = f"{exact_dollars(event.borne)} for adjustment {event.number} of {self.meter}."
            yield "house bore", sentence, ("R66",)

    def _below_reset(self, event: MeterAdjusted) -> str:
        seed = self.terms.seed if self.terms is not None else None
        if seed is None or event.amount >= seed * UNITS_PER_CENT:
            return ""
        return f"; it leaves {exact_dollars(event.amount)} in the meter, below its reset of {dollars(seed)}"

    def other_terms(self, event: TermsChanged) -> Said:
        """Describe changed terms, old and new."""
        before = {} if self.terms is None else _terms(self.terms)
        self.terms = event
        after = _terms(event)
        changed = [
            f"{name} from {old} to {after[name]}" for name, old in before.items() if old != after[name]
        ]
        text = "; ".join(filter(None, (", ".join(changed), event.reason)))
        return "terms changed", f"{self.meter}: {text}.", ("P31",)


def _amount(proposal: AdjustmentProposed) -> str:
    """Describe the amount that is added to a part of a meter or taken from it."""
    way = "into" if proposal.cents > 0 else "out of"
    return f"{dollars(abs(proposal.cents))} {way} the {proposal.part}"


def _terms(terms: Terms) -> dict[str, str]:
    return {
        "rate": share_text(Fraction(terms.rate)),
        "reserve": share_text(Fraction(terms.reserve_rate)),
        "reset": "none" if terms.seed is None else dollars(terms.seed),
    }
