"""The games of a storm: the examples, and families of them that share a meter, at either console."""

from functools import cache
from random import Random

from fourcard.house.meter_follow import terms
from fourcard.house.submitted import submitted
from fourcard.refusals import Refusal
from fourcard.rules.examples import examples
from fourcard.rules.game import Game

CONSOLE, TRAY, METER = "[progressive]\n", 'fixed_awards = "tray"', 'fixed_awards = "meter"'
NEXUS = """"Nexus Command Game Manager" = "v1.3.2"
"Nexus Command Table Controller Software" = "v2.0.0"
"ViPS" = "v1.2.0"
"""
KEYPAD = """"Game Manager" = "v6.6 Build 520"
"Aquarius Controller" = "v6.5.6SP"
"Coin Spot" = "v6.0"
"CHAM2+" = "v1.66P$"
"ViPS" = "v1.2.0"
"""
RATES = {'rate = "20%"': '"19%"', 'rate = "25%"': '"24%"', 'rate = "12.5%"': '"13%"', 'rate = "15%"': '"16%"'}
"""By the rate of an example, another that its rulebook allows too."""
METER_AWARDS = '\n[settings]\nsupervisor_confirms = "meter_awards"\n'


def plain(name: str) -> str:
    """Return the text of an example."""
    return examples()[name].read_text(encoding="utf-8")


@cache
def families() -> dict[str, tuple[str, ...]]:
    """Return by name the submissions that may share a meter: same terms, but other consoles and settings."""
    washington, manufacturer = plain("washington-everything"), plain("shuffle-master-everything")
    maryland, existing = plain("maryland-everything"), plain("maryland-existing")
    massachusetts = plain("massachusetts-everything")
    tray_hands_over = maryland.replace("[settings]\n", '[settings]\npart_share_from = "tray"\n')
    return {
        "washington": (washington, _keypad(washington), washington + METER_AWARDS),
        "washington-meter": (_by_meter(washington), _keypad(_by_meter(washington))),
        "shuffle-master": (manufacturer, manufacturer + METER_AWARDS),
        "maryland": (maryland, _touch(maryland), tray_hands_over, _touch(tray_hands_over)),
        "maryland-meter": (_by_meter(maryland), _touch(_by_meter(maryland))),
        "maryland-existing": (existing, _touch(existing)),
        "massachusetts": (massachusetts, _touch(massachusetts)),
        "massachusetts-meter": (_by_meter(massachusetts), _touch(_by_meter(massachusetts))),
    }


def _keypad(text: str) -> str:
    return text.replace('console = "touch"', 'console = "keypad"').replace(NEXUS, KEYPAD)


def _touch(text: str) -> str:
    return text.replace(CONSOLE, f'{CONSOLE}console = "touch"\n')


def _by_meter(text: str) -> str:
    return text.replace(TRAY, METER)


def changed(text: str) -> str:
    """Return a submission with another rate, whose meter would follow other terms."""
    before = next(each for each in RATES if f"\n{each}" in text)
    return text.replace(f"\n{before}", f"\nrate = {RATES[before]}")


def meter_of(family: str) -> str:
    """Return the meter that tables of a family are linked to."""
    return f"link-{family}"


@cache
def _following() -> dict[str, tuple[str, ...]]:
    """Return by the hash of a game every submission of the storm with the terms of its meter."""
    texts = [each for texts in families().values() for text in texts for each in (text, changed(text))]
    games = {text: _game(text) for text in texts}
    return {
        game.hash: tuple(text for text, other in games.items() if terms(other) == terms(game))
        for game in games.values()
    }


def _game(text: str) -> Game:
    game = submitted(text)
    assert not isinstance(game, Refusal), game
    return game


def following(game: str, chance: Random) -> str | None:
    """Return a submission with the same terms as a game by its hash, where it is one of a family."""
    known = _following().get(game)
    return None if known is None else chance.choice(known)


def same_terms(one: str, other: str) -> bool:
    """Say whether two games, by their hashes, follow the same terms; of a strange one nothing is said."""
    known = _following()
    return one not in known or other not in known or known[one] == known[other]
