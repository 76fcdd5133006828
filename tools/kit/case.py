"""Kit case: a round of the kit, its rulebook and edition, and the clauses it shows."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from fourcard.refusal_codes import Code
from fourcard.rules.loading import rulebook
from fourcard.rules.paytables import selectable_tables
from fourcard.rules.rulebook import Rulebook, Wager
from fourcard.wagers import TABLE_WAGERS, WAGER_LABELS, TableWager, WagerName
from tests.second.tables import award

TOPICS: dict[str, tuple[str, str, str, str, str]] = {
    "pays": ("MA-11a1.1", "SM-W1-9", "MD-12A", "WA-W1-9", "IA-PAY-1.2"),
    "ties": ("MA-11a1.2", "SM-W1-6", "MD-11D4cii.1", "WA-W1-6", "IA-RANK-3.3"),
    "beaten": ("MA-10d.3", "SM-W1-10", "MD-11D4ci", "WA-W1-10", "IA-PAY-1.3"),
    "ranking": ("MA-3b.0 MA-3c.1", "SM-RANK-1", "MD-06C.0 MD-06D", "WA-RANK-1", "IA-RANK-2.0 IA-RANK-3.1"),
    "play": ("MA-1-PLAY.2", "SM-W1-5", "MD-07E1", "WA-W1-5", "IA-DEF-4"),
    "bonus offered": ("MA-11a2.1", "SM-W1-11", "MD-12B.2", "WA-W1-11 R98", "IA-DEF-5.1"),
    "bonus on a loss": ("MA-11a2.1", "SM-W1-13", "MD-12B.1 R2", "WA-W1-13", "IA-DEF-5.3"),
    "bonus on a fold": ("MA-11a2.1", "R32", "MD-12B.1", "R32", "IA-DEF-5.1"),
    "fold ante": ("MA-10b.2", "SM-W1-8", "MD-11B2", "WA-W1-8", "IA-COMP-2.2"),
    "fold aces_up": ("MA-10b.4", "SM-DEAL-3.2", "MD-11C1", "WA-DEAL-3.2", "IA-COMP-2.3 R1"),
    "fold bad_beat": ("", "R39", "", "R39", ""),
    "fold six_card": ("", "", "MD-11C2", "", ""),
    "fold cover_all": ("R44", "", "", "", ""),
    "fold progressive": ("R48", "R48", "MD-11C3.1", "R48", ""),
    "fold envy": ("R48", "R48", "MD-11C3.2", "R48", ""),
    "positions": ("MA-6e", "SM-DEAL-1.4", "MD-07F", "WA-DEAL-1.4", "IA-WAG-7"),
    "table": ("R38", "R38", "MD-02A1", "R38", "R38"),
    "routine": ("MA-10e.1", "SM-DEAL-6.4", "MD-11D4.0", "WA-DEAL-6.4", "IA-COMP-5.3"),
    "order": ("MA-10e1 MA-10e2 P2", "SM-DEAL-6.3 P13", "MD-11D5 MD-11D8", "WA-DEAL-6.3 P13", "IA-COMP-5.1"),
    "house order": ("P2", "SM-DEAL-6.3", "MD-11D5", "WA-DEAL-6.5", "IA-COMP-5.1"),
    "last wagers": ("P43 MA-12j", "SM-PROG-10c.1", "MD-11D10ei R54", "WA-PROG-9c.1", ""),
    "envy receiver": ("R50", "SM-PROG-10a.2 R50", "MD-01B2 R50", "WA-PROG-9a.2 R50", ""),
    "envy own": ("R52", "SM-PROG-10a.3 R52", "MD-11D10eiii R52", "WA-PROG-9a.3 R52", ""),
    "envy several": ("R53", "SM-PROG-10c.2 R53", "MD-11D10eii R53", "WA-PROG-9c.2 R53", ""),
    "envy dealer": ("R68", "SM-PROG-10a.4", "MD-11D10eiii", "WA-PROG-9a.4", ""),
    "meter": ("MA-13a4 R58", "SM-PROG-9a R58", "MD-12D4 R58", "WA-PROG-8a R58", ""),
    "fixed awards": ("P3", "SM-PROG-9b R19", "P3", "WA-PROG-8b R19", ""),
    "stakes": ("R55 R57", "SM-PROG-3.12 R57", "R55 R57", "R100 R57", ""),
    "limits": ("MA-6a1.2", "SM-W3-3", "P8", "WA-W3-3", "IA-WAG-1"),
    "leaving": ("MA-6c.2", "P11", "MD-07B2 R36", "P11", "IA-WAG-4.2"),
    "own aces_up": ("MA-11a3.2 R34", "P5", "MD-12C.0", "WA-LTR-3", "IA-PAY-2.2"),
    "own automatic_bonus": ("MA-11a2.3 R34", "SM-W1-12 P5", "MD-12B.2", "WA-W1-12", "IA-PAY-3.2"),
    "own bad_beat": ("", "SM-BB-4 P5", "", "WA-LTR-3", ""),
    "needs bad_beat": ("", "R41", "", "R41", ""),
    "needs six_card": ("", "", "MD-07E5a.1 R11", "", ""),
    "needs cover_all": ("R45", "", "", "", ""),
    "needs progressive": ("R68", "SM-PROG-5.1 R94", "MD-07E4a.1", "WA-PROG-4.1 R94", ""),
}
COLUMNS = ("massachusetts", "shuffle-master", "maryland", "washington", "catfish-bend")


def clauses(rulebook: str, *topics: str) -> tuple[str, ...]:
    """Return the clauses of some topics in a rulebook, each once."""
    found = (TOPICS[topic][COLUMNS.index(rulebook)].split() for topic in topics)
    return tuple(dict.fromkeys(clause for ids in found for clause in ids))


RoundLine = dict[str, Any]
Nets = Mapping[tuple[int, WagerName], int]
Said = tuple[str, str, Iterable[str]]
"""The name of a round, what it shows, and the clauses that it is about."""
ANTE, ACES_UP, SIDE, DOLLAR = 1000, 500, 500, 100
METER, RESET = 1_234_567, 1_000_000


class KitCase(msgspec.Struct, frozen=True):
    """One round of the kit before it is settled."""

    shows: str
    clauses: tuple[str, ...]
    round: RoundLine
    nets: Nets
    """What the sentence promises, worked out from its own words, by position and wager."""
    refusal: Code | None
    """Why the round is refused, where it is."""


class RulebookEdition(msgspec.Struct, frozen=True):
    """A rulebook in one edition, with the short name that its rounds begin with."""

    code: str
    rulebook: str
    edition: str | None
    title: str

    @property
    def law(self) -> Rulebook:
        """Return the law."""
        return rulebook(self.rulebook, self.edition)

    def wager(self, name: WagerName) -> Wager:
        """Return what the law says of a wager that pays by a table."""
        found = self.law.wager(name)
        if not isinstance(found, Wager):
            raise TypeError(f"{self.title} has no table for {name}")
        return found

    @property
    def offered(self) -> tuple[TableWager, ...]:
        """Return the wagers with a table that the law describes."""
        return tuple(name for name in TABLE_WAGERS if self.law.wager(name) is not None)

    @property
    def side_wagers(self) -> tuple[TableWager, ...]:
        """Return the wagers that are placed beside an Ante."""
        return tuple(name for name in self.offered if name != "automatic_bonus")

    def about(self, *topics: str) -> tuple[str, ...]:
        """Return the clauses of some topics."""
        return clauses(self.rulebook, *topics)

    def options(self, *names: TableWager, **more: object) -> RoundLine:
        """Return options with the first table of some wagers, or of all."""
        return {**{name: selectable_tables(self.law, name)[0] for name in names or self.offered}, **more}

    def case(self, said: Said, seats: Iterable[RoundLine], dealer: str, **more: Any) -> KitCase:
        """Return a round at a table of this house; more are keys of the round, or of the case."""
        name, shows, ids = said
        nets, refusal, options = (more.pop(key, None) for key in ("nets", "refusal", "options"))
        line: RoundLine = {"id": f"{self.code}-{name}", "rulebook": self.rulebook}
        if self.edition is not None:
            line["edition"] = self.edition
        line |= {"options": options or {}, "seats": list(seats), "dealer": dealer}
        line |= {key: value for key, value in more.items() if value is not None}
        return KitCase(f"{self.title}: {shows}", tuple(dict.fromkeys(ids)), line, nets or {}, refusal)


MASSACHUSETTS = RulebookEdition("ma", "massachusetts", None, "Massachusetts")
SHUFFLE_MASTER = RulebookEdition("sm", "shuffle-master", None, "Shuffle Master")
EXISTING = RulebookEdition("mdx", "maryland", "existing", "Maryland, existing")
PROPOSED = RulebookEdition("md", "maryland", "proposed", "Maryland, proposed")
WASHINGTON = RulebookEdition("wa", "washington", None, "Washington")
CATFISH_BEND = RulebookEdition("ia", "catfish-bend", None, "Catfish Bend")
HOUSES = (MASSACHUSETTS, SHUFFLE_MASTER, EXISTING, PROPOSED, WASHINGTON, CATFISH_BEND)
OWN_WORDS = (MASSACHUSETTS, SHUFFLE_MASTER, PROPOSED, WASHINGTON, CATFISH_BEND)
"""One house a rulebook: what both editions of Maryland say in the same words is shown once."""
MARYLAND = (EXISTING, PROPOSED)
WITH_METER = (MASSACHUSETTS, SHUFFLE_MASTER, EXISTING, PROPOSED, WASHINGTON)
WITH_BAD_BEAT = (SHUFFLE_MASTER, WASHINGTON)


def seat(cards: str, position: int = 1, /, **wagers: Any) -> RoundLine:
    """Return a seat; ``play``, ``player``, ``left`` and ``presented`` stand among the wagers for short."""
    aside: RoundLine = {
        key: wagers.pop(key) for key in ("player", "play", "left", "presented") if key in wagers
    }
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
