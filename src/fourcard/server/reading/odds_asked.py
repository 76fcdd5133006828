"""Odds query: the parameters of an odds request; it names printed tables only, never files."""

from fractions import Fraction
from typing import Annotated, Literal

import msgspec
from litestar.params import Parameter

from fourcard.errors import BadInputError
from fourcard.money import MoneyError, Odds, OddsKind
from fourcard.odds.asked import NONE
from fourcard.odds.cover_all import MATRIX, cover_all_table
from fourcard.odds.meter_cycle import MeterTerms
from fourcard.odds.printed import (
    AWARDS,
    FIVE_CARD_ROWS,
    ROWS,
    Chosen,
    OddsWager,
    OwnPays,
    own_pays,
    printed_table,
)
from fourcard.odds.question import TABLES, USED_BY, Question, unused_option
from fourcard.odds.shares import share
from fourcard.odds.strategies import OPTIMAL, names
from fourcard.refusals import Code, RefusedError, refuse
from fourcard.rules.checks.finding import listed
from fourcard.rules.loading import convert
from fourcard.rules.rulebook import AwardSource, Rulebook
from fourcard.server.reading.asking import Book, Cents, Name, book_named, check_known

Wager = Literal["ante", "aces_up", "bad_beat", "six_card", "progressive", "envy", "cover_all"]
MOST_PLAYERS = 6
FINEST = 0.001
"""Smallest standard error of an estimate; finer ones take minutes."""
MOST_ROWS, LONGEST_ODDS = 24, 40
IN_REQUEST = "the request"
EXAMPLES = {
    OddsKind.TO: "3 to 2",
    OddsKind.FOR: "300 for 1",
    OddsKind.FIXED: "$100",
    OddsKind.METER: "100% of meter",
}
"""Example of a payout of each kind."""
Share = Annotated[str | None, Parameter(max_length=40, description="A share, such as '14.5%' or '29/200'.")]


class OddsAsked(msgspec.Struct, frozen=True, kw_only=True):
    """All parameters of an odds request; each applies to some wagers."""

    rulebook: str | None
    paytable: str | None
    bonus: str | None
    strategy: str | None
    stake: int | None
    meter: int | None
    others: int | None
    envy: str | None
    tie_wins: bool | None
    players: int | None
    precision: float | None
    seed: int | None
    rate: str | None
    reserve: str | None
    fixed_awards: AwardSource | None


class OwnTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A custom paytable: payouts such as '3 to 1' by row."""

    pays: dict[str, str]
    cards: Literal[4, 5] = 4
    """How many cards the progressive uses."""


def odds_asked(
    rulebook: Book = None,
    paytable: Annotated[
        str | None, Parameter(max_length=40, description="The id of a printed table.")
    ] = None,
    bonus: Annotated[
        str | None, Parameter(max_length=40, description="ante: the bonus table, or 'none'.")
    ] = None,
    strategy: Annotated[str | None, Parameter(max_length=40, description="ante: a strategy by name.")] = None,
    stake: Cents = None,
    meter: Cents = None,
    others: Annotated[int | None, Parameter(ge=0, le=6, description="How many other players.")] = None,
    envy: Name = None,
    tie_wins: Annotated[bool | None, Parameter(description="bad_beat: whether a tie pays.")] = None,
    players: Annotated[
        int | None, Parameter(ge=1, le=6, description="cover_all: positions dealt in.")
    ] = None,
    precision: Annotated[
        float | None, Parameter(ge=FINEST, le=1, description="cover_all: the wanted standard error.")
    ] = None,
    seed: Annotated[
        int | None,
        Parameter(ge=0, le=10**12, description="cover_all: random seed. progressive: meter seed in cents."),
    ] = None,
    rate: Share = None,
    reserve: Share = None,
    fixed_awards: Annotated[
        AwardSource | None, Parameter(description="progressive: what pays fixed awards.")
    ] = None,
) -> OddsAsked:
    """Return the parameters of a request."""
    return OddsAsked(
        rulebook=rulebook,
        paytable=paytable,
        bonus=bonus,
        strategy=strategy,
        stake=stake,
        meter=meter,
        others=others,
        envy=envy,
        tie_wins=tie_wins or None,
        players=players,
        precision=precision,
        seed=seed,
        rate=rate,
        reserve=reserve,
        fixed_awards=fixed_awards,
    )


def check_options(wager: Wager, query: OddsAsked) -> None:
    """Refuse a parameter that does not apply to the wager, because it would be ignored."""
    options = {name: getattr(query, name) for name in USED_BY}
    unused = unused_option(wager, options)
    if unused is not None:
        belongs = ", ".join(USED_BY[unused])
        raise BadInputError(f"'{unused}' does not apply to the odds of {wager}; it applies to {belongs}.")
    if query.bonus is not None and query.paytable is not None:
        raise BadInputError("'bonus' and 'paytable' both name the Automatic Bonus table; give only one.")
    check_known("strategy", query.strategy, names())


def question_of(wager: Wager, query: OddsAsked, own: OwnTable | None) -> Question:
    """Return the query for a wager, with its paytable."""
    book = book_named(query.rulebook)
    table_id = query.paytable if query.bonus is None else query.bonus
    return Question(
        wager,
        book,
        table_id if wager == "envy" or (wager == "ante" and table_id == NONE) else None,
        OPTIMAL if query.strategy is None else query.strategy,
        100 if query.stake is None else query.stake,
        query.meter,
        query.others,
        query.envy,
        bool(query.tie_wins),
        _terms(query),
        _table(wager, table_id, book, own),
    )


def _table(wager: Wager, table_id: str | None, book: Rulebook | None, own: OwnTable | None) -> Chosen | None:
    """Return the paytable; None for Envy, which uses schedules, and for an Ante without bonus."""
    if wager == "envy" or (wager == "ante" and table_id == NONE and own is None):
        if own is not None:
            raise BadInputError("Envy uses printed schedules; it cannot have a custom paytable.")
        return None
    of = TABLES[wager]
    return (
        printed_table(of, table_id, book)
        if own is None
        else own_pays(of, own_rows(of, own), IN_REQUEST, book)
    )


def own_rows(wager: OddsWager, own: OwnTable) -> OwnPays:
    """Return a custom paytable as rows and payouts, or refuse an invalid one."""
    if not own.pays:
        raise RefusedError(refuse(Code.PAYTABLE_EMPTY))
    if len(own.pays) > MOST_ROWS or any(
        len(text) > LONGEST_ODDS for pair in own.pays.items() for text in pair
    ):
        raise BadInputError(f"A paytable has at most {MOST_ROWS} rows, each with a payout such as '3 to 1'.")
    for row, payout in own.pays.items():
        if row in (*ROWS[wager], *FIVE_CARD_ROWS) and not _is_payout(wager, payout):
            hand, forms = row.replace("_", " ").capitalize(), listed(EXAMPLES[kind] for kind in AWARDS[wager])
            raise RefusedError(refuse(Code.PAYOUT_UNREADABLE, row=hand, payout=payout, forms=forms))
    try:
        return convert({"pays": dict(own.pays), "cards": own.cards}, OwnPays, IN_REQUEST)
    except RefusedError as error:
        raise BadInputError(str(error)) from None


def _is_payout(wager: OddsWager, text: str) -> bool:
    """Return whether a text is a payout that this wager can have."""
    try:
        return Odds(text).kind in AWARDS[wager]
    except MoneyError:
        return False


def cover_all_chosen(query: OddsAsked, own: OwnTable | None) -> tuple[Chosen, int]:
    """Return the Cover All column or a custom paytable, and the number of players."""
    book, players = book_named(query.rulebook), query.players or MOST_PLAYERS
    check_known("table of Cover All", query.paytable, (MATRIX,))
    printed = cover_all_table(players, MATRIX, book)
    if own is None:
        return printed, players
    return own_pays("cover_all", own_rows("cover_all", own), IN_REQUEST, printed.book), players


def _terms(query: OddsAsked) -> MeterTerms | None:
    """Return how the meter moves, or None if no such parameter is given."""
    parameters = (query.rate, query.reserve, query.fixed_awards, query.seed)
    if all(each is None for each in parameters):
        return None
    if query.rate is None or query.seed is None:
        raise BadInputError("The meter needs both 'rate' and 'seed'; give both.")
    reserve = Fraction(0) if query.reserve is None else share(query.reserve)
    return MeterTerms(share(query.rate), reserve, query.seed, query.fixed_awards or "tray")
