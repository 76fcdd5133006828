/** Reports as data: the API path, the roles that can read it, and the columns. */

import type { Page } from "../lib/api";
import { dollars, formatTime, humanize, percent, signedDollars } from "../lib/format";

export type Row = Record<string, unknown>;
type ColumnFormat = "text" | "words" | "group" | "cents" | "gain" | "units" | "time" | "count" | "share" | "list" | "yes" | "proposals";

export interface Column {
  key: string;
  label: string;
  as: ColumnFormat;
}

export interface Report {
  id: string;
  title: string;
  description: string;
  /** The roles that can read it. This only decides what is offered; the server checks every request. */
  readers: string[];
  /** The key of the list in the answer, if the answer is not a list itself. */
  rows?: string;
  /** The key of the total row; "" is the answer itself. */
  sum?: string;
  columns: Column[];
}

/** A meter adjustment that waits for approval. */
interface Proposal {
  number: number;
  part: string;
  amount_cents: number;
  win: number;
  reason: string;
  by: string;
}

function proposalText({ number, part, amount_cents: cents, win, reason, by }: Proposal): string {
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

const column = (key: string, as: ColumnFormat = "text", label = humanize(key)): Column => ({ key, label, as });

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
  share: (value) => percent((value as { value: number }).value),
  list: (value) => (value as string[]).join(", "),
  yes: (value) => (value ? "yes" : "no"),
  proposals: (value) => (value as Proposal[]).map(proposalText).join("; "),
};

/** The text of a cell; a key with dots is a path into the row. */
export function cellText(row: Row, { key, as }: Column): string {
  const value = key.split(".").reduce<unknown>((within, part) => (within as Row | null | undefined)?.[part], row);
  return value === null || value === undefined || value === "" ? "" : SHOW[as](value);
}

/** An answer as a page of rows, with the total after the last row. Account groups are always one page. */
export function toPage(report: Report, answer: Row): Page<Row> {
  if (report.rows === undefined) return answer as unknown as Page<Row>;
  const rows = answer[report.rows] as Row[];
  const sum = (report.sum ? answer[report.sum] : answer) as Row;
  const next = report.sum ? (answer["next"] as string | null) : null;
  return { items: next === null ? [...rows, { ...sum, [report.columns[0]!.key]: "total" }] : rows, next };
}

const OVERSEERS = ["floorperson", "supervisor", "executive", "auditor"];

export const REPORTS: Report[] = [
  {
    id: "meters", title: "Meters", readers: ["dealer", ...OVERSEERS],
    description: "Each meter's display, reserve, contributions, wins and link.",
    columns: [
      column("meter"), column("displayed_cents", "cents", "shows"), column("reserve_units", "units", "reserve"),
      column("wagered_cents", "cents", "wagered"), column("contributed_units", "units", "contributed"),
      column("won_cents", "cents", "won"), column("hits", "count"), column("link"), column("tables", "list"),
      column("agrees", "yes", "agrees with the ledger"), column("proposals", "proposals", "open proposals"),
    ],
  },
  {
    id: "wins", title: "Wins", readers: OVERSEERS,
    description: "Every progressive win: when, where, who won, how much, and who confirmed it.",
    columns: [
      column("number", "count"), column("at", "time", "when"), column("table"), column("round", "count"),
      column("position", "count"), column("player"), column("cards"), column("row", "words", "hand"),
      column("amount_cents", "cents", "amount"), column("marked_by", "text", "marked by"),
      column("confirmed_by", "text", "confirmed by"), column("state", "words"),
    ],
  },
  {
    id: "tables", title: "Tables", readers: ["dealer", ...OVERSEERS, "administrator"],
    description: "Every table with its game, phase, tray, drop and meter.",
    columns: [
      column("table"), column("submission"), column("rulebook", "words"), column("phase", "words"),
      column("round", "count"), column("cards"), column("tray", "cents"), column("drop", "cents"),
      column("meter.units", "units", "meter"),
    ],
  },
  {
    id: "results", title: "Results", readers: OVERSEERS,
    description: "Table results by gaming day.", rows: "days", sum: "total",
    columns: [
      column("day"), column("table"), column("rounds", "count"), column("voids", "count", "void"),
      column("opening", "cents"), column("fills", "cents"), column("credits", "cents"),
      column("closing", "cents"), column("drop", "cents"), column("win", "gain"), column("hold", "share"),
    ],
  },
  {
    id: "balance", title: "Trial balance", readers: ["executive", "auditor"],
    description: "What each group of accounts holds or owes. Both totals are equal.", rows: "groups", sum: "",
    columns: [
      column("group", "group"), column("held", "units", "holds"), column("owed", "units", "owes"),
    ],
  },
  {
    id: "staff", title: "People", readers: ["supervisor", "executive", "auditor", "administrator"],
    description: "Staff and their roles.",
    columns: [
      column("person", "text", "sign-in name"), column("name"), column("roles", "list"),
      column("password", "yes", "can sign in"),
    ],
  },
  {
    id: "security-log", title: "Security log", readers: ["executive", "auditor", "administrator"],
    description: "Refused commands, sign-ins and failures, newest first.",
    columns: [
      column("at", "time", "when"), column("by"), column("what"), column("reason"),
      column("repeated", "count"),
    ],
  },
];
