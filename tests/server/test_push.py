"""Push of a table: changes add up to what each person may see; they are small, and shared by viewers."""

import asyncio
import time
from collections import Counter
from typing import Any, ClassVar
from unittest.mock import patch

import msgspec
import pytest

from fourcard.house.auth.identity import Actor
from fourcard.house.commands import BuyIn
from fourcard.server.floor import push
from fourcard.server.floor.messages import public_table
from tests.kit.table_copy import TableCopy
from tests.kit.whole_message import whole_message
from tests.server.scripted_runs import GROUPS, ScriptDriver, run_script
from tests.server.simulated_floor import TABLE, SimulatedFloor, SimulatedViewer, on_floor, player, staff
from tests.server.test_auto_dealer_policy import NO_BOTS, ready, wagered

EXAMPLES = (
    "massachusetts-everything",
    "shuffle-master-everything",
    "maryland-everything",
    "washington-everything",
    "catfish-bend",
)
PEOPLE = {actor.person: actor for actors in GROUPS.values() for actor in actors}
LEAST_COMPARED, LEAST_CHANGES, LEAST_ASKED = 2_000, 1_000, 200


def expected_message(at: SimulatedFloor, actor: Actor, since: int) -> dict[str, Any]:
    """Return the whole table as one person may see it, built at once and without changes."""
    found = msgspec.json.encode(whole_message(at.floor, at.watch.snapshot, actor, since))
    decoded: dict[str, Any] = msgspec.json.decode(found)
    return decoded


class ComparingDriver(ScriptDriver):
    """Runs a script with viewers who come and go, and compares what each has with what each may see.

    In some rounds pushes are rare, so that a change replaces a whole round and what was private in it.
    """

    compared: ClassVar[Counter[str]]

    async def _record(self) -> None:
        chance, rarely = self.script.chance("push", self.run.steps), self.at.state.round_number % 6 >= 3
        if chance.random() < (0.005 if rarely else 0.1):
            await self._look_again(chance.choice(tuple(PEOPLE)))
        elif chance.random() < (0.02 if rarely else 0.7):
            self.at.floor.pushes[TABLE].push()
            await self._compare_all()

    async def _look_again(self, person: str) -> None:
        """Let somebody leave and come back, which pushes the table to the others too."""
        self.viewers.pop(person).leave(self.at.floor)
        await self._ask(person)
        viewer, since = await self.at.look(PEOPLE[person]), self.at.watch.snapshot.round_start_line
        self._compare(viewer.message, expected_message(self.at, PEOPLE[person], since), sent=True)
        await self._compare_all()
        self.viewers[person] = viewer

    async def _compare_all(self) -> None:
        for person, viewer in self.viewers.items():
            since, sent = viewer.subscription.last_line, await viewer.take()
            assert since is not None
            assert len(sent) <= 1
            self._compare(viewer.message, expected_message(self.at, PEOPLE[person], since), sent=bool(sent))
            self.compared["changes"] += len(sent)
        await self._ask(self.script.chance("ask", self.run.steps).choice(tuple(PEOPLE)))

    async def _ask(self, person: str) -> None:
        """Compare what a person gets who asks for the table once, with or without a connection to it."""
        asked = msgspec.json.encode(await self.at.floor.show(self.at.watch, PEOPLE[person]))
        since = self.at.watch.snapshot.round_start_line
        self._compare(msgspec.json.decode(asked), expected_message(self.at, PEOPLE[person], since), sent=True)
        self.compared["asked"] += 1

    def _compare(self, has: dict[str, Any], sees: dict[str, Any], *, sent: bool) -> None:
        """Compare two tables; without a new message, narration and time left are those of the last one."""
        self.compared["tables"] += 1
        sees["version"] = has["version"]
        if not sent:
            sees["told"] = has["told"]
            if sees["waiting"] is not None:
                sees["waiting"]["left"] = has["waiting"]["left"]
        assert has == sees


@pytest.mark.parametrize("example", EXAMPLES)
def test_what_changes_add_up_to_is_what_each_person_may_see(example: str) -> None:
    compared = ComparingDriver.compared = Counter[str]()
    run_script(example, "changes", tuple(GROUPS), 12, driver=ComparingDriver)
    assert compared["tables"] >= LEAST_COMPARED
    assert compared["changes"] >= LEAST_CHANGES
    assert compared["asked"] >= LEAST_ASKED


async def looking(at: SimulatedFloor, *people: Actor) -> list[SimulatedViewer]:
    """Let people look at a table."""
    return [await at.look(actor) for actor in people]


def encoded_changes(message: bytes) -> bytes:
    """Return the changes in a message as they were encoded."""
    return bytes(msgspec.json.decode(message, type=dict[str, msgspec.Raw])["set"])[1:-1]


def test_a_change_is_built_and_encoded_once_for_all_viewers() -> None:
    built, build = list[push.PublicChange](), push._public_change

    def counted(*details: Any) -> push.PublicChange:
        built.append(build(*details))
        return built[-1]

    async def during(at: SimulatedFloor) -> None:
        same = [*(player("dee") for _ in range(20)), *(staff("flo") for _ in range(20))]
        viewers = await looking(at, player("ann"), player("bob"), *same)
        await wagered(at, 1)
        with (
            patch.object(push, "_public_change", counted),
            patch.object(push, "public_table", wraps=public_table) as views,
        ):
            at.floor.pushes[TABLE].push()
        sent = [message for viewer in viewers for message in await viewer.take()]
        assert (len(built), views.call_count, len(sent)) == (1, 1, len(viewers))
        assert len(built[0].changes) > 100
        assert all(encoded_changes(message).startswith(built[0].changes) for message in sent)
        assert len({*sent}) == 4, "one message for each group of viewers"

    on_floor(during, settings=NO_BOTS)


def test_changes_are_much_smaller_than_the_table() -> None:
    found, copies = run_script("maryland-everything", "size", tuple(GROUPS), 3), dict[str, TableCopy]()
    changes, tables = 0, 0
    for each in (each for each in found.sent if each.how == "live"):
        copy = copies.setdefault(each.to, TableCopy())
        whole = msgspec.json.encode(copy.take(each.what))
        if b'"kind":"change"' in each.what:
            changes, tables = changes + len(each.what), tables + len(whole)
    assert tables > 1_000_000
    assert changes * 6 < tables


def test_who_is_slow_gets_the_whole_table_and_holds_no_more_than_a_few_changes() -> None:
    async def during(at: SimulatedFloor) -> None:
        slow, quick = await looking(at, player("ann"), player("bob"))
        heard = slow.subscription.last_line
        assert heard is not None
        for number in range(3 * push.MAX_WAITING):
            await at.done(BuyIn(player="ann", cents=100), player("ann"))
            if number == push.MAX_WAITING:
                await wagered(at, 1)
            assert len(await quick.push()) == 1
            assert len(slow.subscription._waiting) <= push.MAX_WAITING
        assert not slow.subscription.waiting, "changes that came too fast are dropped"
        coming = asyncio.ensure_future(slow.next())
        await asyncio.sleep(0)
        assert await quick.push() == []
        assert {**await coming, "version": 0} == expected_message(at, player("ann"), heard)
        assert b'"kind":"table"' in slow.copy.received[-1]
        await at.done(BuyIn(player="ann", cents=100), player("ann"))
        assert all(b'"kind":"change"' in each for each in await slow.push())
        assert slow.message["you"] == expected_message(at, player("ann"), 0)["you"]

    on_floor(during, settings=NO_BOTS)


def test_what_only_one_person_sees_is_sent_to_nobody_else() -> None:
    async def during(at: SimulatedFloor) -> None:
        await wagered(at, 1, 3)
        ann, bob, flo = await looking(at, player("ann"), player("bob"), staff("flo"))
        ready(at, "ann")
        (change,) = await ann.push()
        assert msgspec.json.decode(change)["set"][-1] == [["you", "ready"], True]
        assert (await bob.take(), await flo.take()) == ([], [])

    on_floor(during, settings=NO_BOTS)


def test_passing_time_alone_is_no_change() -> None:
    async def during(at: SimulatedFloor) -> None:
        await wagered(at, 1)
        (ann,) = await looking(at, player("ann"))
        left = ann.message["waiting"]["left"]
        at.clock.at += 1_000
        assert await ann.push() == []
        await at.done(BuyIn(player="ann", cents=100), player("ann"))
        assert len(await ann.push()) == 1
        assert ann.message["waiting"]["left"] == left - 1_000

    on_floor(during, settings=NO_BOTS)


def test_a_house_that_is_late_pushes_less_often() -> None:
    async def seconds_to_next(at: SimulatedFloor, ann: SimulatedViewer) -> float:
        began = asyncio.get_running_loop().time()
        await at.done(BuyIn(player="ann", cents=100), player("ann"))
        await ann.next()
        return asyncio.get_running_loop().time() - began

    async def during(at: SimulatedFloor) -> None:
        (ann,) = await looking(at, player("ann"))
        await at.done(BuyIn(player="ann", cents=100), player("ann"))
        at.floor.notify_viewers(TABLE)
        time.sleep(push.PUSH_INTERVAL + push.LATE_MOST / push.LATE_TIMES)  # the loop is busy
        await ann.next()
        assert await seconds_to_next(at, ann) > push.LATE_MOST

    on_floor(during, settings=NO_BOTS)


def test_an_error_while_pushing_ends_the_messages_of_every_viewer() -> None:
    async def during(at: SimulatedFloor) -> None:
        (ann,) = await looking(at, player("ann"))
        await at.done(BuyIn(player="ann", cents=100), player("ann"))
        with patch.object(push, "public_table", side_effect=ZeroDivisionError):
            at.floor.pushes[TABLE].push()
            with pytest.raises(ZeroDivisionError):
                await ann.next()
        (again,) = await looking(at, player("ann"))
        assert again.message["you"]["player"] == "ann"

    on_floor(during, settings=NO_BOTS)
