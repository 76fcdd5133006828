"""Settlement, approvals, layout, roles and policy: the house's own choices and their bounds."""

import pytest

from fourcard.rules.check_report import check_report
from fourcard.rules.clauses import settings
from fourcard.rules.loading import rulebook, rulebook_ids
from fourcard.rules.rulebook import DutyName
from fourcard.wagers import WAGERS
from tests.kit.support import by_clause, citing, findings, game, names, submission

Changes = dict[str, object]
ORDER = ["ante", "play", "automatic_bonus", "aces_up"]


@pytest.mark.parametrize(
    ("clause", "example", "routines", "foreign"),
    by_clause(
        ("MA-10e.1", "massachusetts", ("by-procedure", "by-player"), "lay-and-pay"),
        ("SM-DEAL-6.4", "shuffle-master", ("lay-and-pay", "pick-and-pay"), "by-player"),
        ("WA-DEAL-6.4", "washington", ("lay-and-pay", "pick-and-pay"), "by-procedure"),
        ("MD-11D4.0", "maryland", ("by-player",), "by-procedure"),
        ("IA-COMP-5.3", "catfish-bend", ("by-player",), "by-procedure"),
    ),
)
def test_the_settlement_routine_is_one_of_the_rulebooks(
    clause: str, example: str, routines: tuple[str, ...], foreign: str
) -> None:
    for routine in routines:
        assert names(findings(example, settlement__routine=routine)) == []
    assert citing(findings(example, settlement__routine=foreign), clause) == ["routine_unknown"]


@pytest.mark.parametrize(
    ("clause", "example"),
    by_clause(
        ("MA-10e.1", "massachusetts"), ("SM-DEAL-6.4", "shuffle-master"), ("WA-DEAL-6.4", "washington")
    ),
)
def test_the_settlement_routine_must_be_declared_where_there_is_a_choice(clause: str, example: str) -> None:
    assert citing(findings(example, settlement__routine=None), clause) == ["routine_missing"]
    assert names(findings("maryland", settlement__routine=None)) == []


@pytest.mark.parametrize(
    ("clause", "example", "allowed"),
    by_clause(
        ("P2", "massachusetts", True),
        ("WA-DEAL-6.5", "washington", True),
        ("SM-DEAL-6.3", "shuffle-master", False),
        ("MD-11D5", "maryland", False),
        ("IA-COMP-5.1", "catfish-bend", False),
    ),
)
def test_a_house_order_only_where_the_rulebook_leaves_it_open(
    clause: str, example: str, allowed: bool
) -> None:
    found = findings(example, settlement__order=ORDER)
    assert citing(found, clause) == ([] if allowed else ["house_order"])
    if allowed:
        assert names(found) == []
        assert citing(findings(example, settlement__order=ORDER[1:]), clause) == ["house_order_incomplete"]


@pytest.mark.parametrize(
    ("clause", "example", "allowed"),
    by_clause(
        ("MD-07B2", "maryland", True),
        ("MA-6c.2", "massachusetts", False),
        ("IA-WAG-4.2", "catfish-bend", False),
        ("P11", "shuffle-master", False),
        ("P11", "washington", False),
    ),
)
def test_leaving_may_cost_a_player_his_wagers_in_maryland_only(
    clause: str, example: str, allowed: bool
) -> None:
    found = findings(example, leaving_may_lose_wagers=True)
    assert names(found) == citing(found, clause) == ([] if allowed else ["leaving"])
    assert names(findings(example, leaving_may_lose_wagers=False)) == []


MA, MA_ALL, MD, MD_OLD = "massachusetts", "massachusetts-everything", "maryland", "maryland-existing"
WA, WA_ALL = "washington", "washington-everything"
RESHUFFLING: Changes = {"shuffler__reshuffles": True}
OTHER_TIP_BOX: Changes = {"layout__tip_box": "other"}
SHOE: Changes = {"dealing": {"method": "shoe"}}
HAND: Changes = {"dealing": {"method": "hand"}}
BY_MACHINE: Changes = {"dealing": {"method": "automated"}}
NO_SHUFFLER: Changes = {"dealing": {"method": "shoe"}, "shuffler": None}
WITH_SHUFFLER: Changes = {"dealing": {"method": "hand"}, "shuffler": {"maker": "Any", "model": "Any"}}
WITH_PROGRESSIVE: Changes = {"wagers__progressive": "A", "progressive": {"stakes": ["$1"]}}
NO_PROGRESSIVE: Changes = {"wagers__progressive": None, "progressive": None}
COMMERCIAL: Changes = {"operator__kind": "commercial"}
TRIBAL: Changes = {"operator__kind": "tribal"}
AUTOMATED = [(MA_ALL, {}), (MA, BY_MACHINE)]
NOT_AUTOMATED = [(MA, {}), (MA, WITH_SHUFFLER), (MA, WITH_PROGRESSIVE)]
ALL_MD = [(MD, {}), (MD, SHOE), (MD_OLD, {}), (MD, NO_SHUFFLER)]
OF_COMMERCIAL = [(WA, {}), (WA_ALL, COMMERCIAL)]
OF_TRIBAL = [(WA_ALL, {}), (WA_ALL, NO_PROGRESSIVE), (WA, TRIBAL)]
APPROVALS = by_clause(
    ("MA-2a.5", "cover_card", [*AUTOMATED, *NOT_AUTOMATED], []),
    ("MA-7a.2", "shoe_location", [(MA, {})], [(MA, WITH_SHUFFLER), *AUTOMATED]),
    ("MA-9a.2", "automated_shoe", AUTOMATED, NOT_AUTOMATED),
    (
        "MA-14e",
        "shuffler_failure_procedure",
        [(MA_ALL, {}), (MA, WITH_SHUFFLER)],
        [(MA, {}), (MA, BY_MACHINE)],
    ),
    ("MA-14f", "shoe_failure_procedure", AUTOMATED, NOT_AUTOMATED),
    ("MD-02B.0", "layout", ALL_MD, []),
    ("MD-02D", "box_places", ALL_MD, []),
    ("MD-02E", "tip_box_place", [(MD, OTHER_TIP_BOX)], ALL_MD),
    ("MD-05G", "reshuffling_device", [(MD, RESHUFFLING)], ALL_MD),
    ("MD-08A", "shoe_location", [(MD, SHOE), (MD, NO_SHUFFLER)], [(MD, HAND), (MD_OLD, {})]),
    ("MD-11D10c", "internal_controls", [(MD_OLD, {}), (MD, WITH_PROGRESSIVE)], [(MD, {}), (MD, SHOE)]),
    ("MD-11D10c", "internal_controls", [(MD_OLD, {})], [(MD, RESHUFFLING), (MD, BY_MACHINE)]),
    ("WA-LTR-4", "internal_controls", OF_COMMERCIAL, OF_TRIBAL),
    ("WA-LTR-5", "licensed_suppliers", OF_COMMERCIAL, OF_TRIBAL),
    ("WA-LTR-6", "tribal_gaming_agency", OF_TRIBAL, OF_COMMERCIAL),
    ("WA-LTR-7", "state_concurrence", OF_TRIBAL, OF_COMMERCIAL),
    ("WA-LTR-8", "compact_appendix_a_18", OF_TRIBAL, OF_COMMERCIAL),
    ("WA-LTR-9", "certified_suppliers", OF_TRIBAL, OF_COMMERCIAL),
)


@pytest.mark.parametrize(("clause", "approval", "needed", "unneeded"), APPROVALS)
def test_an_approval_is_demanded_exactly_where_it_is_needed(
    clause: str,
    approval: str,
    needed: list[tuple[str, Changes]],
    unneeded: list[tuple[str, Changes]],
) -> None:
    def missing(example: str, changes: Changes) -> list[str]:
        found = findings(example, operator__approvals=[], **changes)
        return [
            f.refusal.message for f in found if clause in f.refusal.clauses and f.where.endswith("approvals")
        ]

    for example, changes in needed:
        (message,) = missing(example, changes)
        assert f"'{approval}'" in message
        granted = findings(example, operator__approvals=[approval], **changes)
        assert not [f for f in granted if clause in f.refusal.clauses and f.where.endswith("approvals")]
    for example, changes in unneeded:
        assert missing(example, changes) == []


@pytest.mark.clause("WA-LTR-4", "WA-LTR-6")
def test_a_washington_operator_is_commercial_or_tribal() -> None:
    found = findings("washington", operator__kind=None)
    assert citing(found, "WA-LTR-4") == citing(found, "WA-LTR-6") == ["operator_kind_missing"]


@pytest.mark.clause("WA-LTR-3")
def test_washington_follows_the_rules_of_play_that_were_enclosed() -> None:
    assert names(findings("washington", operator__rules_of_play="2014-08-12")) == []
    for other in ("2014-08-13", None):
        assert citing(findings("washington", operator__rules_of_play=other), "WA-LTR-3") == ["rules_of_play"]


@pytest.mark.clause("WA-LTR-10")
def test_changing_the_game_warns_that_the_approval_may_be_affected() -> None:
    assert findings("washington") == ()
    found = findings("washington", settings={"rounding": "up"})
    assert names(found) == []
    assert citing(found, "WA-LTR-10", "warning") == ["change_may_affect_approval"]
    assert findings("washington", settings={"rounding": "down"}) == ()
    assert findings("washington", settlement__order=ORDER) == ()


LAYOUT = ("ante", "play", "aces_up", "six_card", "progressive")


@pytest.mark.parametrize(
    ("clause", "area"),
    by_clause(
        ("MD-02B2", "ante"),
        ("MD-02B2", "play"),
        ("MD-02B2", "aces_up"),
        ("MD-02B3", "progressive"),
        ("MD-02B4", "six_card"),
    ),
)
def test_a_maryland_layout_has_an_area_for_each_wager_offered(clause: str, area: str) -> None:
    assert names(findings("maryland-everything", layout__areas=list(LAYOUT))) == []
    without = [each for each in LAYOUT if each != area]
    assert citing(findings("maryland-everything", layout__areas=without), clause) == ["layout_area_missing"]
    assert names(findings("maryland", layout__areas=["ante", "play", "aces_up"])) == []


@pytest.mark.clause("MD-02B2")
def test_a_maryland_layout_must_be_submitted() -> None:
    assert citing(findings("maryland", layout=None), "MD-02B2") == ["layout_missing"]


@pytest.mark.clause("MD-02B5.2")
def test_the_odds_stand_on_the_layout_or_on_a_sign() -> None:
    for odds in ("layout", "sign"):
        assert names(findings("maryland", layout__odds=odds)) == []
    assert citing(findings("maryland", layout__odds="nowhere"), "MD-02B5.2") == ["odds_not_shown"]


@pytest.mark.parametrize(
    ("clause", "duty", "book", "roles"),
    by_clause(
        ("MA-4b.1", "verifies_inspection", "massachusetts", ("floorperson",)),
        ("MD-04A.2", "verifies_inspection", "maryland", ("floorperson",)),
        ("MD-05A3", "orders_shuffle", "maryland", ("floorperson-or-above",)),
        ("MA-5c1", "cuts", "massachusetts", ("dealer",)),
        ("MD-05D.0", "cuts", "maryland", ("dealer",)),
        ("IA-SHUF-6", "cuts", "catfish-bend", ("dealer",)),
        ("MA-5d", "orders_recut", "massachusetts", ("casino-supervisor",)),
        ("MD-05E", "orders_recut", "maryland", ("floorperson-or-above",)),
        ("MA-7e-b.1", "judges_wrong_count", "massachusetts", ("dealer",)),
        ("MD-08H2", "judges_wrong_count", "maryland", ("dealer",)),
        ("IA-MAN-4.1", "judges_wrong_count", "catfish-bend", ("supervisor",)),
        ("MA-10a.3", "may_touch_cards", "massachusetts", ("dealer", "owner")),
        ("MD-11A2", "may_touch_cards", "maryland", ("dealer", "owner")),
        ("IA-COMP-1.3", "may_touch_cards", "catfish-bend", ("dealer", "owner")),
        ("MA-10d.2", "chooses_best_hand", "massachusetts", ("dealer",)),
        ("MD-11D4b", "chooses_best_hand", "maryland", ("dealer",)),
        ("IA-COMP-1.2", "chooses_best_hand", "catfish-bend", ("player",)),
        ("SM-PROG-9d", "validates_jackpot", "shuffle-master", ("supervisor",)),
        ("MD-11D10c", "validates_jackpot", "maryland", ("floorperson-or-above",)),
        ("WA-PROG-8e", "validates_jackpot", "washington", ("supervisor",)),
        ("WA-NEX-8e", "validates_jackpot", "washington", ("supervisor",)),
        ("WA-NEX-8f.2", "confirms_large_jackpot", "washington", ("executive",)),
    ),
)
def test_who_may_do_what_is_told_with_its_clause(
    clause: str, duty: DutyName, book: str, roles: tuple[str, ...]
) -> None:
    everything = f"{book}-everything" if book != "catfish-bend" else book
    assert rulebook(book).roles[duty].value == roles
    player_sets: dict[str, object] = (
        {"settings": {"player_sets_hand": True}} if book == "catfish-bend" else {}
    )
    report = check_report(submission(everything, **player_sets), "")
    told = [each for each in report.duties if clause in each.clauses]
    assert " and ".join(roles).replace("-", " ") in [each.who for each in told]


@pytest.mark.clause("R27")
def test_the_system_takes_the_best_four_unless_the_player_sets_the_hand() -> None:
    def who(**changes: object) -> list[str]:
        report = check_report(submission("catfish-bend", **changes), "")
        return [each.who for each in report.duties if "IA-COMP-1.2" in each.clauses]

    assert who() == ["the system"]
    assert who(settings={"player_sets_hand": True}) == ["player"]


def test_a_policy_setting_takes_its_values_where_its_ruling_leaves_the_point_open() -> None:
    for name, (ruling, setting) in settings().items():
        for book in rulebook_ids():
            for value in setting.values:
                found = findings(book, settings={name: value})
                assert citing(found, ruling) == ([] if setting.open_in(book) else ["setting_closed"])
            if setting.open_in(book):
                assert game(book, settings={name: setting.values[-1]}).settings[name] == setting.values[-1]
                assert citing(findings(book, settings={name: "neither"}), ruling) == ["setting_value"]
                assert game(book).settings[name] == setting.default
            else:
                assert name not in game(book).settings
    assert names(findings("massachusetts", settings={"one_denomination": 1})) == ["setting_value"]
    assert names(findings("massachusetts", settings={"luck": True})) == ["setting_unknown"]


@pytest.mark.parametrize(
    ("name", "ruling", "books"),
    [
        ("progressive_on_fold", "R48", ("massachusetts", "shuffle-master", "washington")),
        ("confirm", "R61", ("massachusetts", "shuffle-master", "washington")),
        ("verify_progressive_chips", "R104", ("massachusetts", "shuffle-master", "washington")),
        ("dealer_card_exposed", "R72", ("shuffle-master", "washington")),
        ("player_card_exposed", "R72", ("shuffle-master", "washington")),
        ("player_sets_hand", "R27", ("catfish-bend",)),
        ("match_play", "R35", ("massachusetts",)),
        ("rounding", "R33", rulebook_ids()),
    ],
)
def test_a_setting_is_open_only_under_the_rulebooks_of_its_ruling(
    name: str, ruling: str, books: tuple[str, ...]
) -> None:
    assert settings()[name][0] == ruling
    assert tuple(book for book in rulebook_ids() if settings()[name][1].open_in(book)) == tuple(
        book for book in rulebook_ids() if book in books
    )


@pytest.mark.parametrize(
    ("clause", "example", "wager"),
    by_clause(
        ("MA-12j", "massachusetts-everything", "cover_all"),
        ("P43", "massachusetts-everything", "envy"),
        ("WA-PROG-9c.1", "washington-everything", "envy"),
        ("WA-NEX-9c.1", "washington-everything", "envy"),
    ),
)
def test_wagers_that_need_all_hands_end_a_house_order(clause: str, example: str, wager: str) -> None:
    offered = [name for name in WAGERS if game(example).offers(name)]
    ends = [name for name in ("envy", "cover_all") if name in offered]
    others = [name for name in offered if name not in ends]
    assert names(findings(example, settlement__order=[*others, *ends])) == []
    early = [wager, *others, *(name for name in ends if name != wager)]
    assert citing(findings(example, settlement__order=early), clause) == ["house_order_ends"]


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"layout": {"areas": [], "odds": "nowhere"}}, "layout"),
        ({"operator__kind": "tribal"}, "operator.kind"),
        ({"operator__rules_of_play": "some day"}, "operator.rules_of_play"),
        ({"progressive__components": {"ViPS": "v1"}}, "progressive.components"),
        ({"progressive__executive_threshold": "$5"}, "progressive.executive_threshold"),
    ],
)
def test_what_the_rulebook_does_not_speak_to_is_said_not_to_be_checked(
    changes: dict[str, object], where: str
) -> None:
    (found,) = findings("massachusetts-everything", **changes)
    assert (found.level, found.refusal.name, found.where) == ("warning", "not_checked", where)


def test_an_approval_that_the_rulebook_does_not_know_is_refused() -> None:
    known = ["cover_card", "shoe_location"]
    assert names(findings("massachusetts", operator__approvals=known)) == []
    assert names(findings("massachusetts", operator__approvals=[*known, "luck"])) == ["approval_unknown"]
