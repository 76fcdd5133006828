"""Rules page: everything that a player should know about one rulebook, and how it differs from the others."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache

import msgspec

from fourcard.hands import Category
from fourcard.rules.clauses import clauses
from fourcard.rules.loading import rulebook, rulebook_ids
from fourcard.rules.player_rules.facts import Fact, Facts, described_wagers, label_of
from fourcard.rules.player_rules.pay_grid import PayGrid, pay_grids
from fourcard.rules.player_rules.round_facts import (
    betting_facts,
    dealing_facts,
    deciding_facts,
    showdown_facts,
)
from fourcard.rules.player_rules.trouble_facts import leaving_facts, trouble_facts
from fourcard.rules.player_rules.wager_facts import offer_facts, wager_facts
from fourcard.rules.rulebook import Rulebook
from fourcard.wagers import WAGER_LABELS, WagerName

SECTIONS: Mapping[str, tuple[str, Callable[[Rulebook], Facts]]] = {
    "bets": ("Place your bets", betting_facts),
    "deal": ("Get your cards", dealing_facts),
    "decide": ("Fold or play", deciding_facts),
    "show": ("Compare and get paid", showdown_facts),
    "leave": ("Leaving the table", leaving_facts),
    "trouble": ("If something goes wrong", trouble_facts),
}
"""The sections of a page, each with its title and what fills it."""
STEPS = ("bets", "deal", "decide", "show")
"""The sections that are the steps of a round."""
SAID_OTHERWISE = ("bets.optional", "decide.fold", "decide.fold_live")
"""Points that repeat what others say of each wager, and so are no differences of their own."""
EXAMPLES: Mapping[Category, str] = {
    Category.FOUR_OF_A_KIND: "9s 9h 9d 9c",
    Category.STRAIGHT_FLUSH: "Th 9h 8h 7h",
    Category.THREE_OF_A_KIND: "Qs Qd Qc 5h",
    Category.FLUSH: "Ac Jc 8c 3c",
    Category.STRAIGHT: "6d 5s 4h 3c",
    Category.TWO_PAIR: "Ks Kd 7h 7c",
    Category.PAIR: "Ah Ad Ts 4c",
    Category.HIGH_CARD: "Kc Jd 9s 2h",
}


class RulesSentence(msgspec.Struct, frozen=True):
    """One sentence with the clauses behind it."""

    topic: str
    text: str
    clauses: tuple[str, ...]


class RulesSection(msgspec.Struct, frozen=True):
    """A part of the page."""

    id: str
    title: str
    step: bool
    """Whether it is a step of a round."""
    sentences: tuple[RulesSentence, ...]


class WagerRules(msgspec.Struct, frozen=True):
    """One wager: what it is and what it pays."""

    wager: str
    label: str
    offered: RulesSentence | None
    sentences: tuple[RulesSentence, ...]
    grids: tuple[PayGrid, ...]


class RankedHand(msgspec.Struct, frozen=True):
    """One kind of hand with an example."""

    hand: str
    label: str
    cards: str


class HandRanking(msgspec.Struct, frozen=True):
    """Every kind of hand, the best first, and how equal kinds compare."""

    hands: tuple[RankedHand, ...]
    sentences: tuple[RulesSentence, ...]


class OtherRules(msgspec.Struct, frozen=True):
    """What other rulebooks say on a point."""

    rulebooks: tuple[str, ...]
    names: tuple[str, ...]
    sentence: RulesSentence


class RulesDifference(msgspec.Struct, frozen=True):
    """A point on which other rulebooks differ from this one."""

    topic: str
    section: str
    here: RulesSentence
    elsewhere: tuple[OtherRules, ...]


class RulesPage(msgspec.Struct, frozen=True):
    """The rules of one edition of a rulebook."""

    edition: str
    sections: tuple[RulesSection, ...]
    wagers: tuple[WagerRules, ...]
    ranking: HandRanking
    differences: tuple[RulesDifference, ...]


class RulebookRules(msgspec.Struct, frozen=True):
    """The rules of one rulebook in every edition."""

    id: str
    name: str
    authority: str
    document: str
    editions: tuple[str, ...]
    default_edition: str
    pages: tuple[RulesPage, ...]
    """One page for each edition, the default edition first."""


class RulebookEntry(msgspec.Struct, frozen=True):
    """A rulebook in the list of all."""

    id: str
    name: str
    authority: str
    document: str
    editions: tuple[str, ...]
    wagers: tuple[str, ...]
    """The names of its wagers, in the default edition."""


class RulebookList(msgspec.Struct, frozen=True):
    """Every rulebook, in the order of the sources."""

    rulebooks: tuple[RulebookEntry, ...]


def rulebook_list() -> RulebookList:
    """Return the list of all rulebooks."""
    return RulebookList(tuple(map(_entry, map(rulebook, rulebook_ids()))))


def _entry(chosen: Rulebook) -> RulebookEntry:
    labels = tuple(WAGER_LABELS[name] for name in described_wagers(chosen))
    return RulebookEntry(chosen.id, chosen.name, chosen.authority, chosen.document, chosen.editions, labels)


def rulebook_rules(name: str) -> RulebookRules:
    """Return the pages of a rulebook."""
    default = rulebook(name)
    editions = (default.edition, *(each for each in default.editions if each != default.edition))
    return RulebookRules(
        id=default.id,
        name=default.name,
        authority=default.authority,
        document=default.document,
        editions=editions,
        default_edition=default.edition,
        pages=tuple(rules_page(rulebook(name, edition)) for edition in editions),
    )


def rules_page(chosen: Rulebook) -> RulesPage:
    """Return the page of a rulebook in one edition."""
    return RulesPage(
        edition=chosen.edition,
        sections=tuple(
            RulesSection(key, title, key in STEPS, _sentences(facts(chosen)))
            for key, (title, facts) in SECTIONS.items()
        ),
        wagers=tuple(_wager_rules(chosen, name) for name in described_wagers(chosen)),
        ranking=_ranking(chosen),
        differences=tuple(_differences(chosen)),
    )


def _sentences(facts: Iterable[Fact]) -> tuple[RulesSentence, ...]:
    return tuple(RulesSentence(each.topic, each.text, each.clauses) for each in facts)


def _wager_rules(chosen: Rulebook, name: WagerName) -> WagerRules:
    offered = [each for each in offer_facts(chosen) if each.key == f"offers.{name}"]
    return WagerRules(
        wager=name,
        label=WAGER_LABELS[name],
        offered=_sentences(offered)[0] if offered else None,
        sentences=_sentences(wager_facts(chosen, name)),
        grids=pay_grids(chosen, name),
    )


def _ranking(chosen: Rulebook) -> HandRanking:
    topic = tuple(
        each.id for each in clauses().values() if each.source == chosen.source and each.topic == "ranking"
    )
    texts = (
        "Of two hands of one kind, the higher ranks win, then the highest card that only one hand has.",
        "An ace is high; it is low only in 4-3-2-A. Suits are equal.",
    )
    return HandRanking(
        hands=tuple(
            RankedHand(each.text, label_of(each.text), EXAMPLES[each]) for each in reversed(Category)
        ),
        sentences=tuple(RulesSentence("Ranking", text, topic) for text in texts),
    )


def _differences(chosen: Rulebook) -> Iterator[RulesDifference]:
    """Yield the points on which others say something else, in the order of the page; silence is not shown."""
    others = [each for each in _compared() if (each.id, each.edition) != (chosen.id, chosen.edition)]
    for key, here in _points(chosen).items():
        if key in SAID_OTHERWISE or key.endswith(".what"):
            continue
        elsewhere: dict[str, list[Rulebook]] = {}
        for each in others:
            there = _points(each).get(key)
            if there is not None and there.text != here.text:
                elsewhere.setdefault(there.text, []).append(each)
        found = tuple(
            OtherRules(_ids(books), _names(books), _points(books[0])[key]) for books in elsewhere.values()
        )
        if found:
            yield RulesDifference(here.topic, key.partition(".")[0], here, found)


def _ids(books: Iterable[Rulebook]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.id for each in books))


def _names(books: Sequence[Rulebook]) -> tuple[str, ...]:
    """Return the names of rulebooks, with the edition unless every edition says the same."""
    said = Counter(each.id for each in books)
    return tuple(
        dict.fromkeys(
            each.name if said[each.id] == len(each.editions) else edition_name(each) for each in books
        )
    )


def edition_name(chosen: Rulebook) -> str:
    """Return a rulebook's name, with the edition where it has several."""
    return f"{chosen.name} ({chosen.edition} edition)" if len(chosen.editions) > 1 else chosen.name


@cache
def _compared() -> tuple[Rulebook, ...]:
    """Return every rulebook that a page compares with: all editions."""
    return tuple(rulebook(name, edition) for name in rulebook_ids() for edition in rulebook(name).editions)


def _points(chosen: Rulebook) -> Mapping[str, RulesSentence]:
    return _points_of(chosen.id, chosen.edition)


@cache
def _points_of(name: str, edition: str) -> Mapping[str, RulesSentence]:
    """Return the sentences of a rulebook by point; several on one point are one text."""
    chosen = rulebook(name, edition)
    found: dict[str, list[Fact]] = {}
    for each in _every_fact(chosen):
        found.setdefault(each.key, []).append(each)
    return {
        key: RulesSentence(
            several[0].topic,
            " ".join(each.text for each in several),
            tuple(dict.fromkeys(clause for each in several for clause in each.clauses)),
        )
        for key, several in found.items()
    }


def _every_fact(chosen: Rulebook) -> Facts:
    yield from offer_facts(chosen)
    for _, facts in SECTIONS.values():
        yield from facts(chosen)
    for name in described_wagers(chosen):
        yield from wager_facts(chosen, name)
