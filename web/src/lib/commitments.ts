/** Shuffle commitments that this browser saw at a table before the shuffle; the history page compares with them. */

import { StoredValue } from "./localStorage.svelte";

/** A commitment, and the number of the round in which it was published. */
export interface SeenCommitment {
  commitment: string;
  round: number;
}

const MAX_PER_TABLE = 100;
const stored = new StoredValue<Record<string, SeenCommitment[]>>("commitments", {});

/** Store a table's commitment if it is new. */
export function recordCommitment(table: string, commitment: string, round: number): void {
  const before = stored.value[table] ?? [];
  if (!commitment || before.some((each) => each.commitment === commitment)) return;
  stored.value = { ...stored.value, [table]: [...before, { commitment, round }].slice(-MAX_PER_TABLE) };
}

/** When this browser saw a commitment; null if it never did. */
export const seenCommitment = (table: string, commitment: string): SeenCommitment | null =>
  stored.value[table]?.find((each) => each.commitment === commitment) ?? null;
