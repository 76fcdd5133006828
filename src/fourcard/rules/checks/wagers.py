"""Checks on the wagers offered: their tables, limits, chips and betting positions."""

from collections.abc import Iterator

from fourcard.money import OddsKind, dollars
from fourcard.refusal_codes import Code
from fourcard.rules.checks.finding import CheckContext, CheckFinding, error, finding, join_or
from fourcard.rules.cited import clauses_of, is_set
from fourcard.rules.paytables import paytables_of, selectable_tables
from fourcard.rules.rulebook import Limited, PlayWager, Wager
from fourcard.rules.submission import OwnTable, PostedLimits
from fourcard.wagers import (
    LIMITED_WAGERS,
    SPECIFICATIONS,
    TABLE_WAGERS,
    WAGER_LABELS,
    WAGERS,
    LimitedWager,
    RowName,
    TableWager,
)

DEFAULT_TABLE = "standard"


def check_tables(case: CheckContext) -> Iterator[CheckFinding]:
    """Yield what is wrong with the wagers that a submission offers and their tables."""
    for name in TABLE_WAGERS:
        wager = case.rulebook.wager(name)
        choice = case.submission.wagers.get(name)
        if not isinstance(wager, Wager):
            if choice is not None:
                yield _not_described(case, name)
        elif choice is None:
            if wager.offered.value == "always" and DEFAULT_TABLE not in selectable_tables(
                case.rulebook, name
            ):
                label = WAGER_LABELS[name]
                yield error(Code.WAGER_TABLE_MISSING, f"wagers.{name}", wager.offered, wager=label)
        elif isinstance(choice, str):
            yield from _printed(case, name, wager, choice)
        else:
            yield from _own(case, name, wager, choice)
    yield from _numbers(case)


def _not_described(case: CheckContext, name: TableWager) -> CheckFinding:
    """Refuse a wager that the rulebook does not describe, citing the clauses that list its wagers."""
    rulebook = case.rulebook
    several = len(rulebook.editions) > 1
    return finding(
        "error",
        Code.WAGER_NOT_DESCRIBED,
        f"wagers.{name}",
        ("R10", *rulebook.offer_clauses) if several else rulebook.offer_clauses,
        rulebook=rulebook.id,
        wager=WAGER_LABELS[name],
        edition=f" in its {rulebook.edition} edition" if several else "",
    )


def _printed(case: CheckContext, name: TableWager, wager: Wager, table_id: str) -> Iterator[CheckFinding]:
    known = selectable_tables(case.rulebook, name)
    if table_id in known:
        return
    where, label = f"wagers.{name}", WAGER_LABELS[name]
    table = paytables_of(case.rulebook, name).get(table_id)
    if table is not None and table.odds_only:
        clauses = ("R10", *table.clauses)
        yield finding("error", Code.TABLE_ODDS_ONLY, where, clauses, wager=label, table=table_id)
    else:
        cited = wager.choices or wager.own_tables or wager.offered
        yield error(Code.TABLE_UNKNOWN, where, cited, wager=label, table=table_id, known=join_or(known))


def _own(case: CheckContext, name: TableWager, wager: Wager, table: OwnTable) -> Iterator[CheckFinding]:
    where, label = f"wagers.{name}", WAGER_LABELS[name]
    if wager.own_tables is None or wager.own_tables.value == "never":
        cited = wager.own_tables or wager.choices or wager.offered
        yield error(
            Code.OWN_TABLE_NOT_ALLOWED,
            where,
            cited,
            wager=label,
            known=join_or(selectable_tables(case.rulebook, name)),
        )
        return
    if not table:
        yield error(Code.OWN_TABLE_EMPTY, where, wager.own_tables, wager=label)
        return
    for row, odds in table.items():
        if row not in _rows_from(name, wager):
            lowest = wager.lowest or wager.own_tables
            yield error(Code.OWN_TABLE_ROW_FOREIGN, f"{where}.{row}", lowest, wager=label, row=row)
        elif odds.kind is not OddsKind.TO:
            figures = {"wager": label, "row": row, "text": odds}
            yield error(Code.OWN_TABLE_KIND, f"{where}.{row}", wager.own_tables, **figures)
    missing = [row for row in _rows_from(name, wager) if row not in table] if wager.lowest is not None else []
    for row in missing:
        yield error(Code.OWN_TABLE_ROW_MISSING, where, wager.lowest, wager=label, row=_words(row))
    if not missing and wager.own_tables.value == "floors":
        yield from _floors(case, name, wager, table)


def _rows_from(name: TableWager, wager: Wager) -> tuple[RowName, ...]:
    """Return the rows that a table of this wager may have, down to the lowest hand that wins."""
    rows = SPECIFICATIONS[name].rows
    if wager.lowest is None:
        return rows
    return rows[: [str(row) for row in rows].index(wager.lowest.value) + 1]


def _floors(case: CheckContext, name: TableWager, wager: Wager, table: OwnTable) -> Iterator[CheckFinding]:
    """Refuse a table that pays less than every single printed one (R34)."""
    shortfalls: dict[str, list[str]] = {}
    for table_id in selectable_tables(case.rulebook, name):
        printed = paytables_of(case.rulebook, name)[table_id].pays
        shortfalls[table_id] = [
            f"{_words(row)} pays {odds}"
            for row, odds in printed.items()
            if row not in table or not table[row].at_least(odds)
        ]
    nearest = min(shortfalls, key=lambda table_id: len(shortfalls[table_id]))
    if shortfalls[nearest]:
        yield finding(
            "error",
            Code.OWN_TABLE_UNDER_FLOOR,
            f"wagers.{name}",
            (*clauses_of(wager.own_tables), "R34"),
            wager=WAGER_LABELS[name],
            table=nearest,
            rows=" and ".join(shortfalls[nearest]),
        )


def _numbers(case: CheckContext) -> Iterator[CheckFinding]:
    """Check that tables printed in pairs have the same number (R98)."""
    for name in TABLE_WAGERS:
        wager = case.rulebook.wager(name)
        if not isinstance(wager, Wager) or wager.same_number_as is None:
            continue
        other = wager.same_number_as.value
        table, number = case.submission.wagers.get(name), case.submission.wagers.get(other)
        if isinstance(table, str) and isinstance(number, str) and table != number:
            yield error(
                Code.TABLE_NUMBERS_DIFFER,
                f"wagers.{name}",
                wager.same_number_as,
                wager=WAGER_LABELS[name],
                table=table,
                other=WAGER_LABELS[other],
                number=number,
            )


def _words(row: str) -> str:
    return row.replace("_", " ")


def check_limits(case: CheckContext) -> Iterator[CheckFinding]:
    """Yield what is wrong with the posted limits and the legal limit."""
    for name in LIMITED_WAGERS:
        wager = case.rulebook.wager(name)
        posted = case.submission.limits.posted.get(name)
        if posted is not None and not (isinstance(wager, Limited) and case.offers(name)):
            yield finding("error", Code.LIMITS_WITHOUT_WAGER, _where(name), ("P8",), wager=WAGER_LABELS[name])
        elif isinstance(wager, Limited) and posted is not None:
            yield from _posted(case, name, wager, posted)
        elif isinstance(wager, Limited) and case.offers(name) and is_set(wager.posted_limits):
            yield error(Code.LIMITS_MISSING, _where(name), wager.posted_limits, wager=WAGER_LABELS[name])
    yield from _legal_limit_given(case)


def _posted(
    case: CheckContext, name: LimitedWager, wager: Limited, posted: PostedLimits
) -> Iterator[CheckFinding]:
    label, chip, legal = WAGER_LABELS[name], case.submission.chip, case.submission.limits.legal
    if not 0 < posted.least <= posted.most:
        clauses = clauses_of(wager.posted_limits) or ("P8",)
        figures: dict[str, object] = {"least": dollars(posted.least), "most": dollars(posted.most)}
        yield finding("error", Code.LIMITS_INVERTED, _where(name), clauses, wager=label, **figures)
    for amount in dict.fromkeys((posted.least, posted.most)):
        if amount % chip:
            figures = {"amount": dollars(amount), "chip": dollars(chip)}
            yield finding("error", Code.LIMITS_NOT_IN_CHIPS, _where(name), ("P7",), wager=label, **figures)
    if is_set(wager.legal_limit) and legal is not None and posted.most > legal:
        figures = {"most": dollars(posted.most), "legal": dollars(legal)}
        yield error(Code.POSTED_OVER_LEGAL, _where(name), wager.legal_limit, wager=label, **figures)


def _where(name: LimitedWager) -> str:
    return f"limits.posted.{name}"


def _legal_limit_given(case: CheckContext) -> Iterator[CheckFinding]:
    """Require the legal limit where a law sets one; no source prints its figure (R31)."""
    if case.submission.limits.legal is not None:
        return
    offered = (case.rulebook.wager(name) for name in WAGERS if case.offers(name))
    bound = [w.legal_limit for w in offered if isinstance(w, Limited | PlayWager) and is_set(w.legal_limit)]
    if bound:
        yield error(Code.LEGAL_LIMIT_MISSING, "limits.legal", *bound, reference=case.rulebook.legal_reference)


def check_positions(case: CheckContext) -> Iterator[CheckFinding]:
    """Yield what is wrong with the number of positions and who may hold them."""
    rules, choice = case.rulebook.positions, case.submission.positions
    if not 1 <= choice.at_table <= rules.at_table.value:
        figures: dict[str, object] = {"most": rules.at_table.value, "count": choice.at_table}
        yield error(Code.TABLE_POSITIONS, "positions.at_table", rules.at_table, **figures)
    held, most = choice.per_player, _most_per_player(case)
    if held is None:
        if is_set(rules.per_player_declared):
            yield error(Code.POSITIONS_PER_PLAYER_MISSING, "positions.per_player", rules.per_player_declared)
    elif not 1 <= held <= most:
        cited = rules.per_player or rules.several
        figures = {"most": f"{most} position{'s' * (most > 1)}", "count": held}
        yield error(Code.POSITIONS_PER_PLAYER, "positions.per_player", cited, **figures)
    if choice.adjacent is False and is_set(rules.adjacent):
        yield error(Code.POSITIONS_MUST_ADJOIN, "positions.adjacent", rules.adjacent)
    yield from _cover_all_columns(case)


def _most_per_player(case: CheckContext) -> int:
    """Return how many positions the rulebook lets one player hold at this table."""
    rules, seats = case.rulebook.positions, case.submission.positions.at_table
    if not rules.several.value:
        return 1
    return min(seats, rules.per_player.value) if rules.per_player is not None else seats


def _cover_all_columns(case: CheckContext) -> Iterator[CheckFinding]:
    """Refuse Cover All at a table with more positions than the matrix has columns for (R46)."""
    cover_all = case.rulebook.wagers.cover_all
    if cover_all is None or not case.offers("cover_all"):
        return
    count = case.submission.positions.at_table
    if cover_all.column(count) is None:
        most = max(map(int, cover_all.columns)) - cover_all.dealer_counts.value
        clauses = ("R46", *cover_all.dealer_counts.clauses)
        figures = {"count": count, "most": most}
        yield finding("error", Code.COVER_ALL_COLUMN_MISSING, "positions.at_table", clauses, **figures)
