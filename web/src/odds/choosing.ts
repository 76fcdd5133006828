/** From what is chosen to the question that is asked. */

import type { Index, Printed, WagerIndex } from "./types";

/** The Automatic Bonus left out altogether. */
export const NONE = "none";
/** Estimates that are asked for while somebody moves a slider need not be the finest. */
const PRECISION = "0.002";
/** Rows that only five cards can make: a progressive with one of them judges five. */
const FIVE_CARDS = ["royal_flush", "full_house"];

export interface Chosen {
  wager: string;
  book: string;
  paytable: string;
  values: Record<string, string>;
}

export const wagerOf = (index: Index, wager: string): WagerIndex | undefined => index.wagers.find((each) => each.wager === wager);

export const booksOf = (index: Index, wager: string): string[] => [...new Set(wagerOf(index, wager)?.tables.map((each) => each.rulebook))];

export function idsOf(index: Index, wager: string, book: string): string[] {
  const tables = wagerOf(index, wager)?.tables.filter((each) => each.rulebook === book) ?? [];
  return [...new Set(tables.map((each) => each.paytable)), ...(wager === "ante" ? [NONE] : [])];
}

/** The table that is meant; where it has columns, the one of the stake or of the players that were chosen. */
export function tableOf(index: Index, { wager, book, paytable, values }: Chosen): Printed | undefined {
  const tables = wagerOf(index, wager)?.tables.filter((each) => each.rulebook === book && each.paytable === paytable) ?? [];
  const wanted = wager === "cover_all" ? (values.players ?? "6") : (values.stake ?? "100");
  return tables.find((each) => each.column === wanted) ?? tables.at(wager === "cover_all" ? -1 : 0);
}

export function questionOf({ wager, book, paytable, values }: Chosen, own: boolean): string {
  const asked = new URLSearchParams();
  if (book) asked.set("rulebook", book);
  if (paytable && !(own && paytable === NONE)) asked.set(wager === "ante" ? "bonus" : "paytable", paytable);
  if (wager === "cover_all") asked.set("precision", PRECISION);
  for (const [name, value] of Object.entries(values)) if (value !== "") asked.set(name, value);
  return `/api/odds/${wager}?${asked}`;
}

/** A table of one's own as it is sent: rows without odds pay nothing and are left out. */
export function sentTable(wager: string, rows: Record<string, string>): { pays: Record<string, string>; cards?: number } {
  const pays = Object.fromEntries(Object.entries(rows).filter(([, odds]) => odds.trim() !== ""));
  const five = wager === "progressive" && FIVE_CARDS.some((row) => row in rows);
  return five ? { pays, cards: 5 } : { pays };
}
