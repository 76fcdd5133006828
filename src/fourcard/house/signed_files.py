"""Signed files: a compressed content with a header that names its house and is signed with the house's key.

The first line is the header in JSON; the rest of the file is one zstd frame or several. The signed message is
a JSON list of format, house, time in milliseconds, the facts of the header, and the SHA-256 of the rest.
"""

from collections.abc import Callable, Collection
from hashlib import sha256

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from zstandard import ZstdCompressor, ZstdDecompressor, ZstdError

from fourcard.refusals import BadInputError

LEVEL = 3
MAX_HEADER = 64 * 1024 * 1024
"""The most bytes of a header; a content is decompressed only after its signature was verified."""
Sign = Callable[[bytes], str]
"""Signs a message; returns the signature in hexadecimal."""


class SignedFileError(BadInputError):
    """A signed file that cannot be used; the sentence says why."""


class SignedHeader(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of a signed file."""

    format: str
    house: str
    at: int
    """When it was written, in milliseconds."""
    public_key: str
    facts: msgspec.Raw
    """What a reader needs to know before the content, in JSON."""
    digest: str
    """The SHA-256 of the rest of the file, in hexadecimal."""
    signature: str


class FileSigner(msgspec.Struct, frozen=True):
    """Who signs a file: the house, its public key, and how it signs."""

    house: str
    public_key: str
    sign: Sign


_header_decoder = msgspec.json.Decoder(SignedHeader)


def verifies(public_key: str, signature: str, message: bytes) -> bool:
    """Say whether a message was signed with an Ed25519 key; both are given in hexadecimal."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key))
        key.verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _message(format_: str, house: str, at: int, facts: msgspec.Raw, digest: str) -> bytes:
    return msgspec.json.encode((format_, house, at, facts, digest))


def sign_file(signer: FileSigner, format_: str, at: int, facts: object, content: bytes) -> bytes:
    """Return a signed file."""
    frame = ZstdCompressor(LEVEL).compress(content)
    return sign_header(signer, format_, at, facts, sha256(frame).hexdigest()) + b"\n" + frame


def sign_header(signer: FileSigner, format_: str, at: int, facts: object, digest: str) -> bytes:
    """Return the header of a signed file, in JSON."""
    told = msgspec.Raw(msgspec.json.encode(facts))
    header = SignedHeader(
        format=format_,
        house=signer.house,
        at=at,
        public_key=signer.public_key,
        facts=told,
        digest=digest,
        signature=signer.sign(_message(format_, signer.house, at, told, digest)),
    )
    return msgspec.json.encode(header)


def read_header(file: bytes, format_: str) -> tuple[SignedHeader, bytes]:
    """Return the header of a signed file and its frame; refuse another format. Nothing is verified yet."""
    line, separator, frame = file.partition(b"\n")
    try:
        header = _header_decoder.decode(line) if separator and len(line) <= MAX_HEADER else None
    except (msgspec.MsgspecError, UnicodeError):
        header = None
    if header is None:
        raise SignedFileError("It is not a signed file of a house, or it was cut short.")
    if header.format != format_:
        raise SignedFileError(f"It has the format '{header.format}', not '{format_}'.")
    return header, frame


def verify_header(header: SignedHeader, house: str, public_keys: Collection[str]) -> None:
    """Refuse a header that this house did not sign."""
    if header.house != house:
        raise SignedFileError(f"It is of the house {header.house}, not of {house}.")
    if header.public_key not in public_keys:
        raise SignedFileError("It carries a key that is none of the house's.")
    signed = _message(header.format, header.house, header.at, header.facts, header.digest)
    if not verifies(header.public_key, header.signature, signed):
        raise SignedFileError("Its header is not signed with the key of the house: it was altered.")


def open_frame(header: SignedHeader, frame: bytes, house: str, public_keys: Collection[str]) -> bytes:
    """Return the content of a signed file, after a check that this house signed exactly this."""
    verify_header(header, house, public_keys)
    if sha256(frame).hexdigest() != header.digest:
        raise SignedFileError("Its content was altered or cut short: it is not what was signed.")
    try:
        return ZstdDecompressor().decompress(frame, allow_extra_data=False)
    except ZstdError as error:
        raise SignedFileError(f"Its content cannot be decompressed: {error}.") from None
