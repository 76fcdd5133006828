/**
 * Receipts: what this browser kept of the shuffles in which its player's seed took part. The history page and
 * `fourcard verify-shuffle` judge by them whether a shuffle was fair to the player.
 */

import { StoredValue } from "./localStorage.svelte";
import { withReceipt, type Receipt } from "./seeds";

export { drawSeed, seedHash, type Receipt, type SeedCall } from "./seeds";

const stored = new StoredValue<Record<string, Receipt[]>>("receipts", {});

/** A player's receipts, oldest first. */
export const receiptsOf = (player: string): Receipt[] => stored.value[player] ?? [];

/** The receipt of a shuffle; null if this browser has none. */
export const receiptFor = (player: string, table: string, shuffle: number): Receipt | null =>
  receiptsOf(player).find((each) => each.table === table && each.shuffle === shuffle) ?? null;

/** Keep a receipt in place of an earlier one of the same shuffle. */
export function keepReceipt(player: string, receipt: Receipt): void {
  stored.value = { ...stored.value, [player]: withReceipt(receiptsOf(player), receipt) };
}

/** The file of a player's receipts that `fourcard verify-shuffle --receipts` reads. */
export const receiptsFile = (player: string): Blob =>
  new Blob([JSON.stringify({ format: "fourcard-receipts-1", player, receipts: receiptsOf(player) }, null, 1)], {
    type: "application/json",
  });
