"""Round facts: what a player does and sees from the first bet to the payment."""

from fourcard.rules.cited import CitedNode, is_set
from fourcard.rules.player_rules.facts import (
    INSTRUMENTS,
    METHODS,
    UNTIL,
    Facts,
    allowed_methods,
    bet_name,
    bet_names,
    default_setting,
    described_wagers,
    fact,
    fold_effect,
    joined,
    number,
    sentence,
)
from fourcard.rules.procedures import Dealing
from fourcard.rules.rulebook import Limited, PlayWager, Rulebook, Wager
from fourcard.wagers import WAGER_LABELS, WagerName

SIDES = {"dealer-left": "the dealer's left", "dealer-right": "the dealer's right"}
SHUFFLERS = {
    "required": "by a machine",
    "recommended": "by a machine, or by hand where there is none",
    "optional": "by hand or by a machine",
}


def _dealings(rulebook: Rulebook) -> tuple[Dealing, ...]:
    return tuple(rulebook.dealing[method] for method in allowed_methods(rulebook))


def betting_facts(rulebook: Rulebook) -> Facts:
    """Yield what a player can bet on, with what, where and until when."""
    dealt_in = [each.dealt_in for each in _dealings(rulebook)]
    names = tuple(dict.fromkeys(name for each in dealt_in for name in each.value))
    yield fact("bets.choice", "What gets you cards", f"To get cards, {_one_or_more(names)}.", *dealt_in)
    yield from _optional_bets(rulebook)
    yield from _limits(rulebook)
    closes = rulebook.wagers.ante.closes
    if closes is not None:
        text = f"You can place, change or take back bets {UNTIL[closes.value]}."
        yield fact("bets.close", "When betting ends", text, closes)
    yield from _betting_rules(rulebook)
    yield from _positions(rulebook)


def _one_or_more(names: tuple[WagerName, ...]) -> str:
    if len(names) == 2:
        return f"bet on {bet_name(names[0])}, on {bet_name(names[1])} or on both"
    return f"bet on {bet_names(names, 'or')}"


def _optional_bets(rulebook: Rulebook) -> Facts:
    found: dict[WagerName, Wager] = {}
    for name in described_wagers(rulebook):
        rules = rulebook.wager(name)
        if isinstance(rules, Wager) and rules.offered.value == "optional":
            found[name] = rules
    if found:
        text = f"A table may also offer {bet_names(found)}."
        yield fact("bets.optional", "Optional bets", text, *(each.offered for each in found.values()))
    else:
        yield fact(
            "bets.optional", "Optional bets", "There are no other bets.", clauses=rulebook.offer_clauses
        )


def _limits(rulebook: Rulebook) -> Facts:
    posted: dict[WagerName, CitedNode] = {}
    legal: dict[WagerName, CitedNode] = {}
    for name in described_wagers(rulebook):
        rules = rulebook.wager(name)
        if isinstance(rules, Limited) and is_set(rules.posted_limits):
            posted[name] = rules.posted_limits
        if isinstance(rules, Limited | PlayWager) and is_set(rules.legal_limit):
            legal[name] = rules.legal_limit
    if posted:
        text = f"A sign at the table gives the smallest and the largest bet on {bet_names(posted)}."
        yield fact("bets.limits", "Posted limits", text, *posted.values())
    if legal:
        where = f" ({rulebook.legal_reference})" if rulebook.legal_reference else ""
        text = f"The law{where} also limits the bets on {bet_names(legal)}."
        yield fact("bets.law", "Limits by law", text, *legal.values())


def _betting_rules(rulebook: Rulebook) -> Facts:
    rules = rulebook.wagering
    if rules.instruments is not None:
        names = joined((INSTRUMENTS[each] for each in rules.instruments.value), "or")
        yield fact("bets.instruments", "What you bet with", f"Bet with {names}.", rules.instruments)
        coupons = default_setting(rulebook, "match_play")
        if "match-play-coupon" in rules.instruments.value and coupons is not None:
            taken = "Match play coupons are taken" + (
                "." if coupons[0] == "accepted" else " only where the operator says so."
            )
            yield fact("bets.match_play", "Match play", taken, clauses=(coupons[1],))
    if rules.verbal_cash is not None:
        taken = "is taken" if rules.verbal_cash.value else "is not taken"
        yield fact("bets.cash", "Spoken bets", f"A spoken bet with cash {taken}.", rules.verbal_cash)
    if rules.between_players is not None and not rules.between_players.value:
        text = "Players can't bet against each other."
        yield fact("bets.between", "Bets between players", text, rules.between_players)
    if rules.seated.value:
        yield fact("bets.seated", "Who may bet", "Only players who sit at the table can bet.", rules.seated)


def _positions(rulebook: Rulebook) -> Facts:
    rules = rulebook.positions
    text = f"A table has at most {number(rules.at_table.value)} betting positions."
    yield fact("bets.positions", "Betting positions", text, rules.at_table)
    next_to = " next to each other" if is_set(rules.adjacent) else ""
    if not rules.several.value:
        text = "Each player has one position."
    elif rules.per_player is not None:
        text = f"The casino may let you play up to {number(rules.per_player.value)} positions{next_to}."
    elif is_set(rules.per_player_declared):
        text = f"The casino sets how many positions{next_to} you may play."
    else:
        text = f"The casino may let you play more than one position{next_to}."
    nodes = (rules.several, rules.per_player, rules.per_player_declared, rules.adjacent)
    yield fact("bets.several", "Several positions", text, *nodes)


def dealing_facts(rulebook: Rulebook) -> Facts:
    """Yield how cards come to the table, and how many each hand gets."""
    yield from _hand_sizes(rulebook)
    methods = allowed_methods(rulebook)
    text = f"Cards are dealt {joined((METHODS[each] for each in methods), 'or')}."
    yield fact("deal.method", "How cards are dealt", text, *(each.allowed for each in _dealings(rulebook)))
    starts = [each.start for each in _dealings(rulebook)]
    sides = joined(dict.fromkeys(SIDES[each.value] for each in starts), "or")
    yield fact("deal.start", "Who gets cards first", f"The deal starts at {sides}.", *starts)
    shuffling = rulebook.shuffling
    often = "after every round" if shuffling.every_round.value else "when it is ordered"
    text = f"The cards are shuffled {often}, {SHUFFLERS[shuffling.shuffler.value]}."
    yield fact("deal.shuffle", "Shuffle", text, shuffling.every_round, shuffling.shuffler)
    yield from _decks(rulebook)
    cutter = rulebook.roles.get("cuts")
    if cutter is not None and "player" not in cutter.value:
        yield fact("deal.cut", "Cut", "Only the dealer cuts the cards.", cutter)
    shown = rulebook.opening.steps.get("show_first_player")
    if shown is not None:
        text = "When a table opens, the cards lie face up until the first player has looked them over."
        yield fact("deal.inspect", "A look at the deck", text, shown)
    yield from _counting(rulebook)


def _hand_sizes(rulebook: Rulebook) -> Facts:
    sizes = [
        (each.player_cards.value, each.dealer_down.value, each.dealer_up.value)
        for each in _dealings(rulebook)
    ]
    nodes = [
        node for each in _dealings(rulebook) for node in (each.player_cards, each.dealer_down, each.dealer_up)
    ]
    for player, down, up in dict.fromkeys(sizes):
        text = (
            f"Every player gets {number(player)} cards face down. "
            f"The dealer gets {number(down)} cards face down and {number(up)} face up."
        )
        yield fact("deal.cards", "The cards", text, *nodes)


def _decks(rulebook: Rulebook) -> Facts:
    rules = rulebook.shuffling
    if rules.decks.value == 1:
        yield fact("deal.decks", "Decks", "The game is played with one deck of 52 cards.", rules.decks)
        return
    text = f"The game is played with one deck of 52 cards, or with {number(rules.decks.value)}"
    text += " in turn where a machine shuffles." if is_set(rules.second_deck_needs_shuffler) else " in turn."
    yield fact("deal.decks", "Decks", text, rules.decks, rules.second_deck_needs_shuffler, rules.alternate)


def _counting(rulebook: Rulebook) -> Facts:
    due = {
        method: rulebook.dealing[method].counting
        for method in allowed_methods(rulebook)
        if rulebook.dealing[method].counting.every is not None
    }
    for often in dict.fromkeys(each.every.value for each in due.values() if each.every is not None):
        counted = {
            method: each
            for method, each in due.items()
            if each.every is not None and each.every.value == often
        }
        where = ""
        if {*counted} != {*allowed_methods(rulebook)}:
            where = f" where cards are dealt {joined((METHODS[each] for each in counted), 'or')}"
        waived = [each.waived_by_counting_shuffler for each in counted.values()]
        unless = ", unless a machine counts the deck" if all(map(is_set, waived)) else ""
        how_often = "after every round" if often == 1 else f"at least once in {number(often)} rounds"
        text = f"The dealer counts the cards that are left {how_often}{where}{unless}."
        nodes = [node for each in counted.values() for node in (each.every, each.waived_by_counting_shuffler)]
        yield fact("deal.count", "Count of the deck", text, *nodes)


def deciding_facts(rulebook: Rulebook) -> Facts:
    """Yield what a player may decide after the cards, and what it costs."""
    rules = rulebook.deciding
    again = " and lay them face down again" if "look_and_lay_face_down" in rules.look else ""
    yield fact("decide.look", "Looking at your cards", f"Look at your cards{again}.", *rules.look.values())
    touch = rulebook.roles.get("may_touch_cards")
    if touch is not None and {*touch.value} == {"dealer", "owner"}:
        yield fact(
            "decide.touch", "Touching cards", "Nobody but you and the dealer may touch your cards.", touch
        )
    text = f"The dealer asks the players in turn, from {SIDES[rules.start.value]} on."
    yield fact("decide.order", "Who decides first", text, rules.start)
    yield from _play_facts(rulebook)
    yield from _fold_facts(rulebook)
    dealt_in = {name for each in _dealings(rulebook) for name in each.dealt_in.value}
    alone = dealt_in - {*rules.asked.value}
    if alone:
        text = f"If you bet only on {bet_names(alone, 'or')}, you have nothing to decide."
        yield fact("decide.alone", "Without an Ante", text, rules.asked)


def _play_facts(rulebook: Rulebook) -> Facts:
    play = rulebook.wagers.play
    least, most = play.least.value, play.most.value
    if play.whole_multiples.value:
        amount = f"exactly {joined(range(least, most + 1), 'or')} times"
    else:
        amount = f"any amount from {least} to {most} times"
    text = f"To stay in, bet {amount} your Ante on Play."
    yield fact("decide.play", "The Play bet", text, play.least, play.most, play.whole_multiples)
    binds = play.posted_maximum_binds
    limited = "also limits" if binds.value else "does not limit"
    yield fact("decide.play_most", "Limit of Play", f"The posted maximum {limited} the Play bet.", binds)


def _fold_facts(rulebook: Rulebook) -> Facts:
    effects = {name: found for name in described_wagers(rulebook) if (found := fold_effect(rulebook, name))}
    lost = {name: clauses for name, (effect, clauses) in effects.items() if effect == "lost"}
    live = {name: clauses for name, (effect, clauses) in effects.items() if effect == "live"}
    if lost:
        clauses = (clause for each in lost.values() for clause in each)
        text = f"If you fold, you lose your bets on {bet_names(lost)}."
        if len(lost) == 1:
            text = f"If you fold, you lose {bet_name(next(iter(lost)))}."
        yield fact("decide.fold", "What a fold loses", text, clauses=clauses)
    if live:
        clauses = (clause for each in live.values() for clause in each)
        verb = "stays" if len(live) == 1 else "stay"
        text = sentence(f"{bet_names(live)} {verb} in play after a fold")
        yield fact("decide.fold_live", "What survives a fold", text, clauses=clauses)


def showdown_facts(rulebook: Rulebook) -> Facts:
    """Yield how hands are compared, in which order, and what Ante and Play win."""
    opening, first = rulebook.settlement.opening, _dealings(rulebook)[0]
    cards = number(first.dealer_down.value + first.dealer_up.value)
    announced = " and announces it" if "announce_dealer" in opening else ""
    acts = (opening.get("reveal_dealer"), opening.get("announce_dealer"))
    text = f"The dealer makes the best hand of four out of {cards} cards{announced}."
    yield fact("show.dealer", "The dealer's hand", text, *acts)
    yield from _own_hand(rulebook, number(first.player_cards.value))
    yield from _results(rulebook)
    rules = rulebook.settlement
    text = f"The dealer settles with the players in turn, from {SIDES[rules.start.value]} on."
    yield fact("show.start", "Who is paid first", text, rules.start)
    *before, last = (WAGER_LABELS[name] for name in rules.order.value)
    other = " The casino may choose another order." if rules.house_order.value else ""
    text = f"Your bets are settled in this order: {', '.join(before)}, then {last}.{other}"
    yield fact("show.order", "Order of your bets", text, rules.order, rules.house_order)


def _own_hand(rulebook: Rulebook, cards: str) -> Facts:
    chooser = rulebook.roles.get("chooses_best_hand")
    if chooser is not None and "player" in chooser.value:
        text = f"You present the best four of your {cards} cards."
        own = default_setting(rulebook, "player_sets_hand")
        if own is not None and own[0] is False:
            text += " If you overlook a better hand, the better one still counts."
            yield fact("show.hand", "Your hand", text, chooser, clauses=(own[1],))
            return
    elif chooser is not None:
        text = f"The dealer picks the best four of your {cards} cards for you."
    else:
        text = f"The best four of your {cards} cards count."
    nodes = [chooser] if chooser is not None else [each.player_cards for each in _dealings(rulebook)]
    yield fact("show.hand", "Your hand", text, *nodes)


def _results(rulebook: Rulebook) -> Facts:
    ante, play = rulebook.wagers.ante, rulebook.wagers.play
    if ante.pays.value == play.pays.value:
        text = f"If your hand is higher, Ante and Play each pay {ante.pays.value}."
    else:
        text = f"If your hand is higher, the Ante pays {ante.pays.value} and Play pays {play.pays.value}."
    yield fact("show.win", "When you win", text, ante.pays, play.pays)
    text = "A tie counts as a win for you." if ante.ties_win.value else "A tie loses both bets."
    yield fact("show.tie", "Ties", text, ante.ties_win)
    nodes = (ante.taken_when_beaten, play.taken_when_beaten)
    if all(map(is_set, nodes)):
        yield fact("show.lose", "When you lose", "If the dealer's hand is higher, you lose both.", *nodes)
