/** Seeds of players: a new one for each shuffle, and the hash by which a player commits to it. */

const SEED_BYTES = 16;
const TYPED_BYTES = 8;
const MAX_LENGTH = 64;

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
