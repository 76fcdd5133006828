/**
 * Receipts: what this browser kept of the shuffles in which its player's seed took part. The history page and
 * `fourcard verify-shuffle` judge by them whether a shuffle was fair to the player.
 */

import { StoredValue } from "./localStorage.svelte";

export { drawSeed, seedHash } from "./seeds";

/** What the browser saw when the house called the seeds, kept before it reveals its own. */
export interface SeedCall {
  round: number;
  /** Every player whose seed takes part, with the hash of the seed. */
  hashes: [player: string, hash: string][];
}

/** A player's part in one shuffle: kept when the seed is drawn, and again with the call before the seed is revealed. */
export interface Receipt {
  table: string;
  shuffle: number;
  /** The house's commitment as the browser saw it before it drew the seed. */
  commitment: string;
  seed: string;
  hash: string;
  /** The round at the table when the seed was drawn. */
  round: number;
  /** Without it, a round in which others took part cannot be proven fair. */
  call?: SeedCall;
}

const MAX_RECEIPTS = 2000;
const stored = new StoredValue<Record<string, Receipt[]>>("receipts", {});

/** A player's receipts, oldest first. */
export const receiptsOf = (player: string): Receipt[] => stored.value[player] ?? [];

/** The receipt of a shuffle; null if this browser has none. */
export const receiptFor = (player: string, table: string, shuffle: number): Receipt | null =>
  receiptsOf(player).findLast((each) => each.table === table && each.shuffle === shuffle) ?? null;

/** Keep a receipt in place of an earlier one of the same shuffle; only the newest are kept. */
export function keepReceipt(player: string, receipt: Receipt): void {
  const others = receiptsOf(player).filter((each) => each.table !== receipt.table || each.shuffle !== receipt.shuffle);
  stored.value = { ...stored.value, [player]: [...others, receipt].slice(-MAX_RECEIPTS) };
}

/** The file of a player's receipts that `fourcard verify-shuffle --receipts` reads. */
export const receiptsFile = (player: string): Blob =>
  new Blob([JSON.stringify({ format: "fourcard-receipts-1", player, receipts: receiptsOf(player) }, null, 1)], {
    type: "application/json",
  });
