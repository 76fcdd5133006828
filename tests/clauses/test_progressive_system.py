"""Washington's approved systems, and the manufacturer's advice on a meter."""

import pytest

from tests.kit.support import by_clause, citing, findings, names

KEYPAD = {
    "Game Manager": "v6.6 Build 520",
    "Aquarius Controller": "v6.5.6SP",
    "Coin Spot": "v6.0",
    "CHAM2+": "v1.66P$",
    "ViPS": "v1.2.0",
}
TOUCH = {
    "Nexus Command Game Manager": "v1.3.0",
    "Nexus Command Table Controller Software": "v2.0.0",
    "ViPS": "any",
}
WA = "washington-everything"


def system(console: str, components: dict[str, str]) -> dict[str, object]:
    """Return the changes that put a progressive on another system."""
    return {"progressive__console": console, "progressive__components": components}


COMPONENTS = by_clause(
    (
        "WA-PROG-SYS-1",
        "Game Manager",
        "manager",
        "keypad",
        ("v6.6 Build 521", "v6.7"),
        ("v6.6 Build 519", "v6.5"),
    ),
    ("WA-PROG-SYS-2", "Aquarius Controller", "controller", "keypad", (), ("v6.5.7SP", "v6.5.6")),
    ("WA-PROG-SYS-3", "Coin Spot", "sensor", "keypad", (), ("v6.1", "v5.9")),
    ("WA-PROG-SYS-4", "CHAM2+", "display", "keypad", (), ("v1.66P", "v1.67P$")),
    ("R89", "CHAM2+", "display", "keypad", (), ("v1.66P", "v1.67P$")),
    ("WA-PROG-SYS-5", "ViPS", "display", "keypad", ("v1.2.1", "v1.10.0"), ("v1.1.9",)),
    (
        "WA-NEX-SYS-1",
        "Nexus Command Game Manager",
        "manager",
        "touch",
        ("v1.3.1", "v2.0"),
        ("v1.2.9", "Homemade 7"),
    ),
    (
        "WA-NEX-SYS-2",
        "Nexus Command Table Controller Software",
        "controller",
        "touch",
        (),
        ("v2.0.1", "v1.9"),
    ),
    ("WA-NEX-SYS-3", "ViPS", "display", "touch", ("v0.1", "v9"), ()),
)


@pytest.mark.parametrize(("clause", "name", "role", "console", "higher", "refused"), COMPONENTS)
def test_an_approved_component_of_its_version_is_needed(
    clause: str, name: str, role: str, console: str, higher: tuple[str, ...], refused: tuple[str, ...]
) -> None:
    approved = KEYPAD if console == "keypad" else TOUCH
    spare = {"ViPS"} if name == "CHAM2+" else {"CHAM2+"} if console == "keypad" else set()
    needed = {part: version for part, version in approved.items() if part not in spare}
    for version in (approved[name], *higher):
        assert names(findings(WA, **system(console, {**needed, name: version}))) == []
    for version in refused:
        found = findings(WA, **system(console, {**needed, name: version}))
        assert citing(found, clause) == ["component_version"]
    without = {part: version for part, version in needed.items() if part != name}
    (missing,) = findings(WA, **system(console, without))
    assert (missing.refusal.name, clause in missing.refusal.clauses) == ("component_missing", True)
    assert f"has no approved {role}." in missing.refusal.message


def test_either_display_serves_and_an_unknown_component_is_refused() -> None:
    assert names(findings(WA, **system("keypad", KEYPAD))) == []
    assert names(findings(WA, **system("keypad", {**KEYPAD, "Homemade": "v1"}))) == ["component_unknown"]
    assert "console_missing" in names(findings(WA, progressive__console=None))


@pytest.mark.parametrize(("clause", "console"), by_clause(("WA-NEX-8f.2", "touch"), ("R64", "touch")))
def test_the_touch_display_needs_an_executive_threshold(clause: str, console: str) -> None:
    found = findings(WA, progressive__executive_threshold=None)
    assert citing(found, clause) == ["executive_threshold_missing"], console
    keypad = findings(WA, progressive__executive_threshold=None, **system("keypad", KEYPAD))
    assert names(keypad) == []


def advice(**changes: object) -> list[str]:
    """Return the warnings on a Washington progressive with some values changed."""
    found = findings(WA, **{f"progressive__{field}": value for field, value in changes.items()})
    assert names(found) == []
    return names(found, "warning")


@pytest.mark.clause("WA-REC-1")
def test_any_rate_up_to_the_whole_wager_serves_when_all_is_paid_from_the_meter() -> None:
    for rate in ("70%", "99%", "100%"):
        assert advice(fixed_awards="meter", rate=rate, reserve="0%") == ["reserve_recommended"]
    assert "rate_may_run_dry" in advice(fixed_awards="meter", rate="0%")


@pytest.mark.clause("WA-REC-2")
def test_a_meter_that_pays_all_grows_from_seventy_percent() -> None:
    assert advice(fixed_awards="meter", rate="70%") == []
    found = findings(WA, progressive__fixed_awards="meter", progressive__rate="69.99%")
    assert citing(found, "WA-REC-2", "warning") == ["rate_may_run_dry"]


@pytest.mark.clause("WA-REC-4")
def test_the_preset_rate_is_only_lowered_when_the_tray_pays_fixed_awards() -> None:
    for rate in ("21.99%", "22%"):
        assert advice(rate=rate, preset_rate="22%") == []
    found = findings(WA, progressive__rate="22.01%", progressive__preset_rate="22%")
    assert citing(found, "WA-REC-4", "warning") == ["rate_above_preset"]
    unknown = findings(WA, progressive__preset_rate=None)
    assert citing(unknown, "WA-REC-4", "warning") == ["preset_rate_unknown"]


@pytest.mark.clause("WA-REC-6")
def test_a_reserve_is_recommended() -> None:
    assert advice(reserve="0.01%") == []
    assert citing(findings(WA, progressive__reserve="0%"), "WA-REC-6", "warning") == ["reserve_recommended"]


@pytest.mark.clause("WA-REC-9")
def test_the_reserve_is_not_the_only_seed() -> None:
    found = findings(WA, progressive__seed="$0", progressive__reserve="2%")
    assert citing(found, "WA-REC-9", "warning") == ["reserve_only_seed"]
    assert "reserve_only_seed" not in advice(seed="$0.01", reserve="2%")
    assert "reserve_only_seed" not in advice(seed="$0", reserve="0%")


@pytest.mark.clause("WA-REC-11", "P10")
def test_the_preset_seed_of_the_paytable_is_used() -> None:
    for table, preset in (("1", "$5,000"), ("2", "$1,000")):
        paytable: dict[str, object] = {"wagers__progressive": table, "progressive__envy": table}
        preset_meter: dict[str, object] = {"progressive__seed": preset, "progressive__reset": preset}
        assert findings(WA, **paytable, **preset_meter) == ()
        for field in ("seed", "reset"):
            for other in ("$4,999.99", "$5,000.01", "$999.99", "$1,000.01"):
                found = findings(WA, **{**paytable, **preset_meter, f"progressive__{field}": other})
                assert citing(found, "WA-REC-11", "warning") == ["seed_not_preset"]
                assert citing(found, "P10", "warning") == ["seed_not_preset"]


@pytest.mark.clause("WA-REC-12")
def test_a_changed_seed_covers_the_largest_fixed_award() -> None:
    assert advice(seed="$300") == ["seed_not_preset"]
    found = findings(WA, progressive__seed="$299.99")
    assert citing(found, "WA-REC-12", "warning") == ["seed_under_fixed_award"]
    assert "seed_under_fixed_award" in advice(seed="$1,499", stakes=["$1", "$5"])
    assert "seed_under_fixed_award" not in advice(seed="$1,500", stakes=["$1", "$5"])


@pytest.mark.clause("WA-REC-13")
def test_a_zero_seed_is_not_recommended() -> None:
    assert citing(findings(WA, progressive__seed="$0"), "WA-REC-13", "warning") == ["seed_zero"]
    assert "seed_zero" not in advice(seed="$0.01")
    assert citing(findings(WA, progressive__reset="$0"), "WA-REC-13", "warning") == ["seed_zero"]


SM = "shuffle-master-everything"


@pytest.mark.parametrize(
    ("clause", "table", "preset", "beside"),
    by_clause(
        ("SM-PROG-3.2", "1", "$5,000", ("$4,999.99", "$5,000.01")),
        ("SM-PROG-3.3", "2", "$1,000", ("$999.99", "$1,000.01")),
    ),
)
def test_the_manufacturer_prints_a_seed_for_each_paytable(
    clause: str, table: str, preset: str, beside: tuple[str, ...]
) -> None:
    paytable: dict[str, object] = {"wagers__progressive": table, "progressive__envy": table}
    paytable["progressive__reset"] = preset
    assert findings(SM, progressive__seed=preset, **paytable) == ()
    for other in beside:
        found = findings(SM, progressive__seed=other, **paytable)
        assert citing(found, clause, "warning") == ["seed_not_preset"]


@pytest.mark.clause("SM-PROG-3.12", "R56")
def test_the_manufacturers_seed_grows_with_the_wager() -> None:
    stakes: dict[str, object] = {"progressive__stakes": ["$5"], "progressive__reset": "$25,000"}
    assert findings(SM, progressive__seed="$25,000", **stakes) == ()
    assert names(findings(SM, progressive__seed="$5,000", **stakes), "warning") == ["seed_not_preset"]
    mixed: dict[str, object] = {"progressive__stakes": ["$1", "$5"]}
    assert findings(SM, progressive__seed="$5,000", **mixed) == ()
