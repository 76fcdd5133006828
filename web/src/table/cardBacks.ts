/** Card backs: the back of each round's deck is remembered, because the decks change places when a round ends. */

import type { TableView } from "../lib/apiTypes";
import type { TableSession } from "./session.svelte";

export type CardBack = "red" | "blue";

const backOf = (view: TableView, deck: number): CardBack => (view.decks[deck]?.back === "blue" ? "blue" : "red");

export class CardBacks {
  #byRound = new Map<number, CardBack>();

  /** The back of the cards that are shown. */
  of({ view, round, shownRound }: TableSession): CardBack {
    if (!view) return "red";
    if (round) this.#byRound.set(view.number, backOf(view, view.active));
    if (round && shownRound === round) return backOf(view, view.active);
    const last = round ? view.number - 1 : view.number;
    return this.#byRound.get(last) ?? backOf(view, view.decks.length > 1 ? 1 - view.active : view.active);
  }
}
