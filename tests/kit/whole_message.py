"""A table message built from scratch for one viewer, without anything that viewers share."""

from fourcard.house.auth.identity import Actor
from fourcard.server.floor.floor import Floor
from fourcard.server.floor.messages import (
    TableMessage,
    allowed_actions,
    console_message,
    group_of,
    narration_lines,
    seeds_view,
    shown_state,
    sitting_out_positions,
    viewer_seat,
    waiting_view,
)
from fourcard.server.floor.projections import LiveSnapshot
from fourcard.table.view import table_view


def whole_message(floor: Floor, snapshot: LiveSnapshot, actor: Actor, since: int) -> TableMessage:
    """Return what a person may see of a table, with the narration since a line."""
    table, group, context = snapshot.state, group_of(actor), floor.table_context(snapshot)
    away, own = sitting_out_positions(snapshot), bool(group.player)
    account = floor.account_cents(group.player) if own else 0
    return TableMessage(
        table=table.name,
        sequence=snapshot.sequence,
        view=table_view(shown_state(table.state), group.viewer),
        you=viewer_seat(table, group.player, account, context, away) if own else None,
        allowed=allowed_actions(table, group),
        meter=context.meter,
        told=narration_lines(snapshot, since),
        waiting=waiting_view(context),
        commitment=table.commitment,
        console=None if own else console_message(table, context),
        sitting_out=away,
        seeds=seeds_view(table),
    )
