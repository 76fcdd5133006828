"""Head signatures: the house's keys, signed stream heads, and anchors stored elsewhere.

The signed message is a JSON list of the word below, the house, the time in milliseconds, and the heads. Each
head is a list of stream, sequence and hash; heads are sorted by stream. A house is founded with a key; each
rotation of the key is signed with the key before it.
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from fourcard.house.clock_entropy import Entropy
from fourcard.house.events import ROTATED_KIND, HouseFounded, KeyRotated, SignedHead
from fourcard.house.journal import HOUSE_CODEC, JournalRecord, StreamHead, UnreadableEventError, unpack_events
from fourcard.house.signed_files import FileSigner, verifies
from fourcard.refusals import BadInputError

HEADS_WORD = "fourcard-heads-1"
FIGURES_WORD = "fourcard-figures-1"
ROTATION_WORD = "fourcard-rotation-1"
ANCHOR_FORMAT = "fourcard-anchor-1"
KEY_BYTES = 32


class StreamFigures(msgspec.Struct, frozen=True, array_like=True):
    """What an operator would have to make good if the events of one stream were lost."""

    stream: str
    wins: int = 0
    deposits: int = 0
    withdrawals: int = 0
    counts: int = 0
    """Counts of the tray and of the drop."""
    cents: int | None = None
    """What the meter or the account holds."""


class Anchor(msgspec.Struct, frozen=True, kw_only=True):
    """Signed heads of all streams at one moment, to be stored where nobody at the house can change them."""

    format: str
    house: str
    at: int
    public_key: str
    heads: tuple[SignedHead, ...]
    signature: str
    figures: tuple[StreamFigures, ...] = ()
    """Figures for the report after a restore; anchors of version 0.1 have none."""
    figures_signature: str = ""


class HouseKey:
    """The key that signs for a house; it is not in the database, because its holder can sign."""

    def __init__(self, secret: bytes) -> None:
        """Take the 32 bytes of an Ed25519 key."""
        self.secret = secret
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = self._key.public_key().public_bytes_raw().hex()

    def sign(self, house: str, at: int, heads: tuple[SignedHead, ...]) -> str:
        """Return the signature of heads, in hexadecimal."""
        return self._key.sign(signed_message(house, at, heads)).hex()

    def sign_rotation(self, identity: "HouseIdentity", public_key: str) -> KeyRotated:
        """Return the event that makes another key the next one of a house."""
        message = rotation_message(identity.house, len(identity.keys), public_key)
        return KeyRotated(public_key, self._key.sign(message).hex())

    def signer(self, house: str) -> FileSigner:
        """Return what signs files of a house."""
        return FileSigner(house, self.public, lambda message: self._key.sign(message).hex())

    def anchor(
        self, house: str, at: int, heads: Mapping[str, StreamHead], figures: tuple[StreamFigures, ...] = ()
    ) -> Anchor:
        """Return an anchor of every stream."""
        listed = signed_heads(heads)
        return Anchor(
            format=ANCHOR_FORMAT,
            house=house,
            at=at,
            public_key=self.public,
            heads=listed,
            signature=self.sign(house, at, listed),
            figures=figures,
            figures_signature=self._key.sign(signed_message(house, at, figures, FIGURES_WORD)).hex(),
        )


class HouseIdentity(msgspec.Struct, frozen=True):
    """The name of a house, and its public keys in order."""

    house: str
    signs: bool
    """Whether every commit since the founding is signed."""
    keys: tuple[tuple[int, str], ...]
    """Each key with the event of the house's stream from which on it signs."""
    rotations: tuple[KeyRotated, ...] = ()

    @property
    def public_key(self) -> str:
        """Return the key that signs now."""
        return self.keys[-1][1]

    @property
    def public_keys(self) -> tuple[str, ...]:
        """Return every key, the founding one first."""
        return tuple(key for _, key in self.keys)

    def key_at(self, sequence: int) -> str:
        """Return the key that signed at an event of the house's stream."""
        return next((key for since, key in reversed(self.keys) if since <= sequence), self.keys[0][1])

    def accepts(self, rotation: KeyRotated) -> bool:
        """Say whether the newest key has signed the next rotation."""
        message = rotation_message(self.house, len(self.keys), rotation.public_key)
        return verifies(self.public_key, rotation.signature, message)

    def refuse_old_key(self, public_key: str) -> None:
        """Refuse a key that was rotated."""
        if public_key in self.public_keys[:-1]:
            raise BadInputError(
                "The key of the house was rotated, and this is an old one. Give the new one with --key."
            )


def rotation_message(house: str, number: int, public_key: str) -> bytes:
    """Return what the old key signs of a rotation; the first one has number 1."""
    return msgspec.json.encode((ROTATION_WORD, house, number, public_key))


def identity_of(records: Iterable[JournalRecord]) -> HouseIdentity | None:
    """Return the identity that the stored records of the house's stream prove; None if it was never founded.

    A rotation that cannot be read, or that the key before it did not sign, proves nothing.
    """
    found = None
    for record in records:
        try:
            for each in unpack_events(record):
                if found is None:
                    event = HOUSE_CODEC.decode(each)
                    if not isinstance(event, HouseFounded):
                        return None
                    found = HouseIdentity(event.house, event.signs, ((each.sequence, event.public_key),))
                elif each.kind == ROTATED_KIND:
                    event = HOUSE_CODEC.decode(each)
                    if isinstance(event, KeyRotated) and found.accepts(event):
                        keys = (*found.keys, (each.sequence, event.public_key))
                        found = replace(found, keys=keys, rotations=(*found.rotations, event))
        except UnreadableEventError:
            if found is None:
                raise
    return found


def signed_heads(heads: Mapping[str, StreamHead]) -> tuple[SignedHead, ...]:
    """Return heads as they are signed, sorted by stream."""
    return tuple(SignedHead(name, head.sequence, head.hash.hex()) for name, head in sorted(heads.items()))


def signed_message(
    house: str, at: int, signed: tuple[SignedHead, ...] | tuple[StreamFigures, ...], word: str = HEADS_WORD
) -> bytes:
    """Return the signed message."""
    return msgspec.json.encode((word, house, at, signed))


def is_signed(public_key: str, signature: str, house: str, at: int, heads: tuple[SignedHead, ...]) -> bool:
    """Say whether a signature of heads was made with a key."""
    return verifies(public_key, signature, signed_message(house, at, heads))


def is_genuine(anchor: Anchor) -> bool:
    """Say whether an anchor and its figures, if any, are signed with its key."""
    house, at, key = anchor.house, anchor.at, anchor.public_key
    figures = signed_message(house, at, anchor.figures, FIGURES_WORD)
    told = bool(anchor.figures or anchor.figures_signature)
    return is_signed(key, anchor.signature, house, at, anchor.heads) and (
        not told or verifies(key, anchor.figures_signature, figures)
    )


def read_anchor(path: Path) -> Anchor:
    """Return the anchor in a file, or refuse an invalid file."""
    try:
        anchor = msgspec.json.decode(path.read_bytes(), type=Anchor)
    except OSError as error:
        raise BadInputError(f"The anchor {path} cannot be read: {error.strerror}.") from None
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise BadInputError(f"{path} is not an anchor: {error}.") from None
    if anchor.format != ANCHOR_FORMAT:
        raise BadInputError(f"{path} is not an anchor of the format {ANCHOR_FORMAT}.")
    return anchor


def read_key(path: Path, entropy: Entropy | None = None) -> HouseKey:
    """Return the key in a file; with entropy, create a missing one, readable only by its owner."""
    try:
        if not path.exists() and entropy is not None:
            write_key(path, entropy.draw(KEY_BYTES))
        return HouseKey(bytes.fromhex(path.read_text(encoding="ascii").strip()))
    except OSError as error:
        raise BadInputError(f"The key of the house {path} cannot be used: {error.strerror}.") from None
    except (ValueError, UnicodeError):
        raise BadInputError(f"{path} is not a key: it must hold 64 hexadecimal digits.") from None


def write_key(path: Path, secret: bytes) -> None:
    """Write a key to a new file, readable only by its owner."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(f"{secret.hex()}\n")
        file.flush()
        os.fsync(file.fileno())
