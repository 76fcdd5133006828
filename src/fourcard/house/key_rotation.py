"""Key rotation: a new key for a house in one transaction, and a key file that every crash leaves usable.

The new key waits in a file beside the old one until the transaction is committed. Only then is the old key
kept under another name and replaced; whoever opens the house after a crash in between does that.
"""

import os
from contextlib import suppress
from itertools import count
from pathlib import Path

from fourcard.house.clock_entropy import Entropy
from fourcard.house.decision import HOUSE
from fourcard.house.head_signatures import KEY_BYTES, HouseKey, read_key, write_key
from fourcard.house.journal import house_record
from fourcard.house.reports.house_status import house_identity
from fourcard.house.store.interface import (
    Store,
    StoreError,
    WriteTransaction,
    is_signed_snapshot,
    key_of,
    sign_snapshot,
)
from fourcard.house.store.sealing import StoreKey
from fourcard.refusals import BadInputError


def rotate_key(store: Store, file: Path, entropy: Entropy, now: int) -> HouseKey:
    """Replace the key of a house and its file, and return the new key.

    The store is open for nothing else: its first commit has a higher number than every commit of the old key.
    """
    old = read_key(file)
    new = _write_waiting_key(file, entropy)
    store.key = StoreKey(old.secret)
    with store.writing() as writing:
        _rotate(writing, old, new, now)
    replace_key(file, old)
    return new


def _rotate(writing: WriteTransaction, old: HouseKey, new: HouseKey, now: int) -> None:
    heads = writing.lock_exclusive(writing.streams())
    writing.refuse_other_programs()
    identity = house_identity(writing)
    if identity is None or identity.public_key != old.public:
        raise StoreError("Another program has rotated the key meanwhile. Nothing is done.")
    for stream, head in heads.items():
        fault = writing.head_fault(stream, head)
        if fault:
            raise StoreError(f"The journal of {stream} {fault}. The key stays as it is; run an audit.")
    writing.append([house_record(heads[HOUSE], old.sign_rotation(identity, new.public), now)])
    before, after = key_of(writing), StoreKey(new.secret)
    writing.key = after
    writing.sign_heads(heads)
    _seal_again(writing, before, after)
    for stream in heads:
        for snapshot in [*writing.snapshots(stream)]:
            if is_signed_snapshot(before, snapshot):
                writing.keep_snapshot(sign_snapshot(after, snapshot))


def _seal_again(writing: WriteTransaction, before: StoreKey, after: StoreKey) -> None:
    """Seal every stored secret with the new key."""
    sealed = dict[tuple[str, int], bytes]()
    for (stream, number), stored in writing.secrets().items():
        secret = before.open(stream, number, stored)
        if secret is None:
            raise StoreError(
                f"The secret of shuffle {number} of {stream} cannot be opened. The key stays as it is; "
                "run an audit."
            )
        sealed[stream, number] = after.seal(stream, number, secret)
    writing.forget_secrets(sealed)
    writing.keep_secrets(sealed)


def current_key(file: Path, public_key: str) -> HouseKey:
    """Return the key in a file; the one beside it if the house was rotated to that, and the file was not."""
    key, waiting = read_key(file), _waiting_file(file)
    if key.public != public_key and waiting.exists():
        new = read_key(waiting)
        return new if new.public == public_key else key
    return key


def finish_rotation(file: Path, key: HouseKey) -> None:
    """Replace the key in a file by the current one, if a crash came before that."""
    old = read_key(file)
    if old.public != key.public:
        replace_key(file, old)


def replace_key(file: Path, old: HouseKey) -> None:
    """Keep the old key under another name and put the new one in its place, even if others do the same."""
    try:
        for number in count(1):
            kept = file.with_name(f"{file.name}.old-{number}")
            with suppress(FileExistsError):
                write_key(kept, old.secret)
            if kept.read_text(encoding="ascii").strip() == old.secret.hex():
                break
        with suppress(FileNotFoundError):
            _waiting_file(file).replace(file)
    except OSError as error:
        raise _unusable(file, error) from None


def _waiting_file(file: Path) -> Path:
    return file.with_name(f"{file.name}.new")


def _write_waiting_key(file: Path, entropy: Entropy) -> HouseKey:
    """Write a new key beside the old one, for the same owner, and so that it survives a power failure."""
    waiting = _waiting_file(file)
    try:
        waiting.unlink(missing_ok=True)
        write_key(waiting, entropy.draw(KEY_BYTES))
        owner = file.stat().st_uid
        if waiting.stat().st_uid != owner:
            os.chown(waiting, owner, -1)
        folder = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise _unusable(waiting, error) from None
    return read_key(waiting)


def _unusable(file: Path, error: OSError) -> BadInputError:
    return BadInputError(f"The key of the house {file} cannot be written: {error.strerror}.")
