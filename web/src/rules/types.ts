/** What the house tells of the law that its tables keep. */

import type { Panel } from "../lib/types";

export interface Clause {
  id: string;
  source: string;
  /** Where it stands in its source. */
  clause: string;
  topic: string;
  kind: string;
  requirement: string;
  params: string;
  /** The ids of the rulings that say how it is read. */
  ruling: string;
  notes: string;
  /** Whether a test proves it. */
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

/** How one point is read (R…), or what the system does where no source demands it (P…). */
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

export interface Point {
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

export interface Check {
  valid: boolean;
  findings: Finding[];
  sign: Panel[];
  submission: string | null;
  worst_loss: { total: number | null; by_wager: Record<string, number>; without_maximum: string[] } | null;
  duties: { what: string; who: string; clauses: string[] }[];
}

/** A submission that comes with the system. */
export interface Example {
  name: string;
  title: string;
  rulebook: string;
}

/** The sources by the letters that their clauses begin with. */
export const SOURCES: Record<string, string> = {
  MA: "Massachusetts",
  SM: "Shuffle Master",
  MD: "Maryland",
  WA: "Washington",
  IA: "Catfish Bend, Iowa",
};
