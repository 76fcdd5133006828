"""Paytable lookup: finds a wager's paytable and base terms by id and rulebook, or in a file."""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Literal

import msgspec

from fourcard.money import MoneyError, Odds, dollars, parse_dollars, parse_share
from fourcard.odds.decision_values import BaseTerms, base_terms
from fourcard.refusals import BadInputError
from fourcard.rules.cited import FrozenData, Paytable, is_set
from fourcard.rules.game import Game
from fourcard.rules.loading import convert_document, file_text, parse_toml, rulebook, rulebook_ids
from fourcard.rules.paytables import paytables_of
from fourcard.rules.rulebook import Rulebook
from fourcard.rules.submission import ProgressiveChoice
from fourcard.settlers.progressive import FIVE_CARDS
from fourcard.settlers.wager_settler import odds_by_row
from fourcard.wagers import SPECIFICATIONS, WAGER_LABELS, RowName, TableWager, WagerName

FRACTION = re.compile(r"([0-9]{1,18})/([0-9]{1,18})")


def parse_percent_or_fraction(text: str) -> Fraction:
    """Return the share of ``14.5%`` or of ``29/200``."""
    match = FRACTION.fullmatch(text)
    if match is not None and 0 <= int(match[1]) <= int(match[2]) != 0:
        return Fraction(int(match[1]), int(match[2]))
    try:
        return parse_share(text)
    except MoneyError:
        raise MoneyError(
            f"{text!r} is not a share from 0% to 100%. Write it like '14.5%' or '29/200'."
        ) from None


CUSTOM = "own"
STANDARD = "standard"


class PaytableError(BadInputError):
    """An unknown or ambiguous paytable, or an invalid figure for one."""


class CustomPaytable(FrozenData, frozen=True, kw_only=True):
    """A custom paytable of a file: its rows, and how many cards a progressive ranks."""

    pays: Mapping[RowName, Odds]
    cards: Literal[4, 5] = 4


class PaytableRef(msgspec.Struct, frozen=True, eq=False):
    """A paytable with its wager, id and rulebook."""

    wager: WagerName
    id: str
    table: Paytable
    rulebook: Rulebook

    @property
    def pays(self) -> dict[str, Odds]:
        """Return what each row pays."""
        return odds_by_row(self.table)


def default_rulebooks() -> Iterator[Rulebook]:
    """Yield every rulebook in its default edition."""
    return map(rulebook, rulebook_ids())


def printed_paytables(wager: TableWager) -> Iterator[PaytableRef]:
    """Yield every paytable that a law prints for a wager; shared ones only with their owner."""
    for chosen_rulebook in default_rulebooks():
        described = chosen_rulebook.wager(wager)
        if getattr(described, "tables_of", None) is None:
            for table_id, table in paytables_of(chosen_rulebook, wager).items():
                yield PaytableRef(wager, table_id, table, chosen_rulebook)


def find_paytable(wager: TableWager, named: str | None, rulebook: Rulebook | None) -> PaytableRef:
    """Return the paytable of an id or a file, or by default the first."""
    if named is not None and is_file(named):
        return read_custom_paytable(wager, named, rulebook)
    return find_printed_paytable(wager, named, rulebook)


def find_printed_paytable(wager: TableWager, named: str | None, rulebook: Rulebook | None) -> PaytableRef:
    """Return the printed paytable of an id, or by default the first; never reads a file."""
    if rulebook is None:
        return _printed_in_any_rulebook(wager, named)
    tables = paytables_of(rulebook, wager)
    if not tables:
        raise PaytableError(f"The rulebook {rulebook.id} has no paytable for the {WAGER_LABELS[wager]}.")
    wanted = _first(tables) if named is None else named
    if wanted not in tables:
        known = ", ".join(tables)
        raise PaytableError(
            f"There is no {WAGER_LABELS[wager]} paytable {wanted!r} in {rulebook.id}. Choose one of: {known}."
        )
    return PaytableRef(wager, wanted, tables[wanted], rulebook)


def paytable_ref(game: Game, wager: TableWager) -> PaytableRef:
    """Return the paytable of a wager in a game, under the id in its submission."""
    choice = game.submission.wagers.get(wager, STANDARD)
    return PaytableRef(
        wager, choice if isinstance(choice, str) else CUSTOM, game.tables[wager], game.rulebook
    )


def is_file(named: str) -> bool:
    """Return whether a text names a file rather than an id."""
    try:
        return Path(named).suffix == ".toml" or Path(named).is_file()
    except (OSError, ValueError):
        return False


def _first(tables: Mapping[str, Paytable]) -> str:
    return STANDARD if STANDARD in tables else next(iter(tables))


def _printed_in_any_rulebook(wager: TableWager, named: str | None) -> PaytableRef:
    """Return the paytable of an id that all rulebooks print alike; refuse an ambiguous id."""
    every = list(printed_paytables(wager))
    if not every:
        raise PaytableError(f"No rulebook has a paytable for the {WAGER_LABELS[wager]}.")
    if named is None:
        return next((each for each in every if each.id == STANDARD), every[0])
    found = [each for each in every if each.id == named]
    if not found:
        known = ", ".join(dict.fromkeys(each.id for each in every))
        raise PaytableError(
            f"There is no {WAGER_LABELS[wager]} paytable {named!r}. Choose {known}, or name a TOML file."
        )
    if any(each.pays != found[0].pays for each in found):
        names = " or ".join(each.rulebook.id for each in found)
        raise PaytableError(f"Several rulebooks print a paytable {named}. Choose the rulebook: {names}.")
    return found[0]


def read_custom_paytable(wager: TableWager, path: str, rulebook: Rulebook | None) -> PaytableRef:
    """Return a custom paytable from a file; it has no clauses, because it is not submitted."""
    return custom_paytable(
        wager,
        convert_document(parse_toml(file_text(path), str(path)), CustomPaytable, str(path)),
        path,
        rulebook,
    )


def custom_paytable(
    wager: TableWager, own: CustomPaytable, where: str, rulebook: Rulebook | None
) -> PaytableRef:
    """Return a custom paytable, or refuse rows and awards that the wager cannot have."""
    specification = SPECIFICATIONS[wager]
    five = specification.rows_of_five if own.cards == FIVE_CARDS else ()
    rows = five or specification.rows
    foreign = [row for row in own.pays if row not in rows]
    if foreign:
        known = ", ".join(rows)
        raise PaytableError(
            f"{foreign[0]!r} in {where} is not a row of the {WAGER_LABELS[wager]} paytable. Rows: {known}."
        )
    if not own.pays:
        raise PaytableError(f"The paytable in {where} has no rows.")
    for row, odds in own.pays.items():
        if odds.kind not in specification.awards:
            raise PaytableError(
                f"'{odds}' for {row} in {where} is not a valid award for {WAGER_LABELS[wager]}."
            )
    home = rulebook or next((each for each in default_rulebooks() if each.wager(wager) is not None), None)
    if home is None or home.wager(wager) is None:
        raise PaytableError(f"No rulebook describes the {WAGER_LABELS[wager]}.")
    ordered = {row: own.pays[row] for row in rows if row in own.pays}
    cards = own.cards if five else specification.cards
    return PaytableRef(wager, CUSTOM, Paytable(clauses=(), pays=ordered, cards=cards), home)


def find_envy_rulebook(schedule: str | None, rulebook: Rulebook | None) -> Rulebook:
    """Return the given rulebook, or by default the first that prints such an Envy schedule."""
    if rulebook is not None:
        return rulebook
    found = [each for each in default_rulebooks() if schedule is None or schedule in envy_schedules(each)]
    homes = [each for each in found if envy_schedules(each)]
    if not homes:
        known = ", ".join(
            dict.fromkeys(name for each in default_rulebooks() for name in envy_schedules(each))
        )
        raise PaytableError(f"There is no Envy schedule {schedule!r}. Choose one of: {known}.")
    if schedule is not None and len({str(_envy_printed(each, schedule)) for each in homes}) > 1:
        names = " or ".join(each.id for each in homes)
        raise PaytableError(
            f"Several rulebooks print an Envy schedule {schedule}. Choose the rulebook: {names}."
        )
    return homes[0]


def envy_schedules(rulebook: Rulebook) -> tuple[str, ...]:
    """Return the ids of a rulebook's Envy schedules; none if it has no Envy."""
    return () if rulebook.wagers.envy is None else tuple(rulebook.wagers.envy.paytables)


def _envy_printed(rulebook: Rulebook, schedule: str) -> dict[str, dict[str, str]]:
    """Return what a schedule pays, by stake and row."""
    rules = rulebook.wagers.envy
    assert rules is not None
    printed = rules.paytables[schedule]
    return {stake: {row: str(odds) for row, odds in table.pays.items()} for stake, table in printed.items()}


def find_envy_paytable(rulebook: Rulebook, schedule: str, stake: int) -> Paytable:
    """Return the Envy schedule for a stake, scaled with it where the rulebook says so (R55, R100)."""
    rules = rulebook.wagers.envy
    if rules is None:
        raise PaytableError(f"The rulebook {rulebook.id} has no Envy.")
    if schedule not in rules.paytables:
        known = ", ".join(rules.paytables)
        raise PaytableError(
            f"There is no Envy schedule {schedule!r} in {rulebook.id}. Choose one of: {known}."
        )
    printed = {parse_dollars(text): table for text, table in rules.paytables[schedule].items()}
    if stake in printed:
        return printed[stake]
    unit, table = min(printed.items())
    if not rules.linear.value or stake % unit:
        known = " or ".join(map(dollars, printed))
        raise PaytableError(f"{rulebook.id} prints Envy for a stake of {known}, not {dollars(stake)}.")
    return table.times(Fraction(stake, unit))


def starting_meter(rulebook: Rulebook, table: str, stake: int) -> int | None:
    """Return the starting meter of a printed paytable in cents: its minimum, or its preset seed.

    The preset seed is for one unit of stake and scales with the stake where the rulebook says so (R56).
    """
    rules = rulebook.wagers.progressive
    if rules is None:
        return None
    if table in rules.least_meter:
        return int(rules.least_meter[table].value)
    if table not in rules.preset_seed:
        return None
    seed, unit = int(rules.preset_seed[table].value), rules.stake_unit
    return seed * stake // unit.value if is_set(rules.preset_seed_scales) and unit is not None else seed


NO_BONUS = "none"
DEFAULT_RULEBOOK = "maryland"
"""The default rulebook of a game without a bonus: Ante and Play pay the same in all of them."""


def resolve_bonus(bonus: str | None, chosen_rulebook: Rulebook | None) -> tuple[PaytableRef | None, Rulebook]:
    """Return the Automatic Bonus table, or None, and the rulebook of the game."""
    if bonus == NO_BONUS:
        return None, chosen_rulebook or rulebook(DEFAULT_RULEBOOK)
    table = find_paytable("automatic_bonus", bonus, chosen_rulebook)
    return table, chosen_rulebook or table.rulebook


def resolve_base_terms(bonus: str | None, rulebook: Rulebook | None) -> BaseTerms:
    """Return the base terms for a bonus table id and a rulebook, each optional."""
    table, home = resolve_bonus(bonus, rulebook)
    return base_terms(home, {} if table is None else table.pays)


def require_settlement_order(progressive: ProgressiveChoice) -> None:
    """Refuse a progressive whose meter winners are paid in another order than that of the settlement."""
    if progressive.has_house_order:
        raise BadInputError("Meter winners are simulated in the order of settlement. Remove winner_order.")
