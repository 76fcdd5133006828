"""Paytable lookup: finds a wager's paytable by id and rulebook, or reads it from a file."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Literal

import msgspec

from fourcard.errors import BadInputError
from fourcard.money import Odds, OddsKind, dollars, parse_dollars
from fourcard.rules.loading import RULEBOOKS, convert, file_text, parse, rulebook
from fourcard.rules.nodes import WAGER_LABELS, Frozen, Paytable, RowName, WagerName, holds
from fourcard.rules.paytables import FOUR_CARD_ROWS, tables_of
from fourcard.rules.rulebook import Rulebook
from fourcard.wagers.wager import odds_by_row

OddsWager = Literal["automatic_bonus", "aces_up", "bad_beat", "six_card", "progressive", "cover_all"]
OWN = "own"
STANDARD = "standard"
ROWS: dict[OddsWager, tuple[RowName, ...]] = {
    "automatic_bonus": FOUR_CARD_ROWS,
    "aces_up": FOUR_CARD_ROWS,
    "bad_beat": FOUR_CARD_ROWS[:-1],
    "six_card": ("super_royal_diamonds", "super_royal_hearts", "super_royal_spades", "super_royal_clubs",
                 "royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight",
                 "three_of_a_kind", "two_pair"),
    "progressive": ("four_aces", "four_of_a_kind", "royal_flush", "straight_flush", "three_of_a_kind",
                    "flush", "straight", "two_pair", "pair_of_aces"),
    "cover_all": ("four_aces", "royal_flush", "four_of_a_kind", "straight_flush", "three_of_a_kind"),
}  # fmt: skip
"""The rows that a custom paytable can have, the best first."""
FIVE_CARD_ROWS: tuple[RowName, ...] = (
    "royal_flush",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
    "two_pair",
)
"""The rows of a progressive that ranks five cards (R8)."""
TO, FOR, METER, FIXED = OddsKind.TO, OddsKind.FOR, OddsKind.METER, OddsKind.FIXED
AWARDS: dict[OddsWager, tuple[OddsKind, ...]] = {
    "automatic_bonus": (TO,),
    "aces_up": (TO, FOR),
    "bad_beat": (TO, FOR),
    "six_card": (TO, FOR, FIXED),
    "progressive": (TO, FOR, FIXED, METER),
    "cover_all": (TO, FOR),
}
"""The allowed notation of each wager's awards: a bonus has no stake, and only a progressive has a meter."""


class TableError(BadInputError):
    """An unknown or ambiguous paytable, or an invalid figure for one."""


class OwnPays(Frozen, frozen=True, kw_only=True):
    """A custom paytable of a file: its rows, and how many cards a progressive ranks."""

    pays: Mapping[RowName, Odds]
    cards: Literal[4, 5] = 4


class Chosen(msgspec.Struct, frozen=True, eq=False):
    """A paytable with its wager, id and rulebook."""

    wager: WagerName
    id: str
    table: Paytable
    book: Rulebook

    @property
    def pays(self) -> dict[str, Odds]:
        """Return what each row pays."""
        return odds_by_row(self.table)


def books() -> Iterator[Rulebook]:
    """Yield every rulebook in its default edition."""
    return map(rulebook, RULEBOOKS)


def every_printed(wager: OddsWager) -> Iterator[Chosen]:
    """Yield every paytable that a rulebook prints for a wager; shared ones only with their owner."""
    for book in books():
        described = book.wager(wager)
        if getattr(described, "tables_of", None) is None:
            for table_id, table in tables_of(book, wager).items():
                yield Chosen(wager, table_id, table, book)


def chosen_table(wager: OddsWager, named: str | None, book: Rulebook | None) -> Chosen:
    """Return the paytable of an id or a file, or by default the first."""
    if named is not None and is_file(named):
        return own_table(wager, named, book)
    return printed_table(wager, named, book)


def printed_table(wager: OddsWager, named: str | None, book: Rulebook | None) -> Chosen:
    """Return the printed paytable of an id, or by default the first; never reads a file."""
    if book is None:
        return _printed_in_any_rulebook(wager, named)
    tables = tables_of(book, wager)
    if not tables:
        raise TableError(f"The rulebook {book.id} has no paytable for the {WAGER_LABELS[wager]}.")
    wanted = _first(tables) if named is None else named
    if wanted not in tables:
        known = ", ".join(tables)
        raise TableError(
            f"There is no {WAGER_LABELS[wager]} paytable {wanted!r} in {book.id}. Choose one of: {known}."
        )
    return Chosen(wager, wanted, tables[wanted], book)


def is_file(named: str) -> bool:
    """Return whether a text names a file rather than an id."""
    try:
        return Path(named).suffix == ".toml" or Path(named).is_file()
    except (OSError, ValueError):
        return False


def _first(tables: Mapping[str, Paytable]) -> str:
    return STANDARD if STANDARD in tables else next(iter(tables))


def _printed_in_any_rulebook(wager: OddsWager, named: str | None) -> Chosen:
    """Return the paytable of an id that all rulebooks print alike; refuse an ambiguous id."""
    every = list(every_printed(wager))
    if named is None:
        return next((each for each in every if each.id == STANDARD), every[0])
    found = [each for each in every if each.id == named]
    if not found:
        known = ", ".join(dict.fromkeys(each.id for each in every))
        raise TableError(
            f"There is no {WAGER_LABELS[wager]} paytable {named!r}. Choose {known}, or name a TOML file."
        )
    if any(each.pays != found[0].pays for each in found):
        names = " or ".join(each.book.id for each in found)
        raise TableError(f"Several rulebooks print a paytable {named}. Choose the rulebook: {names}.")
    return found[0]


def own_table(wager: OddsWager, path: str, book: Rulebook | None) -> Chosen:
    """Return a custom paytable from a file; it has no clauses, because it is not submitted."""
    return own_pays(wager, convert(parse(file_text(path), str(path)), OwnPays, str(path)), path, book)


def own_pays(wager: OddsWager, own: OwnPays, where: str, book: Rulebook | None) -> Chosen:
    """Return a custom paytable, or refuse rows and awards that the wager cannot have."""
    rows = FIVE_CARD_ROWS if wager == "progressive" and own.cards == 5 else ROWS[wager]
    foreign = [row for row in own.pays if row not in rows]
    if foreign:
        known = ", ".join(rows)
        raise TableError(
            f"{foreign[0]!r} in {where} is not a row of the {WAGER_LABELS[wager]} paytable. Rows: {known}."
        )
    if not own.pays:
        raise TableError(f"The paytable in {where} has no rows.")
    for row, odds in own.pays.items():
        if odds.kind not in AWARDS[wager]:
            raise TableError(f"'{odds}' for {row} in {where} is not a valid award for {WAGER_LABELS[wager]}.")
    home = book or next(each for each in books() if each.wager(wager) is not None)
    ordered = {row: own.pays[row] for row in rows if row in own.pays}
    cards = 6 if wager == "six_card" else own.cards
    return Chosen(wager, OWN, Paytable(clauses=(), pays=ordered, cards=cards), home)


def envy_book(schedule: str | None, book: Rulebook | None) -> Rulebook:
    """Return the given rulebook, or by default the first that prints such an Envy schedule."""
    if book is not None:
        return book
    found = [each for each in books() if schedule is None or schedule in envy_schedules(each)]
    homes = [each for each in found if envy_schedules(each)]
    if not homes:
        known = ", ".join(dict.fromkeys(name for each in books() for name in envy_schedules(each)))
        raise TableError(f"There is no Envy schedule {schedule!r}. Choose one of: {known}.")
    if schedule is not None and len({str(_envy_printed(each, schedule)) for each in homes}) > 1:
        names = " or ".join(each.id for each in homes)
        raise TableError(
            f"Several rulebooks print an Envy schedule {schedule}. Choose the rulebook: {names}."
        )
    return homes[0]


def envy_schedules(book: Rulebook) -> tuple[str, ...]:
    """Return the ids of a rulebook's Envy schedules; none if it has no Envy."""
    return () if book.wagers.envy is None else tuple(book.wagers.envy.paytables)


def _envy_printed(book: Rulebook, schedule: str) -> dict[str, dict[str, str]]:
    """Return what a schedule pays, by stake and row."""
    rules = book.wagers.envy
    assert rules is not None
    printed = rules.paytables[schedule]
    return {stake: {row: str(odds) for row, odds in table.pays.items()} for stake, table in printed.items()}


def envy_table(book: Rulebook, schedule: str, stake: int) -> Paytable:
    """Return the Envy schedule for a stake, scaled with it where the rulebook says so (R55, R100)."""
    rules = book.wagers.envy
    if rules is None:
        raise TableError(f"The rulebook {book.id} has no Envy.")
    if schedule not in rules.paytables:
        known = ", ".join(rules.paytables)
        raise TableError(f"There is no Envy schedule {schedule!r} in {book.id}. Choose one of: {known}.")
    printed = {parse_dollars(text): table for text, table in rules.paytables[schedule].items()}
    if stake in printed:
        return printed[stake]
    unit, table = min(printed.items())
    if not rules.linear.value or stake % unit:
        known = " or ".join(map(dollars, printed))
        raise TableError(f"{book.id} prints Envy for a stake of {known}, not {dollars(stake)}.")
    return table.times(Fraction(stake, unit))


def meter_start(book: Rulebook, table: str, stake: int) -> int | None:
    """Return the starting meter of a printed paytable in cents: its minimum, or its preset seed.

    The preset seed is for one unit of stake and scales with the stake where the rulebook says so (R56).
    """
    rules = book.wagers.progressive
    if rules is None:
        return None
    if table in rules.least_meter:
        return int(rules.least_meter[table].value)
    if table not in rules.preset_seed:
        return None
    seed, unit = int(rules.preset_seed[table].value), rules.stake_unit
    return seed * stake // unit.value if holds(rules.preset_seed_scales) and unit is not None else seed
