"""Checks on posted and legal limits, chips and betting positions."""

from collections.abc import Iterator

from fourcard.money import dollars
from fourcard.refusals import Code
from fourcard.rules.checks.finding import Case, Finding, error, ruled
from fourcard.rules.nodes import LIMITED_WAGERS, WAGER_LABELS, WAGERS, LimitedWager, cite, holds
from fourcard.rules.rulebook import Limited, PlayWager
from fourcard.rules.submission import PostedLimits


def check_limits(case: Case) -> Iterator[Finding]:
    """Yield what is wrong with the posted limits and the legal limit."""
    for name in LIMITED_WAGERS:
        wager = case.rulebook.wager(name)
        posted = case.submission.limits.posted.get(name)
        if posted is not None and not (isinstance(wager, Limited) and case.offers(name)):
            yield ruled("error", Code.LIMITS_WITHOUT_WAGER, _where(name), ("P8",), wager=WAGER_LABELS[name])
        elif isinstance(wager, Limited) and posted is not None:
            yield from _posted(case, name, wager, posted)
        elif isinstance(wager, Limited) and case.offers(name) and holds(wager.posted_limits):
            yield error(Code.LIMITS_MISSING, _where(name), wager.posted_limits, wager=WAGER_LABELS[name])
    yield from _legal_limit_given(case)


def _posted(case: Case, name: LimitedWager, wager: Limited, posted: PostedLimits) -> Iterator[Finding]:
    label, chip, legal = WAGER_LABELS[name], case.submission.chip, case.submission.limits.legal
    if not 0 < posted.least <= posted.most:
        clauses = cite(wager.posted_limits) or ("P8",)
        figures: dict[str, object] = {"least": dollars(posted.least), "most": dollars(posted.most)}
        yield ruled("error", Code.LIMITS_INVERTED, _where(name), clauses, wager=label, **figures)
    for amount in dict.fromkeys((posted.least, posted.most)):
        if amount % chip:
            figures = {"amount": dollars(amount), "chip": dollars(chip)}
            yield ruled("error", Code.LIMITS_NOT_IN_CHIPS, _where(name), ("P7",), wager=label, **figures)
    if holds(wager.legal_limit) and legal is not None and posted.most > legal:
        figures = {"most": dollars(posted.most), "legal": dollars(legal)}
        yield error(Code.POSTED_OVER_LEGAL, _where(name), wager.legal_limit, wager=label, **figures)


def _where(name: LimitedWager) -> str:
    return f"limits.posted.{name}"


def _legal_limit_given(case: Case) -> Iterator[Finding]:
    """Require the legal limit where a law sets one; no source prints its figure (R31)."""
    if case.submission.limits.legal is not None:
        return
    offered = (case.rulebook.wager(name) for name in WAGERS if case.offers(name))
    bound = [w.legal_limit for w in offered if isinstance(w, Limited | PlayWager) and holds(w.legal_limit)]
    if bound:
        yield error(Code.LEGAL_LIMIT_MISSING, "limits.legal", *bound, reference=case.rulebook.legal_reference)


def check_positions(case: Case) -> Iterator[Finding]:
    """Yield what is wrong with the number of positions and who may hold them."""
    rules, choice = case.rulebook.positions, case.submission.positions
    if not 1 <= choice.at_table <= rules.at_table.value:
        figures: dict[str, object] = {"most": rules.at_table.value, "count": choice.at_table}
        yield error(Code.TABLE_POSITIONS, "positions.at_table", rules.at_table, **figures)
    held, most = choice.per_player, _most_per_player(case)
    if held is None:
        if holds(rules.per_player_declared):
            yield error(Code.POSITIONS_PER_PLAYER_MISSING, "positions.per_player", rules.per_player_declared)
    elif not 1 <= held <= most:
        cited = rules.per_player or rules.several
        figures = {"most": f"{most} position{'s' * (most > 1)}", "count": held}
        yield error(Code.POSITIONS_PER_PLAYER, "positions.per_player", cited, **figures)
    if choice.adjacent is False and holds(rules.adjacent):
        yield error(Code.POSITIONS_MUST_ADJOIN, "positions.adjacent", rules.adjacent)
    yield from _cover_all_columns(case)


def _most_per_player(case: Case) -> int:
    """Return how many positions the rulebook lets one player hold at this table."""
    rules, seats = case.rulebook.positions, case.submission.positions.at_table
    if not rules.several.value:
        return 1
    return min(seats, rules.per_player.value) if rules.per_player is not None else seats


def _cover_all_columns(case: Case) -> Iterator[Finding]:
    """Refuse Cover All at a table with more positions than the matrix has columns for (R46)."""
    cover_all = case.rulebook.wagers.cover_all
    if cover_all is None or not case.offers("cover_all"):
        return
    count = case.submission.positions.at_table
    if cover_all.column(count) is None:
        most = max(map(int, cover_all.columns)) - cover_all.dealer_counts.value
        clauses = ("R46", *cover_all.dealer_counts.clauses)
        figures = {"count": count, "most": most}
        yield ruled("error", Code.COVER_ALL_COLUMN_MISSING, "positions.at_table", clauses, **figures)
