"""Segment check: compares the parts of closed days with their signed lists, and with what they hold."""

from hashlib import sha256

from fourcard.house.audit.checkpoint import SegmentEnd, UnusableCheckpointError
from fourcard.house.audit.report import FindingKind, FindingPlace, Findings
from fourcard.house.head_signatures import HouseIdentity
from fourcard.house.journal import StreamHead
from fourcard.house.reports.formats import day_name
from fourcard.house.segments import PartEntry, SegmentManifest, entry_of, manifest_digest, read_manifest
from fourcard.house.signed_files import SignedFileError
from fourcard.house.store.interface import ReadTransaction, Segment, SegmentPart, StoreError
from fourcard.house.store.segment_parts import decode_part, part_of, players_in


class SegmentCheck:
    """Checks the segments after a checkpoint, day by day."""

    def __init__(
        self, reading: ReadTransaction, identity: HouseIdentity | None, findings: Findings, start: SegmentEnd
    ) -> None:
        """Take where the checkpoint is; refuse it if its last segment is another one now."""
        self.reading, self.identity, self.findings = reading, identity, findings
        self.end, self.count = start, 0
        self._full = start.day < 0
        self._heads: dict[str, StreamHead] = {}
        """By stream, the end of the parts so far; of a checkpoint it is not known."""
        if not self._full:
            last = next(reading.segments(start.day - 1), None)
            if last is None or (last.day, manifest_digest(last)) != (start.day, start.digest):
                raise UnusableCheckpointError(
                    f"It covers the segment of {day_name(start.day)}, which is missing or another one now."
                )

    def run(self) -> None:
        """Check every new segment; parts of the newest day may not be listed yet."""
        days = set(self.reading.segment_days(self.end.day))
        for segment in self.reading.segments(self.end.day):
            for day in sorted(day for day in days if day < segment.day):
                self._note(day, "missing", "Its signed list of parts is missing.")
                self._check_parts(day, None)
            days = {day for day in days if day > segment.day}
            self._check_segment(segment)
        for place, day in enumerate(sorted(days)):
            if place:
                self._note(day, "missing", "Its signed list of parts is missing.")
            self._check_parts(day, None)
        lost = self.reading.lost_segment_players()
        if lost:
            sentence = f"{lost:,} rows name a player in a part of a segment that is not there."
            self.findings.add(FindingPlace("segments", "players"), "inserted", sentence)

    def _check_segment(self, segment: Segment) -> None:
        self.count += 1
        manifest = self._manifest(segment)
        if manifest is not None and manifest.facts.day != day_name(segment.day):
            self._note(segment.day, "altered", f"Its signed list is of {manifest.facts.day}.")
        if manifest is not None and manifest.at != segment.at:
            self._note(segment.day, "altered", "It was closed at another time than its signed list says.")
        if manifest is not None and manifest.facts.previous != self.end.digest:
            sentence = "Its signed list names another segment before it: one is missing or was replaced."
            self._note(segment.day, "missing", sentence)
        self._check_parts(segment.day, manifest)
        self.end = SegmentEnd(segment.day, manifest_digest(segment))

    def _manifest(self, segment: Segment) -> SegmentManifest | None:
        if self.identity is None:
            return None
        try:
            return read_manifest(segment, self.identity.house, self.identity.public_keys)
        except SignedFileError as error:
            self._note(segment.day, "signature", str(error))
            return None

    def _check_parts(self, day: int, manifest: SegmentManifest | None) -> None:
        """Compare the parts of a day with their list, where there is one."""
        listed: dict[tuple[str, int], PartEntry] = {}
        if manifest is not None:
            listed = {(entry.stream, entry.last): entry for entry in manifest.facts.parts}
        digest = sha256()
        for part in self.reading.segment_parts(day):
            digest.update(part.body)
            entry = listed.pop((part.stream, part.last), None)
            if manifest is not None and entry is None:
                self._note(day, "inserted", f"{_place(part)} are not in its signed list.")
            elif entry is not None and entry != entry_of(part):
                self._note(day, "altered", f"{_place(part)} are not as in its signed list.")
            self._check_content(day, part)
        for entry in listed.values():
            self._note(day, "missing", f"{_place(entry)} are in its signed list, but not in it.")
        if manifest is not None and not listed and digest.hexdigest() != manifest.digest:
            self._note(day, "altered", "Its parts together are not what was signed.")

    def _check_content(self, day: int, part: SegmentPart) -> None:
        """Compare what a part says about itself with what it holds."""
        before = self._heads.get(part.stream, StreamHead() if self._full else None)
        if before is not None and (before.sequence + 1, before.hash) != (part.first, part.earlier_hash):
            self._note(day, "altered", f"{_place(part)} do not follow the part before.")
        self._heads[part.stream] = StreamHead(part.last, part.hash)
        try:
            content = decode_part(part)
        except StoreError as error:
            self._note(day, "unreadable", str(error))
            return
        if not content.records or part_of(part.day, part.earlier_hash, content, part.body) != part:
            self._note(day, "altered", f"{_place(part)} are not what the part holds.")
        elif [*self.reading.segment_players(part)] != players_in(content):
            self._note(day, "altered", f"{_place(part)} are not found by the accounts of their players.")

    def _note(self, day: int, what: FindingKind, sentence: str) -> None:
        self.findings.add(FindingPlace("segments", day_name(day)), what, sentence)


def _place(part: SegmentPart | PartEntry) -> str:
    return f"Events {part.first} to {part.last} of {part.stream}"
