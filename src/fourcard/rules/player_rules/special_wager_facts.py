"""Special wager facts: what only the Six Card Bonus, Cover All, the progressive and Envy have."""

from fourcard.money import dollars
from fourcard.rules.cited import CitedNode, is_set
from fourcard.rules.player_rules.facts import (
    METHODS,
    ROLES,
    Facts,
    bet_name,
    bet_names,
    joined,
    number,
    sentence,
    wager_fact,
    with_article,
)
from fourcard.rules.player_rules.round_facts import SIDES
from fourcard.rules.rulebook import (
    CoverAllWager,
    EnvyWager,
    ProgressiveWager,
    Rulebook,
    SixCardWager,
)
from fourcard.wagers import WagerName


def six_card_facts(rulebook: Rulebook, rules: SixCardWager) -> Facts:
    """Yield where the Six Card Bonus is offered, and what its bonus card is."""
    name = "six_card"
    methods = joined((METHODS[each] for each in rules.dealing.value), "or")
    text = f"It is offered only where cards are dealt {methods}."
    yield wager_fact(name, "dealing", "where it is offered", text, rules.dealing)
    for method in rules.dealing.value:
        bonus = rulebook.dealing[method].bonus_cards
        if bonus is not None:
            text = "One bonus card lies face down in a box of its own, and counts for everybody."
            yield wager_fact(name, "card", "the bonus card", text, bonus)


def cover_all_facts(rulebook: Rulebook, rules: CoverAllWager) -> Facts:
    """Yield which hands Cover All counts, and how many players it is for."""
    name = "cover_all"
    methods = joined((METHODS[each] for each in rules.dealing.value), "or")
    text = f"It is offered only where cards are dealt {methods}."
    yield wager_fact(name, "dealing", "where it is offered", text, rules.dealing)
    most = max(map(int, rules.columns)) - rules.dealer_counts.value
    text = f"It is offered to at most {number(most)} players in a round."
    yield wager_fact(name, "players", "most players", text, rules.dealer_counts)
    counts = "counts too" if rules.dealer_hand.value else "does not count"
    yield wager_fact(
        name,
        "house",
        "the dealer's hand",
        f"The dealer's hand {counts}.",
        rules.dealer_hand,
    )
    if rules.counts_dealt.value:
        text = "The payouts depend on how many players got cards, also if some of them fold."
        yield wager_fact(name, "count", "number of players", text, rules.counts_dealt)
    if rules.odds_displayed.value:
        text = "The payouts of the round are shown at the table once all cards are dealt."
        yield wager_fact(name, "shown", "payouts of the round", text, rules.odds_displayed)
    if rules.folded_hands_of.value:
        text = (
            f"A folded hand counts only if its player bet on {bet_names(rules.folded_hands_of.value, 'or')}."
        )
        yield wager_fact(name, "folded", "folded hands", text, rules.folded_hands_of)
    if rules.highest_left_exposed.value:
        exposed = rules.exposed_from
        from_hand = f" of {with_article(exposed.value)} or better" if isinstance(exposed, CitedNode) else ""
        text = f"The highest hand so far{from_hand} stays face up until a higher one comes."
        nodes = (rules.highest_left_exposed, exposed)
        yield wager_fact(name, "exposed", "the highest hand", text, *nodes)
    last = rulebook.settlement.cover_all_last
    if is_set(last):
        yield wager_fact(
            name,
            "last",
            "when it is paid",
            "It is settled after all other bets.",
            last,
        )


def progressive_facts(rulebook: Rulebook, rules: ProgressiveWager) -> Facts:
    """Yield the stakes, the meter and the payment of the progressive."""
    name = "progressive"
    if rules.stakes is not None:
        text = f"The bet is {joined(map(dollars, rules.stakes.value), 'or')}."
        yield wager_fact(name, "stake", "size of the bet", text, rules.stakes)
    elif rules.stake_unit is not None:
        text = f"The bet is {dollars(rules.stake_unit.value)} or a multiple of it; fixed awards grow with it."
        yield wager_fact(name, "stake", "size of the bet", text, rules.stake_unit)
    yield from _meter(rules)
    returned = "is returned" if rules.stake_returned.value else "is not returned"
    text = f"Your bet {returned} with an award."
    yield wager_fact(name, "returned", "your stake", text, rules.stake_returned)
    lit = [each.lights_registered for each in rulebook.consoles.values() if each.lights_registered.value]
    if lit:
        text = "A light at your position shows that the system has taken your bet."
        yield wager_fact(name, "light", "taken bets", text, *lit)
    if rulebook.wagering.chip_unregistered is not None:
        text = "Check it: a chip that the system has not taken does not count and goes back to you."
        yield wager_fact(
            name,
            "check",
            "untaken chips",
            text,
            rulebook.wagering.chip_unregistered,
        )
    yield from _awards(rulebook, rules)


def _meter(rules: ProgressiveWager) -> Facts:
    name: WagerName = "progressive"
    for point, words, amounts in (
        ("least", "The meter starts at no less than", rules.least_meter),
        ("seed", "The meter usually starts at", rules.preset_seed),
    ):
        if amounts:
            each = joined(f"{dollars(node.value)} with paytable {table}" for table, node in amounts.items())
            text = f"{words} {each}."
            if point == "seed" and is_set(rules.preset_seed_scales):
                text = f"{words} {each}, for each unit of the bet."
            yield wager_fact(name, point, "start of the meter", text, *amounts.values())


def _awards(rulebook: Rulebook, rules: ProgressiveWager) -> Facts:
    name: WagerName = "progressive"
    validator = rulebook.roles.get("validates_jackpot")
    if validator is not None:
        who = joined((ROLES[each] for each in validator.value), "or")
        text = sentence(f"{who} confirms an award from the meter before you are paid")
        yield wager_fact(name, "confirm", "confirmation", text, validator)
    if rules.cards_stay_until_documented.value:
        text = "If the award is not paid from the tray, the cards stay on the table until it is documented."
        yield wager_fact(
            name,
            "cards",
            "the winning cards",
            text,
            rules.cards_stay_until_documented,
        )
    start = rulebook.settlement.start
    text = f"Winners are paid in turn from {SIDES[start.value]} on; each gets what the meter then shows."
    if rules.winner_order_by_internal_controls.value:
        text += " The casino may set another order."
    nodes = (start, rules.winner_order_by_internal_controls)
    yield wager_fact(name, "order", "several winners", text, *nodes)


def envy_facts(rulebook: Rulebook, rules: EnvyWager) -> Facts:
    """Yield who gets Envy, for which hands and when."""
    name = "envy"
    if rules.bettors_only.value:
        text = f"Only players with a bet on {bet_name('progressive')} get it."
        yield wager_fact(name, "who", "who gets it", text, rules.bettors_only)
    excluded = [
        words
        for words, node in (("your own hands", rules.own_hands), ("the dealer's hand", rules.dealer_hand))
        if not node.value
    ]
    if excluded:
        text = f"You get nothing for {joined(excluded, 'or')}."
        yield wager_fact(
            name,
            "not",
            "hands that don't count",
            text,
            rules.own_hands,
            rules.dealer_hand,
        )
    text = (
        "Each hand that qualifies pays." if rules.several.value else "Only the best hand that qualifies pays."
    )
    yield wager_fact(name, "several", "several hands", text, rules.several)
    counts = "counts" if rules.folded_hands.value else "does not count"
    yield wager_fact(
        name,
        "folded",
        "folded hands",
        f"A folded hand {counts}.",
        rules.folded_hands,
    )
    text = "You still get it after you fold." if rules.on_fold.value == "live" else "Who folds gets none."
    yield wager_fact(name, "fold", "after a fold", text, rules.on_fold)
    yield from _envy_payment(rulebook, rules)


def _envy_payment(rulebook: Rulebook, rules: EnvyWager) -> Facts:
    name: WagerName = "envy"
    topic = "when it is paid"
    if is_set(rules.paid_in_holders_turn):
        text = "It is paid when the position with the qualifying hand is settled."
        yield wager_fact(name, "when", topic, text, rules.paid_in_holders_turn)
    elif is_set(rulebook.settlement.envy_last):
        text = "It is paid at the end of the round."
        yield wager_fact(name, "when", topic, text, rulebook.settlement.envy_last)
    if is_set(rules.left_face_up):
        text = "A hand that qualifies stays face up until then."
        yield wager_fact(name, "face_up", "the qualifying hand", text, rules.left_face_up)
    if rules.linear.value:
        text = "The amounts are for the bet in the table and grow with yours."
    else:
        text = "The amount depends on your own progressive bet."
    yield wager_fact(name, "amount", "amounts", text, rules.linear)
    for other, node in rules.other_readings.items():
        text = f"The schedule {other} reads {node.value} in another way; an operator may use it instead."
        yield wager_fact(name, "reading", "another reading", text, node)
