"""A whole house under watch: tables of several rulebooks and consoles on shared meters, driven at random.

The cards are keyed in and make strong hands, so that wins are frequent. Rounds are void or called off, links
are lost, the Game Manager adjusts, and beside it all a second reckoning of every meter is kept.
"""

from collections import Counter
from random import Random
from typing import Any

from fourcard.house.commands import InstallTable
from fourcard.house.meter_book import MeterBook
from fourcard.house.meter_commands import ChangeTerms, CloseLink, OpenLink
from fourcard.house.meter_events import AdjustmentProposed, MeterAdjusted, TermsChanged
from fourcard.house.meter_follow import terms
from fourcard.house.outcome import meter_stream, table_stream
from fourcard.house.rehearsal import CREW, FLOOR, Rehearsal, on_console
from fourcard.house.requests import Answer
from fourcard.house.store.memory import MemoryStore
from fourcard.house.table_book import TableBook
from fourcard.progressive.commands import ReportLink
from fourcard.progressive.console import Console
from fourcard.progressive.events import WinLogged
from fourcard.refusals import Code, RefusedError
from fourcard.round.commands import CallOff, Deal, PlaceWager, ReportIrregularity
from fourcard.round.delivering import upcoming
from fourcard.round.events import ProgressiveLocked, RoundVoided, Stake
from fourcard.rules.game import Game
from fourcard.table.commands import BeginRound, CloseTable
from tests.audited import Founded
from tests.laws.meter_manager import APPROVES, asked
from tests.laws.meter_reckoning import Reckoning
from tests.laws.meter_terms import Kind, follow_terms, game_of, source_of
from tests.strong_hands import strong_deck

SEATS = 3
MOST_STEPS = 12
MOST_TO_END = 600


class MeterHouse:
    """Two tables on each of some meters, and what was seen of them."""

    def __init__(self, kinds: list[Kind], seed: int, seen: Counter[str]) -> None:
        """Set the tables up and seat their players."""
        self.house, self.seen, self.chance = Founded(MemoryStore(), seed), seen, Random(seed)
        self.kinds = {f"m{number}": kind for number, kind in enumerate(kinds)}
        self.meters = {f"{meter}-t{place}": meter for meter in self.kinds for place in (1, 2)}
        """By table, the meter that it is linked to."""
        self.second: dict[str, Reckoning] = {}
        self.bots: dict[str, Rehearsal] = {}
        self.decks: dict[str, list[int]] = {}
        self.stakes: dict[str, tuple[Stake, ...]] = {}
        self.house.staff()
        for meter in self.kinds:
            self._begin(meter)

    def _begin(self, meter: str) -> None:
        texts = [self.chance.choice(self.kinds[meter][0]) for _ in range(2)]
        choice = game_of(texts[0]).submission.progressive
        assert choice is not None
        self.second[meter] = Reckoning(int(choice.seed or 0))
        follow_terms(self.second[meter], game_of(texts[0]))
        tables = (table for table, linked in self.meters.items() if linked == meter)
        for table, text in zip(tables, texts, strict=True):
            players = [f"{table}-p{number}" for number in range(SEATS)]
            self.house.register(*players)
            self.house.at(table, InstallTable(submission=text, meter=meter, cards="keyed"))
            self.house.open(table)
            self.house.seat(table, players)
            self.bots[table] = self.house.rehearsal(table, players, self.chance.randrange(2**32), table)

    def meter(self, name: str) -> MeterBook:
        """Return a meter as the desk knows it."""
        return self.house.desk.library.meter(name)

    def obey(self, place: int, number: int) -> None:
        """Do what a number stands for, another thing at every place of a sequence."""
        chance = Random(f"{place} {number}")
        table, what = chance.choice([*self.meters]), chance.random()
        if what < 0.10:
            self._mishap(table, chance)
        elif what < 0.12 or (what < 0.3 and not self._console(table).linked):
            self._link(table)
        elif what < 0.28:
            self._manage(self.meters[table], asked(self.meter(self.meters[table]), chance, quiet=False))
        elif what < 0.30:
            self._follow_others(self.meters[table], chance)
        else:
            for _ in range(chance.randint(1, MOST_STEPS)):
                self.step(table)

    def step(self, table: str) -> None:
        """Let somebody do the next thing at a table; a wager or a win over a link that is gone is refused."""
        request = self.bots[table].next(self.house.book(table))
        command = self._dealt(table, request.command)
        try:
            self._heard(table, self.house.do(request.stream, command, request.actor))
        except RefusedError as error:
            if error.refusal.code is not Code.LINK_DOWN:
                raise
            self.seen["refused link_down"] += 1
            if not isinstance(command, PlaceWager):
                self._link(table)

    def finish(self, meter: str = "") -> None:
        """Play every round to its end, or those on one meter, and end the games: none may get stuck."""
        for table in (each for each, linked in self.meters.items() if meter in ("", linked)):
            for _ in range(MOST_TO_END):
                if self.house.between(table) and on_console(self.house.book(table)) is None:
                    break
                self.step(table)
            assert self.house.between(table)

    def restart(self) -> None:
        """Forget everything but the journal, and find every meter and console as it was."""
        streams = [*map(meter_stream, self.kinds), *map(table_stream, self.meters)]
        books = {stream: self.house.desk.library.books[stream] for stream in streams}
        self.house.restart()
        assert not self.house.desk.look_up(streams)
        for stream, before in books.items():
            after = self.house.desk.library.books[stream]
            if isinstance(after, TableBook) and isinstance(before, TableBook):
                assert after.console == before.console
            else:
                assert after == before

    def _dealt(self, table: str, command: Any) -> Any:
        """Give a deal its cards, off a deck of strong hands that is new in every round."""
        state = self.house.book(table).state
        if isinstance(command, BeginRound):
            self.decks[table] = [*strong_deck(state.game, state.seats, self.chance, state.method)]
        if not isinstance(command, Deal):
            return command
        assert state.round is not None
        count, left = upcoming(state.round).count, self.decks[table]
        self.decks[table] = left[count:]
        return Deal(cards=tuple(left[:count]), key=command.key)

    def _mishap(self, table: str, chance: Random) -> None:
        """Find a wrong number of cards, or call the round off, where the table takes that now."""
        wrong = ReportIrregularity(irregularity="wrong_number_of_cards", position=1, count=7)
        self._try(table, chance.choice((wrong, CallOff(role="floorperson"))))

    def _console(self, table: str) -> Console:
        console = self.house.book(table).console
        assert console is not None
        return console

    def _link(self, table: str) -> None:
        """Lose a table's link, or find it again."""
        self._try(table, ReportLink(up=not self._console(table).linked, reason="the cable"))

    def _try(self, table: str, command: Any) -> None:
        try:
            self._heard(table, self.house.at(table, command, CREW))
        except RefusedError as error:
            self.seen[f"refused {error.refusal.name}"] += 1

    def _heard(self, table: str, answer: Answer) -> None:
        """Let the second reckoning follow what happened at a table."""
        state, second = self.house.book(table).state, self.second[self.meters[table]]
        place = (table, state.number)
        for event in answer.events:
            self.seen[type(event).__name__] += 1
            if isinstance(event, ProgressiveLocked):
                self.stakes[table] = event.stakes
                second.add(place, [stake for _, stake in event.stakes])
            elif isinstance(event, WinLogged):
                self._won(state.game, place, event)
            elif isinstance(event, RoundVoided):
                second.void(place)

    def _won(self, game: Game, place: tuple[str, int], event: WinLogged) -> None:
        """Find a win priced as the second reckoning prices it."""
        second, payment = self.second[self.meters[place[0]]], event.payment
        odds = next(odds for row, odds in game.tables["progressive"].pays.items() if row == event.row)
        stake = dict(self.stakes[place[0]])[event.position]
        assert event.before == second.shown
        prize = second.win(place, str(odds), stake, source_of(game, odds))
        assert (payment.amount, event.after) == (prize.cents, second.shown)
        assert payment.from_meter + payment.meter_to_tray == prize.borne
        self.seen["whole meter" if payment.whole else f"award {odds.kind.name.lower()}"] += 1
        self.seen["ran dry"] += payment.shortfall > 0

    def _follow_others(self, meter: str, chance: Random) -> None:
        """Close the link between games, follow other terms, set the tables up by them, and open it again."""
        texts, others = self.kinds[meter]
        text = chance.choice([each for each in (texts[0], *others) if self._differs(meter, each)])
        self.finish(meter)
        who: dict[str, Any] = {"reason": "a new year", "by": CREW.person, "role": "executive"}
        for command in (CloseLink(**who), ChangeTerms(submission=text, **who)):
            self._manage(meter, command)
        for table in (each for each, linked in self.meters.items() if linked == meter):
            self._manage(meter, OpenLink(**who))
            self._try(table, CloseTable(role="floorperson"))
            self._try(table, InstallTable(submission=text, meter=meter, cards="keyed"))
        self._manage(meter, OpenLink(**who))

    def _differs(self, meter: str, text: str) -> bool:
        return terms(game_of(text)) != terms(self.house.desk.library.game(self.meter(meter).terms))

    def _manage(self, meter: str, command: Any) -> None:
        """Ask something of the Game Manager."""
        book = self.meter(meter)
        actor = FLOOR if command.by == APPROVES else CREW
        try:
            answer = self.house.do(meter_stream(meter), command, actor)
        except RefusedError as error:
            self.seen[f"refused {error.refusal.name}"] += 1
            return
        for event in answer.events:
            self.seen[type(event).__name__] += 1
            self._managed(meter, event, book)

    def _managed(self, meter: str, event: Any, before: MeterBook) -> None:
        second = self.second[meter]
        if isinstance(event, TermsChanged):
            follow_terms(second, self.house.desk.library.game(event.game))
        elif isinstance(event, MeterAdjusted):
            proposal: AdjustmentProposed = before.proposals[event.number]
            if proposal.win:
                second.back_out(proposal.win)
                self.seen["backed out"] += 1
            else:
                second.adjust(proposal.part, proposal.cents)
