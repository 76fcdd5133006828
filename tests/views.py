"""Views for tests: a position and a round in which nothing has happened yet."""

from fourcard.round.view import DueView, PlaceView, RoundView


def place(position: int, player: str) -> PlaceView:
    """Return the view of a position where nothing has happened yet."""
    return PlaceView(
        position=position,
        player=player,
        wagers={},
        lying={},
        cards=(),
        decision=None,
        asked=False,
        abandoned=False,
        racked=False,
        net=0,
    )


def betting(places: tuple[PlaceView, ...], due: str, *clauses: str) -> RoundView:
    """Return the view of a round that has just begun, with the dealer's next step."""
    return RoundView(
        phase="betting",
        bets_open=True,
        places=places,
        dealer=(),
        up=None,
        extra=0,
        bonus=(),
        burned=0,
        discarded=(),
        due=DueView(due, 0, clauses),
        wrong_count=None,
        deciding=None,
        award_awaited=None,
        undocumented=(),
        moved=(),
        notes=(),
        void=(),
        racked=(),
        rack=None,
    )
