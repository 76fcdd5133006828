"""Bots: players without a person, their names, buy-ins, wagers and decisions."""

from fourcard.house.auth.identity import BOT_PREFIX, Actor, is_bot
from fourcard.house.commands import BuyIn
from fourcard.house.table_state import HouseTable
from fourcard.refusals import Refusal
from fourcard.round.commands import Fold, LeaveSeat, PlaceWager, Play, TakeSeat
from fourcard.round.state import RoundState
from fourcard.rules.cited import WagerName
from fourcard.rules.limits import play_refusal
from fourcard.server.floor.idle_seats import seated_people
from fourcard.table.decide import decide
from fourcard.table.state import TableState
from fourcard.table.table_driver import PlayerSpot, basic_strategy

BOT_NAMES = ("bea", "cal", "dot", "eli", "fay", "gus", "hal")
BUY_IN_ANTES = 100
"""Buy-in of a bot, in minimum Antes."""
BotCommand = BuyIn | TakeSeat | LeaveSeat | PlaceWager | Play | Fold


def bot_name(table: str, number: int) -> str:
    """Return the name of a table's bot by number; each table has its own bots with own accounts."""
    return f"{BOT_PREFIX}{BOT_NAMES[number % len(BOT_NAMES)]}-{table}"[:40]


def player_actor(player: str) -> Actor:
    """Return a player as the actor of a command."""
    return Actor(player, "player")


def bot_buy_in(state: TableState) -> int:
    """Return the buy-in of a bot, in cents."""
    return BUY_IN_ANTES * least_ante(state)


def least_ante(state: TableState) -> int:
    """Return the posted minimum Ante, or one chip if none is posted."""
    posted = state.game.submission.limits.posted.get("ante")
    return int(posted.least) if posted is not None else int(state.game.submission.chip)


def bot_join_command(table: HouseTable, most_bots: int) -> BotCommand | None:
    """Return the next command of a bot between rounds: join people, buy in, or leave when too many sit."""
    state = table.state
    seated = {player: position for position, player in state.seats.items() if is_bot(player)}
    free = [
        each for each in range(1, state.game.submission.positions.at_table + 1) if each not in state.seats
    ]
    bots = (
        [bot_name(table.name, number) for number in range(min(most_bots, len(BOT_NAMES)))]
        if seated_people(state)
        else []
    )
    leaving = [bot for bot in seated if bot not in bots] or ([] if free else [*seated])
    if leaving:
        return LeaveSeat(position=seated[leaving[-1]], by=leaving[-1], role="player")
    for bot in bots:
        if bot not in seated and len(free) < 2:
            continue
        if table.chips(bot) < bot_buy_in(state) // 4:
            return BuyIn(player=bot, cents=bot_buy_in(state), by=bot, role="player")
        if bot not in seated:
            return TakeSeat(position=free[len(free) // 2], player=bot, by=bot, role="player")
    return None


def bot_wager(table: HouseTable, current_round: RoundState) -> PlaceWager | None:
    """Return the next wager of a bot: the minimum Ante, and Aces Up in every second round."""
    state = table.state
    for position, place in current_round.positions.items():
        for name, amount in _wanted_wagers(state, position).items() if is_bot(place.player) else ():
            bet = PlaceWager(position=position, wager=name, amount=amount, by=place.player, role="player")
            covered = name not in place.wagers and amount <= table.chips(place.player)
            if covered and not isinstance(decide(state, bet), Refusal):
                return bet
    return None


def _wanted_wagers(state: TableState, position: int) -> dict[WagerName, int]:
    """Return the wagers a bot at a position wants in this round."""
    bets: dict[WagerName, int] = {"ante": least_ante(state)}
    posted = state.game.submission.limits.posted.get("aces_up")
    if state.game.offers("aces_up") and posted is not None and (state.round_number + position) % 2 == 0:
        bets["aces_up"] = int(posted.least)
    return bets


def bot_decision(table: HouseTable, current_round: RoundState, position: int) -> Play | Fold:
    """Return a bot's decision: the manufacturer's advice within limits and chips."""
    spot, player = PlayerSpot(current_round, position), current_round.positions[position].player
    for times in range(basic_strategy(spot), 0, -1):
        amount = times * spot.ante
        if amount <= table.chips(player) and play_refusal(spot.game, spot.ante, amount) is None:
            return Play(position=position, amount=amount, by=player, role="player")
    return Fold(position=position, by=player, role="player")
