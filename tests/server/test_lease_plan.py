"""Lease plan: leases go where viewers are, the rest is shared equally, and nothing goes to and fro."""

from collections.abc import Mapping, Set

from hypothesis import given
from hypothesis import strategies as st

from fourcard.server.floor.lease_plan import MOVED_AT_ONCE, LeaseHolders, LeasePlan, plan_leases

ONE, OTHER, THIRD = 1, 2, 3
TABLES = frozenset(f"t{number:02}" for number in range(12))
HALF = frozenset(sorted(TABLES)[:6])


class Group:
    """Processes with their leases and viewers; each acts on what it finds, one after the other."""

    def __init__(self, leases: Mapping[int, Set[str]], viewed: Mapping[int, Set[str]], routed: bool) -> None:
        """Say who holds what, and whether viewers can be handed over."""
        self.leases = {process: {*leases.get(process, ())} for process in leases}
        self.viewed = {process: {*viewed.get(process, ())} for process in leases}
        self.routed, self.moved = routed, 0

    def found(self) -> LeaseHolders:
        """Return what the database shows."""
        holders = {table: process for process, held in self.leases.items() for table in held}
        viewers = {
            table: {process for process, seen in self.viewed.items() if table in seen} for table in TABLES
        }
        return LeaseHolders(
            frozenset(self.leases), holders, {table: who for table, who in viewers.items() if who}
        )

    def plan(self, process: int) -> LeasePlan:
        """Return what a process would do now."""
        return plan_leases(
            process, TABLES, self.leases[process], self.viewed[process], self.found(), lambda _: self.routed
        )

    def step(self) -> bool:
        """Let each process act once; return whether anything happened."""
        busy = False
        for process in self.leases:
            plan = self.plan(process)
            free = TABLES - {table for held in self.leases.values() for table in held}
            taken = [table for table in plan.take if table in free][: max(0, plan.take_most)]
            self.leases[process] -= {*plan.give}
            self.leases[process] |= {*taken}
            self.viewed[process] -= {*plan.move}
            self.moved += len(plan.move)
            busy |= bool(taken or plan.give or plan.move)
        return busy


def test_a_lease_goes_where_the_only_viewers_are_and_stays() -> None:
    group = Group({ONE: TABLES, OTHER: set()}, {OTHER: {"t03"}}, routed=False)
    while group.step():
        pass
    assert "t03" in group.leases[OTHER]
    assert {len(held) for held in group.leases.values()} == {6}
    group.viewed[OTHER].clear()
    assert not group.step(), "without viewers it stays where it is"


def test_viewers_at_both_change_nothing() -> None:
    group = Group({ONE: HALF, OTHER: TABLES - HALF}, {ONE: TABLES, OTHER: TABLES}, routed=False)
    assert not group.step()


def test_viewers_whom_a_proxy_sends_are_never_sent_away() -> None:
    group = Group({ONE: TABLES, OTHER: set()}, {ONE: TABLES}, routed=False)
    assert not group.step()


def test_a_worker_that_comes_gets_its_share_with_the_viewers_but_not_all_at_once() -> None:
    group = Group({ONE: TABLES, OTHER: set()}, {ONE: TABLES}, routed=True)
    assert len(group.plan(ONE).move) == min(MOVED_AT_ONCE, 6)
    while group.step():
        pass
    assert [len(held) for held in group.leases.values()] == [6, 6]
    assert group.moved == 6


def test_viewers_who_strayed_go_to_the_worker_that_deals() -> None:
    group = Group({ONE: HALF, OTHER: TABLES - HALF}, {ONE: {"t01"}, OTHER: {"t01"}}, routed=True)
    assert (group.plan(OTHER).move, group.plan(ONE).move) == (("t01",), ())
    assert group.plan(OTHER).give == ()


sets = st.frozensets(st.sampled_from(sorted(TABLES)))


@given(
    owners=st.lists(st.sampled_from((ONE, OTHER, THIRD, 0)), min_size=12, max_size=12),
    seen=st.tuples(sets, sets, sets),
    routed=st.booleans(),
)
def test_from_anywhere_it_comes_to_rest_with_every_table_held_and_viewers_at_their_dealer(
    owners: list[int], seen: tuple[Set[str], ...], routed: bool
) -> None:
    held = dict(zip(sorted(TABLES), owners, strict=True))
    processes = (ONE, OTHER, THIRD)
    group = Group(
        {process: {table for table, who in held.items() if who == process} for process in processes},
        dict(zip(processes, seen, strict=True)),
        routed,
    )
    steps = 0
    while group.step():
        steps += 1
        assert steps < 20, "leases go to and fro"
    holders = group.found().holders
    assert holders.keys() == TABLES
    for table, viewers in group.found().viewers.items():
        assert holders[table] in viewers
        assert not routed or viewers == {holders[table]}
