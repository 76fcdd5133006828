/** Reports as data: the API path, the roles that can read it, and the columns. */

import type { Answer, Operation, Page, PathFor } from "../lib/api";
import { dollars, formatTime, humanize, percent, signedDollars } from "../lib/format";
import type { StaffRole } from "./roles";

export type Row = Record<string, unknown>;
type ColumnFormat = "text" | "words" | "group" | "cents" | "gain" | "units" | "time" | "count" | "share" | "list" | "yes" | "proposals";
/** The answers that are reports; the clock is none. */
type ReportPath = Exclude<Extract<PathFor<"get">, `/api/house/${string}`>, "/api/house/clock">;
type ReportAnswer<P extends ReportPath> = Answer<Operation<"get", P>>;
/** The rows of a report. */
type Rows<Answered> = Answered extends { items: infer Found } | { days: infer Found } | { groups: infer Found } ? Found : never;
type RowOf<P extends ReportPath> = Rows<ReportAnswer<P>>[number];
type Share = NonNullable<RowOf<"/api/house/results">["hold"]>;
type Proposals = RowOf<"/api/house/meters">["proposals"];

export interface Column {
  key: string;
  label: string;
  as: ColumnFormat;
}

export interface Report {
  path: ReportPath;
  title: string;
  description: string;
  /** The roles that can read it. This only decides what is offered; the server checks every request. */
  readers: StaffRole[];
  columns: Column[];
}

/** The id of a report in the page's addresses. */
export const reportId = ({ path }: Report): string => path.replace("/api/house/", "");

function proposalText({ number, part, amount_cents: cents, win, reason, by }: Proposals[number]): string {
  const what = win ? `back out win ${win}` : `${signedDollars(cents)} to the ${part}`;
  return `${number}: ${what}, by ${by}: ${reason}`;
}

/** One dollar in ledger units, which have six decimals. */
const DOLLAR = 1_000_000;
const DIGITS = 6;

/** Ledger units as dollars, without rounding: a meter holds fractions of a cent. */
function exactDollars(units: number): string {
  const rest = Math.abs(units) % DOLLAR;
  const digits = rest ? `.${`${rest}`.padStart(DIGITS, "0").replace(/0+$/, "").padEnd(2, "0")}` : "";
  return `${units < 0 ? "−" : ""}$${((Math.abs(units) - rest) / DOLLAR).toLocaleString("en-US")}${digits}`;
}

/** Names of account groups. */
const GROUPS: Record<string, string> = {
  player: "players' accounts", chips: "chips with players", layout: "chips in play, by wager", tray: "table trays",
  drop: "drop boxes", meter: "meters", reserve: "reserves", prizes: "prizes to be paid", link: "put into meters",
};
const FIGURES: ColumnFormat[] = ["cents", "gain", "units", "count", "share"];

export const isFigure = (each: Column): boolean => FIGURES.includes(each.as);

const SHOW: Record<ColumnFormat, (value: unknown) => string> = {
  text: (value) => String(value),
  words: (value) => humanize(String(value)),
  group: (value) => GROUPS[String(value)] ?? String(value),
  cents: (value) => dollars(Number(value)),
  gain: (value) => signedDollars(Number(value)),
  units: (value) => exactDollars(Number(value)),
  time: (value) => formatTime(Number(value)),
  count: (value) => Number(value).toLocaleString("en-US"),
  share: (value) => percent((value as Share).value),
  list: (value) => (value as string[]).join(", "),
  yes: (value) => (value ? "yes" : "no"),
  proposals: (value) => (value as Proposals).map(proposalText).join("; "),
};

/** The text of a cell; a key with dots is a path into the row. */
export function cellText(row: Row, { key, as }: Column): string {
  const value = key.split(".").reduce<unknown>((within, part) => (within as Row | null | undefined)?.[part], row);
  return value === null || value === undefined || value === "" ? "" : SHOW[as](value);
}

/** An answer as a page of rows, with the total after the last row. Account groups are always one page. */
export function toPage(report: Report, answer: ReportAnswer<ReportPath>): Page<Row> {
  if ("items" in answer) return answer;
  const [rows, sum, next] = "days" in answer ? [answer.days, answer.total, answer.next] : [answer.groups, answer, null];
  return { items: next === null ? [...rows, { ...sum, [report.columns[0]!.key]: "total" }] : rows, next };
}

/** A key of a row, or a path into an object in it: "meter.units". */
type Key<Of> = {
  [K in keyof Of & string]: NonNullable<Of[K]> extends unknown[] | string ? K : K | `${K}.${keyof NonNullable<Of[K]> & string}`;
}[keyof Of & string];

/** A report; each column is a key, its format, and a label if the key does not say it. */
const report = <P extends ReportPath>(
  path: P,
  title: string,
  readers: StaffRole[],
  description: string,
  ...columns: [key: Key<RowOf<P>>, as?: ColumnFormat, label?: string][]
): Report => ({
  path, title, readers, description,
  columns: columns.map(([key, as = "text", label = humanize(key)]) => ({ key, as, label })),
});

const OVERSEERS: StaffRole[] = ["floorperson", "supervisor", "executive", "auditor"];

export const REPORTS: Report[] = [
  report(
    "/api/house/meters", "Meters", ["dealer", ...OVERSEERS],
    "Each meter's display, reserve, contributions, wins and link.",
    ["meter"], ["displayed_cents", "cents", "shows"], ["reserve_units", "units", "reserve"],
    ["wagered_cents", "cents", "wagered"], ["contributed_units", "units", "contributed"],
    ["won_cents", "cents", "won"], ["hits", "count"], ["link"], ["tables", "list"],
    ["agrees", "yes", "agrees with the ledger"], ["proposals", "proposals", "open proposals"],
  ),
  report(
    "/api/house/wins", "Wins", OVERSEERS,
    "Every progressive win: when, where, who won, how much, and who confirmed it.",
    ["number", "count"], ["at", "time", "when"], ["table"], ["round", "count"],
    ["position", "count"], ["player"], ["cards"], ["row", "words", "hand"],
    ["amount_cents", "cents", "amount"], ["marked_by", "text", "marked by"],
    ["confirmed_by", "text", "confirmed by"], ["state", "words"],
  ),
  report(
    "/api/house/tables", "Tables", ["dealer", ...OVERSEERS, "administrator"],
    "Every table with its game, phase, tray, drop and meter.",
    ["table"], ["submission"], ["rulebook", "words"], ["phase", "words"],
    ["round", "count"], ["cards"], ["tray", "cents"], ["drop", "cents"],
    ["meter.units", "units", "meter"],
  ),
  report(
    "/api/house/results", "Results", OVERSEERS,
    "Table results by gaming day.",
    ["day"], ["table"], ["rounds", "count"], ["voids", "count", "void"],
    ["opening", "cents"], ["fills", "cents"], ["credits", "cents"],
    ["closing", "cents"], ["drop", "cents"], ["win", "gain"], ["hold", "share"],
  ),
  report(
    "/api/house/balance", "Trial balance", ["executive", "auditor"],
    "What each group of accounts holds or owes. Both totals are equal.",
    ["group", "group"], ["held", "units", "holds"], ["owed", "units", "owes"],
  ),
  report(
    "/api/house/staff", "People", ["supervisor", "executive", "auditor", "administrator"],
    "Staff and their roles.",
    ["person", "text", "sign-in name"], ["name"], ["roles", "list"],
    ["password", "yes", "can sign in"],
  ),
  report(
    "/api/house/security-log", "Security log", ["executive", "auditor", "administrator"],
    "Refused commands, sign-ins and failures, newest first.",
    ["at", "time", "when"], ["by"], ["what"], ["reason"],
    ["repeated", "count"],
  ),
];
