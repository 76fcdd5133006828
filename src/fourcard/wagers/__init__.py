"""Wagers: one module each, settled from the whole showdown; a new wager is one module and one line here."""

from fourcard.rules.cited import WagerName
from fourcard.rules.game import Game
from fourcard.wagers.aces_up import AcesUpSettler
from fourcard.wagers.ante_and_play import AnteSettler, PlaySettler
from fourcard.wagers.automatic_bonus import AutomaticBonusSettler
from fourcard.wagers.bad_beat import BadBeatSettler
from fourcard.wagers.cover_all import CoverAllSettler
from fourcard.wagers.envy import EnvySettler
from fourcard.wagers.progressive import ProgressiveSettler
from fourcard.wagers.six_card import SixCardSettler
from fourcard.wagers.wager import WagerSettler

WAGER_SETTLERS: tuple[type[WagerSettler], ...] = (
    AnteSettler,
    PlaySettler,
    AutomaticBonusSettler,
    AcesUpSettler,
    BadBeatSettler,
    SixCardSettler,
    CoverAllSettler,
    ProgressiveSettler,
    EnvySettler,
)


def wager_settlers(game: Game) -> dict[WagerName, WagerSettler]:
    """Return a settler for every wager that a game offers."""
    return {wager.name: wager(game) for wager in WAGER_SETTLERS if game.offers(wager.name)}
