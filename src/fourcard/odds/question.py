"""A question about one wager, as it is asked, and the report that answers it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from fourcard.odds import report
from fourcard.odds.asked import bonus_asked
from fourcard.odds.printed import Chosen, OddsWager, TableError, chosen_table, every_printed
from fourcard.odds.progress import Step, no_progress
from fourcard.odds.report import Report
from fourcard.odds.strategies import OPTIMAL
from fourcard.rules.loading import RULEBOOKS, rulebook
from fourcard.rules.nodes import WagerName
from fourcard.rules.rulebook import Rulebook

DOLLAR = 100
TABLES: dict[WagerName, OddsWager] = {
    "ante": "automatic_bonus",
    "aces_up": "aces_up",
    "bad_beat": "bad_beat",
    "six_card": "six_card",
    "progressive": "progressive",
}
"""Whose printed tables a wager's odds depend on."""


@dataclass(frozen=True)
class Question:
    """Which wager, by which table, and what else its odds depend on; amounts in cents."""

    wager: WagerName
    book: Rulebook | None = None
    table: str | None = None
    strategy: str = OPTIMAL
    stake: int = DOLLAR
    meter: int | None = None
    others: int = 0
    envy: str | None = None
    tie_wins: bool = False

    @property
    def chosen(self) -> Chosen:
        """Return the table that is meant."""
        return chosen_table(TABLES[self.wager], self.table, self.book)


def odds_of(question: Question, step: Step = no_progress) -> Report:
    """Return the exact odds that a question asks for."""
    return ANSWERS[question.wager](question, step)


def for_every_table(question: Question) -> Iterator[Question]:
    """Yield the same question for each printed table of its wager."""
    if question.wager == "envy":
        homes = [rulebook(name) for name in RULEBOOKS] if question.book is None else [question.book]
        for home in homes:
            for schedule in report.envy_schedules(home):
                yield replace(question, book=home, table=schedule)
        return
    for each in every_printed(TABLES[question.wager]):
        if question.book in (None, each.book):
            yield replace(question, book=each.book, table=each.id)


def _ante(question: Question, step: Step) -> Report:
    return report.ante_report(*bonus_asked(question.table, question.book), question.strategy, step)


def _aces_up(question: Question, step: Step) -> Report:
    del step
    return report.aces_up_report(question.chosen)


def _bad_beat(question: Question, step: Step) -> Report:
    return report.bad_beat_report(question.chosen, tie_wins=question.tie_wins, step=step)


def _six_card(question: Question, step: Step) -> Report:
    del step
    return report.six_card_report(question.chosen, question.stake)


def _progressive(question: Question, step: Step) -> Report:
    del step
    table = question.chosen
    meter = question.meter if question.meter is not None else report.least_meter(table)
    paired = table.id if table.id in report.envy_schedules(table.book) else None
    return report.progressive_report(table, question.envy or paired, question.stake, meter, question.others)


def _envy(question: Question, step: Step) -> Report:
    del step
    book = question.book or chosen_table("progressive", None, None).book
    schedules = report.envy_schedules(book)
    if not schedules:
        raise TableError(f"The rulebook {book.id} has no Envy.")
    return report.envy_report(book, question.table or schedules[0], question.stake, question.others or 1)


ANSWERS: dict[WagerName, Callable[[Question, Step], Report]] = {
    "ante": _ante,
    "aces_up": _aces_up,
    "bad_beat": _bad_beat,
    "six_card": _six_card,
    "progressive": _progressive,
    "envy": _envy,
}
