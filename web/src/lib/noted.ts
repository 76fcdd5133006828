/** The commitments that this browser has seen at the tables before their cards were shuffled, noted down for the history. */

import { Kept } from "./kept.svelte";

/** A commitment, and the number of the round during which it came. */
export interface Noted {
  commitment: string;
  round: number;
}

const MOST = 100;
const kept = new Kept<Record<string, Noted[]>>("commitments", {});

/** Note a table's commitment down, where it is a new one. */
export function note(table: string, commitment: string, round: number): void {
  const before = kept.value[table] ?? [];
  if (!commitment || before.some((each) => each.commitment === commitment)) return;
  kept.value = { ...kept.value, [table]: [...before, { commitment, round }].slice(-MOST) };
}

/** What was noted of a commitment; null where this browser has never seen it at the table. */
export const notedOf = (table: string, commitment: string): Noted | null =>
  kept.value[table]?.find((each) => each.commitment === commitment) ?? null;
