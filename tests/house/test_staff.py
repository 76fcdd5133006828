"""Who works in the house, which passwords are taken, and what the operator's page says of it all."""

from collections.abc import Sequence
from typing import get_args

import pytest
from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from fourcard.house.auth.identity import CONSOLE, Actor
from fourcard.house.auth.permissions import permissions
from fourcard.house.auth.sign_in import (
    MAX_PASSWORD_LENGTH,
    SAFE_COST,
    SHORTEST_PASSWORD,
    TEST_COST,
    HashCost,
    PasswordHashes,
    password_refusal,
)
from fourcard.house.auth.staff import MAX_NAME_LENGTH, Employee, StaffState, decide, evolve
from fourcard.house.clock_entropy import SeededEntropy
from fourcard.house.commands import (
    ActingRole,
    ChangeRoles,
    DismissStaff,
    HireStaff,
    NotePassword,
    StaffCommand,
    StaffRole,
)
from fourcard.house.events import PasswordSet, RolesChanged, StaffDismissed, StaffEvent, StaffHired
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal
from tests.kit.support import ROOT

ROLES: tuple[StaffRole, ...] = get_args(StaffRole)
FIRST = HireStaff(person="ada", name="Ada", roles=("administrator",))
DEALER = HireStaff(person="dan", name="Dan", roles=("dealer",))


def after(*commands: StaffCommand) -> StaffState:
    """Return the staff after commands that must all be done."""
    state = StaffState()
    for command in commands:
        events = decide(state, command)
        assert isinstance(events, list), events
        state = folded(state, events)
    return state


def folded(state: StaffState, events: Sequence[StaffEvent]) -> StaffState:
    """Return the staff after events."""
    for event in events:
        state = evolve(state, event)
    return state


def told(state: StaffState, command: StaffCommand) -> tuple[str, str]:
    """Return the name and the sentence of a refusal."""
    refusal = decide(state, command)
    assert isinstance(refusal, Refusal), refusal
    return refusal.name, refusal.message


def test_a_person_is_taken_on_given_other_roles_and_let_go() -> None:
    state = after(FIRST)
    hired = decide(
        state, HireStaff(person="dan", name="  Dan \n Doe ", roles=("floorperson", "dealer", "dealer"))
    )
    assert hired == [StaffHired("dan", "Dan Doe", ("dealer", "floorperson"))]
    state = folded(state, hired)
    assert state.actor("dan") == Actor("dan", "staff", ("dealer", "floorperson"))
    assert decide(state, NotePassword(person="dan")) == [PasswordSet("dan")]
    state = folded(state, [PasswordSet("dan")])
    assert state.people["dan"] == Employee("Dan Doe", ("dealer", "floorperson"), password=True)
    assert decide(state, ChangeRoles(person="dan", roles=("auditor",))) == [RolesChanged("dan", ("auditor",))]
    state = folded(state, [RolesChanged("dan", ("auditor",))])
    assert state.employed("dan") == Employee("Dan Doe", ("auditor",), password=True)
    assert decide(state, DismissStaff(person="dan")) == [StaffDismissed("dan")]
    state = folded(state, [StaffDismissed("dan")])
    assert (state.employed("dan"), state.actor("dan")) == (None, None)
    assert state.people["dan"].name == "Dan Doe"


def test_who_was_let_go_can_be_taken_on_again_and_needs_a_new_password() -> None:
    state = after(FIRST, DEALER, NotePassword(person="dan"), DismissStaff(person="dan"), DEALER)
    assert state.employed("dan") == Employee("Dan", ("dealer",), password=False)


EVE = HireStaff(person="eve", name="Eve", roles=("administrator",))
CONSOLE_HIRED = HireStaff(person=CONSOLE, name="Console", roles=("supervisor", "administrator"))


@pytest.mark.parametrize(
    ("staff", "menders"),
    [
        ((FIRST,), ("ada",)),
        ((FIRST, EVE), ("ada", "eve")),
        ((FIRST, EVE, NotePassword(person="eve")), ("eve",)),
        ((CONSOLE_HIRED, FIRST), (CONSOLE,)),
        ((CONSOLE_HIRED, FIRST, NotePassword(person="ada"), EVE), (CONSOLE, "ada")),
        ((CONSOLE_HIRED, ChangeRoles(person=CONSOLE, roles=("administrator", "dealer")), DEALER), (CONSOLE,)),
    ],
)
def test_the_last_one_who_can_mend_anything_stays(
    staff: tuple[StaffCommand, ...], menders: tuple[str, ...]
) -> None:
    state = after(*staff)
    assert state.able_administrators() == menders
    for person in state.people:
        outcomes = [
            decide(state, DismissStaff(person=person)),
            decide(state, ChangeRoles(person=person, roles=("auditor",))),
        ]
        refused = [isinstance(each, Refusal) for each in outcomes]
        assert refused == [menders == (person,)] * 2


def test_nobody_changes_the_own_roles() -> None:
    state = after(FIRST, EVE)
    more = ChangeRoles(person="eve", roles=("administrator", "executive"))
    assert told(state, replace(more, by="eve"))[0] == "own_roles"
    assert isinstance(decide(state, replace(more, by="ada")), list)


def test_an_auditor_has_no_other_role() -> None:
    state = after(FIRST, DEALER)
    for command in (
        HireStaff(person="otto", name="Otto", roles=("auditor", "dealer")),
        ChangeRoles(person="dan", roles=("executive", "auditor")),
    ):
        assert told(state, command) == ("auditor_apart", Code.AUDITOR_APART.sentence)
    assert isinstance(decide(state, ChangeRoles(person="dan", roles=("auditor",))), list)


def test_nobody_notes_a_password_for_the_console() -> None:
    assert told(after(CONSOLE_HIRED), NotePassword(person=CONSOLE)) == (
        "console_password",
        Code.CONSOLE_PASSWORD.sentence,
    )


REFUSED: dict[str, tuple[StaffCommand, str, str]] = {
    "known": (DEALER, "person_known", Code.PERSON_KNOWN.sentence.format(person="dan")),
    "unknown roles": (
        ChangeRoles(person="eve", roles=("dealer",)),
        "person_unknown",
        "Nobody named 'eve' works here.",
    ),
    "unknown dismissal": (DismissStaff(person="eve"), "person_unknown", "Nobody named 'eve' works here."),
    "unknown password": (NotePassword(person="e\n"), "person_unknown", "Nobody named 'e?' works here."),
    "no roles": (
        HireStaff(person="eve", name="Eve", roles=()),
        "roles_missing",
        Code.ROLES_MISSING.sentence,
    ),
    "no roles left": (
        ChangeRoles(person="dan", roles=()),
        "roles_missing",
        Code.ROLES_MISSING.sentence,
    ),
    "same roles": (
        ChangeRoles(person="dan", roles=("dealer", "dealer")),
        "roles_unchanged",
        Code.ROLES_UNCHANGED.sentence.format(person="dan"),
    ),
    "no name": (
        HireStaff(person="eve", name=" ", roles=("dealer",)),
        "person_name_missing",
        "A person needs a name of 1 to 80 printable characters.",
    ),
    "stripped": (
        ChangeRoles(person="ada", roles=("executive", "dealer")),
        "last_administrator",
        Code.LAST_ADMINISTRATOR.sentence.format(person="ada"),
    ),
    "dismissed": (
        DismissStaff(person="ada"),
        "last_administrator",
        Code.LAST_ADMINISTRATOR.sentence.format(person="ada"),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_refused_in_a_sentence(name: str) -> None:
    command, code, message = REFUSED[name]
    assert told(after(FIRST, DEALER), command) == (code, message)


def test_the_first_person_must_be_an_administrator() -> None:
    sentence = "The first person of a house must be an administrator."
    assert told(StaffState(), DEALER) == ("administrator_first", sentence)
    assert after(FIRST, DEALER).administrators() == ("ada",)


def test_one_of_two_administrators_can_go_and_the_other_cannot() -> None:
    other = HireStaff(person="bob", name="Bob", roles=("administrator", "dealer"))
    state = after(FIRST, other, DismissStaff(person="ada"))
    assert told(state, DismissStaff(person="bob"))[0] == "last_administrator"
    assert told(state, ChangeRoles(person="bob", roles=("dealer",)))[0] == "last_administrator"
    assert decide(state, ChangeRoles(person="bob", roles=("administrator",))) == [
        RolesChanged("bob", ("administrator",))
    ]


@pytest.mark.parametrize("person", ["a", "7", "a" * 40, "dan.doe-2_x"])
def test_an_id_of_plain_characters_is_taken(person: str) -> None:
    assert isinstance(decide(after(FIRST), HireStaff(person=person, name="N", roles=("dealer",))), list)


@pytest.mark.parametrize("person", ["", "a" * 41, "Dan", ".dan", "-dan", "_d", "d n", "dän", "dan\n", "d/n"])
def test_any_other_id_is_refused(person: str) -> None:
    code, message = told(after(FIRST), HireStaff(person=person, name="N", roles=("dealer",)))
    assert code == "id_unfit"
    assert message.isprintable()


def test_a_name_is_as_long_as_it_may_be_and_no_longer() -> None:
    state, longest = after(FIRST), "n" * MAX_NAME_LENGTH
    assert isinstance(decide(state, HireStaff(person="x", name=longest, roles=("dealer",))), list)
    assert (
        told(state, HireStaff(person="x", name=longest + "n", roles=("dealer",)))[0] == "person_name_missing"
    )
    assert told(state, HireStaff(person="x", name="n\x00", roles=("dealer",)))[0] == "person_name_missing"


PEOPLE = st.sampled_from(["ada", "bob", "cy", "Not An Id"])
SETS = st.lists(st.sampled_from(ROLES), max_size=3).map(tuple)
COMMANDS = st.one_of(
    st.builds(HireStaff, person=PEOPLE, name=st.sampled_from(["N", ""]), roles=SETS),
    st.builds(ChangeRoles, person=PEOPLE, roles=SETS),
    st.builds(DismissStaff, person=PEOPLE),
    st.builds(NotePassword, person=PEOPLE),
)


@given(st.lists(COMMANDS, max_size=40))
def test_no_sequence_of_commands_leaves_a_house_without_an_administrator(
    commands: list[StaffCommand],
) -> None:
    state, journal = StaffState(), list[StaffEvent]()
    for command in commands:
        outcome = decide(state, command)
        if isinstance(outcome, list):
            state, journal = folded(state, outcome), [*journal, *outcome]
            assert len(outcome) == 1
        assert state.administrators() or not state.people
        assert all(state.actor(person) is not None for person in state.administrators())
    assert folded(StaffState(), journal) == state


@pytest.mark.parametrize(
    ("password", "reason"),
    [
        ("short-enoug", "it has fewer than 12 characters"),
        ("long-enough!", None),
        ("y" * (MAX_PASSWORD_LENGTH - 1) + "z", None),
        ("y" * MAX_PASSWORD_LENGTH + "z", "it has more than 256 characters"),
        ("\ufdfa" * 100, "it has more than 256 characters"),
        ("            ", "it is one character, repeated"),
        ("AaAaAaAaAaAa", "it is one character, repeated"),
        ("dealer.dan.7", "it is the name"),
        ("Dealer.Dan.7 dealer.dan.7", "it is the name"),
        ("dealer.dan.7!", None),
        ("\ud800 half a character", "it is not text"),
    ],
)
def test_a_weak_password_is_refused_with_its_reason(password: str, reason: str | None) -> None:
    refusal = password_refusal("dealer.dan.7", password)
    assert (refusal is None) == (reason is None)
    if refusal is not None:
        assert (refusal.name, refusal.message) == ("password_weak", f"The password cannot be used: {reason}.")
    assert SHORTEST_PASSWORD == 12


def test_a_password_is_kept_as_an_argon2id_hash_and_known_again() -> None:
    passwords = PasswordHashes(SeededEntropy(1), TEST_COST)
    kept = passwords.hash("four of a kind")
    assert kept.startswith("$argon2id$v=19$m=8,t=1,p=1$")
    assert "four" not in kept
    assert kept != passwords.hash("four of a kind")
    assert passwords.verify(kept, "four of a kind")
    assert not passwords.verify(kept, "four of a kinD")
    assert not passwords.verify(kept, "four of a kind" + "d" * MAX_PASSWORD_LENGTH)
    assert not passwords.verify("no hash", "four of a kind")


def test_the_same_characters_are_the_same_password_however_they_were_typed() -> None:
    passwords = PasswordHashes(SeededEntropy(1), TEST_COST)
    assert passwords.verify(passwords.hash("caf\u00e9 au lait, \u2460"), "cafe\u0301 au lait, 1")


@pytest.mark.parametrize("kept", [None, ""])
def test_who_has_no_password_is_refused_after_the_same_work(
    kept: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    passwords, compared = PasswordHashes(SeededEntropy(1), TEST_COST), list[str]()
    real = PasswordHasher.verify

    def watched(hasher: PasswordHasher, against: str, password: bytes) -> bool:
        with pytest.raises(VerifyMismatchError):
            real(hasher, against, password)
        compared.append(against)
        raise VerifyMismatchError

    monkeypatch.setattr(PasswordHasher, "verify", watched)
    assert not passwords.verify(kept, SeededEntropy(1).draw(SHORTEST_PASSWORD).hex())
    assert not passwords.verify(kept, "anything at all")
    assert [each.startswith("$argon2id$v=19$m=8,t=1,p=1$") for each in compared] == [True, True]


def test_a_hash_of_another_cost_is_stale() -> None:
    entropy = SeededEntropy(1)
    old = PasswordHashes(entropy, TEST_COST).hash("four of a kind")
    dearer = PasswordHashes(entropy, HashCost(passes=2, memory=8, lanes=1))
    assert dearer.verify(old, "four of a kind")
    assert dearer.is_stale(old)
    assert not dearer.is_stale(dearer.hash("four of a kind"))


def test_the_usual_cost_is_what_is_recommended() -> None:
    assert (SAFE_COST.passes, SAFE_COST.memory, SAFE_COST.lanes) == (3, 64 * 1024, 4)


HEADS = (
    "player", "dealer", "floorperson", "supervisor", "casino supervisor", "executive", "auditor",
    "administrator",
)  # fmt: skip


def _tables() -> list[dict[str, list[str]]]:
    """Return the tables of the page: by the first cell of each row, the other cells."""
    tables: list[dict[str, list[str]]] = [{}]
    for line in (ROOT / "docs" / "reference" / "permissions.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("|"):
            first, *others = (cell.strip(" `") for cell in line[1:-1].split("|"))
            tables[-1][first] = others
        elif tables[-1]:
            tables.append({})
    return [each for each in tables if each]


def _cells(roles: Sequence[ActingRole], own: Sequence[ActingRole], clauses: Sequence[str]) -> list[str]:
    spoken = [head.replace(" ", "-") for head in HEADS]
    return [*("own" if r in own else "yes" if r in roles else "" for r in spoken), " ".join(clauses)]


def test_the_page_tells_what_the_data_says() -> None:
    described, acts_as, commands, reads = _tables()
    assert {*described} == {"role", "---", *HEADS} - {"casino supervisor"}
    told = {
        str(role): [", ".join(each.replace("-", " ") for each in row.roles), " ".join(row.clauses)]
        for role, row in permissions().acts_as.items()
    }
    assert acts_as == {"employed as": ["acts as", "clauses"], "---": ["---"] * 2, **told}
    head = {"": [*HEADS, "clauses"], "---": ["---"] * 9}
    assert commands == head | {
        kind: _cells(row.roles, row.own.of if row.own is not None else (), row.clauses)
        for kind, row in permissions().commands.items()
    }
    assert reads == head | {
        str(what): _cells(row.roles, row.own, row.clauses) for what, row in permissions().reads.items()
    }
