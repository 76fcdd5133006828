"""What each role may do and read: strict data with clauses, an outer gate, and a page that tells it."""

from importlib.resources import files
from typing import get_args

import pytest

from fourcard.house.auth.identity import Actor, AnyCommand, with_author
from fourcard.house.auth.permissions import (
    READABLE,
    Readable,
    acting_roles,
    command_kinds,
    permission_refusal,
    permissions,
    read_permissions,
    reading_refusal,
)
from fourcard.house.commands import (
    ActingRole,
    BuyIn,
    CashOut,
    ChangeRoles,
    ChooseSeed,
    CollectDrop,
    CommitSeed,
    CreditTray,
    Deposit,
    DismissStaff,
    FillTray,
    HireStaff,
    HouseTableCommand,
    InstallTable,
    MeterCommand,
    NotePassword,
    PlayerCommand,
    RegisterPlayer,
    RevealSeed,
    StaffCommand,
    Withdraw,
)
from fourcard.meter import Payment
from fourcard.progressive.console import ConsoleCommand
from fourcard.refusal_codes import Code
from fourcard.refusals import RefusedError
from fourcard.round.commands import (
    ActorRole,
    Command,
    CorrectPayment,
    Deal,
    PayAward,
    Perform,
    PlaceWager,
    TakeSeat,
)
from fourcard.table.commands import GoIdle, OpenTable, OrderRecut, TableCommand
from fourcard.table.legal_commands import legal_commands
from fourcard.table.table_driver import Table
from tests.kit.houses import ANN, BEN, ROLES, SEED_HASH, STAFF_ROLES, code_of, holder, refusal_of, staff
from tests.kit.tables import bet, decision, table

TEXT = files("fourcard.house").joinpath("permissions.toml").read_text(encoding="utf-8")


def test_every_kind_of_command_has_its_row() -> None:
    unions = (TableCommand, HouseTableCommand, ConsoleCommand, PlayerCommand, StaffCommand, MeterCommand)
    kinds = {str(each.__struct_config__.tag) for union in unions for each in get_args(union)}
    assert set(permissions().commands) == set(command_kinds()) >= kinds
    assert len(kinds) >= 56
    assert set(permissions().acts_as) == set(STAFF_ROLES)
    assert set(permissions().reads) == set(get_args(Readable))


def test_the_data_is_read_once_and_frozen() -> None:
    assert permissions() is permissions()
    with pytest.raises(TypeError):
        permissions().commands["deal"] = permissions().commands["fold"]  # type: ignore[index]


ONLY_DEAL = '[commands.deal]\nroles = ["dealer"]\n'
SPOILED = {
    "no toml": ("[acts_as]", "[acts_as", Code.FILE_UNREADABLE, "cannot be read"),
    "unknown key": (
        ONLY_DEAL,
        f"{ONLY_DEAL}hours = 8\n",
        Code.KEY_UNKNOWN,
        "commands.deal: unknown key 'hours'",
    ),
    "unknown role": (ONLY_DEAL, ONLY_DEAL.replace("dealer", "cook"), Code.VALUE_UNFIT, "'cook'"),
    "unknown employment": ("\nauditor = ", "\ncook = ", Code.KEY_UNKNOWN, "'cook'"),
    "unknown clause": ('["MD-05A3"]', '["MD-05A99"]', Code.CLAUSE_UNKNOWN, "commands.order_shuffle"),
    "no clause": ('clauses = ["MD-05A3"]', "clauses = []", Code.CLAUSE_MISSING, "commands.order_shuffle"),
    "no key clauses": ('clauses = ["MD-05A3"]', "", Code.CLAUSE_MISSING, "commands.order_shuffle"),
    "no roles": (ONLY_DEAL, "[commands.deal]\n", Code.KEY_MISSING, "'roles'"),
    "no row of a role": (
        '\nauditor = { roles = ["auditor"], clauses = ["P25"] }',
        "",
        Code.KEY_MISSING,
        "acts_as: the key 'auditor'",
    ),
    "another command": ("[commands.deal]", "[commands.cheat]", Code.KEY_MISSING, "commands: the key 'deal'"),
    "one command more": (
        "[commands.deal]",
        '[commands.cheat]\nroles = []\nclauses = ["P25"]\n\n[commands.deal]',
        Code.KEY_UNKNOWN,
        "commands: unknown key 'cheat'",
    ),
    "another thing to read": ("[reads.audit]", "[reads.diary]", Code.KEY_UNKNOWN, "'diary'"),
    "a thing to read less": (
        TEXT[TEXT.index("[reads.results]") : TEXT.index("[reads.meters]")],
        "",
        Code.KEY_MISSING,
        "reads: the key 'results'",
    ),
    "a role twice": (
        ONLY_DEAL,
        ONLY_DEAL.replace('"dealer"', '"dealer", "dealer"'),
        Code.VALUE_UNFIT,
        "twice",
    ),
    "an own field that is none": (
        ONLY_DEAL,
        f'{ONLY_DEAL}own = {{ field = "player", of = ["dealer"] }}\n',
        Code.VALUE_UNFIT,
        "no field 'player'",
    ),
    "an own name for nobody": (
        '[commands.choose_seed]\nroles = ["player"]',
        '[commands.choose_seed]\nroles = ["dealer"]',
        Code.VALUE_UNFIT,
        "cannot give",
    ),
}
"""What is replaced by what in the file, and the refusal that follows with some of its words."""


@pytest.mark.parametrize("name", SPOILED)
def test_a_file_that_does_not_fit_is_refused(name: str) -> None:
    old, new, code, words = SPOILED[name]
    assert TEXT.count(old) == 1
    with pytest.raises(RefusedError) as caught:
        read_permissions(TEXT.replace(old, new))
    assert caught.value.refusal.code is code
    assert words in caught.value.refusal.message
    assert caught.value.refusal.message.startswith("permissions.toml")


def test_a_command_is_stamped_with_who_gives_it() -> None:
    forged = PlaceWager(position=1, wager="ante", amount=500, by="ben", role="supervisor", at=7, key="k")
    assert with_author(ANN, forged) == PlaceWager(
        position=1, wager="ante", amount=500, by="ann", role="player", at=7, key="k"
    )
    dealt = Deal(by="ben")
    assert with_author(staff("dealer"), dealt) == Deal(by="sam")
    stamped = Deal(by="sam")
    assert with_author(staff("dealer"), stamped) is stamped


def test_a_command_that_is_not_stamped_is_refused() -> None:
    refusal = permission_refusal(staff("dealer"), Deal(by="ben"))
    assert refusal is not None
    assert refusal.code is Code.NOT_YOUR_NAME
    assert refusal.message == Code.NOT_YOUR_NAME.sentence.format(person="sam", by="ben")
    assert permission_refusal(ANN, Deal(by="ann")) is not None


def test_a_command_that_is_none_of_the_houses_is_refused() -> None:
    class Conjure(Command, frozen=True):
        """Make cards out of air."""

    refusal = refusal_of(staff("dealer"), Conjure())
    assert refusal is not None
    assert (refusal.code, refusal.clauses) == (Code.NOT_PERMITTED, ())
    assert "house itself" in refusal.message


def test_nobody_acts_in_a_role_that_is_not_held() -> None:
    refusal = refusal_of(staff("dealer"), OrderRecut(role="floorperson"))
    assert refusal is not None
    assert (refusal.name, refusal.clauses) == ("role_not_held", ("MA-5d", "MD-05E"))
    assert refusal.message == "sam does not act as floorperson in this house."
    assert code_of(staff("dealer", "floorperson"), OrderRecut(role="floorperson")) == ""
    assert code_of(staff(), Deal()) == "role_not_held"
    assert code_of(staff("dealer"), TakeSeat(position=1, player="sam", role="player")) == "role_not_held"


def test_a_refusal_says_whose_it_is_and_by_which_clause() -> None:
    refusal = refusal_of(staff("dealer"), OrderRecut())
    assert refusal is not None
    assert (int(refusal.code), refusal.name, refusal.message, refusal.clauses) == (
        940,
        "not_permitted",
        (
            "'order recut' is for the floorperson, supervisor, casino supervisor or executive, "
            "not for the dealer."
        ),
        (
            "MA-5d",
            "MD-05E",
        ),
    )
    alone = refusal_of(ANN, Deal())
    assert alone is not None
    assert alone.message == "'deal' is for the dealer, not for the player."


def test_a_higher_rank_of_the_floor_acts_in_the_lower_ones_and_none_as_dealer() -> None:
    floor = ("floorperson", "supervisor", "casino-supervisor", "executive")
    assert acting_roles(staff("dealer")) == {"dealer"}
    assert acting_roles(staff("floorperson")) == {*floor[:1]}
    assert acting_roles(staff("supervisor")) == {*floor[:3]}
    assert acting_roles(staff("executive")) == {*floor}
    assert acting_roles(staff("auditor", "administrator")) == {"auditor", "administrator"}
    assert acting_roles(ANN) == {"player"}
    assert code_of(staff("supervisor"), OrderRecut(role="casino-supervisor")) == ""


@pytest.mark.parametrize("role", [role for role in ROLES if role != "dealer"])
def test_only_a_dealer_deals(role: ActingRole) -> None:
    assert code_of(staff("dealer"), Deal()) == ""
    assert "dealer" not in acting_roles(holder(role))
    assert code_of(holder(role), Deal()) in ("role_not_held", "not_permitted")
    if role not in ("auditor", "administrator"):
        assert code_of(holder(role), Deal(role=role)) == "not_permitted"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "command",
    [
        FillTray(cents=1, slip="1"),
        CreditTray(cents=1, slip="1"),
        CollectDrop(cents=1),
        Deposit(cents=1),
        Withdraw(cents=1),
        BuyIn(player="ann", cents=1),
        CashOut(player="ann", cents=1),
    ],
    ids=lambda command: type(command).__name__,
)
def test_who_minds_tables_and_people_touches_no_money(command: AnyCommand) -> None:
    assert code_of(staff("administrator"), command) == "not_permitted"


@pytest.mark.parametrize(
    "command",
    [
        FillTray(cents=1, slip="1", role="dealer"),
        CreditTray(cents=1, slip="1", role="dealer"),
        CollectDrop(cents=1, role="dealer"),
        CollectDrop(cents=1, role="floorperson"),
        Deposit(cents=1, role="floorperson"),
        Withdraw(cents=1, role="dealer"),
        CorrectPayment(position=1, wager="ante", handed=1, reason="r", role="floorperson"),
        InstallTable(submission="", role="executive"),
        HireStaff(person="x", name="X", roles=("dealer",), role="executive"),
        ChangeRoles(person="x", roles=("dealer",), role="supervisor"),
        DismissStaff(person="x", role="executive"),
    ],
    ids=lambda command: f"{type(command).__name__}-{command.role}",
)
def test_no_rank_does_what_is_anothers(command: AnyCommand) -> None:
    assert code_of(staff("dealer", "executive"), command) == "not_permitted"


def test_an_auditor_reads_everything_and_does_nothing() -> None:
    rows = permissions().commands
    assert [kind for kind, row in rows.items() if "auditor" in row.roles] == ["note_password"]
    assert [what for what in READABLE if reading_refusal(staff("auditor"), what, "ann")] == []


def test_the_price_of_an_award_comes_from_no_person() -> None:
    award = PayAward(position=1, payment=Payment(), before=0, after=0)
    for role in get_args(ActorRole):
        assert code_of(holder(role), award) != ""
    refusal = refusal_of(staff("dealer"), award)
    assert refusal is not None
    assert refusal.message == "'pay award' is for the house itself, not for the dealer."


@pytest.mark.parametrize(
    "command",
    [
        TakeSeat(position=1, player="ann"),
        BuyIn(player="ann", cents=100),
        CashOut(player="ann", cents=100),
        ChooseSeed(player="ann", seed="luck"),
        CommitSeed(player="ann", shuffle=1, hash=SEED_HASH),
        RevealSeed(player="ann", shuffle=1, seed="luck"),
        NotePassword(person="ann"),
    ],
    ids=lambda command: type(command).__name__,
)
def test_a_player_acts_only_in_the_own_name(command: AnyCommand) -> None:
    assert code_of(ANN, command) == ""
    refusal = refusal_of(BEN, command)
    assert refusal is not None
    assert refusal.code is Code.NOT_YOUR_ACCOUNT
    assert refusal.clauses == permissions().commands[str(command.__struct_config__.tag)].clauses
    assert refusal.message.startswith("Only ann can do ")
    assert refusal.message.endswith(", not ben.")
    long = refusal_of(BEN, BuyIn(player="\n" + "x" * 99_999, cents=1))
    assert long is not None
    assert long.message == f"Only ?{'x' * 79} can do 'buy in', not ben."


def test_a_dealer_enters_what_players_without_a_screen_do_but_no_seed() -> None:
    dealer = staff("dealer")
    assert code_of(dealer, TakeSeat(position=1, player="ann")) == ""
    assert code_of(dealer, BuyIn(player="ann", cents=100, role="dealer")) == ""
    assert code_of(dealer, ChooseSeed(player="ann", seed="luck", role="dealer")) == "not_permitted"
    hashed = CommitSeed(player="ann", shuffle=1, hash=SEED_HASH, role="dealer")
    assert code_of(dealer, hashed) == "not_permitted"
    revealed = RevealSeed(player="ann", shuffle=1, seed="luck", role="dealer")
    assert code_of(dealer, revealed) == "not_permitted"


def test_a_password_is_noted_by_its_person_or_an_administrator() -> None:
    for role in ("dealer", "floorperson", "supervisor", "executive", "auditor"):
        someone = staff(role)
        assert code_of(someone, NotePassword(person="sam", role=role)) == ""
        assert code_of(someone, NotePassword(person="ann", role=role)) == "not_your_account"
    assert code_of(staff("administrator"), NotePassword(person="ann")) == ""


def test_a_player_gives_no_command_of_the_house() -> None:
    players = {kind for kind, row in permissions().commands.items() if "player" in row.roles}
    assert players == {
        "take_seat", "leave_seat", "leave_table", "place_wager", "place_wagers", "withdraw_wager", "play",
        "fold", "set_hand", "go_idle", "buy_in", "cash_out", "choose_seed", "commit_seed",
        "reveal_seed", "note_password",
    }  # fmt: skip
    assert code_of(ANN, RegisterPlayer(name="Ann")) == "not_permitted"
    assert code_of(ANN, OpenTable(decks=("red",))) == "not_permitted"
    assert code_of(ANN, GoIdle(spread="face-up")) == ""
    assert code_of(ANN, Perform(step="lock_out")) == "not_permitted"


@pytest.mark.parametrize("what", ["account", "statement"])
def test_a_player_reads_the_own_account_only(what: str) -> None:
    assert reading_refusal(ANN, what, "ann") is None
    refusal = reading_refusal(ANN, what, "ben")
    assert refusal is not None
    assert (int(refusal.code), refusal.name, refusal.message, refusal.clauses) == (
        944,
        "reading_not_permitted",
        f"ann is not allowed to read this: {what} of ben.",
        ("P25",),
    )
    assert reading_refusal(ANN, what) is not None
    assert reading_refusal(staff("dealer", person="ann"), what, "ann") is not None


@pytest.mark.parametrize("what", ["results", "balance", "rounds", "audit", "staff", "security_log"])
def test_what_is_the_houses_is_closed_to_players_and_dealers(what: str) -> None:
    assert reading_refusal(ANN, what, "ann") is not None
    assert reading_refusal(staff("dealer"), what) is not None
    assert reading_refusal(staff("executive"), what) is None


def test_an_auditor_reads_everything_that_there_is_and_nothing_else() -> None:
    assert [what for what in READABLE if reading_refusal(staff("auditor"), what, "ann")] == []
    refusal = reading_refusal(staff("auditor"), "diary")
    assert refusal is not None
    assert (refusal.code, refusal.clauses) == (Code.READING_NOT_PERMITTED, ())


@pytest.mark.parametrize("name", ["massachusetts", "maryland-everything", "shuffle-master", "catfish-bend"])
def test_the_gate_never_keeps_out_what_the_game_lets_a_role_do(name: str) -> None:
    at = table(name, (1, 2))
    checked = _let_in(at)
    bet(at)
    while at.state.round is not None:
        checked += _let_in(at)
        command = at.next_command()
        at.do(decision(at) if command is None else command)
    while at.state.agenda:
        checked += _let_in(at)
        at.do(at.next_preparation())
    assert checked > 100


def _let_in(at: Table) -> int:
    """Count everything that the game lets anybody do now, seeing that the gate does too."""
    roles: dict[ActorRole, Actor] = {role: holder(role) for role in get_args(ActorRole)[1:]}
    roles["player"] = Actor("p1", "player")
    found = [
        (actor, command) for role, actor in roles.items() for command in legal_commands(at.state, role, "p1")
    ]
    assert [command for actor, command in found if refusal_of(actor, command) is not None] == []
    return len(found)
