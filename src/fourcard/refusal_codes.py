"""Refusal codes: the closed, numbered list of reasons for a refusal, each with its message.

A number never changes its meaning and is never reused. The clauses of a refusal are not listed here: they
come from the rulebook value that was broken.
"""

from enum import IntEnum


class Code(IntEnum):
    """Every refusal code.

    1xx files, 2xx wagers at the table, 3xx and 4xx submissions, 5xx questions, 6xx rounds in files,
    7xx rounds under way, 8xx tables, 9xx the house, 10xx the progressive system, 11xx the server.
    """

    sentence: str

    def __new__(cls, number: int, sentence: str) -> "Code":
        """Attach the message template to the number."""
        code = int.__new__(cls, number)
        code._value_ = number
        code.sentence = sentence
        return code

    FILE_UNREADABLE = 101, "{file} cannot be read: {reason}."
    KEY_UNKNOWN = 102, "{file}, {place}: unknown key '{key}'{hint}"
    KEY_MISSING = 103, "{file}, {place}: the key '{key}' is missing."
    VALUE_UNFIT = 104, "{file}, {place}: {reason}."
    CLAUSE_MISSING = 105, "{file}, {place}: the value cites no clause."
    CLAUSE_UNKNOWN = 106, "{file}, {place}: there is no clause, ruling or policy '{clause}'."
    EDITIONS_MISSING = 107, "{file}, editions: name every edition, each once."
    UNKNOWN_EDITION = 108, "{file} has no edition '{edition}'. Available: {known}."
    EDITIONS_OVERLAP = 109, "{file}, {place}: more than one value applies in the edition '{edition}'."
    EDITION_UNCOVERED = 110, "{file}, {place}: no value applies in the edition '{edition}'."
    ODDS_MALFORMED = 111, "{file}, {place}: {reason}."
    UNKNOWN_RULEBOOK = 112, "There is no rulebook '{rulebook}'. Available: {known}."
    TABLE_ABSENT = 113, "{file}, {place}: there is no table '{table}'."
    ORDER_INCOMPLETE = 114, "{file}, {place}: name each wager of the rulebook once: {known}."
    ACTS_MISNUMBERED = 115, "{file}, {place}: number the acts from 1 without a gap."
    PROCEDURE_MISSING = 116, "{file}, {place}: each routine needs its own procedure: {known}."
    ACTS_UNFIT = 117, "{file}, {place}: {reason}."

    WAGER_NOT_OFFERED = 201, "The {wager} wager is not offered at this table."
    WAGER_BELOW_LEAST = 202, "{amount} is below the posted minimum of {least} for the {wager} wager."
    WAGER_ABOVE_MOST = 203, "{amount} is above the posted maximum of {most} for the {wager} wager."
    WAGER_ABOVE_LEGAL_LIMIT = 204, "{amount} is above the legal limit of {most} for the {wager} wager."
    WAGER_NOT_IN_CHIPS = (
        205,
        "{amount} cannot be made with chips of {chip}. Use a positive multiple of {chip}.",
    )
    PLAY_TOO_SMALL = (
        206,
        "A Play wager of {amount} is too small: it must be at least {multiple} times the Ante of {ante}.",
    )
    PLAY_TOO_LARGE = (
        207,
        "A Play wager of {amount} is too large: it can be at most {multiple} times the Ante of {ante}.",
    )
    PLAY_NOT_A_MULTIPLE = 208, "A Play wager of {amount} is not a whole multiple of the Ante of {ante}."
    STAKE_NOT_TAKEN = 209, "A progressive wager of {amount} is not accepted here; it must be {known}."
    PREREQUISITE_MISSING = 210, "The {wager} wager needs {needed} at the same position."
    POSITION_UNKNOWN = 211, "There is no position {position}. This table has positions 1 to {most}."
    TOO_MANY_POSITIONS = 212, "One player can hold at most {most}, not {count}."
    POSITIONS_NOT_ADJACENT = 213, "One player's positions must be next to each other; {positions} are not."
    BETTING_CLOSED = 214, "It is too late for the {wager} wager: {event}."
    WAGER_TOO_LARGE = 215, "{amount} is too large. No wager can be more than {most}."
    WAGER_NOT_PLACED = 216, "{wager} is not a wager that players place: it is won with other wagers."

    WAGER_NOT_DESCRIBED = 301, "The {rulebook} rulebook does not describe the {wager} wager{edition}."
    WAGER_TABLE_MISSING = 302, "The {wager} wager must be offered, but the submission names no table for it."
    TABLE_UNKNOWN = 303, "There is no {wager} table '{table}'. Available: {known}."
    TABLE_ODDS_ONLY = 304, "The {wager} table '{table}' cannot be offered; it is available for odds only."
    OWN_TABLE_NOT_ALLOWED = 305, "The {wager} table must be one of the printed ones: {known}."
    OWN_TABLE_UNDER_FLOOR = (
        306,
        "The {wager} table pays less than every printed table; the nearest is {table}, where {rows}.",
    )
    OWN_TABLE_ROW_FOREIGN = 307, "The {wager} table cannot have a row '{row}'."
    OWN_TABLE_ROW_MISSING = (
        308,
        "The {wager} table must pay {row}: it needs every hand down to the lowest that wins.",
    )
    OWN_TABLE_KIND = 309, "The {wager} row '{row}' pays {text}. Write it with 'to', such as '3 to 1'."
    TABLE_NUMBERS_DIFFER = (
        310,
        "The {wager} table {table} must have the same number as the {other} table, {number}.",
    )
    ENVY_UNKNOWN = 311, "There is no Envy schedule '{table}'. Available: {known}."
    ENVY_MISSING = 312, "The submission must name the Envy schedule."
    ENVY_UNPAIRED = 313, "The Envy schedule {table} does not belong to the progressive paytable {paytable}."
    ENVY_FAVOURS_PLAYERS = (
        314,
        (
            "Envy schedule {table} as printed pays for hands that are not the top hands of its "
            "paytable, and can turn the wager in the players' favour. Schedule {other} is the other "
            "reading."
        ),
    )
    LIMITS_MISSING = 315, "The posted minimum and maximum of the {wager} wager are missing."
    LIMITS_INVERTED = (
        316,
        (
            "The posted limits of the {wager} wager are invalid: {least} to {most}. They must start "
            "above $0 and must not fall."
        ),
    )
    LIMITS_NOT_IN_CHIPS = (
        317,
        "The posted limit {amount} of the {wager} wager cannot be made with chips of {chip}.",
    )
    LEGAL_LIMIT_MISSING = (
        318,
        "The legal limit is missing. Give it as limits.legal; the figure is in {reference}.",
    )
    POSTED_OVER_LEGAL = (
        319,
        "The posted maximum {most} of the {wager} wager is above the legal limit of {legal}.",
    )
    LIMITS_WITHOUT_WAGER = 320, "Limits are posted for the {wager} wager, which is not offered."
    TABLE_POSITIONS = 322, "A table can have at most {most} betting positions, not {count}."
    POSITIONS_PER_PLAYER_MISSING = 323, "Give the number of positions that one player can bet on."
    POSITIONS_PER_PLAYER = 324, "One player can bet on at most {most}, not {count}."
    POSITIONS_MUST_ADJOIN = 325, "A player's positions must be next to each other."
    COVER_ALL_COLUMN_MISSING = (
        326,
        "Cover All has no column for {count} players. It allows at most {most} positions.",
    )
    SETTING_UNKNOWN = 327, "There is no setting '{name}'{hint}"
    SETTING_VALUE = 328, "The setting '{name}' must be {known}, not {value}."
    OWN_TABLE_EMPTY = 329, "The {wager} table must pay at least one hand."
    SETTING_CLOSED = 330, "The {rulebook} rulebook does not leave the setting '{name}' open."

    DEALING_NOT_ALLOWED = 401, "This rulebook does not allow dealing by '{method}'. Available: {known}."
    HAND_NEEDS_SHUFFLER = 402, "Dealing from the hand needs an automated shuffler."
    STACK_SIZE = 403, "The machine must dispense stacks of {stack} cards, not {count}."
    DEALER_FIRST = 404, "The dealer's cards are dispensed {rule}, so dealer_first cannot be {value}."
    SHUFFLER_REQUIRED = 405, "The game must be dealt with an automated shuffler."
    SHUFFLER_RECOMMENDED = 406, "An automated shuffler is recommended."
    SHUFFLER_MAKER = 407, "The shuffler must be made by {maker}, not {value}."
    SHUFFLER_MODE = 408, "A shuffler {model} must be set to {known}."
    DECKS = 409, "This rulebook allows at most {most}, not {count}."
    SECOND_DECK_NEEDS_SHUFFLER = 410, "A second deck needs an automated shuffler."
    DIRECT_LOAD = 411, "This rulebook does not describe a shuffler that loads the dealing shoe itself."
    RESHUFFLING_DEVICE = 412, "This rulebook does not describe a device that reshuffles by itself."
    SIX_CARD_DEALING = 413, "The Six Card Bonus needs its bonus card, which only {known} dealing delivers."
    COVER_ALL_DEVICE = 414, "Cover All needs a shuffler {device} in the mode '{mode}'."
    LOCAL_FAILURE_PROCEDURE = (
        415,
        "A local failure procedure is not allowed: this rulebook says what to do when a shuffler fails.",
    )
    LOCAL_PROCEDURE_UNLISTED = (
        460,
        "List in local_procedure, only with failure = 'local', what a supervisor may decide.",
    )
    ROUTINE_MISSING = 416, "The settlement routine is missing. Choose {known}."
    ROUTINE_UNKNOWN = 417, "There is no settlement routine '{routine}'. Choose {known}."
    HOUSE_ORDER = 418, "This rulebook fixes the order in which a player's wagers are settled."
    HOUSE_ORDER_INCOMPLETE = 419, "The house order must name each offered wager once: {known}."
    LEAVING = 420, "A player who leaves cannot lose the wagers under this rulebook."
    OPERATOR_KIND_MISSING = 421, "The operator's kind is missing. Choose commercial or tribal."
    APPROVAL_MISSING = 422, "The approval '{name}' is missing ({case})."
    RULES_OF_PLAY = 423, "The game must follow the rules of play of {date}; the submission names {value}."
    CHANGE_MAY_AFFECT_APPROVAL = 424, "A change to the game may affect its approval: {changes}."
    LAYOUT_MISSING = 425, "The layout must be submitted."
    LAYOUT_AREA_MISSING = 426, "The layout needs a separate area for the {wager} wager."
    ODDS_NOT_SHOWN = 427, "The odds must be printed on the layout or on a sign at the table."
    PROGRESSIVE_MISSING = 428, "A progressive is offered, but the submission has no section [progressive]."
    PROGRESSIVE_NOT_OFFERED = (
        429,
        "The submission has a section [progressive] but offers no progressive wager.",
    )
    RATE_MISSING = 430, "The rate of progression is missing."
    METER_MISSING = 431, "The {name} amount of the meter is missing."
    METER_UNDER_FLOOR = (
        432,
        "The {name} amount of {amount} is below the minimum of {least} for paytable {table}.",
    )
    STAKES_MISSING = 433, "The stakes of the progressive wager are missing."
    STAKE_NOT_ALLOWED = 434, "A progressive stake of {amount} is not allowed; it must be {known}."
    STAKES_MORE_THAN_ONE = 435, "The setting one_denomination allows a single progressive stake, not {count}."
    FIXED_AWARDS = 436, "This rulebook pays fixed awards from the {known}, not from the {value}."
    WINNER_ORDER = (
        437,
        "Several meter winners are paid in the order of settlement. Set winner_order to 'settlement'.",
    )
    WINNER_ORDER_UNNAMED = 461, "Name the order in which several meter winners are paid: {known}."
    WINNER_ORDER_IDLE = (
        462,
        "The order of winners has no effect: this meter pays four aces only, and one deck holds them once.",
    )
    CONSOLE_MISSING = 438, "The console is missing. Choose {known}."
    COMPONENT_UNKNOWN = 439, "The component '{name}' is not an approved part of the {console} system."
    COMPONENT_VERSION = 440, "The component '{name}' must be version {wanted}, not {version}."
    COMPONENT_MISSING = 441, "The {console} system has no approved {role}. Available: {known}."
    EXECUTIVE_THRESHOLD_MISSING = 442, "Give the award from which an executive must confirm."
    RATES_OVER_WHOLE = 443, "Meter and reserve together take {total}, which is more than the whole wager."
    RATE_MAY_RUN_DRY = (
        444,
        "A rate of {rate} is below the {least} at which such a meter grows; the meter may run dry.",
    )
    RATE_ABOVE_PRESET = 445, "The rate of {rate} is above the preset {preset} and cuts the house's advantage."
    PRESET_RATE_UNKNOWN = (
        446,
        "Give preset_rate: without it nobody can tell whether the rate was only lowered.",
    )
    RESERVE_RECOMMENDED = 447, "A small part of each wager should go to a reserve."
    RESERVE_ONLY_SEED = 448, "The reserve should not be the only seed of the meter."
    SEED_NOT_PRESET = 449, "{amount} is not the preset seed of {preset} for paytable {table}."
    SEED_UNDER_FIXED_AWARD = 450, "{amount} is below the largest fixed award of {least}."
    SEED_ZERO = 451, "Starting a meter at $0 is not recommended."
    HOUSE_ORDER_ENDS = 452, "In a house order, {wager} must come after every other wager."
    DEALING_KEY_IDLE = 453, "'{key}' has no effect when cards are dealt by '{method}'. Remove it."
    COVER_ALL_DEALING = (
        454,
        "Cover All needs the shuffler to count the hands, which only {known} dealing does.",
    )
    APPROVAL_UNKNOWN = 455, "This rulebook has no approval '{name}'. Available: {known}."
    STAKE_REPEATED = 456, "The progressive stake of {amount} is named more than once."
    NOT_CHECKED = 457, "'{key}' was not checked: the {rulebook} rulebook does not mention it."

    POINT_UNKNOWN = 501, "No rulebook has a value at a point named '{point}'."
    ADDRESS_UNKNOWN = 502, "There is no clause, ruling or policy '{address}'{hint}"
    ROUND_UNKNOWN = 503, "There is no round {wanted} in {file}."
    EXAMPLE_UNKNOWN = 504, "There is no file or example named '{name}'. Examples: {known}."

    ROUND_UNREADABLE = 601, "The line is not a round in JSON: {reason}."
    SEATS_MISSING = 602, "A round needs at least one seat."
    POSITION_REPEATED = 603, "Position {position} is given more than once."
    CARD_UNKNOWN = 604, "{whose}: {reason}."
    CARD_REPEATED = 605, "The card {card} is dealt more than once."
    CARD_COUNT = 606, "{whose}: {count} given, {wanted} needed."
    WAGER_NOT_POSITIVE = 607, "The {wager} wager of {amount} is invalid; it must be more than $0."
    NO_WAGER = 608, "The position has no wager, so it gets no cards."
    DECISION_MISSING = 609, "The Ante has no decision. Give 'play' in cents, 0 for a fold."
    DECISION_WITHOUT_ANTE = 610, "'play' is given, but there is no Ante."
    BONUS_CARD_MISSING = 611, "The Six Card Bonus wager needs the bonus card."
    METER_NOT_GIVEN = 612, "A progressive award depends on the meter, and the meter is not given."
    RESET_NOT_GIVEN = 613, "The whole meter is won, and the amount that it resets to is not given."
    VOID_UNKNOWN = 614, "'{clause}' is not a clause or ruling that makes a {rulebook} round void."
    ROUNDING_TWICE = 615, "The rounding is chosen twice: {one} and {other}."
    LINE_TOO_LONG = 616, "The line is longer than {most} bytes."
    WHOLE_METER_FROM_TRAY = 617, "The whole meter cannot be paid from the tray."
    BONUS_CARD_FOREIGN = 618, "The {rulebook} rulebook in use has no bonus card."
    PRESENTED_UNASKED = 619, "Players do not set their hands here: the dealer takes the best four cards."
    PRESENTED_FOREIGN = 620, "The hand that a player sets must be four of the position's own cards."

    OUT_OF_ORDER = 701, "'{step}' is not due now. Next step: '{due}'."
    NOT_NOW = 702, "'{what}' is not possible while the round is {phase}."
    NOT_SEATED = 703, "No seat is taken {where}. Take a seat to wager."
    SEAT_TAKEN = 704, "Position {position} is taken by {player}. Choose another position."
    NOT_YOUR_POSITION = 705, "Position {position} belongs to {player}, not to {by}."
    NOT_YOUR_DUTY = 706, "'{what}' is for the {who}, not for the {role}."
    MUST_STAY = 707, "A player with a wager and cards must stay seated until the round ends."
    INSTRUMENT_REFUSED = 708, "The {wager} wager cannot be made with {instrument} here."
    BET_BETWEEN_PLAYERS = 709, "Players cannot bet against each other."
    WAGER_ABSENT = 710, "There is no {wager} wager at position {position}."
    NOBODY_WAGERED = 712, "No position has a wager that gets cards. Place a wager first."
    CHIPS_DIFFER = (
        713,
        (
            "Chips: {chips}, accepted wagers: {accepted}. No card is dealt until a floorperson "
            "confirms that they agree."
        ),
    )
    CARDS_UNFIT = 714, "Cards given: {count}. Cards needed: {wanted}."
    CARD_SEEN = 715, "The card {card} is already on the table."
    ASKED_LATER = 716, "Position {due} decides before position {position}."
    NO_DECISION = 717, "Position {position} has no decision to make."
    WRONG_HAND = 719, "Cards are not drawn with the {hand} hand here."
    NOTHING_WRONG = 720, "{whose}: {count} cards are not a wrong number at this point."
    UP_CARD_EXEMPT = 721, "The up card is meant to be face up."
    NOT_DESCRIBED = 722, "The {rulebook} rulebook has no rule for this case at this time: {kind}."
    NO_AWARD_AWAITED = 723, "Position {position} has no award waiting to be paid."
    AWARD_AWAITED = 724, "The award of position {position} must be paid first."
    AWARD_UNFIT = 725, "The award must be {due}, not {paid}."
    DOCUMENT_INCOMPLETE = 726, "The cards of position {position} stay until the payout is documented."
    DOCUMENT_UNASKED = 727, "Position {position} has no payout to document."
    PAYMENT_ABSENT = 728, "Nothing has been settled on the {wager} wager of position {position}."
    PAYMENT_RIGHT = 729, "{amount} was the correct payment, so there is nothing to correct."
    COUNT_UNJUDGED = 730, "The count of the stub is wrong. Judge it first."
    COUNT_NOT_WRONG = 731, "No wrong count of the stub is waiting to be judged."
    NUMBER_UNFIT = 732, "'{step}' takes {wanted}, not {count}."
    STEP_DONE_BY = 733, "'{step}' is done by its own command."
    REASON_MISSING = 734, "A correction needs a reason."
    FACE_UP_UNFIT = 735, "A face-up card can only be among the next {count}."
    STUB_SHOWN = 736, "The stub stays face down: none of its cards can be shown."
    WAGERS_LIE = (
        737,
        "Position {position} still has wagers. Withdraw them while bets are open or stay to the round's end.",
    )
    NAME_MISSING = 738, "A player needs a name."
    FIGURE_FOREIGN = 739, "This report takes no {figure}: {kind}."
    AWARD_OWN = 740, "'{person}' pays this award, so somebody else must confirm it."
    CARDS_ABSENT = 741, "There are no cards {where}."
    WAGERS_SETTLED = 742, "The wagers of position {position} are settled already."

    TABLE_NOT_OPEN = 801, "The table is {phase}."
    STEP_NOT_DUE = 802, "'{step}' is not due now. Next step: '{due}'."
    NOTHING_DUE = 803, "'{step}' is not due now. Nothing has to be prepared."
    DECK_UNPREPARED = 804, "The cards are not ready. Next step: '{due}'."
    ROUND_UNDER_WAY = 805, "A round is under way. Finish it first."
    NO_ROUND = 806, "There is no round under way."
    CUT_UNFIT = 807, "A cut of {depth} cards is not allowed. Cut {least} to {most} cards."
    RECUT_LATE = 808, "The cards can be recut only after a cut and before the first card."
    ORDER_UNFIT = 809, "A shuffle must give each card of the deck once, in the new order."
    BACKS_ALIKE = 810, "The two decks must have backs of different colours."
    DECKS_UNFIT = 811, "Decks given: {count}. Decks in the submission: {wanted}."
    DECK_TOO_OLD = 812, "The deck has been in use for {hours} hours and must be changed."
    PRESHUFFLED_REFUSED = 813, "A preshuffled deck is not allowed here."
    IDLE_REFUSED = 814, "The cards cannot be spread {spread} here."
    DEVICE_ABSENT = 815, "There is no {device} in use at this table."
    DEVICE_BLOCKS = 816, "Deal with the device before you use another method: '{due}'."
    SWAP_EARLY = 817, "The machine can be swapped from failure {wanted} on; this is failure {count}."
    METHOD_REFUSED = 818, "Cards cannot be dealt by '{method}' here."
    SHUFFLE_LATE = 819, "A shuffle can be ordered only before the first card."
    PLAYERS_SEATED = 820, "Players are seated: the dealer or the floor declares the table idle."
    TIME_BACKWARD = 822, "The time given is before the last recorded time."
    CARDS_KEYED = 823, "The order of the deck is known, so no cards can be entered."
    DEVICE_AWAY = 824, "The device is out of play. Choose another method first."
    DEVICE_STANDS = 825, "No {device} is out of play."
    FIRST_PLAYER_MISSING = 826, "Wait for the first player to look at the cards."
    DECK_UNKNOWN = 827, "There is no deck {deck} at this table."
    LOCAL_DECISION = 828, "The local procedure of this house needs a decision: {known}."
    LAST_HAND_CALLED = 860, "The last hand is already called: the table closes after this round."

    NO_SUCH_TABLE = 901, "There is no table '{table}' in this house."
    TABLE_IN_USE = 902, "Close table '{table}' before you set it up for another game."
    ID_UNFIT = (
        903,
        (
            "'{name}' is not a valid name for a {what}. Use 1 to 40 of a to z, digits, '.', '_' and "
            "'-', starting with a letter or digit."
        ),
    )
    PLAYER_UNKNOWN = 904, "There is no player '{player}' in this house."
    PLAYER_KNOWN = 905, "Player '{player}' already has an account."
    AMOUNT_UNFIT = 906, "{amount} is not a valid amount; it must be more than $0 and at most {most}."
    ACCOUNT_SHORT = 907, "Not enough money: the account of '{player}' holds {held} and this needs {needed}."
    CHIPS_SHORT = 908, "Not enough chips: this needs {needed} and you have {held}. Buy chips to continue."
    TRAY_SHORT = 909, "Not enough chips in the tray: it holds {held} and this needs {needed}. Fill the tray."
    TRAY_UNCOUNTED = 910, "Count the tray before you open the table."
    SLIP_MISSING = 911, "A fill or a credit needs its slip number."
    CASH_OUT_LATER = 912, "'{player}' has wagers in the round under way. Cash out after it."
    SEED_UNFIT = 913, "A seed must be 1 to 64 plain characters with no space at either end."
    ORDER_FROM_DESK = (
        914,
        "The order of the cards cannot be entered: the house's shuffle gives it, or nobody knows it.",
    )
    PRICE_FROM_DESK = 915, "The house's own meter prices an award; a command cannot."
    METER_TERMS = 916, "The meter '{meter}' has other terms than this submission."
    KEY_REUSED = 917, "The key '{key}' was already used for another command."
    KEY_UNFIT = 918, "A key must be 1 to {most} printable characters."
    TRAY_IN_USE = 919, "Close the table before you count the tray."
    COMMAND_FOREIGN = 920, "'{what}' is not a command for {stream}."
    SUBMISSION_REFUSED = 921, "The submission cannot be used: {reason}."
    CARDS_SOURCE = 922, "The house shuffles this table's cards, so a preshuffled deck cannot be used."
    COMMAND_UNWRITABLE = 925, "The command cannot be stored: {reason}."
    WORD_UNFIT = 926, "{what} must be 1 to {most} printable characters."
    MONEY_SHORT = 927, "Not enough money: the account of '{player}' does not hold {needed}."
    COUNT_UNFIT = 924, "{amount} is not a valid count; it must be $0 to {most}."
    METER_NAME_IDLE = 923, "This submission has no progressive, so it cannot name a meter."
    STREAM_MOVED = (
        928,
        "The command was based on event {upon} of {stream}, which is now at event {at}. Read it again.",
    )
    SEEDS_AWAITED = (
        930,
        "Waiting for the seeds of {missing}. Deal again in a moment: after 2 s a hash counts instead.",
    )
    SEED_HASH_UNFIT = 931, "The hash of a seed is 64 hexadecimal digits."
    SEED_UNSEATED = 932, "Only seated players have a seed. Take a seat first."
    SEED_LATE = 933, "Bets are closed, so the seed of this shuffle cannot change."
    SEED_EARLY = 934, "Seeds are revealed when bets close. Keep yours until then."
    SEED_NOT_DUE = 935, "No seed of yours is due: its hash was not sent, or it is already revealed."
    SEED_MISMATCH = 936, "This seed does not match its hash, or is not 16 to 64 plain characters."
    SEEDS_ABSENT = 937, "The next cards at this table take no seeds."
    SEED_OTHER_SHUFFLE = 938, "The next shuffle at this table is number {shuffle}."
    SEED_NOT_KEPT = 939, "A seed counts for one shuffle only. Commit to its hash instead."
    BOT_NAME = 929, "'{player}' is a name for bots. Only the house's own dealer can open an account for one."

    NOT_PERMITTED = 940, "'{what}' is for the {who}, not for the {role}."
    ROLE_NOT_HELD = 941, "{person} does not act as {role} in this house."
    NOT_YOUR_NAME = 942, "{person} cannot give commands in the name of {by}."
    NOT_YOUR_ACCOUNT = 943, "Only {whose} can do '{what}', not {person}."
    READING_NOT_PERMITTED = 944, "{person} is not allowed to read this: {what}."
    PERSON_UNKNOWN = 945, "Nobody named '{person}' works here."
    PERSON_KNOWN = 946, "'{person}' already works here."
    PERSON_NAME_MISSING = 947, "A person needs a name of 1 to {most} printable characters."
    ROLES_MISSING = 948, "A person needs at least one role."
    ROLES_UNCHANGED = 949, "'{person}' already has exactly these roles."
    LAST_ADMINISTRATOR = (
        950,
        "'{person}' is the last administrator who can act. Add another one with a password first.",
    )
    ADMINISTRATOR_FIRST = 951, "The first person of a house must be an administrator."
    SIGN_IN_FAILED = 952, "The name or the password is wrong."
    SIGN_IN_LOCKED = 953, "Too many failed sign-ins. Try again in {wait}."
    TOKEN_INVALID = 954, "This sign-in is unknown or has ended. Sign in again."
    PASSWORD_WEAK = 955, "The password cannot be used: {reason}."
    OWN_ROLES = 957, "'{person}' cannot change their own roles. Ask another administrator."
    AUDITOR_APART = 958, "An auditor cannot have another role in the house."
    CONSOLE_PASSWORD = 956, "The console of the house has no password: nobody can sign in under its name."
    NOTHING_TO_LEAVE = 960, "Nothing to do: '{player}' {reason}."
    CLOCK_NOT_JUMPED = 980, "The clock has not jumped: there is nothing to confirm."
    CLOCK_JUMP_DIFFERS = 981, "The clock jumped {now}, not {given}. Look again and confirm what you see."
    RULEBOOK_HASH = (
        985,
        "The rulebook '{rulebook}' needs its full hash here, as 'fourcard check' prints it.",
    )
    RULEBOOK_BY_CONSOLE = (
        989,
        (
            "Two people set up a rulebook that is not part of the release, each under their own name. "
            "Sign in with --as."
        ),
    )
    INSTALLATION_OWN = 986, "'{person}' set this table up, so somebody else must confirm it."
    INSTALLATION_WAITS = (
        987,
        (
            "'{person}' set this table up by a rulebook that is not part of the release. "
            "Another person must set it up in the same way before it opens."
        ),
    )
    RULEBOOK_NOT_RELEASED = (
        988,
        "The rulebook '{rulebook}' is not part of the release. Its full hash is {hash}.",
    )

    BUTTON_ABSENT = 1001, "There is no button {button} on this console. Press {known}."
    MOTION_FOREIGN = 1002, "You cannot {motion} on a {console} console."
    NO_GAME = 1003, "The game is over, so there is nothing to {motion} for."
    NO_WIN_WAITS = 1004, "No hand is waiting for a progressive award, so there is nothing to {motion} for."
    MOTION_NOT_DUE = 1005, "You cannot {motion} now. Next: {due}."
    SAME_PERSON = 1006, "'{person}' marked this win, so somebody else must confirm it."
    HAND_UNKNOWN = 1007, "There is no such hand button. Available: {known}."
    HAND_WRONG = 1008, "The cards of position {position} make {right}, not {hand}."
    HAND_MARKED = 1009, "Position {position} is marked with {hand}. Press the same button to cancel it."
    WIN_FINAL = 1010, "The win is logged, and no button can undo it. Make a manual adjustment."
    WIN_LOGGED_ALREADY = 1011, "The win of position {position} is already logged."
    SPOT_UNLIT = 1012, "No progressive wager is registered at position {position}: its light is off."
    SPOT_NOT_DUE = 1013, "Position {position} has no award to be paid now; position {due} has one."
    EXECUTIVE_NEEDED = (
        1014,
        "A jackpot of {amount} needs an executive's card, like every jackpot from {level} on.",
    )
    GAME_UNDER_WAY = 1015, "The round is not over. The game ends when all action is settled."
    GAME_OVER_ALREADY = 1016, "There is no game to end: the system is ready for the next hand."
    GAME_NOT_OVER = 1017, "The dealer must press {button} before the next round begins."
    KEY_AT_JPH = 1018, "The supervisor's key is at JPH. Turn it back to Run to continue."
    KEY_THERE = 1019, "The key is already at {to}."
    LINK_DOWN = (
        1020,
        "Progressive wagers and wins are not taken now because the link to the meter is down: {reason}.",
    )
    LINK_SO_ALREADY = 1021, "The link is already {state}."
    SENSOR_FOREIGN = (
        1022,
        (
            "A progressive chip counts only on the sensor of your own position, not on that of "
            "position {position}."
        ),
    )
    NO_CONSOLE = 1023, "The table has no progressive, so it has no console."
    NO_SUCH_METER = 1024, "There is no meter '{meter}' in this house."
    LINK_OPEN = 1025, "The link of meter '{meter}' is open. Close it first."
    LINK_CLOSED = 1026, "The link of meter '{meter}' is already closed: {reason}."
    TABLE_IN_GAME = 1027, "Table '{table}' is in a game with progressive wagers. End it first."
    TABLE_OTHER_TERMS = (
        1028,
        "Table '{table}' was set up with other terms than the meter's. Set it up again first.",
    )
    TERMS_UNCHANGED = 1029, "The submission changes none of the meter's terms."
    PAYTABLE_CHANGED = (
        1030,
        "A meter keeps its rulebook, paytable and source of fixed awards. Start another meter.",
    )
    ADJUSTMENT_UNFIT = (
        1031,
        "An adjustment of {amount} is not possible: the {part} holds {held} and cannot fall below $0.",
    )
    ADJUSTMENT_UNKNOWN = 1032, "No adjustment {number} is waiting for approval."
    ADJUSTMENT_OWN = 1033, "'{person}' proposed this adjustment, so somebody else must approve it."
    WIN_UNKNOWN = 1034, "There is no win {number} on meter '{meter}' that can be backed out."
    CONSOLE_NOT_DESCRIBED = (
        1035,
        "The {rulebook} rulebook does not describe a {console} console. Available: {known}.",
    )
    REASON_UNFIT = 1037, "Give a reason of at most {most} printable characters."
    LINK_OPEN_ALREADY = 1038, "The link of meter '{meter}' is already open."
    WIN_UNADJUSTED = 1039, "Win {number} at table '{table}' is logged and not paid yet. Pay it first."
    ADJUSTMENT_AMOUNT = 1040, "An adjustment cannot be $0, and it cannot be more than {most} up or down."
    ADJUSTMENT_WAITS = 1036, "Adjustment {number} already backs out this win and is waiting for approval."
    READING_NOT_DUE = 1041, "Meter '{meter}' was not restored. Propose an adjustment."
    READING_WAITS = (
        1042,
        (
            "Reading {number} of meter '{meter}' is waiting for approval. Approve it, or reject it "
            "and enter another."
        ),
    )
    METER_UNCONFIRMED = (
        1043,
        "Meter '{meter}' was restored. Enter what its signs showed and have another person approve it first.",
    )
    READING_UNFIT = 1044, "{amount} is not a valid reading: a meter shows $0 to {most}."
    WIN_ABSENT = 1051, "There is no win {number} on meter '{meter}'."
    WIN_PAGE_ABSENT = 1052, "The {rulebook} rulebook does not describe a win page on a {console} console."

    NOT_SIGNED_IN = 1101, "You are not signed in. Open the link of the house, or sign in."
    FOREIGN_ORIGIN = 1102, "The request comes from another site and is refused."
    TOO_FAST = 1103, "Too many requests. Try again in {wait} s."
    REQUEST_UNREADABLE = 1104, "The request cannot be read: {reason}."
    NOTHING_HERE = 1105, "There is nothing here: {what}."
    LINK_SPENT = 1106, "This link no longer works. Open the newest link that the house printed."
    LOCAL_MODE_ONLY = (
        1107,
        "Play money is only for a house on your own machine. Make a deposit at the cage instead.",
    )
    PURSE_NOT_EMPTY = 1108, "You have {held}. You can get more play money when you have less than {least}."
    HOUSE_IN_TROUBLE = 1109, "The house cannot do this now: {reason}."
    BOTS_SET_BY_HOUSE = 1110, "Who runs this house decides how many bots play at its tables."
    PAYOUT_UNREADABLE = 1195, "{row} cannot pay '{payout}'. Write the payout like {forms}."
    PAYTABLE_EMPTY = 1196, "This paytable pays nothing. Give at least one row a payout."
