/** Wager query: what can be selected on the odds page, and the request that it makes. */

import type { GetParameters } from "../lib/api";
import type { OddsIndex, OddsOption, OwnPaytable, PrintedPaytable, WagerIndex } from "../lib/apiTypes";

/** No Automatic Bonus. */
export const NONE = "none";
/** The precision of estimates, coarse enough to follow a slider. */
const PRECISION = 0.002;

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

/** What the fields of a form say before anybody changes them. */
const startValues = (form: OddsOption[]): Record<string, string> =>
  Object.fromEntries(
    form.flatMap(({ name, kind, start }) => (start === null ? [] : [[name, `${kind === "dollars" ? 100 * start : start}`]])),
  );

/** The parameters of the request; an own paytable replaces the printed one. */
export function oddsParameters({ wager, book, paytable, values }: OddsSelection, form: OddsOption[], own: boolean): OddsParameters {
  const printed = own && paytable === NONE ? "" : paytable;
  const chosen = wager === "ante" ? { bonus: printed } : { paytable: printed };
  const precision = wager === "cover_all" ? { precision: PRECISION } : {};
  return { wager, rulebook: book, ...chosen, ...precision, ...startValues(form), ...values };
}

/** The request body of a custom paytable; empty rows pay nothing and are left out. A row of five cards needs five for all. */
export function paytableBody(wager: WagerIndex | undefined, rows: Record<string, string>): OwnPaytable {
  const pays = Object.fromEntries(Object.entries(rows).filter(([, odds]) => odds.trim() !== ""));
  const five = Object.keys(rows).some((row) => wager?.rows_of_five.includes(row) && !wager.rows.includes(row));
  return five ? { pays, cards: 5 } : { pays };
}
