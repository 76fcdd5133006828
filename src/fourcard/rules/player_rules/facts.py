"""Facts: one sentence for players on one point of a rulebook, with the clauses behind it.

Two rulebooks differ on a point where their sentences differ, so a sentence never names its rulebook.
"""

from collections.abc import Iterable, Iterator, Mapping

import msgspec
from msgspec import UnsetType

from fourcard.rules.cited import CitedNode, clauses_of
from fourcard.rules.clauses import SettingValue, settings
from fourcard.rules.procedures import DealingMethod
from fourcard.rules.rulebook import Closing, Limited, Role, Rulebook
from fourcard.wagers import SPECIFICATIONS, WAGER_LABELS, WAGERS, Instrument, WagerName

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
INSTRUMENTS: Mapping[Instrument, str] = {
    "chip": "chips",
    "plaque": "plaques",
    "match-play-coupon": "match play coupons",
    "approved-instrument": "other approved instruments",
    "cash": "cash",
}
METHODS: Mapping[DealingMethod, str] = {
    "shoe": "from a dealing shoe",
    "hand": "from the dealer's hand",
    "automated": "by a machine that deals whole hands",
    "manual": "card by card, by the dealer",
}
ROLES: Mapping[Role, str] = {
    "player": "the player",
    "owner": "the player whose cards they are",
    "dealer": "the dealer",
    "floorperson": "a floorperson",
    "floorperson-or-above": "a floorperson or above",
    "supervisor": "a supervisor",
    "casino-supervisor": "a casino supervisor",
    "executive": "an executive",
}
UNTIL: Mapping[Closing, str] = {
    "no-more-bets": "until the dealer says “No more bets”",
    "lock-out": "until the dealer locks in the progressive bets, or until the first card where there is none",
    "first-card": "until the first card is dealt",
}


class Fact(msgspec.Struct, frozen=True):
    """What one rulebook says on one point."""

    key: str
    """Names the point in every rulebook: ``bets.close``."""
    topic: str
    """The point in a few words."""
    text: str
    clauses: tuple[str, ...]


Facts = Iterator[Fact]


def fact(
    key: str, topic: str, text: str, *nodes: CitedNode | UnsetType | None, clauses: Iterable[str] = ()
) -> Fact:
    """Return a fact with the clauses of its nodes."""
    return Fact(key, topic, text, tuple(dict.fromkeys((*clauses_of(*nodes), *clauses))))


def number(count: int) -> str:
    """Return a small number as a word."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def joined(items: Iterable[object], word: str = "and") -> str:
    """Return items as ``A, B and C``."""
    *most, last = [str(item) for item in items] or ["nothing"]
    return f"{', '.join(most)} {word} {last}" if most else last


def sentence(text: str) -> str:
    """Return a text with a capital first letter and a full stop."""
    return f"{text[:1].upper()}{text[1:]}."


def label_of(row: str) -> str:
    """Return a row of a paytable as it is said: ``pair of aces``."""
    return row.replace("_", " ")


def bet_name(wager: WagerName) -> str:
    """Return a wager as it stands in a sentence: ``the Ante``, ``Aces Up``."""
    with_article = wager in ("ante", "automatic_bonus", "bad_beat", "six_card", "progressive")
    return f"the {WAGER_LABELS[wager]}" if with_article else WAGER_LABELS[wager]


def bet_names(wagers: Iterable[WagerName], word: str = "and") -> str:
    """Return wagers in their order as ``the Ante, Play and Aces Up``."""
    chosen = {*wagers}
    return joined((bet_name(name) for name in WAGERS if name in chosen), word)


def described_wagers(rulebook: Rulebook) -> tuple[WagerName, ...]:
    """Return the wagers that a rulebook describes."""
    return tuple(name for name in WAGERS if rulebook.wager(name) is not None)


def allowed_methods(rulebook: Rulebook) -> tuple[DealingMethod, ...]:
    """Return the dealing methods that a rulebook allows."""
    return tuple(method for method, dealing in rulebook.dealing.items() if dealing.allowed.value)


def default_setting(rulebook: Rulebook, name: str) -> tuple[SettingValue, str] | None:
    """Return the default of a policy that a rulebook leaves to the operator, and its ruling; or None."""
    address, setting = settings()[name]
    return (setting.default, address) if setting.open_in(rulebook.id) else None


def fold_effect(rulebook: Rulebook, wager: WagerName) -> tuple[str, tuple[str, ...]] | None:
    """Return what a fold does to a wager, and the clauses; a policy where the rulebook is silent."""
    rules = rulebook.wager(wager)
    if isinstance(rules, Limited) and rules.on_fold is not None:
        return rules.on_fold.value, rules.on_fold.clauses
    chosen = default_setting(rulebook, "progressive_on_fold") if wager == "progressive" and rules else None
    return None if chosen is None else (str(chosen[0]), (chosen[1],))


def hand_size(wager: WagerName) -> int:
    """Return how many cards the tables of a wager judge."""
    return SPECIFICATIONS[wager].cards


def wager_fact(
    name: WagerName,
    point: str,
    words: str,
    text: str,
    *nodes: CitedNode | UnsetType | None,
    clauses: Iterable[str] = (),
) -> Fact:
    """Return a fact on a point of one wager, whose topic begins with the wager's name."""
    topic = f"{WAGER_LABELS[name]}: {words}"
    return fact(f"wager.{name}.{point}", topic, text, *nodes, clauses=clauses)


def with_article(row: str) -> str:
    """Return a row as one says it: ``a pair of aces``, but ``three of a kind``."""
    return f"a {label_of(row)}" if row.startswith(("pair", "straight", "flush", "full")) else label_of(row)
