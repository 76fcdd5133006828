/** What besides its paytable moves a wager's odds: how it is asked for, and between which bounds. */

export interface Parameter {
  name: string;
  label: string;
  /** In steps of a slider, with a field beside it; or one of some choices. */
  kind: "dollars" | "count" | "strategy" | "tick";
  least: number;
  most: number;
  step: number;
  start: number | null;
}

const stake: Parameter = { name: "stake", label: "Stake", kind: "dollars", least: 1, most: 25, step: 1, start: 1 };
const others: Parameter = { name: "others", label: "Other players", kind: "count", least: 0, most: 6, step: 1, start: 0 };

export const PARAMETERS: Record<string, Parameter[]> = {
  ante: [{ name: "strategy", label: "Strategy", kind: "strategy", least: 0, most: 0, step: 0, start: null }],
  six_card: [stake],
  progressive: [
    { name: "meter", label: "The meter shows", kind: "dollars", least: 1000, most: 100_000, step: 500, start: null },
    { ...stake, most: 5 },
    others,
  ],
  envy: [{ ...stake, most: 5 }, { ...others, least: 1, start: 1 }],
  bad_beat: [{ name: "tie_wins", label: "A tie pays too", kind: "tick", least: 0, most: 1, step: 1, start: null }],
  cover_all: [{ name: "players", label: "Players dealt in", kind: "count", least: 1, most: 6, step: 1, start: 6 }],
};
