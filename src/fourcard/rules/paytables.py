"""Paytable lookup: by rulebook, wager and id, or an operator's own table."""

from collections.abc import Iterator, Mapping

from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError, refuse
from fourcard.rules.cited import Paytable
from fourcard.rules.loading import rulebook
from fourcard.rules.rulebook import Rulebook, Wager
from fourcard.rules.submission import OwnTable, TableChoice
from fourcard.wagers import SPECIFICATIONS, WAGER_LABELS, WAGERS, WagerName


def paytables_of(chosen_rulebook: Rulebook, name: WagerName) -> Mapping[str, Paytable]:
    """Return the tables of a wager that a rulebook prints, or those of the rulebook that it refers to."""
    wager = chosen_rulebook.wager(name)
    if not isinstance(wager, Wager):
        return {}
    if wager.tables_of is not None:
        return paytables_of(rulebook(wager.tables_of.value), name)
    return wager.paytables


def selectable_tables(rulebook: Rulebook, name: WagerName) -> tuple[str, ...]:
    """Return the ids of the tables that an operator may choose for a wager."""
    wager = rulebook.wager(name)
    if not isinstance(wager, Wager):
        return ()
    if wager.choices is not None:
        return wager.choices.value
    return tuple(table_id for table_id, table in paytables_of(rulebook, name).items() if not table.odds_only)


def paytable(rulebook: Rulebook, name: WagerName, table_id: str) -> Paytable:
    """Return one printed table, odds-only ones included, or refuse an unknown id."""
    found = paytables_of(rulebook, name).get(table_id)
    if found is None:
        label, known = WAGER_LABELS[name], ", ".join(paytables_of(rulebook, name)) or "none"
        raise RefusedError(refuse(Code.TABLE_UNKNOWN, wager=label, table=table_id, known=known))
    return found


def chosen_paytable(rulebook: Rulebook, name: WagerName, choice: TableChoice) -> Paytable:
    """Return the chosen paytable: a printed one, or the operator's own with the clauses that allow it."""
    if isinstance(choice, str):
        return paytable(rulebook, name, choice)
    wager = rulebook.wager(name)
    own_tables = wager.own_tables if isinstance(wager, Wager) else None
    clauses = own_tables.clauses if own_tables else ()
    return Paytable(clauses=clauses, pays=ordered_rows(name, choice), cards=SPECIFICATIONS[name].cards)


def ordered_rows(name: WagerName, table: OwnTable) -> OwnTable:
    """Return an own table with its rows from the best hand down."""
    return {row: table[row] for row in (*SPECIFICATIONS[name].rows, *table) if row in table}


def every_paytable(rulebook: Rulebook) -> Iterator[tuple[WagerName, str, Paytable]]:
    """Yield every printed table with its wager and id; Cover All by column, Envy by schedule and stake."""
    for place, node in rulebook.nodes():
        if isinstance(node, Paytable):
            _, name, _, *table_id = place.split(".")
            yield next(known for known in WAGERS if known == name), "/".join(table_id), node
