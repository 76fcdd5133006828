"""A witness with every watcher: money, cards, shuffles, meters, wins, pairs of streams, authors."""

from tests.storm.authors import AuthorsWatch
from tests.storm.cards import CardsWatch
from tests.storm.happenings import Happenings
from tests.storm.meters import MetersWatch
from tests.storm.money import MoneyWatch
from tests.storm.pairing import PairingWatch
from tests.storm.secrecy import SecrecyWatch
from tests.storm.tally import Tally
from tests.storm.wins import WinsWatch
from tests.storm.witness import Witness


def watched(tally: Tally) -> Witness:
    """Return a witness that looks at everything."""
    witness = Witness(tally)
    witness.watchers += [
        MoneyWatch(witness, tally),
        CardsWatch(witness, tally),
        SecrecyWatch(witness, tally),
        PairingWatch(tally),
        MetersWatch(witness, tally),
        WinsWatch(tally),
        AuthorsWatch(witness, tally),
        Happenings(tally),
    ]
    return witness
