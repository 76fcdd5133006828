"""Dealing methods, decks and shufflers that a submission may name."""

import pytest

from fourcard.refusal_codes import Code
from fourcard.round.commands import PlaceWager
from fourcard.rules.check_report import check_report
from fourcard.table.commands import BringDevice, OpenTable, Prepare, SwitchMethod
from tests.kit.decks import closed, due, opened
from tests.kit.support import by_clause, citing, findings, names, submission
from tests.kit.tables import finish, refused, table

ACE_MODES = ("Four Card Poker", "Bahama Bonus", "Caribbean Stud")
SHUFFLER = {"maker": "Shuffle Master", "model": "Deck Mate"}
AUTOMATED = {"dealing__method": "automated"}


@pytest.mark.parametrize(
    ("clause", "example", "changes"),
    by_clause(
        ("MA-7a.3", "massachusetts", {"dealing__method": "shoe"}),
        ("MA-8a", "massachusetts", {"dealing__method": "hand", "shuffler": SHUFFLER}),
        ("MA-9a.1", "massachusetts", AUTOMATED),
        ("SM-DEAL-2a.1", "shuffle-master", {}),
        ("MD-08B", "maryland", {"dealing__method": "shoe"}),
        ("MD-09A1", "maryland", {"dealing__method": "hand"}),
        ("MD-10A1", "maryland", {"dealing__method": "automated"}),
        ("WA-DEAL-2a.1", "washington", {}),
        ("WA-DEAL-0.2", "washington", {"dealing": {"method": "manual"}}),
        ("IA-AUTO-1", "catfish-bend", {}),
        ("IA-SHUF-B", "catfish-bend", {"dealing": {"method": "manual"}}),
    ),
)
def test_a_dealing_method_of_the_rulebook_is_allowed(
    clause: str, example: str, changes: dict[str, object]
) -> None:
    assert names(findings(example, **changes)) == [], clause


@pytest.mark.parametrize(
    ("example", "method"),
    [
        ("massachusetts", "manual"),
        ("shuffle-master", "hand"),
        ("shuffle-master", "manual"),
        ("maryland", "manual"),
        ("washington", "shoe"),
        ("catfish-bend", "hand"),
    ],
)
def test_another_dealing_method_is_refused(example: str, method: str) -> None:
    assert "dealing_not_allowed" in names(findings(example, dealing__method=method))


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("MA-8b1", "massachusetts"), ("MD-09A1", "maryland"))
)
def test_dealing_from_the_hand_needs_a_shuffler(clause: str, example: str) -> None:
    changes: dict[str, object] = {"dealing__method": "hand"}
    assert names(findings(example, shuffler=SHUFFLER, **changes)) == []
    assert citing(findings(example, shuffler=None, **changes), clause) == ["hand_needs_shuffler"]


@pytest.mark.parametrize(
    ("clause", "example"),
    by_clause(
        ("MA-9a.1", "massachusetts-everything"),
        ("SM-DEAL-0.3", "shuffle-master"),
        ("MD-10B3", "maryland-everything"),
        ("MD-10B-old3", "maryland-existing"),
        ("WA-DEAL-0.3", "washington"),
        ("IA-AUTO-5.1", "catfish-bend"),
    ),
)
def test_a_machine_dispenses_stacks_of_five(clause: str, example: str) -> None:
    assert names(findings(example, dealing__stack=5)) == []
    for stack in (4, 6):
        assert citing(findings(example, dealing__stack=stack), clause) == ["stack_size"]


@pytest.mark.parametrize(
    ("clause", "example"),
    by_clause(
        ("MA-9c.3", "massachusetts-everything"),
        ("SM-DEAL-2a.1", "shuffle-master"),
        ("WA-DEAL-2a.1", "washington"),
        ("IA-AUTO-7.1", "catfish-bend"),
    ),
)
def test_the_dealer_is_dealt_after_the_players(clause: str, example: str) -> None:
    assert names(findings(example, dealing__dealer_first=False)) == []
    for reshuffles in (False, True):
        changes: dict[str, object] = {"dealing__dealer_first": True, "shuffler__reshuffles": reshuffles}
        assert "dealer_first" in citing(findings(example, **changes), clause)


@pytest.mark.parametrize("clause", by_clause(("MD-10H",), ("MD-10B-old3",)))
def test_before_the_amendment_only_a_reshuffling_shoe_may_deal_the_dealer_first(clause: str) -> None:
    def found(*, first: bool, reshuffles: bool) -> list[str]:
        return names(
            findings(
                "maryland-existing",
                dealing__dealer_first=first,
                shuffler__reshuffles=reshuffles,
            )
        )

    assert found(first=True, reshuffles=True) == []
    assert found(first=False, reshuffles=True) == []
    assert found(first=False, reshuffles=False) == []
    assert found(first=True, reshuffles=False) == ["dealer_first"], clause


@pytest.mark.parametrize(
    ("clause", "reshuffles"),
    by_clause(("R14", False), ("R14", True), ("MD-10B2.1", False), ("MD-10B2.1", True)),
)
def test_in_the_proposed_rules_the_dealer_is_always_dealt_first(clause: str, reshuffles: bool) -> None:
    changes: dict[str, object] = {"shuffler__reshuffles": reshuffles}
    assert names(findings("maryland-everything", dealing__dealer_first=True, **changes)) == []
    refused = findings("maryland-everything", dealing__dealer_first=False, **changes)
    assert citing(refused, clause) == ["dealer_first"]


@pytest.mark.parametrize(
    ("clause", "example"),
    by_clause(("MA-2b.1", "massachusetts"), ("MD-03B.0", "maryland"), ("IA-CARD-2.0", "catfish-bend")),
)
def test_two_decks_may_be_used(clause: str, example: str) -> None:
    for decks in (1, 2):
        assert names(findings(example, dealing__decks=decks, shuffler=SHUFFLER)) == []
    for decks in (0, 3):
        assert citing(findings(example, dealing__decks=decks, shuffler=SHUFFLER), clause) == ["decks"]


@pytest.mark.parametrize(
    ("clause", "example", "method"),
    by_clause(
        ("MA-2b.1", "massachusetts", "shoe"),
        ("MD-03B.0", "maryland", "shoe"),
        ("IA-CARD-2c", "catfish-bend", "manual"),
    ),
)
def test_a_second_deck_needs_a_shuffler(clause: str, example: str, method: str) -> None:
    changes: dict[str, object] = {"dealing": {"method": method, "decks": 2}}
    assert "second_deck_needs_shuffler" in citing(findings(example, shuffler=None, **changes), clause)
    assert "second_deck_needs_shuffler" not in names(findings(example, shuffler=SHUFFLER, **changes))


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("SM-INT-1", "shuffle-master"), ("WA-INT-1", "washington"))
)
def test_one_deck_is_used_where_no_second_is_described(clause: str, example: str) -> None:
    assert names(findings(example, dealing__decks=1)) == []
    assert citing(findings(example, dealing__decks=2), clause) == ["decks"]


@pytest.mark.parametrize(
    ("clause", "example", "method"),
    by_clause(("MA-5a.3", "massachusetts", "shoe"), ("MD-05A.0", "maryland", "shoe")),
)
def test_the_shuffle_may_be_manual_or_automated(clause: str, example: str, method: str) -> None:
    for machine in (None, SHUFFLER):
        changes = {"shuffler": machine, "dealing__method": method}
        assert findings(example, **changes) == (), clause


@pytest.mark.parametrize(
    ("clause", "example"),
    by_clause(("WA-DEAL-0.2", "washington"), ("R18", "washington"), ("IA-SHUF-A", "catfish-bend")),
)
def test_a_shuffler_is_recommended(clause: str, example: str) -> None:
    assert findings(example) == ()
    found = findings(example, shuffler=None, dealing={"method": "manual"})
    assert names(found) == []
    assert citing(found, clause, "warning") == ["shuffler_recommended"]


@pytest.mark.clause("SM-DEAL-0.2", "R18")
def test_the_manufacturer_demands_a_shuffler_of_its_own() -> None:
    assert names(findings("shuffle-master")) == []
    assert citing(findings("shuffle-master", shuffler=None), "SM-DEAL-0.2") == ["shuffler_required"]
    refused = findings("shuffle-master", shuffler__maker="Another Maker")
    assert citing(refused, "SM-DEAL-0.2") == ["shuffler_maker"]
    assert names(findings("washington", shuffler__maker="Another Maker", shuffler__model="Other")) == []


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("SM-DEAL-0.3", "shuffle-master"), ("WA-DEAL-0.3", "washington"))
)
def test_an_ace_is_set_to_a_mode_that_dispenses_five_cards(clause: str, example: str) -> None:
    for mode in ACE_MODES:
        assert names(findings(example, shuffler__mode=mode)) == []
    assert citing(findings(example, shuffler__mode="Three Card Poker"), clause) == ["shuffler_mode"]
    other = findings(example, shuffler__mode="Three Card Poker", shuffler__model="i-Deal")
    assert names(other) == []


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("MA-5a.6", "massachusetts-everything"), ("MD-05B.1", "maryland"))
)
def test_a_shuffler_may_load_the_shoe_itself(clause: str, example: str) -> None:
    assert names(findings(example, shuffler__direct_load=True)) == [], clause


@pytest.mark.parametrize(
    ("clause", "example"), by_clause(("MA-5a.6", "massachusetts"), ("MD-05B.1", "maryland"))
)
@pytest.mark.parametrize(
    ("method", "step"), [("shoe", "put_in_shoe"), ("automated", "put_in_machine"), ("hand", "take_in_hand")]
)
def test_the_dealer_loads_no_shoe_that_the_shuffler_loads(
    clause: str, example: str, method: str, step: str
) -> None:
    for loads in (True, False):
        machine = {**SHUFFLER, "direct_load": loads}
        at = opened(example, dealing={"method": method}, shuffler=machine)
        by_itself = loads and method != "hand"
        assert due(at)[-2:] == (
            ["shuffle_by_machine", "square_stack"] if by_itself else ["square_stack", step]
        )
        unmixed = closed(example, dealing={"method": method}, shuffler=machine)
        unmixed.do(OpenTable(decks=("red",), preshuffled=True))
        assert due(unmixed)[-1] == step, clause


@pytest.mark.clause("MD-05G")
def test_a_reshuffling_device_may_be_used_in_maryland() -> None:
    changes: dict[str, object] = {"shuffler__reshuffles": True}
    assert names(findings("maryland", **changes)) == []


@pytest.mark.clause("P6")
def test_a_special_shuffler_is_refused_where_no_source_describes_it() -> None:
    for example in ("massachusetts-everything", "shuffle-master", "washington", "catfish-bend"):
        assert citing(findings(example, shuffler__reshuffles=True), "P6") == ["reshuffling_device"]
    for example in ("shuffle-master", "washington", "catfish-bend"):
        assert citing(findings(example, shuffler__direct_load=True), "P6") == ["direct_load"]


def test_what_only_a_machine_does_says_nothing_elsewhere() -> None:
    for changes in ({"dealing__stack": 5}, {"dealing__dealer_first": False}):
        assert names(findings("massachusetts", **changes)) == ["dealing_key_idle"]


@pytest.mark.parametrize(
    ("clause", "example", "method"),
    by_clause(
        ("MA-7f.1", "massachusetts", "shoe"),
        ("MA-7f.1", "massachusetts", "hand"),
        ("MA-7f.1", "massachusetts", "automated"),
        ("MD-08G", "maryland", "shoe"),
        ("MD-09C1", "maryland", "hand"),
        ("MD-10D-old", "maryland-existing", "automated"),
    ),
)
def test_a_counting_shuffler_waives_the_stub_count(clause: str, example: str, method: str) -> None:
    for counts in (True, False):
        dealt: dict[str, object] = {"dealing": {"method": method}, "shuffler": {**SHUFFLER, "counts": counts}}
        assert _stub_counters(clause, example, **dealt) == ["the shuffler, by counting the deck"] * counts
    assert _stub_counters("MA-7f.1", "catfish-bend", shuffler__counts=True) == []


def _stub_counters(clause: str, example: str, **changes: object) -> list[str]:
    """Return who counts the stub in the dealer's place, as a check reports it."""
    duties = check_report(submission(example, **changes), "").duties
    return [duty.who for duty in duties if duty.what == "counts the stub" and clause in duty.clauses]


@pytest.mark.parametrize(
    ("clause", "example", "allowed"),
    by_clause(
        ("SM-IRR-2.3", "shuffle-master", True),
        ("WA-IRR-3", "washington", True),
        ("MA-14e", "massachusetts-everything", True),
        ("MD-13F", "maryland", False),
        ("IA-IRR-3.1", "catfish-bend", False),
    ),
)
def test_a_local_procedure_for_a_failed_shuffler_only_where_the_rules_leave_it_open(
    clause: str, example: str, allowed: bool
) -> None:
    assert names(findings(example, shuffler__failure="rulebook")) == []
    found = findings(example, shuffler__failure="local", shuffler__local_procedure=["void"])
    assert names(found) == citing(found, clause) == ([] if allowed else ["local_failure_procedure"])
    for failure, listed in (("local", []), ("local", None), ("rulebook", ["play-on"])):
        found = findings(example, shuffler__failure=failure, shuffler__local_procedure=listed)
        wrong = (
            "local_failure_procedure" if failure == "local" and not allowed else "local_procedure_unlisted"
        )
        assert names(found) == citing(found, clause) == [wrong]


@pytest.mark.clause("R77")
def test_the_six_card_bonus_needs_automated_dealing() -> None:
    assert names(findings("maryland-everything")) == []
    for method in ("hand", "shoe"):
        found = findings("maryland-everything", dealing__method=method, dealing__dealer_first=None)
        assert citing(found, "R77") == ["six_card_dealing"]


@pytest.mark.parametrize(
    ("clause", "changes"),
    by_clause(
        ("MA-12d", {"shuffler__model": "i-Deal"}),
        ("MA-12d", {"shuffler__mode": "Four Card Poker"}),
        ("R101", {"shuffler__model": "i-Deal"}),
        ("R101", {"shuffler__mode": "Four Card Poker"}),
        ("R101", {"shuffler": None}),
    ),
)
def test_cover_all_needs_its_shuffler_in_its_mode(clause: str, changes: dict[str, object]) -> None:
    assert names(findings("massachusetts-everything")) == []
    assert "cover_all_device" in citing(findings("massachusetts-everything", **changes), clause)


@pytest.mark.parametrize(
    ("clause", "method"), by_clause(("MA-12d", "shoe"), ("MA-12d", "hand"), ("R101", "shoe"))
)
def test_cover_all_needs_automated_dealing(clause: str, method: str) -> None:
    assert names(findings("massachusetts-everything")) == []
    found = findings("massachusetts-everything", dealing={"method": method})
    assert citing(found, clause) == ["cover_all_dealing"]


@pytest.mark.clause("MA-12d", "R101")
def test_cover_all_is_taken_only_while_the_shuffler_mixes_the_cards() -> None:
    at = table("massachusetts-everything", seats=(1,))
    cover_all = PlaceWager(position=1, wager="cover_all", amount=100)
    at.do(PlaceWager(position=1, wager="ante", amount=2_500))
    at.do(cover_all)
    finish(at)
    for _ in range(2):
        at.do(Prepare(step="remove_device"))
    at.do(BringDevice(device="shoe"))
    at.do(SwitchMethod(method="automated", shuffle_by_hand=True))
    at.begin()
    refusal = refused(at, cover_all)
    assert (refusal.code, refusal.clauses) == (Code.WAGER_NOT_OFFERED, ("MA-12d", "R101"))
