/** What the server says, in the words of its API; money is integer cents, cards are two characters. */

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

/** Who looks at the page, and what the person may do in which roles. */
export interface Me {
  mode: "local" | "house";
  who: { kind: "player" | "staff"; person: string; name: string; roles: string[] } | null;
  /** Cents on the account with the house; null for staff and for whoever is not signed in. */
  account: number | null;
  /** What a player has at tables. */
  stacks: Stack[];
}

/** What a player has at one table, in cents. */
export interface Stack {
  table: string;
  title: string;
  chips: number;
  /** On the layout in the round under way. */
  wagered: number;
  positions: number[];
  /** Whether the player leaves when the round under way is over. */
  leaving: boolean;
}

/** A table in the list of all tables. */
export interface Lobby {
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
  /** Whether a win of the progressive waits for the staff. */
  jackpot_waits: boolean;
  /** Whether the table closes after the round under way, or was closed so. */
  last_hand: boolean;
}

/** One part of the posted sign: what a wager pays, with its clauses. */
export interface Panel {
  wager: WagerName;
  title: string;
  limits: string;
  columns: string[];
  pays: Record<string, Record<string, string>>;
  clauses: string[];
}

/** A betting spot of a position, in the order in which they lie on the layout. */
export interface Spot {
  wager: WagerName;
  label: string;
  /** Null where the amount is fixed by stakes, or follows from others (play). */
  least: number | null;
  most: number | null;
  /** The only amounts allowed, for a progressive. */
  stakes: number[];
  /** Wagers one of which must lie there first. */
  needs: WagerName[];
  /** Wagers all of which must lie there first. */
  needs_all?: WagerName[];
  clauses: string[];
}

/** What does not change while a table is installed: the game as it is printed on the felt. */
export interface Felt {
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
  sign: Panel[];
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
  /** Each card, or "??" where it lies face down to this viewer. */
  cards: string[];
  decision: "play" | "fold" | null;
  asked: boolean;
  abandoned: boolean;
  racked: boolean;
  net: number;
  /** What the cards are called, where all of them are seen: "a pair of nines". */
  hand: string | null;
}

export interface Moved {
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
  moved: Moved[];
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
  /** Whether the table closes after the round under way, or was closed so. */
  last_hand: boolean;
  /** The round before, while no other is under way. */
  last: RoundView | null;
}

export interface Told {
  text: string;
  clauses: string[];
  position: number;
}

/** What a fold loses, in cents by wager, and which wagers stay in play after it. */
export interface FoldResult {
  lost: Partial<Record<WagerName, number>>;
  stays: WagerName[];
}

/** What the looker may do; empty for whoever only watches. */
export interface Chances {
  /** Commands as they may be sent, of free amounts the least. */
  may: Command[];
  /** By own position that decides: the Play wagers that rules and chips allow, in cents. */
  plays: Record<string, { least: number; most: number; step: number }>;
  /** By own position that decides: what a fold leads to. */
  folds: Record<string, FoldResult>;
}

export interface You {
  player: string;
  positions: number[];
  /** Cents in chips at this table, those on the layout not among them. */
  chips: number;
  account: number;
  /** Whether this player has said that betting may close. */
  ready: boolean;
  seed: string;
  /** Whether this player leaves when the round under way is over. */
  leaving: boolean;
  /** Whether nobody waits for this player, who has missed a round. */
  sits_out: boolean;
}

/** The console of the progressive; for staff alone. */
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

/** A table as it is now, pushed whenever something was seen to happen there. */
export interface TableMessage {
  kind: "table";
  table: string;
  /** How far the table's journal is; it never falls. */
  sequence: number;
  view: TableView;
  you: You | null;
  chances: Chances;
  /** What the meter shows, in cents. */
  meter: number | null;
  /** What was told since the message before on this connection. */
  told: Told[];
  /** What waits, for whom, and how many milliseconds are left; null where there is no limit. */
  waiting: {
    for: "wagers" | "ready" | "decision" | "jackpot" | "document" | "players" | "staff";
    position: number;
    left: number | null;
    /** In which role somebody is to act. */
    role: string;
    /** What staff are to do; empty while players are to act. */
    task: string;
  } | null;
  /** The hash by which the house has bound itself to the secret of the next shuffle. */
  commitment: string;
  console: ConsoleView | null;
  /** The positions of people who have missed a round, for whom nobody waits. */
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

/** The connection goes on, but what was sent could not be read, or came too fast. */
export interface TroubleMessage {
  kind: "trouble";
  key: string;
  message: string;
}

export type LiveMessage = TableMessage | DoneMessage | RefusedMessage | TroubleMessage;

/** A command by its kind: {"kind": "place_wager", "position": 3, "wager": "ante", "amount": 1000}. */
export type Command = { kind: string } & Record<string, unknown>;
