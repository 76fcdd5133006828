"""Random valid rounds, every second one rigged so that strong hands and ties occur."""

from random import Random
from typing import Any

from tests.second.hands import RANKS, SUITS, best_five, best_four, cards_of
from tests.second.tables import EDITIONS, RULEBOOKS, paytable, table_ids, voiding_clauses

Line = dict[str, Any]
ACES_UP_ROWS = (
    "four_of_a_kind",
    "straight_flush",
    "three_of_a_kind",
    "flush",
    "straight",
    "two_pair",
    "pair_of_aces",
)
BONUS_ROWS = ACES_UP_ROWS[:3]
BAD_BEAT_ROWS = ACES_UP_ROWS[:6]
DENOMINATIONS = {"massachusetts": (100, 500), "maryland": (100, 500)}  # R55
ROUTINES = {
    "massachusetts": ("by-procedure", "by-player"),
    "shuffle-master": ("lay-and-pay", "pick-and-pay"),
    "washington": ("lay-and-pay", "pick-and-pay"),
}
SETTINGS: dict[str, dict[str, tuple[Any, ...]]] = {
    "massachusetts": {
        "progressive_on_fold": ("lost", "live"),
        "cover_all_requires": ("ante_or_aces_up", "nothing"),
    },
    "shuffle-master": {"progressive_on_fold": ("lost", "live"), "bad_beat_tie": ("loses", "wins")},
    "maryland": {"part_share_from": ("meter", "tray"), "six_card_low_ace": (True, False)},
    "washington": {"progressive_on_fold": ("lost", "live"), "bad_beat_tie": ("loses", "wins")},
    "catfish-bend": {},
}
CHIPS = (5, 25, 100, 500)
OF_FIVE = (
    "full_house",
    "royal_flush_of_five",
    "straight_flush_of_five",
    "flush_of_five",
    "straight_of_five",
    "wheel_of_five",
)
STRONG = (
    "four_aces",
    "quads",
    "straight_flush",
    "royal",
    "trips",
    "flush",
    "straight",
    "two_pair",
    "pair_of_aces",
    *OF_FIVE,
)
JACKPOTS = ("four_aces", "quads", "royal_flush_of_five", "straight_flush_of_five")
TIES = ("high_card", "pair", "two_pair", "straight", "flush", "straight_flush")


def random_round(chance: Random, number: int) -> Line:
    """Make a random valid line; the number spreads the rounds over the rulebooks."""
    rulebook = RULEBOOKS[number % len(RULEBOOKS)]
    edition = chance.choice(EDITIONS[rulebook])
    options = _options(chance, rulebook, edition)
    settings = _settings(chance, rulebook)
    positions = chance.sample(range(1, 8), chance.randint(1, 6 if "cover_all" in options else 7))
    if chance.random() < 0.5:
        positions.sort()
    line: Line = {"id": f"random-{number}", "rulebook": rulebook, "options": options}
    if edition == "existing" or (edition and chance.random() < 0.3):
        line["edition"] = edition
    if settings:
        line["settings"] = settings
    owners = _owners(chance, rulebook, positions)
    line["seats"] = [_seat(chance, line, position, owners[position]) for position in positions]
    _deal(chance, line)
    _add_meter(chance, line)
    _add_accidents(chance, line)
    return line


def _options(chance: Random, rulebook: str, edition: str) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for wager in ("aces_up", "automatic_bonus", "bad_beat", "six_card", "progressive"):
        ids = table_ids(rulebook, edition, wager)
        if ids and chance.random() < 0.85:
            options[wager] = chance.choice(ids)
    if rulebook == "washington":  # R98: one number for both
        options["automatic_bonus"] = options.get("aces_up") or options.get("automatic_bonus") or "FCP-08"
    if rulebook == "massachusetts" and chance.random() < 0.6:
        options["cover_all"] = "matrix"
    _inline_tables(chance, rulebook, options)
    _progressive_options(chance, rulebook, options)
    if rulebook in ROUTINES and chance.random() < 0.7:
        options["routine"] = chance.choice(ROUTINES[rulebook])
    if chance.random() < 0.3:
        options["rounding"] = chance.choice(("down", "up"))
    if chance.random() < 0.3:
        options["chip"] = chance.choice(CHIPS)
    return options


def _inline_tables(chance: Random, rulebook: str, options: dict[str, Any]) -> None:
    rows = {"aces_up": ACES_UP_ROWS, "automatic_bonus": BONUS_ROWS, "bad_beat": BAD_BEAT_ROWS}
    for wager, names in rows.items():
        if wager not in options or chance.random() > 0.25:
            continue
        if rulebook == "shuffle-master":
            extra = ("flush",) if wager == "automatic_bonus" and chance.random() < 0.5 else ()
            options[wager] = _free_table(chance, (*names, *extra))
        elif rulebook == "massachusetts":
            options[wager] = _raised_table(chance, wager, options[wager])


def _free_table(chance: Random, names: tuple[str, ...]) -> dict[str, str]:
    """Return a table with descending awards, some of them half units."""
    halves = sorted((chance.randint(2, 200) for _ in names), reverse=True)
    return {
        name: f"{half} to 2" if half % 2 else f"{half // 2} to 1"
        for name, half in zip(names, halves, strict=True)
    }


def _raised_table(chance: Random, wager: str, table: str) -> dict[str, str]:
    """Pay in every row at least what the printed table pays (MA-11a2.3, R34)."""
    rows = paytable("massachusetts", "", wager, table)
    raises = sorted((chance.choice((0, 0, 1, 2, 5)) for _ in rows), reverse=True)
    return {name: f"{rows[name].amount + more} to 1" for name, more in zip(rows, raises, strict=True)}


def _progressive_options(chance: Random, rulebook: str, options: dict[str, Any]) -> None:
    if "progressive" not in options:
        return
    if chance.random() < 0.4:
        options["envy"] = options["progressive"]  # R67: the schedule of the same letter
    if options["progressive"] == "C" and chance.random() < 0.5:
        options["envy"] = "C-royal"  # R9
    if chance.random() < 0.6:
        options["fixed_awards"] = "tray" if rulebook == "shuffle-master" else chance.choice(("tray", "meter"))
    if rulebook in {"shuffle-master", "washington"} and chance.random() < 0.6:
        options["winner_order"] = chance.choice(("settlement", "dealer-left", "highest-hand"))


def _settings(chance: Random, rulebook: str) -> dict[str, Any]:
    known = SETTINGS[rulebook].items()
    return {name: chance.choice(values) for name, values in known if chance.random() < 0.25}


def _owners(chance: Random, rulebook: str, positions: list[int]) -> dict[int, str | None]:
    """Give each position a player; two adjacent in MA and IA, adjacent in MD, any in SM and WA."""
    if rulebook in {"shuffle-master", "washington"}:
        return {position: chance.choice(("p1", "p2", "p3", "p4", None)) for position in positions}
    owners: dict[int, str | None] = {}
    most = 7 if rulebook == "maryland" else 2
    run = 0
    for position in sorted(positions):
        before = owners.get(position - 1)
        run = run + 1 if before and run < most and chance.random() < 0.4 else 1
        owners[position] = before if run > 1 else chance.choice((f"p{position}", f"p{position}", None))
    return owners


def _seat(chance: Random, line: Line, position: int, owner: str | None) -> Line:
    seat: Line = {"position": position}
    if owner:
        seat["player"] = owner
    wagers = _wagers(chance, line)
    seat["wagers"] = wagers
    if "ante" in wagers:
        seat["play"] = _play(chance, line, wagers["ante"])
    return seat


def _wagers(chance: Random, line: Line) -> dict[str, int]:
    """Choose wagers that keep the prerequisites (R11, R41, R45, R94)."""
    options, bare = line["options"], line.get("settings", {}).get("cover_all_requires") == "nothing"
    if bare and "cover_all" in options and chance.random() < 0.3:
        return {"cover_all": _stake(chance, line)}
    base = chance.choice((["ante"], ["aces_up"], ["ante", "aces_up"], ["ante", "aces_up"]))
    if "aces_up" not in options:
        base = ["ante"]
    wagers = {wager: _stake(chance, line) for wager in base}
    needs: dict[str, set[str]] = {"bad_beat": {"ante"}, "six_card": {"ante", "aces_up"}}
    for wager in ("bad_beat", "six_card", "cover_all", "progressive"):
        if wager in options and needs.get(wager, set()) <= wagers.keys() and chance.random() < 0.7:
            wagers[wager] = _stake(chance, line)
    if "progressive" in wagers:
        dollars = chance.choice((1, 1, 2, 3, 5, 10, 25))
        wagers["progressive"] = chance.choice(DENOMINATIONS.get(line["rulebook"], (dollars * 100,)))
    return wagers


def _stake(chance: Random, line: Line) -> int:
    """Choose a stake in chips, by default in cents."""
    chip: int = line["options"].get("chip", 1)
    return chip * chance.choice((1, 5, 100, 500, 1000, chance.randint(1, 40), chance.randint(1, 2500)))


def _play(chance: Random, line: Line, ante: int) -> int:
    if chance.random() < 0.25:
        return 0
    if line["rulebook"] == "catfish-bend" or chance.random() < 0.5:  # IA-DEF-4
        return ante * chance.randint(1, 3)
    chip: int = line["options"].get("chip", 1)
    return chance.randrange(ante, 3 * ante + 1, chip)


def _deal(chance: Random, line: Line) -> None:
    """Deal the round, rigged half of the time, and write the cards into the line."""
    deck = [rank + suit for rank in RANKS for suit in SUITS]
    chance.shuffle(deck)
    size = {f"seat {place}": 5 for place in range(len(line["seats"]))} | {"dealer": 6}
    bonus = any("six_card" in seat["wagers"] for seat in line["seats"])
    if bonus or ("six_card" in line["options"] and chance.random() < 0.5):
        size["bonus"] = 1
    hands: dict[str, list[str]] = {name: [] for name in size}
    if chance.random() < 0.5:
        by_bonus = (_rig_bonus_card, _rig_bonus_card) if "bonus" in hands else ()
        chance.choice((_rig_strong, _rig_strong, _rig_tie, *by_bonus))(chance, deck, hands)
    for name, hand in hands.items():
        hand.extend(deck.pop() for _ in range(size[name] - len(hand)))
        chance.shuffle(hand)
    for place, seat in enumerate(line["seats"]):
        seat["cards"] = " ".join(hands[f"seat {place}"])
    line["dealer"] = " ".join(hands["dealer"])
    if "bonus" in hands:
        line["bonus_card"] = hands["bonus"][0]


def _rig_strong(chance: Random, deck: list[str], hands: dict[str, list[str]]) -> None:
    """Give one to three seats, or the dealer, a strong hand."""
    names = [name for name in hands if name != "bonus"]
    patterns = chance.choice((STRONG, STRONG, STRONG, JACKPOTS, (chance.choice(STRONG),)))
    for name in chance.sample(names, min(len(names), chance.randint(1, 3))):
        _give(deck, hands[name], _pattern(chance, chance.choice(patterns)))


def _rig_bonus_card(chance: Random, deck: list[str], hands: dict[str, list[str]]) -> None:
    """Let the bonus card complete a seat's hand: Super Royal, royal flush, full house, straight or flush."""
    suit = chance.choice(SUITS)
    cards = [rank + suit for rank in "AKQJT9"]
    if chance.random() < 0.6:
        cards = _pattern(chance, chance.choice(OF_FIVE))
    chance.shuffle(cards)
    _give(deck, hands["bonus"], [cards.pop()])
    _give(deck, hands[chance.choice([name for name in hands if name.startswith("seat")])], cards)
    _rig_strong(chance, deck, {name: hand for name, hand in hands.items() if not hand})


def _rig_tie(chance: Random, deck: list[str], hands: dict[str, list[str]]) -> None:
    """Give a seat a tie with the dealer, in a category that one deck allows."""
    category = chance.choice(TIES)
    seat = chance.choice([name for name in hands if name.startswith("seat")])
    for _ in range(300):
        ranks = _tie_ranks(chance, category)
        first, second = _tied_cards(chance, category, ranks)
        others = [card for card in deck if card not in {*first, *second}]
        fill = chance.sample(others, 3)
        player, dealer = best_four([*first, fill[0]]), best_four([*second, *fill[1:]])
        if player.category == category and player.strength == dealer.strength:
            _give(deck, hands[seat], [*first, fill[0]])
            _give(deck, hands["dealer"], [*second, *fill[1:]])
            return


def _tie_ranks(chance: Random, category: str) -> str:
    if "straight" in category:
        return _run(chance, 4)
    some = "".join(chance.sample(RANKS, 4))
    return {"pair": some[0] * 2 + some[1:3], "two_pair": some[0] * 2 + some[1] * 2}.get(category, some)


def _tied_cards(chance: Random, category: str, ranks: str) -> tuple[list[str], list[str]]:
    """Give two hands of the same ranks: of one suit each where the category says so, else of any."""
    if "flush" in category:
        one, two = chance.sample(SUITS, 2)
        return [rank + one for rank in ranks], [rank + two for rank in ranks]
    first: list[str] = []
    second: list[str] = []
    for rank in dict.fromkeys(ranks):
        count = ranks.count(rank)
        suits = chance.sample(SUITS, 2 * count)
        first += [rank + suit for suit in suits[:count]]
        second += [rank + suit for suit in suits[count:]]
    return first, second


def _give(deck: list[str], hand: list[str], cards: list[str]) -> None:
    """Move the cards from the deck to the hand, or none of them if one is missing."""
    if all(card in deck for card in cards):
        for card in cards:
            deck.remove(card)
        hand.extend(cards)


def _run(chance: Random, length: int) -> str:
    ranks = "A" + RANKS
    start = chance.randrange(len(ranks) - length + 1)
    return ranks[start : start + length]


def _pattern(chance: Random, name: str) -> list[str]:
    """Return three to five cards that make a strong hand of that name."""
    one, two = chance.sample(RANKS, 2)
    suit, suits = chance.choice(SUITS), chance.sample(SUITS, 4)
    ranks = {
        "straight_flush": _run(chance, 4),
        "royal": "AKQJ",
        "flush": "".join(chance.sample(RANKS, 4)),
        "royal_flush_of_five": "AKQJT",
        "straight_flush_of_five": _run(chance, 5),
        "flush_of_five": "".join(chance.sample(RANKS, 5)),
    }
    if name in ranks:
        return [rank + suit for rank in ranks[name]]
    any_suits = {"straight": _run(chance, 4), "straight_of_five": _run(chance, 5), "wheel_of_five": "A2345"}
    if name in any_suits:
        return [rank + chance.choice(SUITS) for rank in any_suits[name]]
    groups = {
        "four_aces": [("A", 4)],
        "quads": [(one, 4)],
        "trips": [(one, 3)],
        "two_pair": [(one, 2), (two, 2)],
        "pair_of_aces": [("A", 2)],
        "full_house": [(one, 3), (two, 2)],
    }
    return [rank + suits[place] for rank, count in groups[name] for place in range(count)]


def _add_meter(chance: Random, line: Line) -> None:
    """Add meter and reset; the reset is sometimes omitted if nobody can win the whole meter."""
    wagered = any("progressive" in seat["wagers"] for seat in line["seats"])
    if "progressive" not in line["options"] or (not wagered and chance.random() < 0.5):
        return
    small = chance.choice((0, 1, 99, 1000, chance.randint(1, 200_000)))
    line["meter"] = chance.choice(
        (small, chance.randint(500_000, 9_999_999), chance.randint(1, 99) * 100_000)
    )
    if any(_may_take_all(cards_of(seat["cards"])) for seat in line["seats"]) or chance.random() < 0.7:
        line["reset"] = chance.choice((1_000_000, 2_500_000, chance.randint(1_000_000, 5_000_000)))


def _may_take_all(cards: list[str]) -> bool:
    return best_five(cards) == "royal_flush" or sum(card[0] == "A" for card in cards) == 4


def _add_accidents(chance: Random, line: Line) -> None:
    """Make a round void now and then (R69), and let a Maryland player leave (MD-07B2, R36)."""
    if chance.random() < 0.04:
        line["void"] = chance.choice(voiding_clauses(line["rulebook"]))
    if line["rulebook"] == "maryland" and chance.random() < 0.15:
        leaver = chance.choice(line["seats"])
        same = [seat for seat in line["seats"] if "player" in seat and seat["player"] == leaver.get("player")]
        for seat in same or [leaver]:
            seat["left"] = True
