"""Sabotages of the progressive system: each lets one rule of meters, wins or links go."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from fourcard.house import decide_meter, decide_table, meter_state
from fourcard.house.commands import ApproveAdjustment
from fourcard.house.decide_meter import meter_event_for
from fourcard.house.events import AwardLogged, ContributionsAdded
from fourcard.meter import UNITS_PER_CENT, Meter, Payment, contribute
from fourcard.progressive import win_confirmation
from fourcard.progressive.console import LinkLost, WinLogged
from fourcard.progressive.decide import report_link
from fourcard.round.decide_settlement import price_award
from fourcard.round.events import AwardPaid, ProgressiveLocked

Sabotage = Callable[[pytest.MonkeyPatch], None]


def _deaf_to(patch: pytest.MonkeyPatch, kind: type) -> None:
    """Let a meter not hear of one kind of event at its tables."""

    def deaf(book: Any, table: str, number: int, event: object, at: int) -> Any:
        return None if isinstance(event, kind) else meter_event_for(book, table, number, event, at)

    patch.setattr("fourcard.house.decide_table.meter_event_for", deaf)


def stakes_without_meter(patch: pytest.MonkeyPatch) -> None:
    """Let stakes be taken of which the meter never hears."""
    _deaf_to(patch, ProgressiveLocked)


def awards_without_meter(patch: pytest.MonkeyPatch) -> None:
    """Let awards be paid that the meter is never adjusted for."""
    _deaf_to(patch, AwardPaid)


def wins_without_meter(patch: pytest.MonkeyPatch) -> None:
    """Let wins be confirmed that nobody logs."""
    _deaf_to(patch, WinLogged)


def doubled_stakes(patch: pytest.MonkeyPatch) -> None:
    """Let every contribution come to the meter twice."""
    allmeter_reactions = decide_table.meter_reactions

    def twice(*told: Any) -> list[tuple[str, object]]:
        found = allmeter_reactions(*told)
        return [*found, *(each for each in found if isinstance(each[1], ContributionsAdded))]

    patch.setattr(decide_table, "meter_reactions", twice)


def short_stakes(patch: pytest.MonkeyPatch) -> None:
    """Let a unit of every contribution stay with the house."""

    def short(*told: Any) -> Any:
        meter, part = contribute(*told)
        return meter, replace(part, to_meter=part.to_meter - 1, to_house=part.to_house + 1)

    patch.setattr("fourcard.house.decide_meter.contribute", short)


def same_person(patch: pytest.MonkeyPatch) -> None:
    """Let whoever marked a win confirm it too."""
    refusal = win_confirmation._role_refusal

    def blind(console: Any, *told: Any) -> Any:
        return refusal(replace(console, mark=None), *told)

    patch.setattr(win_confirmation, "_role_refusal", blind)


def repeated_number(patch: pytest.MonkeyPatch) -> None:
    """Let a win have the number of the one before."""
    logged = decide_meter.log_event_for
    patch.setattr(
        decide_meter,
        "log_event_for",
        lambda book, *told: logged(replace(book, win_count=book.win_count - 1), *told),
    )


def old_price(patch: pytest.MonkeyPatch) -> None:
    """Let a win be priced at a meter of a cent more than there is."""

    def dear(meter: Meter, under_way: Any) -> Any:
        return price_award(replace(meter, amount=meter.amount + UNITS_PER_CENT), under_way)

    patch.setattr("fourcard.house.decide_table.price_award", dear)


def own_approval(patch: pytest.MonkeyPatch) -> None:
    """Let people approve what they proposed themselves."""
    approve = decide_meter._DECIDERS[ApproveAdjustment]

    def blind(books: Any, book: Any, command: Any) -> Any:
        proposals = {number: replace(each, by="") for number, each in book.proposals.items()}
        return approve(books, replace(book, proposals=proposals), command)

    patch.setitem(decide_meter._DECIDERS, ApproveAdjustment, blind)


def deaf_sensors(patch: pytest.MonkeyPatch) -> None:
    """Let chips stay registered when a table loses its link."""

    def deaf(*told: Any) -> Any:
        found: Any = report_link(*told)
        lost = isinstance(found, list) and isinstance(found[0], LinkLost)
        return found[:1] if lost else found

    patch.setattr("fourcard.progressive.decide.report_link", deaf)


def endless_game(patch: pytest.MonkeyPatch) -> None:
    """Let a round begin before the last game was ended."""
    patch.setattr(decide_table, "is_game_under_way", lambda _console, _state: False)


def doubled_hits(patch: pytest.MonkeyPatch) -> None:
    """Let the house count every win twice."""
    fold = meter_state._HANDLERS[AwardLogged]

    def twice(book: Any, event: Any) -> Any:
        after, moved = fold(book, event)
        return replace(after, hits={**after.hits, event.row: after.hits[event.row] + 1}), moved

    patch.setitem(meter_state._HANDLERS, AwardLogged, twice)


def unlawful_totals(patch: pytest.MonkeyPatch) -> None:
    """Let the house believe in a unit more of contributions than came."""
    fold = meter_state._HANDLERS[ContributionsAdded]

    def more(book: Any, event: Any) -> Any:
        after, moved = fold(book, event)
        totals = replace(after.totals, contributed=after.totals.contributed + 1)
        return replace(after, totals=totals), moved

    patch.setitem(meter_state._HANDLERS, ContributionsAdded, more)


def void_by_anybody(patch: pytest.MonkeyPatch) -> None:
    """Let the dealer who marked a win undo it by a void."""
    patch.setattr(decide_table, "_void_refusal", lambda _book, _command, _decided: None)


def void_without_award(patch: pytest.MonkeyPatch) -> None:
    """Let a void round keep what the meter had paid for it."""

    def kept(meter: Meter, _payment: Payment) -> tuple[Meter, int]:
        return meter, 0

    patch.setattr(decide_meter, "reverse_payment", kept)


def void_without_stakes(patch: pytest.MonkeyPatch) -> None:
    """Let a meter keep the contributions of a void round."""
    patch.setattr(decide_meter, "reverse_contribution", lambda meter, _part: (meter, 0))


METER_SABOTAGES: list[Sabotage] = [
    stakes_without_meter,
    awards_without_meter,
    wins_without_meter,
    doubled_stakes,
    short_stakes,
    same_person,
    repeated_number,
    old_price,
    own_approval,
    deaf_sensors,
    endless_game,
    doubled_hits,
    unlawful_totals,
    void_by_anybody,
    void_without_award,
    void_without_stakes,
]
