/** Seeds of players: a new one for each shuffle, the hash by which a player commits to it, and the receipt of both. */

const SEED_BYTES = 16;
const TYPED_BYTES = 8;
const MAX_LENGTH = 64;
const MAX_RECEIPTS = 2000;

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

/** Draw a seed; typed words come first, and random digits that nobody can guess are always part of it. */
export function drawSeed(words = ""): string {
  const typed = words.replace(/[^ -~]/g, "").trim().slice(0, MAX_LENGTH - 1 - 2 * TYPED_BYTES).trimEnd();
  return typed ? `${typed}-${randomDigits(TYPED_BYTES)}` : randomDigits(SEED_BYTES);
}

const randomDigits = (bytes: number): string => hexadecimal(crypto.getRandomValues(new Uint8Array(bytes)));

/** The SHA-256 of five lines: a label, the table, the number of the shuffle, the player and the seed. */
export async function seedHash(table: string, shuffle: number, player: string, seed: string): Promise<string> {
  const lines = ["fourcard-seed", table, `${shuffle}`, player, seed].join("\n");
  return hexadecimal(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(lines))));
}

const hexadecimal = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Receipts with a new one in place of an earlier one of the same shuffle, oldest first; only the newest are kept. */
export function withReceipt(receipts: Receipt[], receipt: Receipt): Receipt[] {
  const others = receipts.filter((each) => each.table !== receipt.table || each.shuffle !== receipt.shuffle);
  return [...others, receipt].slice(-MAX_RECEIPTS);
}
