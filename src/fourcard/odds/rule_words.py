"""Rule words: a rule of a strategy as a player says it, and the names of its hands in a strategy file."""

import msgspec

from fourcard.cards import RANK_NAMES, RANKS
from fourcard.hands import Category, plural_rank


class HandGroup(msgspec.Struct, frozen=True):
    """Hands that follow each other in strength: a whole category, or its hands of one rank."""

    category: Category
    rank: int | None
    """The rank that decides first; None for a whole category."""
    start: int
    """The lowest strength."""
    is_first: bool
    """Whether it starts its category."""
    is_last: bool

    @property
    def from_text(self) -> str:
        """Return the group as the weakest hands of a rule in a strategy file."""
        return self._text(whole=self.is_first)

    @property
    def to_text(self) -> str:
        """Return the group as the strongest hands of a rule in a strategy file."""
        return self._text(whole=self.is_last)

    def _text(self, *, whole: bool) -> str:
        name = self.category.text.replace("_", " ")
        return name if whole or self.rank is None else f"{name} {RANKS[self.rank]}"

    @property
    def words(self) -> str:
        """Return the group as a player says it."""
        name = self.category.text.replace("_", " ")
        if self.rank is None:
            return with_article(name) if self.category in WITH_ARTICLE else name
        if self.category is Category.PAIR:
            return f"a pair of {plural_rank(self.rank)}"
        return f"{RANK_NAMES[self.rank]} high"


WITH_ARTICLE = (Category.STRAIGHT, Category.FLUSH, Category.STRAIGHT_FLUSH)
CONDITIONS = {
    None: "",
    True: " if you hold a card of the up card's rank",
    False: " unless you hold a card of the up card's rank",
}


def rule_sentence(
    bet: str, low: HandGroup | None, high: HandGroup | None, up: range, matching: bool | None
) -> str:
    """Return what a rule says, with its weakest and strongest hands and the ranks of its up cards."""
    hands = f"{hands_words(low, high)}{up_words(up)}{CONDITIONS[matching]}"
    return f"Fold {hands}." if bet == "fold" else f"Play {bet} with {hands}."


def hands_words(low: HandGroup | None, high: HandGroup | None) -> str:
    """Return the hands of a rule in words; None means that there is no bound."""
    if high is not None and high.category is Category.HIGH_CARD and high.is_last and low is None:
        return "every hand without a pair"
    if low is None:
        return "every hand" if high is None else f"{high.words} or lower"
    if high is None:
        return "any pair or better" if low.from_text == "pair" else f"{low.words} or better"
    if low == high:
        return low.words
    last = high.words.removeprefix("a pair of ") if low.category is Category.PAIR else high.words
    next_to_each_other = low.category is high.category and high.rank == (low.rank or 0) + 1
    return f"{low.words} {'or' if next_to_each_other else 'to'} {last}"


def up_text(up: range) -> str | None:
    """Return the up cards of a rule as a strategy file names them; None for every up card."""
    if len(up) == len(RANKS):
        return None
    return RANKS[up[0]] if len(up) == 1 else f"{RANKS[up[0]]}-{RANKS[up[-1]]}"


def up_words(up: range) -> str:
    """Return the up cards of a rule in words; nothing for every up card."""
    first, last = (with_article(RANK_NAMES[rank]) for rank in (up[0], up[-1]))
    if len(up) == len(RANKS):
        return ""
    if first == last:
        return f" against {first}"
    if len(up) == 2:
        return f" against {first} or {last}"
    if up[0] == 0:
        return f" against {last} or lower"
    return f" against {first} or higher" if up[-1] == len(RANKS) - 1 else f" against {first} to {last}"


def with_article(name: str) -> str:
    """Return a rank's or hand's name with its indefinite article."""
    return f"an {name}" if name[0] in "ae" else f"a {name}"
