/** Seat view: what is shown of one position, for the own seats and the others. */

import type { Wagers } from "./wagers";
import type { TableSession } from "./session.svelte";

export interface SeatView {
  /** The seated player, or null. */
  player: string | null;
  cards: string[];
  hand: string | null;
  /** Whether the position decides now. */
  turn: boolean;
  /** Whether the hand is folded or left. */
  out: boolean;
  /** Whether the round is over for the position, so that its hand is shown to everybody. */
  over: boolean;
  status: string;
  /** What the round brought to the player, once that is known. */
  net: number | null;
  /** The amounts that lie on the spots. */
  lying: Wagers;
}

export function seatView(session: TableSession, position: number): SeatView {
  const { shownRound, finishedRound, round, view } = session;
  const player = view?.seats[position] ?? null;
  const now = session.place(position);
  const place = session.place(position, shownRound);
  const turn = round?.deciding === position;
  const settled = player !== null && !shownRound?.void.length && (finishedRound !== null || place?.racked === true);
  const decided = place?.decision === "fold" ? "folded" : place?.abandoned ? "left" : "";
  const showsLastRound = finishedRound !== null && round !== null;
  return {
    player,
    cards: place?.cards ?? [],
    hand: place?.hand ?? null,
    turn,
    out: decided !== "",
    over: Boolean(shownRound?.dealer_hand),
    status: turn ? "deciding" : decided || (session.sitsOut(position) ? "sits out" : ""),
    net: !turn && settled && place && Object.keys(place.wagers).length ? place.net : null,
    lying: (showsLastRound ? now?.lying : (place?.lying ?? now?.lying)) ?? {},
  };
}
