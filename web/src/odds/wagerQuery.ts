/** Wager query: what can be selected on the odds page, and the request that it makes. */

import type { GetParameters } from "../lib/api";
import type { OddsIndex, OwnPaytable, PrintedPaytable, WagerIndex } from "../lib/apiTypes";

/** No Automatic Bonus. */
export const NONE = "none";
/** The precision of estimates, coarse enough to follow a slider. */
const PRECISION = 0.002;
/** Rows that need five cards: a progressive paytable with one of them ranks five-card hands. */
const FIVE_CARDS = ["royal_flush", "full_house"];

/** The request for odds. */
export type OddsParameters = GetParameters<"/api/odds/{wager}">;

export interface OddsSelection {
  wager: OddsParameters["wager"];
  book: string;
  paytable: string;
  values: Record<string, string>;
}

export const findWager = (index: OddsIndex, wager: string): WagerIndex | undefined => index.wagers.find((each) => each.wager === wager);

export const rulebooksFor = (index: OddsIndex, wager: string): string[] => [...new Set(findWager(index, wager)?.tables.map((each) => each.rulebook))];

export function paytablesFor(index: OddsIndex, wager: string, book: string): string[] {
  const tables = findWager(index, wager)?.tables.filter((each) => each.rulebook === book) ?? [];
  return [...new Set(tables.map((each) => each.paytable)), ...(wager === "ante" ? [NONE] : [])];
}

/** The selected paytable; if it has columns, the one for the selected stake or number of players. */
export function findPaytable(index: OddsIndex, { wager, book, paytable, values }: OddsSelection): PrintedPaytable | undefined {
  const tables = findWager(index, wager)?.tables.filter((each) => each.rulebook === book && each.paytable === paytable) ?? [];
  const wanted = wager === "cover_all" ? (values.players ?? "6") : (values.stake ?? "100");
  return tables.find((each) => each.column === wanted) ?? tables.at(wager === "cover_all" ? -1 : 0);
}

/** The parameters of the request; an own paytable replaces the printed one. */
export function oddsParameters({ wager, book, paytable, values }: OddsSelection, own: boolean): OddsParameters {
  const printed = own && paytable === NONE ? "" : paytable;
  const chosen = wager === "ante" ? { bonus: printed } : { paytable: printed };
  return { wager, rulebook: book, ...chosen, ...(wager === "cover_all" ? { precision: PRECISION } : {}), ...values };
}

/** The request body of a custom paytable; empty rows pay nothing and are left out. */
export function paytableBody(wager: string, rows: Record<string, string>): OwnPaytable {
  const pays = Object.fromEntries(Object.entries(rows).filter(([, odds]) => odds.trim() !== ""));
  const five = wager === "progressive" && FIVE_CARDS.some((row) => row in rows);
  return five ? { pays, cards: 5 } : { pays };
}
