"""Commit check: the chains of signed commits, and the heads that each stream had when it was signed.

No program but the rotating one runs while the key is rotated, so every commit before that is signed with the
old key, and that commit and every later one with the new key.
"""

from fourcard.house.audit.checkpoint import CommitProgress
from fourcard.house.audit.report import FindingKind, FindingPlace, Findings
from fourcard.house.decision import HOUSE
from fourcard.house.head_signatures import HouseIdentity
from fourcard.house.signed_files import verifies
from fourcard.house.store.commits import NO_COMMIT, Commit, SignedHeads, commit_digest, decode_heads
from fourcard.house.store.interface import ReadTransaction

SignedSequences = dict[int, bytes]
"""By sequence, the first bytes of the hash that a commit signed."""


class CommitCheck:
    """Checks every commit once; the last signature of each chain covers the commits before it."""

    def __init__(
        self,
        reading: ReadTransaction,
        identity: HouseIdentity | None,
        findings: Findings,
        start: CommitProgress,
    ) -> None:
        """Start after a checkpoint; from the first commit where one before it was added or deleted."""
        self._reading, self._findings = reading, findings
        again = reading.count_commits(start.last) != start.count
        self._start = CommitProgress() if again else start
        self._keys = () if identity is None else identity.keys
        self._rotations = self._start.rotations
        """How many rotations of the key the commits so far hold."""
        self._ends = {
            number: Commit(number, 0, b"", bytes.fromhex(digest), bytes.fromhex(signature))
            for number, (digest, signature) in self._start.ends.items()
        }
        """The commits that no later one was found to go on from."""
        self._heads = dict(self._start.heads)
        """By stream, the last sequence that was signed, and its commit."""
        self.last, self.count = self._start.last, 0
        self.signed: dict[str, SignedSequences] = {}
        """By stream, what the commits signed."""

    def run(self) -> None:
        """Check the commits and collect what they signed."""
        if self._reading.count_commits(0):
            self._note(0, "inserted", "The first commit of a house has number 1.")
        for commit in self._reading.commits(self._start.last):
            self.last = max(self.last, commit.id)
            self.count += 1
            heads = decode_heads(commit.heads)
            self._begin_rotation(commit, heads)
            self._check(commit)
            if not heads:
                self._note(commit.id, "unreadable", "Its heads cannot be read.")
            for stream, (sequence, hash_) in heads.items():
                self.signed.setdefault(stream, {})[sequence] = hash_
                self._heads[stream] = max(self._heads.get(stream, (0, 0)), (sequence, commit.id))
        for commit in self._ends.values():
            self._check_signature(commit)

    def _begin_rotation(self, commit: Commit, heads: SignedHeads) -> None:
        """Check what the old key has signed, if a commit holds the next rotation; then use the new key."""
        following = self._keys[self._rotations + 1 : self._rotations + 2]
        if HOUSE in heads and any(since == heads[HOUSE][0] for since, _ in following):
            for each in self._ends.values():
                self._check_signature(each)
            self._ends = {number: each for number, each in self._ends.items() if number == commit.previous}
            self._rotations += 1

    def _check(self, commit: Commit) -> None:
        previous = self._ends.pop(commit.previous, None) or (None if commit.previous else NO_COMMIT)
        if previous is None:  # two chains go on from one commit, so each needs its own signature
            previous = next(self._reading.commits(commit.previous - 1), NO_COMMIT)
            if previous.id != commit.previous:
                self._note(commit.id, "missing", f"Commit {commit.previous} before it is missing.")
            self._check_signature(commit)
        if commit.digest != commit_digest(commit.id, previous, commit.heads):
            sentence = f"It was altered, or commit {commit.previous} before it was."
            self._note(commit.id, "altered", sentence)
        self._ends[commit.id] = commit

    def _check_signature(self, commit: Commit) -> None:
        if not self._keys:
            return
        key = self._keys[self._rotations][1] if self._rotations < len(self._keys) else ""
        if not verifies(key, commit.signature.hex(), commit.digest):
            self._note(commit.id, "signature", "It is not signed with the key of the house.")

    def check_heads(self) -> None:
        """Compare the commit that each head names with the one that signed it."""
        for stream, number in self._reading.head_commits().items():
            _, signed = self._heads.get(stream, (0, 0))
            if number != signed:
                sentence = f"It names commit {number}; commit {signed} signed it last."
                self._findings.add(FindingPlace("streams", stream), "altered", sentence)

    def progress(self) -> CommitProgress:
        """Return what the next audit goes on from."""
        return CommitProgress(
            last=self.last,
            count=self._start.count + self.count,
            ends={number: (each.digest.hex(), each.signature.hex()) for number, each in self._ends.items()},
            heads=self._heads,
            rotations=self._rotations,
        )

    def _note(self, number: int, what: FindingKind, sentence: str) -> None:
        self._findings.add(FindingPlace("commits", sequence=number), what, sentence)
