/** The reports of the house as data: where each is read, and what its columns show. */

import type { Page } from "../lib/api";
import { dollars, percent, signed, words } from "../lib/format";
import { moment } from "../reading/moment";

export type Row = Record<string, unknown>;
type Shown = "text" | "words" | "group" | "cents" | "gain" | "units" | "moment" | "count" | "share" | "list" | "yes" | "proposals";

export interface Column {
  key: string;
  label: string;
  as: Shown;
}

export interface Report {
  id: string;
  title: string;
  says: string;
  /** Who may read it; the house has the last word, this only chooses what is offered. */
  readers: string[];
  /** The key of the list in the answer, where it is not a list itself. */
  rows?: string;
  /** The key of a last row that sums the others up; "" is the answer itself. */
  sum?: string;
  columns: Column[];
}

/** An adjustment of a meter that waits to be approved. */
interface Proposal {
  number: number;
  part: string;
  amount_cents: number;
  win: number;
  reason: string;
  by: string;
}

function proposed({ number, part, amount_cents: cents, win, reason, by }: Proposal): string {
  const what = win ? `back out win ${win}` : `${signed(cents)} to the ${part}`;
  return `${number}: ${what}, by ${by}: ${reason}`;
}

/** A dollar in the units of the ledger, which has six digits after the point. */
const DOLLAR = 1_000_000;
const DIGITS = 6;

/** Units as dollars without rounding anything away: a meter holds parts of a cent. */
function exactly(units: number): string {
  const rest = Math.abs(units) % DOLLAR;
  const digits = rest ? `.${`${rest}`.padStart(DIGITS, "0").replace(/0+$/, "").padEnd(2, "0")}` : "";
  return `${units < 0 ? "−" : ""}$${((Math.abs(units) - rest) / DOLLAR).toLocaleString("en-US")}${digits}`;
}

/** The groups of accounts as people call them. */
const GROUPS: Record<string, string> = {
  player: "players' accounts", chips: "chips with players", layout: "chips in play, by wager", tray: "table trays",
  drop: "drop boxes", meter: "meters", reserve: "reserves", prizes: "prizes to be paid", link: "put into meters",
};
const FIGURES: Shown[] = ["cents", "gain", "units", "count", "share"];

const column = (key: string, as: Shown = "text", label = words(key)): Column => ({ key, label, as });

export const isFigure = (each: Column): boolean => FIGURES.includes(each.as);

const SHOW: Record<Shown, (value: unknown) => string> = {
  text: (value) => String(value),
  words: (value) => words(String(value)),
  group: (value) => GROUPS[String(value)] ?? String(value),
  cents: (value) => dollars(Number(value)),
  gain: (value) => signed(Number(value)),
  units: (value) => exactly(Number(value)),
  moment: (value) => moment(Number(value)),
  count: (value) => Number(value).toLocaleString("en-US"),
  share: (value) => percent((value as { value: number }).value),
  list: (value) => (value as string[]).join(", "),
  yes: (value) => (value ? "yes" : "no"),
  proposals: (value) => (value as Proposal[]).map(proposed).join("; "),
};

/** What a cell says; keys with dots lead into what lies within. */
export function cell(row: Row, { key, as }: Column): string {
  const value = key.split(".").reduce<unknown>((within, part) => (within as Row | null | undefined)?.[part], row);
  return value === null || value === undefined || value === "" ? "" : SHOW[as](value);
}

/** An answer as a page of rows, the sum of all after the last; groups of accounts are one page, whatever comes in it. */
export function pageOf(report: Report, answer: Row): Page<Row> {
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
    says: "What every meter shows and holds, what went in and out, and its link.",
    columns: [
      column("meter"), column("displayed_cents", "cents", "shows"), column("reserve_units", "units", "reserve"),
      column("wagered_cents", "cents", "wagered"), column("contributed_units", "units", "contributed"),
      column("won_cents", "cents", "won"), column("hits", "count"), column("link"), column("tables", "list"),
      column("agrees", "yes", "agrees with the books"), column("proposals", "proposals", "proposals that wait"),
    ],
  },
  {
    id: "wins", title: "Wins", readers: OVERSEERS,
    says: "Every win of a progressive: when and where, whose, what it paid, and who confirmed it.",
    columns: [
      column("number", "count"), column("at", "moment", "when"), column("table"), column("round", "count"),
      column("position", "count"), column("player"), column("cards"), column("row", "words", "hand"),
      column("amount_cents", "cents", "amount"), column("marked_by", "text", "marked by"),
      column("confirmed_by", "text", "confirmed by"), column("state", "words"),
    ],
  },
  {
    id: "tables", title: "Tables", readers: ["dealer", ...OVERSEERS, "administrator"],
    says: "Every table: its game and phase, tray, drop and meter.",
    columns: [
      column("table"), column("submission"), column("rulebook", "words"), column("phase", "words"),
      column("round", "count"), column("cards"), column("tray", "cents"), column("drop", "cents"),
      column("meter.units", "units", "meter"),
    ],
  },
  {
    id: "results", title: "Results", readers: OVERSEERS,
    says: "The results of tables by gaming day.", rows: "days", sum: "total",
    columns: [
      column("day"), column("table"), column("rounds", "count"), column("voids", "count", "void"),
      column("opening", "cents"), column("fills", "cents"), column("credits", "cents"),
      column("closing", "cents"), column("drop", "cents"), column("win", "gain"), column("hold", "share"),
    ],
  },
  {
    id: "balance", title: "Trial balance", readers: ["executive", "auditor"],
    says: "What every group of accounts holds or owes; held less owed is zero.", rows: "groups", sum: "",
    columns: [
      column("group", "group"), column("held", "units", "holds"), column("owed", "units", "owes"),
    ],
  },
  {
    id: "staff", title: "People", readers: ["supervisor", "executive", "auditor", "administrator"],
    says: "Who works here, and as what.",
    columns: [
      column("person", "text", "sign-in name"), column("name"), column("roles", "list"),
      column("password", "yes", "can sign in"),
    ],
  },
  {
    id: "security-log", title: "Security log", readers: ["executive", "auditor", "administrator"],
    says: "Refused commands, sign-ins and failures, the newest first.",
    columns: [
      column("at", "moment", "when"), column("by"), column("what"), column("reason"),
      column("repeated", "count"),
    ],
  },
];
