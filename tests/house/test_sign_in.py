"""Signing in and out: the right password and no other, slowly; tokens that end, and can be ended."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from hashlib import sha256
from threading import Thread
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourcard.house.auth.security import security_notes
from fourcard.house.auth.sign_in import (
    MAX_REMEMBERED,
    MINUTE,
    TEST_COST,
    Attempts,
    AuthPolicy,
    HashCost,
    PasswordHashes,
    SignIn,
    token_hash,
)
from fourcard.house.clock_entropy import SeededEntropy, SimulatedClock
from fourcard.house.command_service import CommandService
from fourcard.house.store.interface import Credential, ReadTransaction, StoreError, WriteTransaction
from fourcard.house.store.memory import MemoryStore
from fourcard.refusal_codes import Code
from fourcard.refusals import Refusal

HOUR = 60 * MINUTE
RIGHT, WRONG = "four of a kind", "two small pair"
START = SimulatedClock().at
TERMS = AuthPolicy(cost=TEST_COST)


class WatchedStore(MemoryStore):
    """A store that can be broken and mended."""

    broken = False

    def writing(self) -> AbstractContextManager[WriteTransaction]:  # type: ignore[override]
        """Open a transaction, or fail."""
        if self.broken:
            raise StoreError("The disk is full.")
        return super().writing()


def while_reading(monkeypatch: pytest.MonkeyPatch, happening: Callable[[], object]) -> None:
    """Let something happen once, just after the next view of a store was opened."""
    real = WatchedStore.reading

    @contextmanager
    def overtaken(store: WatchedStore) -> Iterator[ReadTransaction]:
        monkeypatch.setattr(WatchedStore, "reading", real)
        with real(store) as view:
            happening()
            yield view

    monkeypatch.setattr(WatchedStore, "reading", overtaken)


class SignInHouse:
    """A front door with its store and clock."""

    def __init__(self, terms: AuthPolicy = TERMS) -> None:
        """Begin with one dealer and one player of the same name, whose passwords differ."""
        self.store, self.clock = WatchedStore(), SimulatedClock()
        self.service = CommandService(self.store, self.clock, SeededEntropy(3))
        self.log = self.service.security
        self.door = SignIn(self.service, self.log, terms)
        assert self.door.set_password("staff", "dan", RIGHT) is None
        assert self.door.set_password("player", "dan", RIGHT + ", aces") is None

    def at(self, moment: int) -> "SignInHouse":
        """Set the clock to so many milliseconds from the start."""
        self.clock.at = START + moment
        return self

    def attempt(self, password: str = RIGHT, person: str = "dan") -> str:
        """Try to sign a dealer in, and return what came of it."""
        answer = self.door.sign_in("staff", person, password)
        return answer.name if isinstance(answer, Refusal) else "succeeded"

    def token(self, kind: Literal["staff", "player"] = "staff") -> str:
        """Sign dan in."""
        token = self.door.sign_in(kind, "dan", RIGHT if kind == "staff" else RIGHT + ", aces")
        assert isinstance(token, str)
        return token

    def whose(self, token: str) -> str:
        """Return whose a token is, or that it is invalid."""
        found = self.door.valid_tokens([token_hash(token)]).get(token_hash(token))
        return "token_invalid" if found is None else f"{found.kind}/{found.person}"

    def noted(self) -> list[tuple[str, str, str]]:
        """Return the security log, the oldest first."""
        with self.store.reading() as reading:
            return [(note.by, note.what, note.reason) for note in reversed(security_notes(reading))]


def test_the_right_password_gives_a_token_that_says_who() -> None:
    house = SignInHouse()
    assert house.whose(house.token()) == "staff/dan"
    assert house.whose(house.token("player")) == "player/dan"


def test_a_token_is_32_random_bytes_of_which_only_the_hash_is_kept() -> None:
    house = SignInHouse()
    one, other = house.token(), house.token()
    assert one != other
    assert len(one) == 43
    assert set(one) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    tokens = house.service.security_state().tokens
    kept = tokens[sha256(one.encode()).hexdigest()]
    assert one not in tokens
    assert (kept.kind, kept.person, kept.issued, kept.ends) == ("staff", "dan", START, START + 12 * HOUR)


@pytest.mark.parametrize("person", ["dan", "eve", "Dan", "", "x" * 999, "\ud800"])
def test_a_refusal_does_not_tell_whether_name_or_password_was_wrong(person: str) -> None:
    house = SignInHouse()
    refusal = house.door.sign_in("staff", person, WRONG)
    assert isinstance(refusal, Refusal)
    assert (refusal.name, refusal.message) == ("sign_in_failed", "The name or the password is wrong.")
    for _ in range(4):
        assert house.attempt(WRONG, person) == "sign_in_failed"
    locked = house.door.sign_in("staff", person, WRONG)
    assert isinstance(locked, Refusal)
    sentence = Code.SIGN_IN_LOCKED.sentence.format(wait="15 minutes")
    assert (locked.name, locked.message) == ("sign_in_locked", sentence)


def test_a_players_password_is_not_a_dealers() -> None:
    house = SignInHouse()
    assert house.attempt(RIGHT + ", aces") == "sign_in_failed"


@pytest.mark.parametrize(
    ("failures", "then"), [(4, "succeeded"), (5, "sign_in_locked"), (6, "sign_in_locked")]
)
def test_five_failures_lock_a_name(failures: int, then: str) -> None:
    house = SignInHouse()
    answers = [house.attempt(WRONG) for _ in range(failures)]
    assert answers == ["sign_in_failed"] * min(failures, 5) + ["sign_in_locked"] * (failures - 5)
    assert house.attempt() == then
    assert house.token("player")


def test_a_lock_lasts_15_minutes_whatever_is_tried_meanwhile() -> None:
    house = SignInHouse()
    for _ in range(5):
        house.attempt(WRONG)
    for moment in (0, 7 * MINUTE, 15 * MINUTE - 1):
        assert house.at(moment).attempt() == "sign_in_locked"
    refusal = house.door.sign_in("staff", "dan", RIGHT)
    assert isinstance(refusal, Refusal)
    assert refusal.message.endswith("in 1 minute.")
    assert house.at(15 * MINUTE).attempt() == "succeeded"


def test_after_a_lock_five_more_failures_are_needed() -> None:
    house = SignInHouse()
    for _ in range(5):
        house.attempt(WRONG)
    house.at(15 * MINUTE)
    assert [house.attempt(WRONG) for _ in range(4)] == ["sign_in_failed"] * 4
    assert house.attempt() == "succeeded"


@pytest.mark.parametrize(
    ("moment", "then"), [(15 * MINUTE - 1, "sign_in_locked"), (15 * MINUTE, "succeeded")]
)
def test_failures_count_for_15_minutes(moment: int, then: str) -> None:
    house = SignInHouse()
    assert house.attempt(WRONG) == "sign_in_failed"
    for _ in range(4):
        assert house.at(moment).attempt(WRONG) == "sign_in_failed"
    assert house.attempt() == then


def test_a_success_forgets_the_failures_before_it() -> None:
    house = SignInHouse()
    for _ in range(3):
        assert [house.attempt(WRONG) for _ in range(4)] == ["sign_in_failed"] * 4
        assert house.attempt() == "succeeded"


def test_a_clock_set_back_a_little_unlocks_nothing_and_set_back_far_locks_nobody_for_long() -> None:
    house = SignInHouse()
    for _ in range(5):
        house.at(HOUR).attempt(WRONG)
    assert house.at(HOUR - 1).attempt() == "sign_in_locked"
    assert house.at(0).attempt() == "succeeded"


def test_attempts_that_run_side_by_side_are_all_counted() -> None:
    attempts, waits = Attempts(TERMS), list[int]()
    threads = [
        Thread(target=lambda: waits.append(attempts.begin(("staff", "dan"), START))) for _ in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(waits) == [0] * 5 + [15 * MINUTE] * 15


def test_a_new_password_unlocks_a_name_for_every_address() -> None:
    house = SignInHouse()
    for address in ("192.0.2.1", "192.0.2.2"):
        for _ in range(5):
            assert isinstance(house.door.sign_in("staff", "dan", WRONG, address), Refusal)
    assert house.door.set_password("staff", "dan", RIGHT) is None
    for address in ("192.0.2.1", "192.0.2.2"):
        assert isinstance(house.door.sign_in("staff", "dan", RIGHT, address), str)


def test_a_store_that_fails_fills_no_bucket_of_a_name() -> None:
    house = SignInHouse(AuthPolicy(cost=TEST_COST, name_failures=3))
    house.store.broken = True
    for number in range(9):
        with pytest.raises(StoreError):
            house.door.sign_in("staff", "dan", RIGHT, f"192.0.2.{number}")
    house.store.broken = False
    assert isinstance(house.door.sign_in("staff", "dan", RIGHT, "192.0.2.99"), str)


def test_a_name_knows_its_last_eight_addresses() -> None:
    house = SignInHouse(AuthPolicy(cost=TEST_COST, name_failures=1))
    for number in range(9):
        assert isinstance(house.door.sign_in("staff", "dan", RIGHT, f"192.0.2.{number}"), str)
    assert isinstance(house.door.sign_in("staff", "dan", WRONG, "203.0.113.1"), Refusal)
    forgotten, *known = [house.door.sign_in("staff", "dan", RIGHT, f"192.0.2.{each}") for each in range(9)]
    assert isinstance(forgotten, Refusal)
    assert forgotten.name == "sign_in_locked"
    assert all(isinstance(each, str) for each in known)


def test_names_in_memory_are_bounded_and_a_lock_outlives_a_flood_of_names() -> None:
    attempts = Attempts(TERMS)
    for _ in range(5):
        assert attempts.begin(("staff", "dan"), START) == 0
    for number in range(2 * MAX_REMEMBERED):
        assert attempts.begin(("staff", f"n{number}"), START) == 0
    assert attempts.begin(("staff", "dan"), START) == 15 * MINUTE
    tried_again = [attempts.begin(("staff", "n0"), START) for _ in range(6)]
    assert tried_again == [0, 0, 0, 0, 0, 15 * MINUTE]


def test_when_every_name_is_locked_the_oldest_make_room() -> None:
    attempts = Attempts(AuthPolicy(failures=1))
    for number in range(MAX_REMEMBERED + 1):
        assert attempts.begin(("staff", f"n{number}"), START) == 0
    assert attempts.begin(("staff", f"n{MAX_REMEMBERED // 10}"), START) == 15 * MINUTE
    assert attempts.begin(("staff", "n0"), START) == 0


def test_a_store_that_fails_is_no_failure_of_the_person() -> None:
    house = SignInHouse()
    house.store.broken = True
    for _ in range(9):
        with pytest.raises(StoreError):
            house.attempt()
    house.store.broken = False
    assert house.attempt() == "succeeded"


@pytest.mark.parametrize(
    ("moment", "whose"),
    [
        (0, "staff/dan"),
        (12 * HOUR - 1, "staff/dan"),
        (12 * HOUR, "token_invalid"),
        (13 * HOUR, "token_invalid"),
    ],
)
def test_a_token_holds_for_12_hours(moment: int, whose: str) -> None:
    house = SignInHouse()
    token = house.token()
    assert house.at(moment).whose(token) == whose


@pytest.mark.parametrize("token", ["", "x", "x" * 43, "x" * 9_999, "\ud800" * 43, "é" * 43])
def test_what_is_no_token_is_refused(token: str) -> None:
    assert SignInHouse().whose(token) == "token_invalid"


def test_a_revoked_token_is_refused_at_once_and_others_hold() -> None:
    house = SignInHouse()
    one, other = house.token(), house.token()
    assert house.whose(one) == house.whose(other) == "staff/dan"
    assert house.door.revoke(one) is True
    assert (house.whose(one), house.whose(other)) == ("token_invalid", "staff/dan")
    assert house.door.revoke(one) is False
    assert house.door.revoke("nonsense") is False
    house.at(12 * HOUR)
    assert house.door.revoke(other) is False


def test_all_sign_ins_of_a_person_are_revoked_at_once_and_of_nobody_else() -> None:
    house = SignInHouse()
    tokens, player = [house.token() for _ in range(3)], house.token("player")
    assert {house.whose(token) for token in tokens} == {"staff/dan"}
    assert house.door.revoke_all("staff", "dan") == 3
    assert {house.whose(token) for token in tokens} == {"token_invalid"}
    assert house.whose(player) == "player/dan"


def test_a_new_password_ends_every_sign_in_and_unlocks() -> None:
    house = SignInHouse()
    token = house.token()
    for _ in range(5):
        house.attempt(WRONG)
    assert house.door.set_password("staff", "dan", "three of a kind") is None
    assert house.whose(token) == "token_invalid"
    assert house.attempt(RIGHT) == "sign_in_failed"
    assert house.attempt("three of a kind") == "succeeded"


@pytest.mark.parametrize(("password", "taken"), [("eleven char", False), ("twelve chars", True)])
def test_a_password_has_12_characters_at_least(password: str, taken: bool) -> None:
    house = SignInHouse()
    refusal = house.door.set_password("staff", "dan", password)
    assert (refusal is None) is taken
    assert house.attempt(password) == ("succeeded" if taken else "sign_in_failed")
    assert house.attempt(RIGHT) == ("sign_in_failed" if taken else "succeeded")


def test_a_hash_of_another_cost_is_made_again_at_the_next_sign_in() -> None:
    house = SignInHouse()
    dearer = AuthPolicy(cost=HashCost(passes=2, memory=8, lanes=1))
    door = SignIn(house.service, house.log, dearer)
    for _ in range(2):
        assert isinstance(door.sign_in("staff", "dan", RIGHT), str)
        with house.store.reading() as reading:
            kept = reading.credential("staff", "dan")
        assert kept is not None
        assert kept.password.startswith("$argon2id$v=19$m=8,t=2,p=1$")


@pytest.mark.parametrize(("changed", "then"), [("three of a kind", "sign_in_failed"), (RIGHT, "succeeded")])
def test_a_password_changed_while_it_is_compared_is_compared_again(
    changed: str, then: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = SignInHouse()
    while_reading(monkeypatch, lambda: house.door.set_password("staff", "dan", changed))
    assert house.attempt() == then


def test_sign_ins_are_in_the_security_log_and_no_password_is() -> None:
    house = SignInHouse()
    house.token()
    house.attempt(WRONG)
    house.attempt(WRONG, person=RIGHT)
    house.attempt(WRONG, person="hunter2hunter2")
    for _ in range(5):
        house.attempt(WRONG)
    house.door.note_dismissal("staff", "dan")
    assert house.noted() == [
        ("dan", "staff password", "set"),
        ("dan", "player password", "set"),
        ("dan", "staff sign-in", "succeeded"),
        ("dan", "staff sign-in", "failed"),
        ("(unknown)", "staff sign-in", "failed"),
        ("dan", "staff sign-in", "locked"),
        ("dan", "staff password", "taken away"),
    ]


@settings(max_examples=50)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 10 * MINUTE)), max_size=40))
def test_in_no_15_minutes_are_more_than_five_wrong_passwords_compared(tries: list[tuple[bool, int]]) -> None:
    attempts, now, compared = Attempts(TERMS), START, list[int]()
    for succeeds, step in tries:
        now += step
        if attempts.begin(("staff", "dan"), now):
            continue
        if succeeds:
            attempts.succeed(("staff", "dan"))
            compared.clear()
        else:
            compared.append(now)
        assert len([at for at in compared if at > now - 15 * MINUTE]) <= 5


def change_in_database(house: SignInHouse, credential: Credential) -> None:
    """Write a password hash as somebody would who has the database alone."""
    with house.store.writing() as writing:
        writing.put_credential(credential)


def test_a_password_hash_that_was_copied_from_somebody_else_opens_nothing() -> None:
    house = SignInHouse()
    assert house.door.set_password("staff", "eve", "the hash of eve") is None
    with house.store.reading() as reading:
        own, other = reading.credential("staff", "dan"), reading.credential("staff", "eve")
    assert own is not None
    assert other is not None
    change_in_database(house, Credential("staff", "dan", other.password))
    assert [house.attempt("the hash of eve"), house.attempt(RIGHT)] == ["sign_in_failed"] * 2
    assert house.attempt("the hash of eve", "eve") == "succeeded"
    assert ("dan", "staff password", "altered in the database") in house.noted()
    change_in_database(house, own)
    assert house.attempt() == "succeeded"


@pytest.mark.parametrize("person", ["dan", "new"])
def test_a_password_that_nobody_has_set_opens_nothing(person: str) -> None:
    house = SignInHouse()
    hashes = PasswordHashes(SeededEntropy(9), TEST_COST)
    change_in_database(house, Credential("staff", person, hashes.hash("my own password")))
    assert house.attempt("my own password", person) == "sign_in_failed"


def test_an_old_password_that_was_put_back_opens_nothing() -> None:
    house = SignInHouse()
    with house.store.reading() as reading:
        old = reading.credential("staff", "dan")
    assert old is not None
    assert house.door.set_password("staff", "dan", "three of a kind") is None
    change_in_database(house, old)
    assert [house.attempt(), house.attempt("three of a kind")] == ["sign_in_failed"] * 2
