"""Wager facts: what each wager is, when it can be made, when it wins and how it is paid."""

from collections.abc import Callable, Mapping

from fourcard.rules.cited import CitedNode, clauses_of
from fourcard.rules.loading import rulebook as rulebook_named
from fourcard.rules.paytables import paytables_of, selectable_tables
from fourcard.rules.player_rules.facts import (
    INSTRUMENTS,
    UNTIL,
    Facts,
    bet_name,
    bet_names,
    default_setting,
    fact,
    fold_effect,
    hand_size,
    joined,
    number,
    wager_fact,
    with_article,
)
from fourcard.rules.player_rules.special_wager_facts import (
    cover_all_facts,
    envy_facts,
    progressive_facts,
    six_card_facts,
)
from fourcard.rules.rulebook import (
    AnteWager,
    CoverAllWager,
    EnvyWager,
    PlayWager,
    ProgressiveWager,
    Rulebook,
    SixCardWager,
    Wager,
)
from fourcard.wagers import WAGER_LABELS, WAGERS, TableWager, WagerName

STANDARD = "standard"
"""The id of a paytable that its rulebook prints without a name."""
MOST_NAMED = 3
"""Longer lists of paytables are told by their ends."""
FIVE_CARDS = 5
MATRIX = "matrix"
"""The one table of Cover All, which has a column for each number of players."""
OWN_TABLES = {
    "never": "No other payouts are allowed.",
    "floors": "The operator may pay more than its table says, never less.",
    "free": "The operator may also use payouts of its own.",
}


def offer_facts(rulebook: Rulebook) -> Facts:
    """Yield for every wager with a paytable whether it is offered."""
    for name in WAGERS:
        if name in ("ante", "play"):
            continue
        rules, key, topic = rulebook.wager(name), f"offers.{name}", WAGER_LABELS[name]
        if isinstance(rules, Wager):
            always = rules.offered.value == "always"
            text = (
                f"Every table offers {bet_name(name)}." if always else f"A table may offer {bet_name(name)}."
            )
            yield fact(key, topic, text, rules.offered)
        elif isinstance(rules, EnvyWager):
            text = f"{WAGER_LABELS[name]} comes with {bet_name('progressive')}."
            yield fact(key, topic, text, rules.paired, rules.declared)
        else:
            yield fact(key, topic, f"There is no {WAGER_LABELS[name]}.", clauses=rulebook.offer_clauses)


def wager_facts(rulebook: Rulebook, name: WagerName) -> Facts:
    """Yield everything that a player should know about one wager."""
    rules = rulebook.wager(name)
    yield from _what(rulebook, name)
    if isinstance(rules, AnteWager | PlayWager):
        return
    if isinstance(rules, Wager):
        yield from _prerequisites(name, rules)
        yield from _placing(rulebook, name, rules)
        yield from _winning(rulebook, name, rules)
        yield from _tables(rulebook, name, rules)
    if isinstance(rules, SixCardWager):
        yield from six_card_facts(rulebook, rules)
    if isinstance(rules, CoverAllWager):
        yield from cover_all_facts(rulebook, rules)
    if isinstance(rules, ProgressiveWager):
        yield from progressive_facts(rulebook, rules)
    if isinstance(rules, EnvyWager):
        yield from envy_facts(rulebook, rules)


def lowest_row(rulebook: Rulebook, name: TableWager) -> str | None:
    """Return the lowest hand that a wager pays, or None if its tables differ in it."""
    rules = rulebook.wager(name)
    if isinstance(rules, Wager) and rules.lowest is not None:
        return rules.lowest.value
    tables = paytables_of(rulebook, name)
    last = {[*tables[each].pays][-1] for each in selectable_tables(rulebook, name) if each in tables}
    return last.pop() if len(last) == 1 else None


def _what(rulebook: Rulebook, name: WagerName) -> Facts:
    rules = rulebook.wager(name)
    lowest = None if isinstance(rules, AnteWager | PlayWager | EnvyWager) else lowest_row(rulebook, name)
    hand = "a hand of the paytable" if lowest is None else f"{with_article(lowest)} or better"
    text = WHAT.get(name, _generic)(hand, hand_size(name))
    yield wager_fact(name, "what", "what it is", text, clauses=_wager_clauses(rulebook, name))


def _wager_clauses(rulebook: Rulebook, name: WagerName) -> tuple[str, ...]:
    """Return the clauses that say what a wager is."""
    rules = rulebook.wager(name)
    if isinstance(rules, Wager):
        return clauses_of(rules.offered, rules.lowest)
    if isinstance(rules, EnvyWager):
        return clauses_of(rules.bettors_only)
    if isinstance(rules, AnteWager | PlayWager):
        return clauses_of(rules.pays)
    return rulebook.offer_clauses


def _generic(hand: str, _cards: int) -> str:
    return f"Wins with {hand}."


WHAT: Mapping[WagerName, Callable[[str, int], str]] = {
    "ante": lambda *_: "Your bet that your hand beats the dealer's. You make it before the cards.",
    "play": lambda *_: "Your second bet against the dealer. You make it after you have seen your cards.",
    "automatic_bonus": lambda hand, _: f"Extra money on your Ante for {hand}. It needs no bet of its own.",
    "aces_up": lambda hand, _: f"Your bet that your best four cards are {hand}.",
    "bad_beat": lambda hand, _: (
        f"Your bet that {hand} is beaten: you lose with such a hand, or you beat the dealer's."
    ),
    "six_card": lambda hand, cards: (
        f"Your five cards and one bonus card: the best five of these {number(cards)} win with {hand}."
    ),
    "cover_all": lambda hand, _: (
        f"Your bet that the highest hand at the table is {hand}, whoever holds it. Only that hand pays."
    ),
    "progressive": lambda hand, _: f"Wins with {hand}. The best hand takes the jackpot on the meter.",
    "envy": lambda *_: "Pays you for a very high hand of another player. It needs no bet of its own.",
}
"""What each known wager is; another one wins with the hands of its paytable."""


def _prerequisites(name: WagerName, rules: Wager) -> Facts:
    topic = "what it needs"
    if rules.requires_all is not None:
        if "play" in rules.requires_all.value:
            text = "It is paid only if you stay in: who folds gets none."
        else:
            text = f"It needs a bet on {bet_names(rules.requires_all.value)}."
        yield wager_fact(name, "needs", topic, text, rules.requires_all)
    if rules.requires_any is not None:
        text = f"It needs a bet on {bet_names(rules.requires_any.value, 'or')}."
        yield wager_fact(name, "needs", topic, text, rules.requires_any)


def _placing(rulebook: Rulebook, name: WagerName, rules: Wager) -> Facts:
    base = rulebook.wagers.ante.closes
    if rules.closes is not None and (base is None or rules.closes.value != base.value):
        text = f"You can bet on it {UNTIL[rules.closes.value]}."
        yield wager_fact(name, "close", "when betting ends", text, rules.closes)
    if isinstance(rules.instruments, CitedNode):
        names = joined((INSTRUMENTS[each] for each in rules.instruments.value), "or")
        text = f"You bet on it with {names} only."
        yield wager_fact(name, "with", "what you bet with", text, rules.instruments)
    effect = fold_effect(rulebook, name)
    if effect is not None:
        text = "You lose it if you fold." if effect[0] == "lost" else "You keep it if you fold."
        yield wager_fact(name, "fold", "after a fold", text, clauses=effect[1])


def _winning(rulebook: Rulebook, name: WagerName, rules: Wager) -> Facts:
    always = rules.regardless_of_dealer
    if always is not None:
        text = "It is paid even if the dealer's hand is higher."
        if not always.value:
            text = "It is not paid if the dealer's hand is higher."
        yield wager_fact(name, "dealer", "against the dealer", text, always)
    if isinstance(rules.judges_all_cards, CitedNode) and rules.judges_all_cards.value:
        text = "It is judged on all your cards, whichever of them you present."
        yield wager_fact(name, "all", "cards that count", text, rules.judges_all_cards)
    tie = default_setting(rulebook, "bad_beat_tie") if name == "bad_beat" else None
    if tie is not None:
        yield wager_fact(name, "tie", "ties", f"A tie {tie[0]}.", clauses=(tie[1],))


def _tables(rulebook: Rulebook, name: TableWager, rules: Wager) -> Facts:
    ids = [each for each in selectable_tables(rulebook, name) if each != MATRIX]
    printed = paytables_of(rulebook, name)
    topic = "paytables"
    nodes: list[CitedNode | None] = [rules.choices, rules.own_tables, rules.tables_of]
    clauses = clauses_of(*nodes) or clauses_of(*printed.values())
    if len(ids) > 1:
        named = f"{ids[0]} to {ids[-1]}" if len(ids) > MOST_NAMED else joined(ids, "or")
        text = f"The operator chooses one of {number(len(ids))} paytables, {named}."
        yield wager_fact(name, "tables", topic, text, clauses=clauses)
    elif ids and ids != [STANDARD]:
        yield wager_fact(name, "tables", topic, f"One paytable is printed, {ids[0]}.", clauses=clauses)
    five = {each: printed[each] for each in ids if each in printed and printed[each].cards == FIVE_CARDS}
    if five and hand_size(name) != FIVE_CARDS:
        verb = "judges" if len(five) == 1 else "judge"
        text = f"Paytable {joined(five)} {verb} all five of your cards; the others your best four."
        yield wager_fact(name, "five", "cards that count", text, *five.values())
    own = rules.own_tables
    if own is not None:
        yield wager_fact(name, "own", "other payouts", OWN_TABLES[own.value], own)
    if rules.tables_of is not None:
        home = rulebook_named(rules.tables_of.value).name
        text = f"The payouts stand on the layout of the table; those below are printed for {home}."
        yield wager_fact(name, "layout", "where payouts stand", text, rules.tables_of)
    if rules.same_number_as is not None:
        text = f"Its paytable has the same number as that of {bet_name(rules.same_number_as.value)}."
        yield wager_fact(name, "pair", "pairs of paytables", text, rules.same_number_as)
    unused = {each: table for each, table in printed.items() if table.odds_only}
    if unused:
        text = f"The text also prints the tables {joined(unused)}, which no table may use."
        yield wager_fact(name, "unused", "unused paytables", text, *unused.values())
