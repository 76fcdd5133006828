"""Faulty store: forwards to a real store and fails at planned points, to test the command service."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

from fourcard.house.store.interface import ReadTransaction, Store, StoreError, WriteTransaction
from fourcard.house.store.sealing import StoreKey

FaultPlan = Callable[[str], bool]
"""Asked at every point by its name, answers whether the store fails there."""

WRITES = frozenset({
    "append", "copy_records", "copy_commits", "post",
    "keep_game", "keep_secrets", "forget_secrets", "keep_snapshot", "put_credential",
    "announce_sign_out", "put_table_hours", "add_rounds", "add_segment_part",
    "add_segment",
})  # fmt: skip
"""What has a point before and a point after it; everything else is one point, named like the method."""


class FaultyStore:
    """Forwards every call to a store, and fails as the plan says.

    The points are ``view`` when a view is opened; ``begin``, ``commit:before`` and ``commit:after`` of a
    transaction; and each method, as ``lock_exclusive`` or ``append:before`` and ``append:after``. A failure
    changes nothing, except at ``commit:after``: there everything is stored, and only the answer is lost.
    """

    def __init__(self, store: Store, plan: FaultPlan) -> None:
        """Wrap a store."""
        self.name = store.name
        self.address: str | None = None
        self.passed: Counter[str] = Counter()
        """How often each point was passed, failures included."""
        self.failed: Counter[str] = Counter()
        """How often it failed there."""
        self._store, self._plan = store, plan

    @property
    def key(self) -> StoreKey | None:
        """Return what opens the secrets of the store inside."""
        return self._store.key

    @key.setter
    def key(self, key: StoreKey | None) -> None:
        self._store.key = key

    @contextmanager
    def reading(self) -> Iterator[ReadTransaction]:
        """Open a view of one moment."""
        self.point("view")
        with self._store.reading() as view:
            yield cast("ReadTransaction", _Watched(view, self))

    @contextmanager
    def writing(self) -> Iterator[WriteTransaction]:
        """Open a transaction."""
        self.point("begin")
        with self._store.writing() as transaction:
            yield cast("WriteTransaction", _Watched(transaction, self))
            self.point("commit:before")
        self.point("commit:after")

    def close(self) -> None:
        """Close the store inside."""
        self._store.close()

    def point(self, name: str) -> None:
        """Pass a point, or fail there."""
        self.passed[name] += 1
        if self._plan(name):
            self.failed[name] += 1
            raise StoreError(f"{self.name} failed at {name}, as planned.")


class _Watched:
    """A view or a transaction of which every method passes its points."""

    def __init__(self, inside: ReadTransaction, store: FaultyStore) -> None:
        self._inside, self._store = inside, store

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._inside, name)
        if not callable(method):
            return method  # type: ignore[no-any-return]

        def watched(*args: Any, **kwargs: Any) -> Any:
            self._store.point(f"{name}:before" if name in WRITES else name)
            answer = method(*args, **kwargs)
            if name in WRITES:
                self._store.point(f"{name}:after")
            return answer

        return watched
