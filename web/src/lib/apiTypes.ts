/** API types: what the server sends, with its field names. Money is integer cents, a card is two characters. */

import type { RoundLine } from "../history/fairness";

export type WagerName =
  | "ante"
  | "play"
  | "automatic_bonus"
  | "aces_up"
  | "bad_beat"
  | "six_card"
  | "cover_all"
  | "progressive"
  | "envy";

export interface Refusal {
  code: number;
  name: string;
  message: string;
  clauses: string[];
}

/** The current user with their roles. */
export interface Me {
  mode: "local" | "house";
  who: { kind: "player" | "staff"; person: string; name: string; roles: string[] } | null;
  /** The account in cents; null for staff and if nobody is signed in. */
  account: number | null;
  /** The player's chips at tables. */
  stacks: ChipBalance[];
}

/** A player's chips at one table, in cents. */
export interface ChipBalance {
  table: string;
  title: string;
  chips: number;
  /** In play in the current round. */
  wagered: number;
  positions: number[];
  /** Whether the player leaves after the current round. */
  leaving: boolean;
}

/** A table in the lobby. */
export interface TableSummary {
  table: string;
  title: string;
  rulebook: string;
  rulebook_name: string;
  edition: string;
  phase: string;
  round: number;
  positions: number;
  seats: Record<string, string>;
  limits: Record<string, { least: number; most: number }>;
  wagers: WagerName[];
  meter: { name: string; cents: number } | null;
  /** Whether a progressive win waits for staff to confirm it. */
  jackpot_waits: boolean;
  /** Whether the last hand was called: the table closes after this round, or has closed. */
  last_hand: boolean;
}

/** One panel of the posted sign: what a wager pays, with its clauses. */
export interface SignPanel {
  wager: WagerName;
  title: string;
  limits: string;
  columns: string[];
  pays: Record<string, Record<string, string>>;
  clauses: string[];
}

/** A betting spot of a position, in layout order. */
export interface Spot {
  wager: WagerName;
  label: string;
  /** Null if the amount is one of `stakes`, or depends on other wagers (play). */
  least: number | null;
  most: number | null;
  /** The only amounts allowed, for a progressive. */
  stakes: number[];
  /** One of these wagers must be placed first. */
  needs: WagerName[];
  /** All of these wagers must be placed first. */
  needs_all?: WagerName[];
  clauses: string[];
}

/** Table layout: what does not change while a table is installed. */
export interface TableConfig {
  table: string;
  title: string;
  rulebook: string;
  rulebook_name: string;
  edition: string;
  game: string;
  positions: number;
  per_player: number;
  method: string;
  chip: number;
  chips: number[];
  spots: Spot[];
  play: { least: number; most: number; whole: boolean; clauses: string[] };
  sign: SignPanel[];
  bonus: string | null;
  meter: string | null;
  console: "keypad" | "touch" | null;
  /** Whether players choose their four cards themselves. */
  sets_hands: boolean;
}

export interface PlaceView {
  position: number;
  player: string;
  wagers: Partial<Record<WagerName, number>>;
  lying: Partial<Record<WagerName, number>>;
  /** Each card, or "??" if it is face down for this viewer. */
  cards: string[];
  decision: "play" | "fold" | null;
  asked: boolean;
  abandoned: boolean;
  racked: boolean;
  net: number;
  /** The hand in words if all cards are visible: "a pair of nines". */
  hand: string | null;
}

export interface ChipMovement {
  position: number;
  wager: WagerName;
  action: "take" | "pay";
  amount: number;
  source: string;
  clauses: string[];
  hand: string | null;
  row: string | null;
  odds: string | null;
}

export interface RoundView {
  phase: string;
  bets_open: boolean;
  places: PlaceView[];
  dealer: string[];
  dealer_hand: string | null;
  up: string | null;
  extra: number;
  bonus: string[];
  burned: number;
  discarded: string[];
  due: { step: string; position: number; clauses: string[] } | null;
  deciding: number | null;
  award_awaited: number | null;
  moved: ChipMovement[];
  notes: { irregularity: string; consequences: string[]; clauses: string[]; position: number; card: string | null }[];
  void: string[];
  racked: number[];
  rack: string[][] | null;
}

export interface TableView {
  phase: string;
  game: string;
  active: number;
  seats: Record<string, string>;
  number: number;
  method: string;
  round: RoundView | null;
  /** Whether the last hand was called: the table closes after this round, or has closed. */
  last_hand: boolean;
  /** The previous round, while no round is in progress. */
  last: RoundView | null;
}

export interface NarrationLine {
  text: string;
  clauses: string[];
  position: number;
}

/** What a fold loses, in cents by wager, and which wagers stay in play. */
export interface FoldResult {
  lost: Partial<Record<WagerName, number>>;
  stays: WagerName[];
}

/** What the viewer can do; empty for spectators. */
export interface AllowedActions {
  /** Commands that can be sent; a free amount is given as its minimum. */
  may: Command[];
  /** By deciding position: the Play wagers that rules and chips allow, in cents. */
  plays: Record<string, { least: number; most: number; step: number }>;
  /** By deciding position: what a fold does. */
  folds: Record<string, FoldResult>;
}

export interface ViewerSeat {
  player: string;
  positions: number[];
  /** Chips at this table in cents, without those in play. */
  chips: number;
  account: number;
  /** Whether this player is done betting. */
  ready: boolean;
  seed: string;
  /** Whether this player leaves after the current round. */
  leaving: boolean;
  /** Whether this player missed a round and sits out: the table does not wait for them. */
  sits_out: boolean;
}

/** The progressive console; for staff only. */
export interface ConsoleView {
  console: "keypad" | "touch";
  sensors: { position: number; player: string; light: string }[];
  key: "run" | "jph" | null;
  spot: number | null;
  mark: { position: number; row: string; by: string } | null;
  prize: number | null;
  meter: number;
  link: string;
  hands: string[];
  next: { what: string; who: string; role: string; clauses: string[]; command: Command } | null;
}

/** The current state of a table, sent after every change. */
export interface TableMessage {
  kind: "table";
  table: string;
  /** The journal's sequence number; it never goes down. */
  sequence: number;
  view: TableView;
  you: ViewerSeat | null;
  chances: AllowedActions;
  /** The meter in cents. */
  meter: number | null;
  /** What the dealer said since the last message on this connection. */
  told: NarrationLine[];
  /** What the table waits for; `left` is in milliseconds, null without a limit. */
  waiting: {
    for: "wagers" | "ready" | "decision" | "jackpot" | "document" | "players" | "staff";
    position: number;
    left: number | null;
    /** The role that has to act. */
    role: string;
    /** What staff have to do; empty if players have to act. */
    task: string;
  } | null;
  /** The hash that commits the house to the secret of the next shuffle. */
  commitment: string;
  console: ConsoleView | null;
  /** Positions that sit out after a missed round; the table does not wait for them. */
  sitting_out: number[];
}

export interface DoneMessage {
  kind: "done";
  key: string;
  sequence: number;
  repeated: boolean;
}

export interface RefusedMessage {
  kind: "refused";
  key: string;
  refusal: Refusal;
}

/** A message could not be read, or came too fast; the connection stays open. */
export interface ProtocolErrorMessage {
  kind: "trouble";
  key: string;
  message: string;
}

export type LiveMessage = TableMessage | DoneMessage | RefusedMessage | ProtocolErrorMessage;

/** A command by its kind: {"kind": "place_wager", "position": 3, "wager": "ante", "amount": 1000}. */
export type Command = { kind: string } & Record<string, unknown>;

export interface RoundSummary {
  table: string;
  number: number;
  at: number;
  rulebook: string;
  /** The clauses that made the round void; empty if it stands. */
  void: string[];
  places: { position: number; player: string; wagered: number; net: number; hand: string | null; decision: string | null }[];
  net: number;
  wagered: number;
  proven: boolean;
}

export interface ReplayStep {
  told: NarrationLine[];
  view: RoundView;
}

export interface RoundDetail {
  table: string;
  number: number;
  at: number;
  rulebook: string;
  title: string;
  steps: ReplayStep[];
  /** The commitment published before the shuffle; empty if the cards were keyed in. */
  commitment: string;
  /** The round as exported, with the proof of its shuffle. */
  proof: RoundLine | null;
}

export interface RoundOutcome {
  table: string;
  number: number;
  at: number;
  net: number;
  wagered: number;
  /** The expected result of the wagers with best play, in cents. */
  expected: number;
  /** The standard deviation of that result, in cents. */
  sd: number;
}

export interface ResultsAnswer {
  rounds: RoundOutcome[];
  /** Sentences about these rounds. */
  notes: string[];
  next: string | null;
}

/** An exact figure, or an estimate with its standard error. */
export interface Figure {
  fraction?: string;
  value: number;
  standard_error?: number;
}

export interface OddsOutcome {
  hand: string;
  count: number;
  of: number;
  pays: string | null;
  net: Figure;
  beaten?: string;
  decision?: string;
  result?: string;
  bonus?: string;
}

export interface Odds {
  wager: string;
  paytable: string;
  rulebook: string;
  edition: string;
  house_edge: Figure;
  hit_frequency: Figure;
  standard_deviation: number;
  outcomes: OddsOutcome[];
  published: Record<string, { printed: string; clause: string }> | null;
  assumptions?: string[];
  clauses: string[];
  rounds?: number;
  /** Figures that only some wagers have. */
  ev_per_ante?: Figure;
  average_wager?: Figure;
  element_of_risk?: Figure;
  decisions?: Record<string, Figure>;
  results?: Record<string, Figure>;
  bonus_value?: Figure;
  house_edge_without_envy?: Figure;
  envy_from_each_other?: Figure;
  break_even_meter?: Figure | null;
  top_award?: Figure;
}

/** A paytable that a source prints. */
export interface PrintedPaytable {
  rulebook: string;
  paytable: string;
  /** The stake (Envy) or number of players (Cover All) of this column; otherwise empty. */
  column: string;
  pays: Record<string, string>;
  clauses: string[];
}

export interface WagerIndex {
  wager: string;
  label: string;
  /** Names of further query parameters. */
  options: string[];
  /** The rows that a custom paytable can have; empty if there is no custom paytable. */
  rows: string[];
  tables: PrintedPaytable[];
}

export interface OddsIndex {
  wagers: WagerIndex[];
  strategies: { name: string; says: string }[];
  bonuses: string[];
  rulebooks: { id: string; name: string; edition: string; bonuses: string[] }[];
}

/** A figure that a source prints, compared with the exact one. */
export interface AuditedFigure {
  clause: string;
  wager: string;
  paytable: string;
  measure: string;
  printed: string;
  exact: (Figure & { basis: string }) | null;
  agrees: boolean | null;
  closest: (Figure & { basis: string; match: string | null }) | null;
  note: string;
}

export interface Strategy {
  name: string;
  says: string;
  ev_per_ante: Figure;
  house_edge: Figure;
  element_of_risk: Figure;
  average_wager: Figure;
  /** How much more it costs than the best strategy. */
  cost: Figure;
  decisions: Record<string, Figure>;
}

export interface Clause {
  id: string;
  source: string;
  /** The section of its source. */
  clause: string;
  topic: string;
  kind: string;
  requirement: string;
  params: string;
  /** Ids of the rulings that interpret it. */
  ruling: string;
  notes: string;
  /** Whether a test covers it. */
  proven: boolean;
  carried_by?: string[];
  tests?: string[];
  not_seen?: string;
  rulings?: Ruling[];
}

export interface Setting {
  default: boolean | number | string;
  values: (boolean | number | string)[];
  rulebooks?: string[];
}

/** A ruling (R…) interprets a source; a policy (P…) says what the system does where the sources are silent. */
export interface Ruling {
  id: string;
  title: string;
  clauses: string[];
  reading: string;
  question?: string;
  overrules?: string[];
  settings?: Record<string, Setting>;
  carried_by?: string[];
  tests?: string[];
}

export interface RulebookPoint {
  point: string;
  differs: boolean;
  pays?: Record<string, string>;
  rulebooks: Record<string, { value: string | null; clauses: string[] }>;
}

export interface Finding {
  level: "error" | "warning";
  where: string;
  message: string;
  clauses: string[];
}

export interface CheckResult {
  valid: boolean;
  findings: Finding[];
  sign: SignPanel[];
  submission: string | null;
  worst_loss: { total: number | null; by_wager: Record<string, number>; without_maximum: string[] } | null;
  duties: { what: string; who: string; clauses: string[] }[];
}

/** A submission that comes with fourcard. */
export interface Example {
  name: string;
  title: string;
  rulebook: string;
}

/** Source names by the first letters of their clause ids. */
export const SOURCES: Record<string, string> = {
  MA: "Massachusetts",
  SM: "Shuffle Master",
  MD: "Maryland",
  WA: "Washington",
  IA: "Catfish Bend, Iowa",
};
