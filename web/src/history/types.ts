/** What the house tells of finished rounds. */

import type { RoundView, Told } from "../lib/types";
import type { Line } from "./fairness";

export interface RoundSummary {
  table: string;
  number: number;
  at: number;
  rulebook: string;
  /** The clauses that made the round void; none where it stands. */
  void: string[];
  places: { position: number; player: string; wagered: number; net: number; hand: string | null; decision: string | null }[];
  net: number;
  wagered: number;
  proven: boolean;
}

export interface ReplayStep {
  told: Told[];
  view: RoundView;
}

export interface RoundStory {
  table: string;
  number: number;
  at: number;
  rulebook: string;
  title: string;
  steps: ReplayStep[];
  /** What the house published before the shuffle; empty where the cards were keyed in. */
  commitment: string;
  /** The round as it is exported, with what its shuffle came from. */
  proof: Line | null;
}

export interface Result {
  table: string;
  number: number;
  at: number;
  net: number;
  wagered: number;
  /** What the wagers of the round gain on average when played as well as can be, in cents. */
  expected: number;
  /** The standard deviation of what they gain, in cents. */
  sd: number;
}

export interface Results {
  rounds: Result[];
  /** Sentences about these rounds. */
  notes: string[];
  next: string | null;
}
