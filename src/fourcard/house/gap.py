"""Restore gap: lost events, as anchors and the watermark show them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from fourcard.house.events import LostEvents
from fourcard.house.outcome import HOUSE
from fourcard.house.signing import Anchor, Figures
from fourcard.house.store.contract import Reading
from fourcard.house.watermark import Seen, amount_in
from fourcard.money import dollars

COUNTED = {
    "award_logged": "wins",
    "money_deposited": "deposits",
    "money_withdrawn": "withdrawals",
    "tray_counted": "counts",
    "drop_collected": "counts",
}
"""Event kinds that an operator must make good, and the name of their count."""


class _Known(msgspec.Struct, frozen=True):
    """What one source says about a stream."""

    sequence: int
    figures: Figures | None = None
    cents: int | None = None


def figures_of(reading: Reading) -> tuple[Figures, ...]:
    """Return, by stream, what an operator would have to make good if it were lost."""
    counted: defaultdict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(COUNTED.values(), 0))
    for (stream, kind), number in reading.tally_kinds(COUNTED).items():
        counted[stream][COUNTED[kind]] += number
    balances, streams = reading.balances(), reading.streams()
    amounts = {stream: amount_in(balances, stream) for stream in streams}
    told = sorted(stream for stream in streams if stream in counted or amounts[stream] is not None)
    return tuple(Figures(stream, **counted[stream], cents=amounts[stream]) for stream in told)


def gap_of(reading: Reading, seen: Seen | None, anchors: Iterable[Anchor]) -> tuple[LostEvents, ...]:
    """Return the events known to be missing from a state, by stream, from the newest source of each."""
    heads = {stream: head.sequence for stream, head in reading.streams().items()}
    newest = {stream: known for stream, known in _newest(seen, anchors).items() if stream != HOUSE}
    behind = sorted(stream for stream, known in newest.items() if known.sequence > heads.get(stream, 0))
    if not behind:
        return ()
    here = {figures.stream: figures for figures in figures_of(reading)}
    return tuple(_lost(stream, heads.get(stream, 0), newest[stream], here.get(stream)) for stream in behind)


def _newest(seen: Seen | None, anchors: Iterable[Anchor]) -> Mapping[str, _Known]:
    """Return the newest source for each stream; at the same event an anchor says more."""
    found: dict[str, _Known] = {}
    if seen is not None:
        found = {mark.stream: _Known(mark.sequence, cents=mark.cents) for mark in seen.marks.values()}
    for anchor in anchors:
        figures = {each.stream: each for each in anchor.figures}
        for head in anchor.heads:
            known, told = found.get(head.stream), figures.get(head.stream)
            if known is None or known.sequence < head.sequence or (told and known.sequence == head.sequence):
                found[head.stream] = _Known(head.sequence, told, None if told is None else told.cents)
    return found


def _lost(stream: str, sequence: int, known: _Known, here: Figures | None) -> LostEvents:
    before, after = here or Figures(stream), known.figures
    lost = {name: getattr(after, name) - getattr(before, name) for name in COUNTED.values()} if after else {}
    return LostEvents(stream, known.sequence - sequence, **lost, cents=before.cents, seen=known.cents)


def describe_gap(lost: Sequence[LostEvents]) -> list[str]:
    """Return one line for each stream that lost events."""
    return [_describe(each) for each in lost]


def _describe(each: LostEvents) -> str:
    numbers = {name: getattr(each, name) for name in COUNTED.values()}
    told = [f"{number} {name}" for name, number in numbers.items() if number]
    if each.seen is not None:
        told.append(f"last seen with {dollars(each.seen)}, here {dollars(each.cents or 0)}")
    events = "1 event" if each.events == 1 else f"{each.events:,} events"
    return f"{each.stream}: {events} lost" + (f" ({'; '.join(told)})" if told else "")
