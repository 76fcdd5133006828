"""The closed, numbered list of refusals: why something may not be, in one sentence each.

A number never changes its meaning and is never used again. The clauses of a refusal are not listed here:
they come from the node of the rulebook that was broken.
"""

from enum import IntEnum


class Code(IntEnum):
    """Every refusal there is.

    1xx files, 2xx wagers at the table, 3xx and 4xx submissions, 5xx questions, 6xx rounds in files,
    7xx rounds under way, 8xx tables, 9xx the house, 10xx the progressive system.
    """

    sentence: str

    def __new__(cls, number: int, sentence: str) -> "Code":
        """Give each number its sentence."""
        code = int.__new__(cls, number)
        code._value_ = number
        code.sentence = sentence
        return code

    FILE_UNREADABLE = 101, "{file} cannot be read: {reason}."
    KEY_UNKNOWN = 102, "{file}, {place}: the key '{key}' is not known here{hint}"
    KEY_MISSING = 103, "{file}, {place}: the key '{key}' is missing."
    VALUE_UNFIT = 104, "{file}, {place}: {reason}."
    CLAUSE_MISSING = 105, "{file}, {place}: the value cites no clause."
    CLAUSE_UNKNOWN = 106, "{file}, {place}: there is no clause, ruling or policy '{clause}'."
    EDITIONS_MISSING = 107, "{file}, editions: every edition must be named, each once."
    UNKNOWN_EDITION = 108, "{file} has no edition '{edition}'; it has {known}."
    EDITIONS_OVERLAP = 109, "{file}, {place}: more than one value holds in the edition '{edition}'."
    EDITION_UNCOVERED = 110, "{file}, {place}: no value holds in the edition '{edition}'."
    ODDS_MALFORMED = 111, "{file}, {place}: {reason}."
    UNKNOWN_RULEBOOK = 112, "There is no rulebook '{rulebook}'; there are {known}."
    TABLE_ABSENT = 113, "{file}, {place}: there is no table '{table}'."
    ORDER_INCOMPLETE = 114, "{file}, {place}: each wager of the rulebook must be named once: {known}."
    ACTS_MISNUMBERED = 115, "{file}, {place}: the acts must be numbered from 1 without a gap."
    PROCEDURE_MISSING = 116, "{file}, {place}: each routine needs its own procedure: {known}."
    ACTS_UNFIT = 117, "{file}, {place}: {reason}."

    WAGER_NOT_OFFERED = 201, "The {wager} wager is not offered at this table."
    WAGER_BELOW_LEAST = 202, "{amount} is under the posted minimum of {least} for the {wager} wager."
    WAGER_ABOVE_MOST = 203, "{amount} is over the posted maximum of {most} for the {wager} wager."
    WAGER_ABOVE_LEGAL_LIMIT = 204, "{amount} is over the legal limit of {most} for the {wager} wager."
    WAGER_NOT_IN_CHIPS = 205, "{amount} is not a whole number of chips of {chip}."
    PLAY_TOO_SMALL = 206, "A Play wager of {amount} is under {multiple} times the Ante of {ante}."
    PLAY_TOO_LARGE = 207, "A Play wager of {amount} is over {multiple} times the Ante of {ante}."
    PLAY_NOT_A_MULTIPLE = 208, "A Play wager of {amount} is not a whole multiple of the Ante of {ante}."
    STAKE_NOT_TAKEN = 209, "A progressive wager of {amount} is not taken here; it must be {known}."
    PREREQUISITE_MISSING = 210, "The {wager} wager needs {needed} at the same position."
    POSITION_UNKNOWN = 211, "There is no position {position} at a table of {most}."
    TOO_MANY_POSITIONS = 212, "One player may hold {most} at most, not {count}."
    POSITIONS_NOT_ADJACENT = 213, "The positions {positions} of one player are not next to each other."
    BETTING_CLOSED = 214, "The {wager} wager is no longer taken: {event}."
    WAGER_TOO_LARGE = 215, "{amount} is more than any wager may be here, {most}."

    WAGER_NOT_DESCRIBED = 301, "The {rulebook} rulebook does not describe the {wager} wager{edition}."
    WAGER_TABLE_MISSING = 302, "The {wager} wager must be offered, and the submission names no table for it."
    TABLE_UNKNOWN = 303, "There is no {wager} table '{table}' to choose; there are {known}."
    TABLE_ODDS_ONLY = 304, "The {wager} table '{table}' cannot be offered; only its odds can be asked for."
    OWN_TABLE_NOT_ALLOWED = 305, "The {wager} table must be one of the printed ones: {known}."
    OWN_TABLE_UNDER_FLOOR = (
        306,
        ("The {wager} table pays less than every printed one; the nearest is {table}, where {rows}."),
    )
    OWN_TABLE_ROW_FOREIGN = 307, "The {wager} table has no row '{row}'."
    OWN_TABLE_ROW_MISSING = 308, "The {wager} table must pay {row}: every hand down to the lowest that wins."
    OWN_TABLE_KIND = 309, "The {wager} row '{row}' pays {text}, which is not quoted as this wager is."
    TABLE_NUMBERS_DIFFER = (
        310,
        "The {wager} table {table} must carry the number of the {other} table, {number}.",
    )
    ENVY_UNKNOWN = 311, "There is no Envy schedule '{table}'; there are {known}."
    ENVY_MISSING = 312, "The Envy schedule must be designated in the submission."
    ENVY_UNPAIRED = 313, "The Envy schedule {table} does not go with the progressive paytable {paytable}."
    ENVY_FAVOURS_PLAYERS = (
        314,
        (
            "Envy schedule {table} as printed names hands that its paytable does not top out at, "
            "and can turn the wager in the players' favour; {other} is the other reading."
        ),
    )
    LIMITS_MISSING = 315, "The posted minimum and maximum of the {wager} wager are missing."
    LIMITS_INVERTED = (
        316,
        "The posted limits of the {wager} wager must rise from more than $0: {least} to {most}.",
    )
    LIMITS_NOT_IN_CHIPS = 317, "The posted limit {amount} of the {wager} wager is not whole chips of {chip}."
    LEGAL_LIMIT_MISSING = 318, "The legal limit must be given as limits.legal: {reference} print the figure."
    POSTED_OVER_LEGAL = (
        319,
        "The posted maximum {most} of the {wager} wager is over the legal limit of {legal}.",
    )
    LIMITS_WITHOUT_WAGER = 320, "Limits are posted for the {wager} wager, which is not offered."
    TABLE_POSITIONS = 322, "A table has {most} betting positions at most, not {count}."
    POSITIONS_PER_PLAYER_MISSING = 323, "The number of positions that one player may bet must be given."
    POSITIONS_PER_PLAYER = 324, "One player may bet at {most} at most, not {count}."
    POSITIONS_MUST_ADJOIN = 325, "A player's positions must be next to each other."
    COVER_ALL_COLUMN_MISSING = (
        326,
        "Cover All prints no column for {count} players; {most} positions at most.",
    )
    SETTING_UNKNOWN = 327, "There is no setting '{name}'{hint}"
    SETTING_VALUE = 328, "The setting '{name}' is one of {known}, not {value}."
    OWN_TABLE_EMPTY = 329, "The {wager} table must pay some hand."
    SETTING_CLOSED = 330, "The setting '{name}' is not open in the {rulebook} rulebook."

    DEALING_NOT_ALLOWED = 401, "Dealing by '{method}' is not a method of this rulebook; there are {known}."
    HAND_NEEDS_SHUFFLER = 402, "Dealing from the hand needs an automated shuffler."
    STACK_SIZE = 403, "The machine must dispense stacks of {stack} cards, not {count}."
    DEALER_FIRST = 404, "The dealer's cards are dispensed {rule}, so dealer_first cannot be {value}."
    SHUFFLER_REQUIRED = 405, "The game must be dealt with an automated shuffler."
    SHUFFLER_RECOMMENDED = 406, "An automated shuffler is recommended."
    SHUFFLER_MAKER = 407, "The shuffler must be made by {maker}, not {value}."
    SHUFFLER_MODE = 408, "A shuffler {model} must be set to {known}."
    DECKS = 409, "{most} at most may be used, not {count}."
    SECOND_DECK_NEEDS_SHUFFLER = 410, "A second deck may be used only with an automated shuffler."
    DIRECT_LOAD = 411, "A shuffler that loads the dealing shoe itself is not described in this rulebook."
    RESHUFFLING_DEVICE = 412, "A device that reshuffles by itself is not described in this rulebook."
    SIX_CARD_DEALING = 413, "The Six Card Bonus needs its bonus card, which only {known} dealing delivers."
    COVER_ALL_DEVICE = 414, "Cover All needs a shuffler {device} in the mode '{mode}'."
    LOCAL_FAILURE_PROCEDURE = 415, "This rulebook itself says what a failed shuffler leads to."
    ROUTINE_MISSING = 416, "The settlement routine must be declared: {known}."
    ROUTINE_UNKNOWN = 417, "The settlement routine '{routine}' is not one of {known}."
    HOUSE_ORDER = 418, "The order in which a player's wagers are settled is fixed in this rulebook."
    HOUSE_ORDER_INCOMPLETE = 419, "The house order must name each wager offered once: {known}."
    LEAVING = 420, "Wagers of a player who leaves may not be treated as lost here."
    OPERATOR_KIND_MISSING = 421, "The operator must be named as commercial or tribal."
    APPROVAL_MISSING = 422, "The approval '{name}' is missing ({case})."
    RULES_OF_PLAY = 423, "The game must follow the rules of play of {date}, and the submission names {value}."
    CHANGE_MAY_AFFECT_APPROVAL = 424, "A change to the game may affect its approval: {changes}."
    LAYOUT_MISSING = 425, "The layout must be submitted."
    LAYOUT_AREA_MISSING = 426, "The layout needs a separate area for the {wager} wager."
    ODDS_NOT_SHOWN = 427, "The odds must stand on the layout, or on a sign at the table."
    PROGRESSIVE_MISSING = 428, "A progressive is offered, and the submission has no section [progressive]."
    PROGRESSIVE_NOT_OFFERED = 429, "The section [progressive] stands without a progressive wager."
    RATE_MISSING = 430, "The rate of progression must be given."
    METER_MISSING = 431, "The {name} amount of the meter must be given."
    METER_UNDER_FLOOR = (
        432,
        "The {name} amount of {amount} is under the minimum of {least} for paytable {table}.",
    )
    STAKES_MISSING = 433, "The stakes of the progressive wager must be given."
    STAKE_NOT_ALLOWED = 434, "A progressive stake of {amount} is not allowed; it must be {known}."
    STAKES_MORE_THAN_ONE = 435, "The setting one_denomination allows a single progressive stake, not {count}."
    FIXED_AWARDS = 436, "Fixed awards are paid from the {known} in this rulebook, not from the {value}."
    WINNER_ORDER = 437, "Several meter winners are paid in the order of settlement in this rulebook."
    CONSOLE_MISSING = 438, "The console must be named: {known}."
    COMPONENT_UNKNOWN = 439, "The component '{name}' is not an approved part of the {console} system."
    COMPONENT_VERSION = 440, "The component '{name}' must be of version {wanted}, not {version}."
    COMPONENT_MISSING = 441, "The {console} system lacks an approved {role}: {known}."
    EXECUTIVE_THRESHOLD_MISSING = 442, "The award from which an executive must confirm has to be given."
    RATES_OVER_WHOLE = 443, "Meter and reserve together take {total}, more than the whole wager."
    RATE_MAY_RUN_DRY = (
        444,
        "A rate of {rate} is under the {least} at which such a meter grows; it may run dry.",
    )
    RATE_ABOVE_PRESET = (
        445,
        "The rate of {rate} is above the preset {preset}, which cuts the house's advantage.",
    )
    PRESET_RATE_UNKNOWN = 446, "Without preset_rate it cannot be seen whether the rate was only lowered."
    RESERVE_RECOMMENDED = 447, "A small part of each wager should go to a reserve."
    RESERVE_ONLY_SEED = 448, "The reserve should not be the only seed of the meter."
    SEED_NOT_PRESET = 449, "{amount} is not the preset seed of {preset} for paytable {table}."
    SEED_UNDER_FIXED_AWARD = 450, "{amount} is under the largest fixed award of {least}."
    SEED_ZERO = 451, "Starting a meter at $0 is not recommended."
    HOUSE_ORDER_ENDS = 452, "In a house order {wager} must come after every other wager."
    DEALING_KEY_IDLE = 453, "'{key}' says nothing where cards are dealt by '{method}'."
    COVER_ALL_DEALING = (
        454,
        "Cover All needs the shuffler to count the hands, which only {known} dealing does.",
    )
    APPROVAL_UNKNOWN = 455, "There is no approval '{name}' in this rulebook; there are {known}."
    STAKE_REPEATED = 456, "The progressive stake of {amount} is named more than once."
    NOT_CHECKED = 457, "The {rulebook} rulebook says nothing of '{key}', so it was not checked."

    POINT_UNKNOWN = 501, "No rulebook has a value at a point named like '{point}'."
    ADDRESS_UNKNOWN = 502, "There is no clause, ruling or policy '{address}'{hint}"
    ROUND_UNKNOWN = 503, "There is no round {wanted} in {file}."
    EXAMPLE_UNKNOWN = 504, "There is no file and no example '{name}'; there are {known}."

    ROUND_UNREADABLE = 601, "The line is not a round in JSON: {reason}."
    SEATS_MISSING = 602, "A round needs at least one seat."
    POSITION_REPEATED = 603, "The position {position} is given more than once."
    CARD_UNKNOWN = 604, "{whose}: {reason}."
    CARD_REPEATED = 605, "The card {card} is dealt more than once."
    CARD_COUNT = 606, "{whose}: {count} where there must be {wanted}."
    WAGER_NOT_POSITIVE = 607, "The {wager} wager of {amount} is none; it must be more than $0."
    NO_WAGER = 608, "The position has no wager, so that no cards are dealt to it."
    DECISION_MISSING = 609, "The Ante stands without a decision: 'play' must say how much, 0 for a fold."
    DECISION_WITHOUT_ANTE = 610, "'play' is given, and there is no Ante to play on."
    BONUS_CARD_MISSING = 611, "The Six Card Bonus wager needs the bonus card."
    METER_NOT_GIVEN = 612, "A progressive award falls on the meter, and the round does not give it."
    RESET_NOT_GIVEN = 613, "The whole meter is won, and the round does not give what it is reset to."
    VOID_UNKNOWN = (
        614,
        "'{clause}' is no clause or ruling that makes a {rulebook} round void.",
    )
    ROUNDING_TWICE = 615, "The rounding is chosen twice, as {one} and as {other}."
    LINE_TOO_LONG = 616, "The line is longer than {most} bytes."
    WHOLE_METER_FROM_TRAY = 617, "The whole meter may not be paid from the tray."
    BONUS_CARD_FOREIGN = 618, "The {rulebook} rulebook, as it is here, has no bonus card."
    PRESENTED_UNASKED = 619, "The dealer takes the best four here, so that a player presents no hand."
    PRESENTED_FOREIGN = 620, "The hand presented must be four of the position's own cards."

    OUT_OF_ORDER = 701, "'{step}' is not due: next comes '{due}'."
    NOT_NOW = 702, "'{what}' cannot be while the round is {phase}."
    NOT_SEATED = 703, "Nobody sits at position {position}, and only seated players may wager."
    SEAT_TAKEN = 704, "Position {position} is taken by {player}."
    NOT_YOUR_POSITION = 705, "Position {position} is {player}'s, not {by}'s."
    NOT_YOUR_DUTY = 706, "'{what}' is for the {who}, not for the {role}."
    MUST_STAY = 707, "A player who has a wager and cards stays seated to the end of the round."
    INSTRUMENT_REFUSED = 708, "A wager cannot be made with {instrument} here."
    BET_BETWEEN_PLAYERS = 709, "Players may not bet with each other."
    WAGER_ABSENT = 710, "There is no {wager} wager at position {position}."
    NOBODY_WAGERED = 712, "No position has a wager that cards are dealt to."
    CHIPS_DIFFER = (
        713,
        "Chips: {chips}, accepted wagers: {accepted}; no card is dealt until a floorperson sees them agree.",
    )
    CARDS_UNFIT = 714, "{count} cards came where {wanted} are due."
    CARD_SEEN = 715, "The card {card} is on the table already."
    ASKED_LATER = 716, "Position {position} is asked later: position {due} decides first."
    NO_DECISION = 717, "Position {position} has no decision to make."
    WRONG_HAND = 719, "The {hand} hand is not the one that draws the cards here."
    NOTHING_WRONG = 720, "{whose}: {count} cards are not a wrong number, or not yet."
    UP_CARD_EXEMPT = 721, "The up card lies open by right."
    NOT_DESCRIBED = 722, "The {rulebook} rulebook has no such case at this time: {kind}."
    NO_AWARD_AWAITED = 723, "No award waits to be paid at position {position}."
    AWARD_AWAITED = 724, "The award of position {position} must be paid first."
    AWARD_UNFIT = 725, "The award must be {due}, not {paid}."
    DOCUMENT_INCOMPLETE = 726, "The cards of position {position} stay until the payout is documented."
    DOCUMENT_UNASKED = 727, "Nothing of position {position} waits to be documented."
    PAYMENT_ABSENT = 728, "Nothing has been settled on the {wager} wager of position {position}."
    PAYMENT_RIGHT = 729, "{amount} is what was due, so that there is nothing to correct."
    COUNT_UNJUDGED = 730, "The count of the stub is wrong, and has to be judged first."
    COUNT_NOT_WRONG = 731, "No wrong count of the stub waits to be judged."
    NUMBER_UNFIT = 732, "'{step}' takes {wanted}, not {count}."
    STEP_DONE_BY = 733, "'{step}' is done by another command."
    REASON_MISSING = 734, "A correction needs its reason."
    FACE_UP_UNFIT = 735, "A face-up card can be found only among the next {count}."
    STUB_SHOWN = 736, "The stub is handled face down, and none of its cards is shown."
    WAGERS_LIE = 737, "The wagers at position {position} lie there still; withdraw them first."
    NAME_MISSING = 738, "A player needs a name."
    FIGURE_FOREIGN = 739, "A {figure} says nothing of this report: {kind}."

    TABLE_NOT_OPEN = 801, "The table is {phase}."
    STEP_NOT_DUE = 802, "'{step}' is not due: next comes '{due}'."
    NOTHING_DUE = 803, "'{step}' is not due: nothing has to be prepared."
    DECK_UNPREPARED = 804, "The cards are not ready: next comes '{due}'."
    ROUND_UNDER_WAY = 805, "A round is under way."
    NO_ROUND = 806, "There is no round under way."
    CUT_UNFIT = 807, "A cut of {depth} cards is outside {least} to {most}."
    RECUT_LATE = 808, "The cards can be recut only after a cut and before the first card."
    ORDER_UNFIT = 809, "A shuffle gives the cards of the deck in their new order, each once."
    BACKS_ALIKE = 810, "The backs of the two decks must differ in colour."
    DECKS_UNFIT = 811, "{count} decks cannot be used; the submission names {wanted}."
    DECK_TOO_OLD = 812, "The deck has been in use for {hours} hours and must be changed."
    PRESHUFFLED_REFUSED = 813, "A deck cannot come in preshuffled here."
    IDLE_REFUSED = 814, "The cards cannot be spread {spread} here."
    DEVICE_ABSENT = 815, "There is no {device} in use at this table."
    DEVICE_BLOCKS = 816, "The device must be seen to before another method is used: '{due}'."
    SWAP_EARLY = 817, "The machine is swapped from failure {wanted} on; this is failure {count}."
    METHOD_REFUSED = 818, "Cards cannot be dealt by '{method}' here."
    SHUFFLE_LATE = 819, "The cards can be shuffled on order only before the first card."
    PLAYERS_SEATED = 820, "Players sit at the table."
    TIME_BACKWARD = 822, "The moment given lies before the last one."
    CARDS_KEYED = 823, "The deck's order is known, so that no cards are keyed in."
    DEVICE_AWAY = 824, "The device has been taken out of play; another method must be chosen first."
    DEVICE_STANDS = 825, "No {device} is out of play."
    FIRST_PLAYER_MISSING = 826, "The cards wait for the first player to look at them."
    DECK_UNKNOWN = 827, "There is no deck {deck} at this table."

    NO_SUCH_TABLE = 901, "There is no table '{table}' in this house."
    TABLE_IN_USE = 902, "Table '{table}' must be closed before it is set up for another game."
    ID_UNFIT = (
        903,
        "'{name}' cannot name a {what}: 1 to 40 of a to z, digits, '.', '_' and '-' can, no sign first.",
    )
    PLAYER_UNKNOWN = 904, "There is no player '{player}' in this house."
    PLAYER_KNOWN = 905, "Player '{player}' has an account already."
    AMOUNT_UNFIT = 906, "{amount} cannot be moved; it must be more than $0 and at most {most}."
    ACCOUNT_SHORT = 907, "The account of '{player}' holds {held}, and {needed} are needed."
    CHIPS_SHORT = 908, "'{player}' has {held} in chips here, and {needed} are needed."
    TRAY_SHORT = 909, "The tray holds {held}, and {needed} are needed; a fill is due."
    TRAY_UNCOUNTED = 910, "The tray must be counted before the table opens."
    SLIP_MISSING = 911, "A fill or a credit needs the number of its slip."
    CASH_OUT_LATER = 912, "'{player}' has wagers in the round under way and cashes out after it."
    SEED_UNFIT = 913, "A seed is 1 to 64 plain characters without a space at either end."
    ORDER_FROM_DESK = 914, "No order of cards is keyed in: the house's shuffle gives it, or nobody knows it."
    PRICE_FROM_DESK = 915, "An award is priced by the house's own meter, not by a command."
    METER_TERMS = 916, "The meter '{meter}' follows other terms than this submission."
    KEY_REUSED = 917, "The key '{key}' was used for another command."
    KEY_UNFIT = 918, "A key is 1 to {most} printable characters."
    TRAY_IN_USE = 919, "The tray is counted while the table is closed."
    COMMAND_FOREIGN = 920, "'{what}' is no command for {stream}."
    SUBMISSION_REFUSED = 921, "The submission cannot be used: {reason}."
    CARDS_SOURCE = 922, "Preshuffled cards are keyed in; this table's cards are shuffled by the house."
    COMMAND_UNWRITABLE = 925, "The command cannot be written down: {reason}."
    WORD_UNFIT = 926, "{what} is 1 to {most} printable characters."
    MONEY_SHORT = 927, "The account of '{player}' does not hold {needed}."
    COUNT_UNFIT = 924, "A count cannot find {amount}; it finds $0 to {most}."
    METER_NAME_IDLE = 923, "This submission has no progressive that a meter could be for."
    STREAM_MOVED = 928, "This was decided upon event {upon} of {stream}, which stands at event {at}."
    BOT_NAME = 929, "'{player}' is a name for bots: only the house's own dealer opens an account for one."

    NOT_PERMITTED = 940, "'{what}' is for the {who}, not for the {role}."
    ROLE_NOT_HELD = 941, "{person} does not act as {role} in this house."
    NOT_YOUR_NAME = 942, "{person} gives no command in the name of {by}."
    NOT_YOUR_ACCOUNT = 943, "'{what}' is {whose}'s own affair, not {person}'s."
    READING_NOT_PERMITTED = 944, "{person} may not read this here: {what}."
    PERSON_UNKNOWN = 945, "Nobody named '{person}' works here."
    PERSON_KNOWN = 946, "'{person}' works here already."
    PERSON_NAME_MISSING = 947, "A person needs a name of 1 to {most} printable characters."
    ROLES_MISSING = 948, "A person works here in one role at least."
    ROLES_UNCHANGED = 949, "'{person}' has exactly these roles already."
    LAST_ADMINISTRATOR = (
        950,
        "'{person}' is the last administrator who can act; another one who has a password must come first.",
    )
    ADMINISTRATOR_FIRST = 951, "The first person of a house must be an administrator."
    SIGN_IN_FAILED = 952, "The name or the password is wrong."
    SIGN_IN_LOCKED = 953, "Too many sign-ins have failed; the next is taken in {wait}."
    TOKEN_INVALID = 954, "There is no such sign-in, or it has ended; sign in again."
    PASSWORD_WEAK = 955, "The password cannot be used: {reason}."
    OWN_ROLES = 957, "'{person}' cannot be given other roles by the own hand; another administrator does it."
    AUDITOR_APART = 958, "An auditor has no other role in the house."
    CONSOLE_PASSWORD = 956, "The console of the house has no password: nobody signs in under its name."

    BUTTON_ABSENT = 1001, "There is no button {button} on this console; the button is {known}."
    MOTION_FOREIGN = 1002, "Nobody can {motion} on a {console} console."
    NO_GAME = 1003, "The game is over, so that nothing is left to {motion} for."
    NO_WIN_WAITS = (
        1004,
        "No hand waits for a progressive award now, so that there is nothing to {motion} for.",
    )
    MOTION_NOT_DUE = 1005, "It is too early or too late to {motion}: next, {due}."
    SAME_PERSON = 1006, "'{person}' marked this win, and somebody else must confirm it."
    HAND_UNKNOWN = 1007, "There is no such hand button; there are {known}."
    HAND_WRONG = 1008, "The cards of position {position} make {right}, not {hand}."
    HAND_MARKED = 1009, "Position {position} is marked with {hand}; the same button cancels it."
    WIN_FINAL = 1010, "The win is logged, and no button undoes it: it takes a manual adjustment."
    WIN_LOGGED_ALREADY = 1011, "The win of position {position} is logged already."
    SPOT_UNLIT = 1012, "No progressive wager is registered at position {position}: its light is off."
    SPOT_NOT_DUE = 1013, "Position {position} has no award to be paid now; position {due} has."
    EXECUTIVE_NEEDED = 1014, "A jackpot of {amount} needs an executive's card, as every one from {level} on."
    GAME_UNDER_WAY = 1015, "The game ends when all action is settled, and the round is not over."
    GAME_OVER_ALREADY = 1016, "There is no game to end: the system is ready for the next hand."
    GAME_NOT_OVER = 1017, "The next round begins when the dealer has pressed {button}."
    KEY_AT_JPH = 1018, "The supervisor's key stands at JPH; the table goes on when it is back at Run."
    KEY_THERE = 1019, "The key stands at {to} already."
    LINK_DOWN = 1020, "No progressive wager or win is taken now, for the link to the meter is down: {reason}."
    LINK_SO_ALREADY = 1021, "The link is {state} already."
    SENSOR_FOREIGN = (
        1022,
        "A progressive chip counts on the sensor of the own position, not on that of {position}.",
    )
    NO_CONSOLE = 1023, "The table has no progressive, and so no console."
    NO_SUCH_METER = 1024, "There is no meter '{meter}' in this house."
    LINK_OPEN = 1025, "The link of meter '{meter}' is open; close it first."
    LINK_CLOSED = 1026, "The link of meter '{meter}' is closed already: {reason}."
    TABLE_IN_GAME = 1027, "Table '{table}' is in a game with progressive wagers; end it first."
    TABLE_OTHER_TERMS = (
        1028,
        "Table '{table}' was set up by other terms than the meter's; set it up anew first.",
    )
    TERMS_UNCHANGED = 1029, "The submission changes nothing of what the meter follows."
    PAYTABLE_CHANGED = (
        1030,
        "A meter keeps its rulebook, paytable and source of fixed awards; begin another meter.",
    )
    ADJUSTMENT_UNFIT = 1031, "{amount} cannot be adjusted: the {part} holds {held}, and never less than $0."
    ADJUSTMENT_UNKNOWN = 1032, "No adjustment {number} waits to be approved."
    ADJUSTMENT_OWN = 1033, "'{person}' proposed this adjustment, and somebody else must approve it."
    WIN_UNKNOWN = 1034, "There is no win {number} on meter '{meter}' that can be backed out."
    CONSOLE_NOT_DESCRIBED = 1035, "The {rulebook} rulebook describes no {console} console; it has {known}."
    REASON_UNFIT = 1037, "It needs a reason, of {most} printable characters at most."
    LINK_OPEN_ALREADY = 1038, "The link of meter '{meter}' is open already."
    WIN_UNADJUSTED = 1039, "Win {number} at table '{table}' is logged and not paid yet; that comes first."
    ADJUSTMENT_AMOUNT = 1040, "An adjustment is of more or less than $0, and of {most} at most."
    ADJUSTMENT_WAITS = 1036, "Adjustment {number} backs out the same win, and waits to be approved."
    WIN_ABSENT = 1051, "There is no win {number} on meter '{meter}'."
    WIN_PAGE_ABSENT = 1052, "The {rulebook} rulebook describes no win page on a {console} console."

    NOT_SIGNED_IN = 1101, "Nobody has signed in here; open the link of the house, or sign in."
    FOREIGN_ORIGIN = 1102, "The request comes from another site than this one, and is not taken."
    TOO_FAST = 1103, "Too many requests; the next is taken in {wait} s."
    REQUEST_UNREADABLE = 1104, "The request cannot be read: {reason}."
    NOTHING_HERE = 1105, "There is nothing here: {what}."
    LINK_SPENT = 1106, "The link is not one of this house; take the one that it printed when it started."
    LOCAL_MODE_ONLY = 1107, "Play money is for a house on one's own machine; here the cage takes deposits."
    PURSE_NOT_EMPTY = 1108, "There is more play money when less than {least} is left; you have {held}."
    HOUSE_IN_TROUBLE = 1109, "The house cannot do this now: {reason}."
