"""Wager limits: amounts, prerequisites, deadlines and positions, each refusal with its clause."""

from bisect import bisect_left
from collections.abc import Collection, Sequence
from typing import Literal, get_args

from fourcard.money import dollars
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal, refuse
from fourcard.rules.checks.finding import join_or
from fourcard.rules.cited import Cited, clauses_of, is_set
from fourcard.rules.game import Game
from fourcard.rules.rulebook import Limited, Wager
from fourcard.wagers import WAGER_LABELS, LimitedWager, WagerName

BettingMoment = Literal["betting", "no-more-bets", "first-card"]
BETTING_MOMENTS: tuple[BettingMoment, ...] = get_args(BettingMoment)
"""While bets are open; from "no more bets" or the progressive's lock-out; from the first card."""


def wager_refusal(game: Game, name: LimitedWager, amount: int) -> Refusal | None:
    """Return why this amount of a wager that the game offers is refused, or None."""
    if amount <= 0 or amount % game.submission.chip:
        figures = {"wager": WAGER_LABELS[name], "amount": dollars(amount)}
        return refuse(Code.WAGER_NOT_IN_CHIPS, ("P7",), chip=dollars(game.submission.chip), **figures)
    return limit_refusal(game, name, amount)


def least_wager(game: Game, name: LimitedWager) -> int:
    """Return the posted minimum of a wager in cents, or one chip where none is posted."""
    posted = game.submission.limits.posted.get(name)
    return int(game.submission.chip if posted is None else posted.least)


def limit_refusal(game: Game, name: LimitedWager, amount: int) -> Refusal | None:
    """Return which posted or legal limit a wager breaks, or None; missing limits are not checked."""
    wager = game.rulebook.wager(name)
    if not isinstance(wager, Limited):
        return None
    posted, legal = game.submission.limits.posted.get(name), game.submission.limits.legal
    figures = {"wager": WAGER_LABELS[name], "amount": dollars(amount)}
    clauses = clauses_of(wager.posted_limits) or ("P8",)
    if posted is not None and amount < posted.least:
        return refuse(Code.WAGER_BELOW_LEAST, clauses, least=dollars(posted.least), **figures)
    if posted is not None and amount > posted.most:
        return refuse(Code.WAGER_ABOVE_MOST, clauses, most=dollars(posted.most), **figures)
    if is_set(wager.legal_limit) and legal is not None and amount > legal:
        return refuse(
            Code.WAGER_ABOVE_LEGAL_LIMIT, clauses_of(wager.legal_limit), most=dollars(legal), **figures
        )
    return None


def play_refusal(game: Game, ante: int, play: int) -> Refusal | None:
    """Return why a Play wager on this Ante is refused, or None (R29, R30)."""
    rules, chip = game.rulebook.wagers.play, game.submission.chip
    if play < rules.least.value * ante:
        return _size_refusal(Code.PLAY_TOO_SMALL, rules.least, ante, play)
    if play > rules.most.value * ante:
        return _size_refusal(Code.PLAY_TOO_LARGE, rules.most, ante, play)
    if rules.whole_multiples.value and play % ante:
        return _size_refusal(Code.PLAY_NOT_A_MULTIPLE, rules.whole_multiples, ante, play)
    if play % chip:
        return refuse(Code.WAGER_NOT_IN_CHIPS, ("P7",), amount=dollars(play), chip=dollars(chip))
    return _play_cap_refusal(game, play)


def plays_allowed(game: Game, ante: int, money: int | None = None) -> range:
    """Return the allowed Play wagers on an Ante, capped by the player's money if given."""
    rules = game.rulebook.wagers.play
    least, most = rules.least.value * ante, rules.most.value * ante
    most = most if money is None else min(most, money)
    step = ante if rules.whole_multiples.value else int(game.submission.chip)
    covered = range(least, most + 1, step)
    allowed = bisect_left(covered, True, key=lambda play: play_refusal(game, ante, play) is not None)
    return covered[:allowed]


def _size_refusal(code: Code, rule: Cited[int] | Cited[bool], ante: int, play: int) -> Refusal:
    return refuse(code, clauses_of(rule), multiple=rule.value, amount=dollars(play), ante=dollars(ante))


def _play_cap_refusal(game: Game, play: int) -> Refusal | None:
    """Check a Play wager against the legal limit, and the posted maximum if the rulebook says so (R30)."""
    rules, limits = game.rulebook.wagers.play, game.submission.limits
    posted, legal = limits.posted.get("ante"), limits.legal
    if rules.posted_maximum_binds.value and posted is not None and play > posted.most:
        return _cap_refusal(Code.WAGER_ABOVE_MOST, rules.posted_maximum_binds, posted.most, play)
    if is_set(rules.legal_limit) and legal is not None and play > legal:
        return _cap_refusal(Code.WAGER_ABOVE_LEGAL_LIMIT, rules.legal_limit, legal, play)
    return None


def _cap_refusal(code: Code, rule: Cited[bool], most: int, play: int) -> Refusal:
    figures = {"amount": dollars(play), "wager": WAGER_LABELS["play"], "most": dollars(most)}
    return refuse(code, clauses_of(rule), **figures)


def stake_refusal(game: Game, amount: int) -> Refusal | None:
    """Return why this amount of a progressive wager, which the game offers, is refused, or None."""
    rules, choice = game.rulebook.wagers.progressive, game.submission.progressive
    assert rules is not None
    assert choice is not None
    if amount not in choice.stakes:
        figures = {"amount": dollars(amount), "known": join_or(map(dollars, choice.stakes))}
        return refuse(Code.STAKE_NOT_TAKEN, clauses_of(rules.stakes or rules.stake_unit), **figures)
    return None


def prerequisite_refusal(game: Game, name: WagerName, placed: Collection[WagerName]) -> Refusal | None:
    """Return which prerequisite of a wager is missing at its position, or None."""
    wager = game.rulebook.wager(name)
    if not isinstance(wager, Wager):
        return None
    label = WAGER_LABELS[name]
    every, some = wager.requires_all, wager.requires_any
    if every is not None and not set(every.value).issubset(placed):
        needed = " and ".join(WAGER_LABELS[other] for other in every.value)
        return refuse(Code.PREREQUISITE_MISSING, clauses_of(every), wager=label, needed=f"the {needed} wager")
    if some is not None and not set(some.value) & set(placed) and not _waived(game, name):
        needed = join_or(WAGER_LABELS[other] for other in some.value)
        return refuse(Code.PREREQUISITE_MISSING, clauses_of(some), wager=label, needed=f"the {needed} wager")
    return None


def _waived(game: Game, name: WagerName) -> bool:
    """Say whether a policy setting waives the prerequisite (R45)."""
    return name == "cover_all" and game.settings.get("cover_all_requires") == "nothing"


def deadline_refusal(game: Game, name: WagerName, moment: BettingMoment) -> Refusal | None:
    """Return why a wager is too late at a moment of the round, or None.

    A wager without a deadline in the rulebook closes with the Ante. Where a lock-out closes the other bets
    too (R95), the progressive closes by the clause on the lock-out.
    """
    wager = game.rulebook.wager(name)
    closes = wager.closes if isinstance(wager, Limited) else None
    closes = closes or game.rulebook.wagers.ante.closes
    if closes is None:
        return None
    event: BettingMoment = "first-card" if closes.value == "first-card" else "no-more-bets"
    if closes.value == "lock-out" and not game.offers("progressive"):
        event = "first-card"
    if BETTING_MOMENTS.index(moment) < BETTING_MOMENTS.index(event):
        return None
    words = {"no-more-bets": "no more bets", "first-card": "the first card is out"}
    locked = name == "progressive" and closes.value == "lock-out"
    steps = game.rulebook.dealing[game.submission.dealing.method].before_cards
    clauses = clauses_of(steps.get("lock_out") if locked else closes)
    return refuse(Code.BETTING_CLOSED, clauses, wager=WAGER_LABELS[name], event=words[event])


def positions_refusal(game: Game, positions: Sequence[int]) -> Refusal | None:
    """Return why one player may not bet at these positions, or None."""
    rules, choice = game.rulebook.positions, game.submission.positions
    for position in positions:
        if not 1 <= position <= choice.at_table:
            figures = {"position": position, "most": choice.at_table}
            return refuse(Code.POSITION_UNKNOWN, clauses_of(rules.at_table), **figures)
    if len(set(positions)) > game.positions_per_player:
        most = game.positions_per_player
        words = f"{most} position{'s' if most > 1 else ''}"
        clauses = clauses_of(rules.per_player or rules.several) if choice.per_player is not None else ("P1",)
        return refuse(Code.TOO_MANY_POSITIONS, clauses, most=words, count=len(set(positions)))
    held = sorted(set(positions))
    if game.positions_adjoin and held[-1] - held[0] != len(held) - 1:
        clauses = clauses_of(rules.adjacent or rules.several)
        return refuse(Code.POSITIONS_NOT_ADJACENT, clauses, positions=" and ".join(map(str, held)))
    return None
