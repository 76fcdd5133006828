"""Trouble facts: leaving the table, and what follows when something goes wrong in a round."""

from collections.abc import Sequence

from fourcard.rules.cited import Cited
from fourcard.rules.player_rules.facts import Fact, Facts, allowed_methods, fact, joined
from fourcard.rules.procedures import Consequence, Consequences, IrregularityKind, Stage
from fourcard.rules.rulebook import Rulebook

CASES: dict[IrregularityKind, tuple[str, str]] = {
    "one_face_up_card": ("A card found face up", "If a card lies face up in the deck"),
    "more_face_up_cards": ("Several cards found face up", "If more than one card lies face up in the deck"),
    "card_drawn_in_error": (
        "A card drawn by mistake",
        "If a card is drawn by mistake and nobody has seen it",
    ),
    "wrong_number_of_cards": ("A wrong number of cards", "If any hand has a wrong number of cards"),
    "dealer_card_exposed": (
        "A hidden card of the dealer's is seen",
        "If a hidden card of the dealer's is seen",
    ),
    "player_card_exposed": ("A player's card is seen", "If a player's card is seen by others"),
    "shuffler_failure": ("The shuffling machine fails", "If the shuffling machine fails"),
    "shoe_failure": ("The dealing machine fails", "If the dealing machine fails"),
    "cards_on_play_without_chips": (
        "Cards on the Play spot without chips",
        "If you lay your cards on the Play spot without chips",
    ),
}
"""The name of each case, and the first half of its sentence."""
CONSEQUENCES: dict[Consequence, tuple[str, ...]] = {
    "continue": ("play goes on",),
    "discard-card": ("that card is put away and not used",),
    "use-as-next": ("it is used as the next card",),
    "ask": ("the dealer asks you whether you stay in or fold",),
    "void": ("the round is void", "all bets go back"),
    "void-if-dealt": ("the round is void if any card was dealt", "all bets then go back"),
    "return-wagers": (),
    "reshuffle": ("the cards are shuffled again",),
    "reshuffle-all": ("all cards are shuffled again",),
    "remove-deck": ("the deck leaves the table",),
}
"""The other half; a void round returns all wagers wherever the rules do not say so themselves (R69)."""
BETS_GO_BACK = "R69"
STAGE_WORDS: dict[tuple[Stage, ...], str] = {
    ("dealing",): " during the deal",
    ("betting",): " before the deal",
    ("betting", "dealing"): " before or during the deal",
    ("stub", "deciding", "settling"): " after the deal",
}


def leaving_facts(rulebook: Rulebook) -> Facts:
    """Yield what a player who leaves should know."""
    if rulebook.wagering.stay_seated.value:
        text = "Once you have a bet and cards, stay in your seat until the round is over."
        yield fact("leave.stay", "Staying seated", text, rulebook.wagering.stay_seated)
    rule = rulebook.leaving_may_lose_wagers
    if rule.value:
        text = "If you leave during a round, your bets may be treated as lost: a supervisor decides."
    else:
        text = "If you leave during a round, your bets stay in play."
    yield fact("leave.bets", "Leaving during a round", text, rule, clauses=("R36",) if rule.value else ())


def trouble_facts(rulebook: Rulebook) -> Facts:
    """Yield what follows from everything that can go wrong and that a player would notice."""
    for kind, rule in rulebook.irregularities.items():
        yield _case(f"trouble.{kind}", kind, rule)
        if isinstance(rule.later, Consequences):
            yield _case(f"trouble.{kind}.later", kind, rule.later)
    yield from _wrong_counts(rulebook)
    fallback = rulebook.devices.fallback
    if fallback is not None:
        text = "While the shuffling machine is out of order, the dealer shuffles and deals by hand."
        yield fact("trouble.fallback", "No shuffling machine", text, fallback)


def _case(key: str, kind: IrregularityKind, rule: Consequences) -> Fact:
    topic, start = CASES[kind]
    when = STAGE_WORDS.get(rule.during, "")
    return fact(key, topic, f"{start}{when}, {_what_follows(rule.value)}.", rule, clauses=_added(rule.value))


def _what_follows(consequences: Sequence[Consequence]) -> str:
    return joined(words for each in consequences for words in CONSEQUENCES[each])


def _added(consequences: Sequence[Consequence]) -> tuple[str, ...]:
    """Return the ruling by which bets go back where the rules only say that the round is void."""
    void = {"void", "void-if-dealt"} & {*consequences}
    return (BETS_GO_BACK,) if void and "return-wagers" not in consequences else ()


def _wrong_counts(rulebook: Rulebook) -> Facts:
    rules = [rulebook.dealing[method].counting for method in allowed_methods(rulebook)]
    by_words: dict[str, list[Cited[tuple[Consequence, ...]]]] = {}
    for each in rules:
        by_words.setdefault(_what_follows(each.wrong_deck.value), []).append(each.wrong_deck)
    for words, nodes in by_words.items():
        added = (clause for node in nodes for clause in _added(node.value))
        text = f"If a count finds that the deck is not complete, {words}."
        yield fact("trouble.deck", "An incomplete deck", text, *nodes, clauses=added)
