"""Odds query: names a wager, its paytable and what else its odds depend on, and gives the report."""

from collections.abc import Callable, Mapping

import msgspec
from msgspec.structs import replace

from fourcard.errors import BadInputError
from fourcard.odds.asked import bonus_asked
from fourcard.odds.meter_cycle import MeterTerms
from fourcard.odds.printed import (
    Chosen,
    OddsWager,
    TableError,
    chosen_table,
    envy_book,
    envy_schedules,
    every_printed,
    meter_start,
)
from fourcard.odds.progress import Step, no_progress
from fourcard.odds.report import (
    Report,
    aces_up_report,
    ante_report,
    bad_beat_report,
    envy_report,
    progressive_report,
    six_card_report,
)
from fourcard.odds.strategies import OPTIMAL
from fourcard.rules.loading import RULEBOOKS, rulebook
from fourcard.rules.nodes import WAGER_LABELS, WagerName
from fourcard.rules.paytables import tables_of
from fourcard.rules.rulebook import Rulebook

DOLLAR = 100
TABLES: dict[WagerName, OddsWager] = {
    "ante": "automatic_bonus",
    "aces_up": "aces_up",
    "bad_beat": "bad_beat",
    "six_card": "six_card",
    "progressive": "progressive",
}
"""The wager whose printed paytables a wager's odds depend on."""
USED_BY: Mapping[str, tuple[str, ...]] = {
    "bonus": ("ante",),
    "strategy": ("ante",),
    "stake": ("six_card", "progressive", "envy"),
    "meter": ("progressive",),
    "others": ("progressive", "envy"),
    "envy": ("progressive",),
    "tie_wins": ("bad_beat",),
    "players": ("cover_all",),
    "precision": ("cover_all",),
    "seed": ("cover_all", "progressive"),
    "rate": ("progressive",),
    "reserve": ("progressive",),
    "fixed_awards": ("progressive",),
}
"""The wagers that each option applies to; it is refused with any other."""


class QuestionError(BadInputError):
    """A query about a wager that has no exact odds of its own."""


class Question(msgspec.Struct, frozen=True):
    """A wager, its paytable, and what else its odds depend on; amounts in cents."""

    wager: WagerName
    book: Rulebook | None = None
    table: str | None = None
    strategy: str = OPTIMAL
    stake: int = DOLLAR
    meter: int | None = None
    others: int | None = None
    """The number of other players; by default none for a progressive, and one for Envy."""
    envy: str | None = None
    tie_wins: bool = False
    terms: MeterTerms | None = None
    """The terms of a progressive's meter, for its long-run figures."""
    own: Chosen | None = None
    """A custom paytable, instead of an id."""

    @property
    def chosen(self) -> Chosen:
        """Return the paytable of the query."""
        return self.own or chosen_table(_printed_as(self.wager), self.table, self.book)


def unused_option(wager: str, given: Mapping[str, object]) -> str | None:
    """Return the first given option that does not affect a wager's odds, or None."""
    return next(
        (each for each, value in given.items() if value is not None and wager not in USED_BY[each]), None
    )


def odds_of(question: Question, step: Step = no_progress) -> Report:
    """Return the exact odds for a query."""
    _refuse_other_wagers(question.wager)
    return REPORTS[question.wager](question, step)


def _refuse_other_wagers(wager: object) -> None:
    """Refuse a wager that does not exist or has no exact odds of its own."""
    if wager == "cover_all":
        raise QuestionError("The odds of cover_all are estimated, not counted. Use fourcard.cover_all.")
    if not isinstance(wager, str) or wager not in REPORTS:
        raise QuestionError(f"{wager!r} has no odds of its own. Choose one of: {', '.join(REPORTS)}.")


def _printed_as(wager: WagerName) -> OddsWager:
    """Return the wager whose printed paytables a wager's odds depend on."""
    _refuse_other_wagers(wager)
    if wager not in TABLES:
        raise QuestionError(f"The {wager} wager has no paytable of its own.")
    return TABLES[wager]


def for_every_table(question: Question) -> list[Question]:
    """Return the same query for each paytable of its wager, in one rulebook or in all of them."""
    homes = [rulebook(name) for name in RULEBOOKS] if question.book is None else [question.book]
    found = [
        replace(question, book=home, table=table)
        for home in homes
        for table in _tables(question.wager, home, lent=question.book is not None)
    ]
    if not found:
        raise TableError(f"The rulebook {homes[0].id} has no paytable for {WAGER_LABELS[question.wager]}.")
    return found


def _tables(wager: WagerName, book: Rulebook, *, lent: bool) -> tuple[str, ...]:
    """Return the ids of a wager's paytables; ``lent`` includes those of another rulebook."""
    if wager == "envy":
        return envy_schedules(book)
    if lent:
        return tuple(tables_of(book, _printed_as(wager)))
    return tuple(each.id for each in every_printed(_printed_as(wager)) if each.book is book)


def _ante(question: Question, step: Step) -> Report:
    own = question.own
    bonus = bonus_asked(question.table, question.book) if own is None else (own, question.book or own.book)
    return ante_report(*bonus, question.strategy, step)


def _aces_up(question: Question, step: Step) -> Report:
    del step
    return aces_up_report(question.chosen)


def _bad_beat(question: Question, step: Step) -> Report:
    return bad_beat_report(question.chosen, tie_wins=question.tie_wins, step=step)


def _six_card(question: Question, step: Step) -> Report:
    del step
    return six_card_report(question.chosen, question.stake)


def _progressive(question: Question, step: Step) -> Report:
    del step
    table = question.chosen
    meter = question.meter
    if meter is None:
        meter = meter_start(table.book, table.id, question.stake)
    if meter is None:
        raise TableError("Give the meter amount for a custom paytable.")
    paired = table.id if table.id in envy_schedules(table.book) else None
    envy = paired if question.envy is None else question.envy
    others = question.others or 0
    return progressive_report(table, envy, question.stake, meter, others, question.terms)


def _envy(question: Question, step: Step) -> Report:
    del step
    book = envy_book(question.table, question.book)
    schedules = envy_schedules(book)
    if not schedules:
        raise TableError(f"The rulebook {book.id} has no Envy.")
    others = 1 if question.others is None else question.others
    schedule = schedules[0] if question.table is None else question.table
    return envy_report(book, schedule, question.stake, others)


REPORTS: dict[WagerName, Callable[[Question, Step], Report]] = {
    "ante": _ante,
    "aces_up": _aces_up,
    "bad_beat": _bad_beat,
    "six_card": _six_card,
    "progressive": _progressive,
    "envy": _envy,
}
