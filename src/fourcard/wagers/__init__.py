"""Wagers: one module each, settled from the whole showdown; a new wager is one module and one line here."""

from fourcard.rules.game import Game
from fourcard.rules.nodes import WagerName
from fourcard.wagers.aces_up import AcesUp
from fourcard.wagers.ante_and_play import Ante, Play
from fourcard.wagers.automatic_bonus import AutomaticBonus
from fourcard.wagers.bad_beat import BadBeat
from fourcard.wagers.cover_all import CoverAll
from fourcard.wagers.envy import Envy
from fourcard.wagers.progressive import Progressive
from fourcard.wagers.six_card import SixCard
from fourcard.wagers.wager import WagerAtTable

EVERY_WAGER: tuple[type[WagerAtTable], ...] = (
    Ante,
    Play,
    AutomaticBonus,
    AcesUp,
    BadBeat,
    SixCard,
    CoverAll,
    Progressive,
    Envy,
)


def wagers_at(game: Game) -> dict[WagerName, WagerAtTable]:
    """Return a settler for every wager that a game offers."""
    return {wager.name: wager(game) for wager in EVERY_WAGER if game.offers(wager.name)}
