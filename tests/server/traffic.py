"""Everything sent to people while a simulated table runs, and the run itself."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import msgspec

from fourcard.cards import card_text
from fourcard.house.actors import Actor, is_bot
from fourcard.refusals import RefusedError
from fourcard.server.faults import body
from fourcard.server.floor.deeds import Wait
from fourcard.server.floor.floor import Look
from fourcard.server.gateway import SentToTable
from fourcard.server.reading.rounds import list_rounds, show_round
from fourcard.server.settings import Limits, Pace, Settings
from fourcard.server.tables import list_tables, show_table
from tests.server.hidden import Run, Sent, may_see
from tests.server.scripted import SEATS, STRANGER, Script
from tests.server.simulated import TABLE, SimulatedFloor, dealt_in_order, founded, player, staff

GROUPS: Mapping[str, tuple[Actor, ...]] = {
    **{name: (player(name),) for name in SEATS.values()},
    "onlookers": (player(STRANGER), staff("dan"), staff("ada")),
    "floor": (staff("flo"), staff("sue"), staff("eve"), staff("otto")),
}
"""Groups of people who may see the same cards: each player, onlookers, and those who see the rack."""
LIMITS = Limits(commands=1e9, command_burst=10**9)
SETTINGS = Settings(bots=2, pace=Pace(0, wagering=20_000, deciding=45_000), limits=LIMITS)
TICK = 137
CARD = re.compile(rb"(?<![\w-])[2-9TJQKA][cdhs]\b")
READING_ROUNDS = ("eve", "otto")
Asking = Callable[[SimulatedFloor, Actor, bool], Awaitable[Sequence[bytes]]]
"""Returns the answers of all routes to somebody, with rounds if one has just ended."""
_encode = msgspec.json.encode


class Driver:
    """Runs a script on its own floor and keeps what each group is sent."""

    def __init__(
        self, script: Script, floor: SimulatedFloor, groups: Sequence[str], asking: Asking | None = None
    ) -> None:
        """Take an open floor with everybody seated."""
        self.script, self.at, self.groups, self.asking = script, floor, groups, asking or asked
        self.run = Run()
        self.people = {actor.person: actor for group in groups for actor in GROUPS[group]}
        self.looks: dict[str, Look] = {}
        self._placed: set[int] = set()
        self._ended = 0

    async def play(self, rounds: int, until: int | None = None) -> Run:
        """Play whole rounds, or up to a step."""
        for person, actor in self.people.items():
            self.looks[person] = await self.at.floor.look(self.at.watch, actor)
        while not self._is_over(rounds) and (until is None or self.run.steps < until):
            self.run.steps += 1
            self.at.clock.at += TICK
            await self._step()
            await asyncio.sleep(0)
            await self._record()
        return self.run

    def _is_over(self, rounds: int) -> bool:
        return self.at.state.number > rounds

    async def _step(self) -> None:
        """Run the next action."""
        state, step = self.at.state, self.run.steps
        probe = self.script.probe(state, step)
        if probe is not None:
            await self._give(*probe)
            return
        following = self.at.next()
        if isinstance(following, Wait):
            await self._answer(following)
            return
        trouble = self.script.trouble(state, following, step)
        if trouble is not None:
            await self._give(*trouble)
        else:
            await self.at.dealer.step()

    async def _answer(self, waits: Wait) -> None:
        """Let people do what the table waits for."""
        state, under_way = self.at.state, self.at.round
        self.run.waits.setdefault(waits.for_, []).append(self.run.steps)
        if waits.for_ == "ready":
            assert waits.until is not None
            self.at.clock.at = waits.until
        elif waits.for_ == "wagers":
            await self._wager(state.number)
        elif waits.for_ == "decision":
            given = self.script.decision(under_way, state.number, waits.position)
            if given is None:
                assert waits.until is not None
                self.at.clock.at = waits.until
            else:
                await self._give(*given)
        else:
            await self._give(*self.script.confirmation(self.at.watch.book, waits))

    async def _wager(self, number: int) -> None:
        state = self.at.state
        if number not in self._placed:
            self._placed.add(number)
            for wager in self.script.wagers(state.game, number):
                await self._give(wager, player(SEATS[wager.position]))
        for name in SEATS.values():
            self.at.floor.bus.ready(TABLE, name, number)

    async def _give(self, command: Any, actor: Actor) -> None:
        """Send a command as JSON and keep the answer."""
        self.at.keys += 1
        sent = SentToTable(key=f"people-{self.at.keys}", command=command)
        try:
            answer: object = await self.at.serving.gateway.do("table", TABLE, sent, actor)
        except RefusedError as error:
            answer = body(error.refusal)
        if actor.person in self.people:
            self._keep(actor.person, "answer", _encode(answer))

    def _keep(self, to: str, how: str, what: bytes) -> None:
        self.run.sent.append(Sent(self.run.steps, to, how, what))

    async def _record(self) -> None:
        """Keep what everybody is sent, and what each may see now."""
        self._note_cards()
        for person, look in self.looks.items():
            if look.changed.is_set():
                self._keep(person, "live", _encode(look.message()))
                self._check_cards(self.run.sent[-1])
        ended = self._has_ended()
        asks = isinstance(self.at.next(), Wait) or ended
        for person, actor in self.people.items() if asks else ():
            for answer in await self.asking(self.at, actor, ended):
                self._keep(person, "asked", answer)

    def _check_cards(self, sent: Sent) -> None:
        """Record a message that names a card hidden from its reader, in this round or the last."""
        state = self.at.state
        group = next(group for group in self.groups if self.people[sent.to] in GROUPS[group])
        rounds = (each for each in (state.round, state.finished) if each is not None)
        open_ = {card_text(card) for each in rounds for card in may_see(each, group)}
        named = {found.decode() for found in CARD.findall(sent.what)}
        self.run.named += len(named)
        if not named <= open_:
            self.run.early.append((sent, named - open_))

    def _has_ended(self) -> bool:
        state = self.at.state
        ended, self._ended = self._ended, state.number if state.round is None else self._ended
        return ended != self._ended

    def _note_cards(self) -> None:
        """Record what is visible to whom, and the bots' hands."""
        state = self.at.state
        under_way = state.round or state.finished
        shuffle = self._shuffle()
        if under_way is None or shuffle is None:
            return
        for group in self.groups:
            opened = self.run.opened.setdefault(group, {}).setdefault(shuffle, [])
            cards = may_see(under_way, group)
            if not opened or opened[-1][1] != cards:
                opened.append((self.run.steps, cards | (opened[-1][1] if opened else frozenset())))
        held = self.run.bots.setdefault(shuffle, [])
        for place in under_way.places.values():
            if is_bot(place.player) and place.decision is not None and place.cards not in dict(held).values():
                held.append((self.run.steps, place.cards))
        if state.round is None and self.run.rounds != state.number:
            self.run.rounds = state.number
            self.run.voids += under_way.voided is not None

    def _shuffle(self) -> int | None:
        """Return the shuffle of the current round, while it is known."""
        pending, state = self.at.watch.book.pending, self.at.state
        self._last = pending.get(state.active) if state.round is not None else self._last
        return self._last

    _last: int | None = None


async def asked(at: SimulatedFloor, actor: Actor, ended: bool) -> list[bytes]:
    """Return the answers to somebody for the table, the list of tables and the rounds."""
    floor, house, histories = at.floor, at.house, at.serving.histories
    found: list[object] = [await show_table.fn(floor, actor, TABLE), await list_tables.fn(floor, actor)]
    if ended and (actor.kind == "player" or actor.person in READING_ROUNDS):
        listed: Any = list_rounds.fn(house, histories, actor)
        last: list[Any] = [
            show_round.fn(house, histories, actor, TABLE, each.number) for each in listed.items[:1]
        ]
        found += [listed, *(msgspec.structs.replace(each, proof=None) for each in last)]
    return [_encode(each) for each in found]


def run(
    example: str,
    seed: str,
    groups: Sequence[str],
    rounds: int,
    orders: Mapping[int, Sequence[int]] | None = None,
    until: int | None = None,
    asking: Asking | None = None,
) -> Run:
    """Run a script in a new house; the deck order is the script's unless another is given."""
    return asyncio.run(
        _run(example, Script(f"{example} {seed}"), groups, rounds, orders or {}, until, asking)
    )


async def _run(
    example: str,
    script: Script,
    groups: Sequence[str],
    rounds: int,
    orders: Mapping[int, Sequence[int]],
    until: int | None,
    asking: Asking | None,
) -> Run:
    floor = SimulatedFloor(founded(example, (*SEATS.values(), STRANGER)), SETTINGS)
    driver = Driver(script, floor, groups, asking)

    def order(shuffle: int) -> Sequence[int]:
        book = floor.house.desk.library.table(TABLE)
        seats = sorted({*SEATS, *(p for p, who in book.state.seats.items() if is_bot(who))})
        found = orders.get(shuffle) or script.order(book.state.game, seats, shuffle)
        driver.run.orders[shuffle] = tuple(found)
        return found

    with dealt_in_order(order):
        await floor.open()
        await floor.seat(SEATS)
        try:
            return await driver.play(rounds, until)
        finally:
            await floor.close()
