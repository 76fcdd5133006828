"""The public surface, and the house behind it: names agree, data is read, examples hold."""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from types import MappingProxyType
from typing import get_args

import msgspec
import pytest

import fourcard
from fourcard.refusal_codes import Code
from fourcard.rules import procedures
from fourcard.rules import rulebook as shapes
from fourcard.rules.check_report import check_report
from fourcard.rules.citations import carried_by, carried_by_data, proven_by, unobservable
from fourcard.rules.clauses import clauses, rulings
from fourcard.rules.game import InvalidSubmissionError, resolve_game
from fourcard.rules.loading import rulebook_ids
from fourcard.rules.sabotage_results import sabotage_results
from fourcard.rules.submission import Submission, parse_submission
from fourcard.rules.worst_case_loss import WorstLoss
from fourcard.wagers import WAGERS
from tests.kit.support import EXAMPLES, ROOT, game, names, submission
from tools import refusals_page
from tools.sabotage.alterations import every_alteration
from tools.sabotage.settings import read_settings

PACKAGE = ROOT / "src" / "fourcard"
EXAMPLE_FILES = sorted(path.stem for path in EXAMPLES.glob("*.toml"))


def test_every_public_name_is_there_and_comes_late() -> None:
    for name in dir(fourcard):
        assert getattr(fourcard, name) is not None
    assert 50 < len(dir(fourcard)) < 80
    with pytest.raises(AttributeError):
        getattr(fourcard, "luck")  # noqa: B009
    probe = "import sys, fourcard; print('msgspec' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_server_starts_without_the_compiler_of_kernels() -> None:
    probe = "import sys, fourcard.server.run; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def _dictionaries(value: object) -> Iterator[object]:
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _dictionaries(getattr(value, name))
    elif isinstance(value, dict | MappingProxyType):
        yield value
        for item in value.values():
            yield from _dictionaries(item)


def test_nothing_in_a_game_can_be_changed() -> None:
    found = list(_dictionaries(game("maryland-everything")))
    assert len(found) > 40
    assert all(isinstance(each, MappingProxyType) for each in found)
    with pytest.raises(AttributeError):
        game("maryland").rulebook.id = "nevada"  # type: ignore[misc]
    for shared in (clauses(), fourcard.rulings()):
        assert isinstance(shared, MappingProxyType)


def test_a_games_hash_knows_the_order_of_rows_and_nothing_of_the_order_of_keys() -> None:
    made = game("maryland-everything")
    table = made.tables["six_card"]
    turned = msgspec.structs.replace(table, pays=dict(reversed([*table.pays.items()])))
    assert msgspec.structs.replace(made, tables={**made.tables, "six_card": turned}).hash != made.hash
    assert msgspec.structs.replace(made, tables=dict(reversed([*made.tables.items()]))).hash == made.hash
    assert game("maryland", edition=None).hash == game("maryland", edition="proposed").hash


def _fields() -> Iterator[tuple[str, str]]:
    for shape in (*vars(shapes).values(), *vars(procedures).values()):
        if (
            isinstance(shape, type)
            and issubclass(shape, procedures.RulebookSection)
            and shape is not procedures.RulebookSection
        ):
            for field in msgspec.structs.fields(shape):
                yield shape.__name__, field.name


def test_no_rulebook_has_a_key_that_nothing_reads() -> None:
    read: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        read |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    read_before_loading = {"default_edition"}
    fields = {field for shape, field in _fields() if not shape.endswith("Wagers")} - read_before_loading
    assert len(fields) > 60
    assert fields - read == set()


def test_every_refusal_is_given_somewhere_and_says_a_sentence() -> None:
    code = "\n".join(
        path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py") if path.name != "codes.py"
    )
    unused = [each.name for each in Code if f"Code.{each.name}" not in code]
    assert unused == []
    assert len(Code) == len({each.value for each in Code}) > 90
    assert all(each.sentence.endswith((".", "{hint}")) for each in Code)


@pytest.mark.parametrize("name", EXAMPLE_FILES)
def test_every_example_is_valid_and_makes_a_game_of_its_own(name: str) -> None:
    assert fourcard.check_submission(fourcard.read_submission(EXAMPLES / f"{name}.toml")) == ()
    made = game(name)
    assert len(made.hash) == 64
    assert made.hash == game(name).hash
    assert made.hash != game(name, chip="$0.50").hash


def test_there_is_an_example_for_each_rulebook_and_one_with_everything() -> None:
    assert {submission(name).rulebook for name in EXAMPLE_FILES} == set(rulebook_ids())
    for name in rulebook_ids():
        full = game(f"{name}-everything" if f"{name}-everything" in EXAMPLE_FILES else name)
        described = [wager for wager in WAGERS if full.rulebook.wager(wager) is not None]
        assert [wager for wager in described if not full.offers(wager)] == []


def test_an_invalid_submission_makes_no_game_and_says_every_reason() -> None:
    with pytest.raises(InvalidSubmissionError) as caught:
        resolve_game(submission("massachusetts", positions__per_player=3, wagers__aces_up="IX"))
    assert [reason.name for reason in caught.value.reasons] == ["table_unknown", "positions_per_player"]


@pytest.mark.clause("P4")
def test_the_worst_loss_of_a_round_is_the_sum_of_its_worst_awards() -> None:
    def worst(chosen: Submission) -> WorstLoss:
        loss = check_report(chosen, "").worst_loss
        assert loss is not None
        return loss

    one_seat = submission("catfish-bend", positions__at_table=1, positions__per_player=1)
    assert worst(one_seat).by_wager == {
        "ante": 20_000,
        "play": 60_000,
        "automatic_bonus": 25 * 20_000,
        "aces_up": 50 * 5_000,
    }
    capped = submission("washington", positions__at_table=1, positions__per_player=1, limits__legal="$250")
    assert worst(capped).by_wager["play"] == 25_000
    full = worst(submission("maryland-everything"))
    assert full.by_wager["six_card"] == 100_000_000 + 6 * 1_000 * 2_500
    assert full.by_wager["progressive"] == 7 * 299 * 500 + 4 * 1_000_000
    envy = worst(submission("massachusetts-everything")).by_wager["envy"]
    assert envy == 5 * (50_000 + 5 * 5_000)
    open_ended = worst(submission("maryland", limits__posted__ante=None))
    assert (open_ended.total, open_ended.without_maximum) == (None, ("ante",))
    shares_from_tray = submission("maryland-everything", settings={"part_share_from": "tray"})
    assert worst(shares_from_tray) == full
    for source in ("tray", "meter"):
        washington = submission("washington-everything", progressive__fixed_awards=source)
        assert worst(washington).by_wager["progressive"] == 7 * 299 * 100 + 500_000


PAYTABLES_AND_SUBMISSIONS = """
    MA-1-AU.2 MA-12-RF MA-12c MA-12k.0 MA-13a1.2 MA-13a3.3 MA-13a5 SM-W2-1 SM-PROG-3.1 SM-PROG-3.12 SM-END-R
    MD-01B3 MD-01B6 MD-06F.0 MD-06F1 MD-06F2 MD-06F3 MD-06F4 MD-06F5 MD-06F6 MD-06F7 MD-06F8 MD-07E5b
    MD-12D3bi MD-12D3bii MD-12D3biii MD-12D-2.1 WA-W2-1 WA-PAY-R IA-INT-8 IA-WAG-2b
"""
FOUNDATION = [
    clause.id
    for clause in clauses().values()
    if (clause.kind in ("data", "config") and clause.topic != "math")
    or (clause.kind == "engine" and clause.topic in ("ranking", "limits"))
    or clause.id in PAYTABLES_AND_SUBMISSIONS.split()
]


def test_the_foundation_is_proven() -> None:
    assert len(FOUNDATION) > 200
    assert [clause for clause in FOUNDATION if not proven_by(clause)] == []


SETTLED_TOPICS = """
    payout aces-up automatic-bonus bad-beat six-card-bonus cover-all envy settlement progressive meter
"""
OF_THE_JACKPOT = """
    SM-PROG-7 WA-PROG-6 WA-NEX-6 MD-07E4b SM-PROG-9f.2 WA-PROG-8g.2 WA-NEX-8f.4
"""
"""Clauses of progressive and meter that speak of dealing, sensors and keys, and of no payment."""
SETTLEMENT = [
    clause.id
    for clause in clauses().values()
    if clause.topic in SETTLED_TOPICS.split() and clause.id not in OF_THE_JACKPOT.split()
]


def test_the_settlement_is_proven() -> None:
    assert len(SETTLEMENT) > 300
    assert [clause for clause in SETTLEMENT if not proven_by(clause)] == []


MATHEMATICS = [clause.id for clause in clauses().values() if clause.topic == "math"]


def test_the_mathematics_is_proven() -> None:
    assert len(MATHEMATICS) > 55
    assert [clause for clause in MATHEMATICS if not proven_by(clause)] == []


ROUND_AND_TABLE = [clause.id for clause in clauses().values() if clause.kind in ("engine", "procedure")]


def test_the_round_and_the_table_are_proven() -> None:
    assert len(ROUND_AND_TABLE) > 690
    assert [clause for clause in ROUND_AND_TABLE if not proven_by(clause)] == []


def test_every_clause_that_software_meets_is_named_where_its_rule_lives() -> None:
    demands = [clause.id for clause in clauses().values() if clause.kind not in ("info", "physical")]
    assert len(demands) == 922
    assert [clause for clause in demands if not carried_by(clause)] == []


def test_what_no_software_can_see_is_told_with_its_clause() -> None:
    assert len(unobservable()) > 20
    for clause, unseen in unobservable().items():
        assert clause in clauses()
        assert proven_by(clause), "the step itself is prompted, recorded and in its order"
        assert carried_by_data()[clause]
        assert unseen.endswith(".")


def test_the_proofs_are_up_to_date_and_their_number_has_not_fallen() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tools.proofs"], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr


def _keys(shape: type, place: str = "") -> Iterator[str]:
    for field in msgspec.structs.fields(shape):
        inner = [part for part in (field.type, *get_args(field.type)) if isinstance(part, type)]
        parts = [part for part in inner if issubclass(part, msgspec.Struct)]
        yield from [key for part in parts for key in _keys(part, f"{field.name}.")] or [
            f"{place}{field.name}"
        ]


def test_every_key_of_a_submission_is_documented() -> None:
    page = (ROOT / "docs" / "operator" / "submissions.md").read_text(encoding="utf-8")
    keys = [key for key in _keys(Submission) if key not in {"posted.least", "posted.most"}]
    assert len(keys) > 35
    missing = [key for key in keys if f"`{key}" not in page and f"`.{key.split('.')[-1]}`" not in page]
    assert missing == []


def test_the_page_of_refusals_is_up_to_date() -> None:
    assert refusals_page.main([]) == 0


@pytest.mark.parametrize("part", ["data", "code"])
def test_a_sample_of_sabotage_is_caught(part: str) -> None:
    command = [sys.executable, "-m", "tools.sabotage", part, "--sample", "12", "--seed", "4"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "12 alterations" in done.stdout


def test_the_results_of_sabotage_cover_what_is_proven() -> None:
    proven = [address for address in (*clauses(), *rulings()) if proven_by(address)]
    assert len(proven) > 950
    assert {*sabotage_results()} <= {*proven}
    same = {each.point for each in read_settings().equivalent_values}
    seen = (each for each in every_alteration() if str(each) not in same)
    values = {clause for each in seen for clause in each.clauses} & {*proven}
    assert {clause for clause, each in sabotage_results().items() if each.data} == values
    counted = [n for each in sabotage_results().values() for n in (each.data, each.code) if n is not None]
    assert len(counted) > 950
    assert all(0 <= counts.caught <= counts.tried and counts.tried for counts in counted)


def test_the_demonstrations_submission_has_exactly_its_faults() -> None:
    text = (PACKAGE / "cli" / "demo_submission.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text)["rulebook"] == "massachusetts"
    found = fourcard.check_submission(parse_submission(text))
    assert names(found) == [
        "own_table_under_floor",
        "positions_per_player",
        "cover_all_column_missing",
        "meter_under_floor",
    ]
