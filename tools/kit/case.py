"""What a round of the kit is made of: a rulebook in one edition, seats, and what the round shows."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from fourcard.refusals import Code
from fourcard.rules.loading import rulebook
from fourcard.rules.nodes import TABLE_WAGERS, WAGER_LABELS, TableWager, WagerName
from fourcard.rules.paytables import selectable
from fourcard.rules.rulebook import Rulebook, Wager
from tests.second.tables import award
from tools.kit.clauses import clauses

Line = dict[str, Any]
Nets = Mapping[tuple[int, WagerName], int]
Said = tuple[str, str, Iterable[str]]
"""The name of a round, what it shows, and the clauses that it is about."""
ANTE, ACES_UP, SIDE, DOLLAR = 1000, 500, 500, 100
METER, RESET = 1_234_567, 1_000_000


class Case(msgspec.Struct, frozen=True):
    """One round of the kit before it is settled."""

    shows: str
    clauses: tuple[str, ...]
    round: Line
    nets: Nets
    """What the sentence promises, worked out from its own words, by position and wager."""
    refusal: Code | None
    """Why the round is refused, where it is."""


class House(msgspec.Struct, frozen=True):
    """A rulebook in one edition, with the short name that its rounds begin with."""

    code: str
    rulebook: str
    edition: str | None
    title: str

    @property
    def book(self) -> Rulebook:
        """Return the law."""
        return rulebook(self.rulebook, self.edition)

    def wager(self, name: WagerName) -> Wager:
        """Return what the law says of a wager that pays by a table."""
        found = self.book.wager(name)
        if not isinstance(found, Wager):
            raise TypeError(f"{self.title} has no table for {name}")
        return found

    @property
    def offered(self) -> tuple[TableWager, ...]:
        """Return the wagers with a table that the law describes."""
        return tuple(name for name in TABLE_WAGERS if self.book.wager(name) is not None)

    @property
    def side_wagers(self) -> tuple[TableWager, ...]:
        """Return the wagers that are placed beside an Ante."""
        return tuple(name for name in self.offered if name != "automatic_bonus")

    def about(self, *topics: str) -> tuple[str, ...]:
        """Return the clauses of some topics."""
        return clauses(self.rulebook, *topics)

    def options(self, *names: TableWager, **more: object) -> Line:
        """Return options with the first table of some wagers, or of all."""
        return {**{name: selectable(self.book, name)[0] for name in names or self.offered}, **more}

    def case(self, said: Said, seats: Iterable[Line], dealer: str, **more: Any) -> Case:
        """Return a round at a table of this house; more are keys of the round, or of the case."""
        name, shows, ids = said
        nets, refusal, options = (more.pop(key, None) for key in ("nets", "refusal", "options"))
        line: Line = {"id": f"{self.code}-{name}", "rulebook": self.rulebook}
        if self.edition is not None:
            line["edition"] = self.edition
        line |= {"options": options or {}, "seats": list(seats), "dealer": dealer}
        line |= {key: value for key, value in more.items() if value is not None}
        return Case(f"{self.title}: {shows}", tuple(dict.fromkeys(ids)), line, nets or {}, refusal)


MASSACHUSETTS = House("ma", "massachusetts", None, "Massachusetts")
SHUFFLE_MASTER = House("sm", "shuffle-master", None, "Shuffle Master")
EXISTING = House("mdx", "maryland", "existing", "Maryland, existing")
PROPOSED = House("md", "maryland", "proposed", "Maryland, proposed")
WASHINGTON = House("wa", "washington", None, "Washington")
CATFISH_BEND = House("ia", "catfish-bend", None, "Catfish Bend")
HOUSES = (MASSACHUSETTS, SHUFFLE_MASTER, EXISTING, PROPOSED, WASHINGTON, CATFISH_BEND)
OWN_WORDS = (MASSACHUSETTS, SHUFFLE_MASTER, PROPOSED, WASHINGTON, CATFISH_BEND)
"""One house a rulebook: what both editions of Maryland say in the same words is shown once."""
MARYLAND = (EXISTING, PROPOSED)
WITH_METER = (MASSACHUSETTS, SHUFFLE_MASTER, EXISTING, PROPOSED, WASHINGTON)
WITH_BAD_BEAT = (SHUFFLE_MASTER, WASHINGTON)


def seat(cards: str, position: int = 1, /, **wagers: Any) -> Line:
    """Return a seat; ``play``, ``player`` and ``left`` stand among the wagers for short."""
    aside: Line = {key: wagers.pop(key) for key in ("player", "play", "left") if key in wagers}
    return {"position": position, "cards": cards, "wagers": wagers, **aside}


def words(row: str) -> str:
    """Return the name of a hand as people write it."""
    return row.replace("super_royal_", "Super Royal of ").replace("_", " ")


def label(name: WagerName) -> str:
    """Return the name of a wager as people write it."""
    return WAGER_LABELS[name]


def winnings(odds: str, stake: int, meter: int = METER) -> int:
    """Return what a stake gains by the odds as printed; the stake of a "for" or a meter award is lost."""
    paid = award(odds.removesuffix(" of meter"))
    if paid.kind == "cents":
        return int(paid.amount)
    if paid.kind == "share":
        return int(paid.amount * meter) - stake
    return int(paid.amount * stake) - (stake if paid.kind == "for" else 0)
