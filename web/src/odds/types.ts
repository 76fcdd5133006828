/** What the house works out of wagers, and what the sources print. */

/** A figure exactly, or estimated with its standard error. */
export interface Figure {
  fraction?: string;
  value: number;
  standard_error?: number;
}

export interface Outcome {
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
  outcomes: Outcome[];
  published: Record<string, { printed: string; clause: string }> | null;
  assumptions?: string[];
  clauses: string[];
  rounds?: number;
  /** Further figures of some wagers. */
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

/** A printed table of a wager. */
export interface Printed {
  rulebook: string;
  paytable: string;
  /** For which stake Envy pays so, or for how many players Cover All does; otherwise empty. */
  column: string;
  pays: Record<string, string>;
  clauses: string[];
}

export interface WagerIndex {
  wager: string;
  label: string;
  /** What else can be asked, by the names of parameters. */
  options: string[];
  /** The rows that a table of one's own can have; none where it cannot have one. */
  rows: string[];
  tables: Printed[];
}

export interface Index {
  wagers: WagerIndex[];
  strategies: { name: string; says: string }[];
  bonuses: string[];
  rulebooks: { id: string; name: string; edition: string; bonuses: string[] }[];
}

/** A figure that a source prints, beside ours. */
export interface Audited {
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
  /** What it costs more than the best strategy. */
  cost: Figure;
  decisions: Record<string, Figure>;
}
