"""Round summaries: what the index keeps of every finished round; small and immutable."""

from collections.abc import Mapping

import msgspec

from fourcard.cards import card_text
from fourcard.house.finished import Finished
from fourcard.money import dollars
from fourcard.odds.contest import multiple_text
from fourcard.round.state import Place, RoundState
from fourcard.round.view import hand_name
from fourcard.rules.nodes import WagerName


class PlaceKept(msgspec.Struct, frozen=True, gc=False):
    """One position with wagers in a finished round."""

    position: int
    player: str
    wagers: Mapping[WagerName, int]
    """All wagers, including Play."""
    net: int
    cards: tuple[int, ...]
    decision: int | None
    """The Play wager; 0 for a fold, None without a decision."""
    money: int | None
    """The player's chips at the decision in cents, without those on the layout."""
    own: bool
    """Whether the player saw these cards."""
    shown: bool
    """Whether surveillance sees the cards: turned up, or in the rack."""

    @property
    def wagered(self) -> int:
        """Return the sum of all wagers, in cents."""
        return sum(self.wagers.values())

    @property
    def choice(self) -> str | None:
        """Return the decision as people say it: ``fold``, ``3x``, or an amount between multiples."""
        ante = self.wagers.get("ante", 0)
        if self.decision is None or not ante:
            return None
        times, rest = divmod(self.decision, ante)
        return f"{dollars(self.decision)} on Play" if rest else multiple_text(times)

    def hand(self, *, own: bool) -> str | None:
        """Return the name of the hand, as the player or surveillance may see it."""
        seen = self.own if own else self.shown
        return hand_name(tuple(map(card_text, self.cards))) if seen else None


class RoundKept(msgspec.Struct, frozen=True, gc=False):
    """One finished round."""

    table: str
    number: int
    at: int
    """When it ended."""
    game: str
    """Hash of its game."""
    rulebook: str
    void: tuple[str, ...]
    up: int | None
    dealt_in: int
    """How many positions were dealt in."""
    places: tuple[PlaceKept, ...]
    shuffle: int | None

    def of(self, player: str | None) -> tuple[PlaceKept, ...]:
        """Return the positions of a player, or all."""
        return self.places if player is None else tuple(each for each in self.places if each.player == player)


def kept(ended: Finished, money: Mapping[int, int]) -> RoundKept:
    """Return the summary of a round, given the chips of each position at its decision."""
    state = ended.state
    game = state.rules.game
    racked = {position for position, _ in state.rack}
    return RoundKept(
        table=ended.table,
        number=ended.number,
        at=ended.at,
        game=game.hash,
        rulebook=game.rulebook.id,
        void=() if state.voided is None else state.voided.clauses,
        up=state.up,
        dealt_in=len(state.dealt_in),
        places=tuple(
            _place(state, place, money.get(position), racked=position in racked)
            for position, place in sorted(state.places.items())
            if place.wagers
        ),
        shuffle=ended.shuffle,
    )


def _place(state: RoundState, place: Place, money: int | None, *, racked: bool) -> PlaceKept:
    return PlaceKept(
        position=place.position,
        player=place.player,
        wagers=place.wagers,
        net=state.nets[place.position],
        cards=place.cards,
        decision=place.decision,
        money=money,
        own=place.face_up or state.looked,
        shown=place.face_up or racked,
    )
