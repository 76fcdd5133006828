/**
 * Shared round: a finished round without names, as a link that holds all of it.
 *
 * The order of the deck comes from the secret of the house and from a message with the players' names and seeds. A
 * shared round has the secret, and in place of the message only the inner hashes of its HMAC: they give the same
 * random numbers, but nobody can read a name or a seed from them.
 */

import { bytesOf, cardsOf, hexadecimal, messageOf, shuffled, type Destination } from "../history/fairness";
import type { ExportedRound } from "../lib/apiTypes";
import { parseCards } from "../poker/cards";

export const FORMAT = "fourcard-round-1";
/** No honest link is longer; a longer one is not read. */
const MAX_LENGTH = 8000;
const MAX_TEXT_LENGTH = 40_000;

/** The player's part in a position. */
export interface OwnPart {
  wagers: Record<string, number>;
  /** Cents on Play, 0 for a fold; none without a decision. */
  play?: number;
  net: number;
}

export interface SharedPlace {
  position: number;
  /** None where the player who shares the round did not see them. */
  cards?: string;
  /** For a position of the player who shares the round. */
  own?: OwnPart;
}

/** Where cards went off the deck, in order; a discarded card is named, because it need not be the next one. */
export type Served = [to: Destination, count: number] | ["discarded", card: string];

export interface SharedRound {
  format: typeof FORMAT;
  rulebook: string;
  edition: string;
  /** The table of the Automatic Bonus; null without one. */
  bonus: string | null;
  places: SharedPlace[];
  dealer: string;
  up: string;
  bonus_card?: string;
  commitment: string;
  secret: string;
  /** The inner hashes of the HMAC, which stand for table, round, names and seeds. */
  hashes: string[];
  cuts: number[];
  served: Served[];
}

/** What a player knows of a round that is shared. */
export interface ShareSource {
  line: ExportedRound;
  edition: string;
  bonus: string | null;
  up: string;
  /** The player's net result by position. */
  nets: Record<number, number>;
  /** The positions whose cards the player saw. */
  seen: number[];
}

/** The round without names, to be shared. */
export async function sharedRoundOf({ line, edition, bonus, up, nets, seen }: ShareSource): Promise<SharedRound> {
  const { proof } = line;
  const served = proof.drawn.flatMap(({ to, cards }): Served[] =>
    to === "discarded" ? cardsOf(cards).map((card) => [to, card]) : [[to, cardsOf(cards).length]]);
  return {
    format: FORMAT,
    rulebook: line.rulebook,
    edition,
    bonus,
    places: line.seats.map(({ position, cards, wagers, play }) => ({
      position,
      ...(seen.includes(position) && { cards }),
      ...(position in nets && { own: { wagers, ...(play !== undefined && { play }), net: nets[position]! } }),
    })),
    dealer: line.dealer,
    up,
    ...(line.bonus_card && { bonus_card: line.bonus_card }),
    commitment: proof.commitment,
    secret: proof.secret,
    hashes: await innerHashes(bytesOf(proof.secret), messageOf(proof)),
    cuts: proof.cuts,
    served,
  };
}

// The HMAC in its two halves.

const BLOCK = 64;
const [INNER, OUTER] = [0x36, 0x5c];

/** SHA-256 of the key, combined with a byte and filled to a block, and of more bytes: one half of an HMAC. */
async function half(key: Uint8Array<ArrayBuffer>, byte: number, rest: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const input = new Uint8Array(BLOCK + rest.length).fill(byte, 0, BLOCK);
  key.forEach((each, at) => (input[at] = each ^ byte));
  input.set(rest, BLOCK);
  return crypto.subtle.digest("SHA-256", input);
}

/** The random numbers of a shuffle from inner hashes: the outer half of each HMAC, read as 4-byte numbers. */
export async function* numbersFrom(secret: Uint8Array<ArrayBuffer>, hashes: AsyncIterable<Uint8Array<ArrayBuffer>>): AsyncGenerator<number, void> {
  for await (const hash of hashes) {
    const bytes = new DataView(await half(secret, OUTER, hash));
    for (let at = 0; at < bytes.byteLength; at += 4) yield bytes.getUint32(at);
  }
}

/** As many inner hashes of a message as its shuffle takes. */
async function innerHashes(secret: Uint8Array<ArrayBuffer>, message: string): Promise<string[]> {
  const taken: string[] = [];
  async function* hashes(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for (let block = 0; ; block++) {
      const hash = await half(secret, INNER, new TextEncoder().encode(`${message}\n${block}`));
      taken.push(hexadecimal(hash));
      yield new Uint8Array(hash);
    }
  }
  await shuffled(numbersFrom(secret, hashes()));
  return taken;
}

// The link.

/** The text of a shared round in an address: compressed, in the alphabet of addresses. */
export async function encodeRound(round: SharedRound): Promise<string> {
  const bytes = new Uint8Array(await piped(new TextEncoder().encode(JSON.stringify(round)), new CompressionStream("deflate-raw")));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

const DAMAGED = "This link is damaged: a part of it is missing, or it was changed.";

/** The round of a text; fail with a sentence where there is none. */
export async function decodeRound(text: string): Promise<SharedRound> {
  if (text.length > MAX_LENGTH || !/^[\w-]+$/.test(text)) throw new UnsharedRound(DAMAGED);
  let round: unknown;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    round = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(await piped(bytes, new DecompressionStream("deflate-raw"))));
  } catch {
    throw new UnsharedRound(DAMAGED);
  }
  if (!isSharedRound(round)) throw new UnsharedRound(DAMAGED);
  return round;
}

/** The link or the round in it cannot be shown. */
export class UnsharedRound extends Error {}

/** What comes out of a stream; a flood of data stops it. */
async function piped(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<ArrayBuffer> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    if (size > MAX_TEXT_LENGTH) throw new UnsharedRound(DAMAGED);
    parts.push(next.value);
  }
  return new Blob(parts).arrayBuffer();
}

// The shape: whatever the address holds, the check reads only what it expects.

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === "string" && value.length <= 40;
const isCents: Check = (value) => Number.isSafeInteger(value) && Math.abs(value as number) < 1e13;
const isPosition: Check = (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 7;
const isHex: Check = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const isCards: Check = (value) => typeof value === "string" && /^([2-9TJQKA][cdhs]( |$))+$/.test(value) && typeof parseCards(value) !== "string";
const isListOf = (check: Check, most: number): Check => (value) => Array.isArray(value) && value.length <= most && value.every(check);
const optional = (check: Check): Check => (value) => value === undefined || check(value);
/** An object with exactly these fields. */
const isObject = (fields: Record<string, Check>): Check => (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).every((name) => name in fields) &&
  Object.entries(fields).every(([name, check]) => check((value as Record<string, unknown>)[name]));
const isWagers: Check = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value) &&
  Object.entries(value).every(([name, amount]) => /^[a-z_]{1,20}$/.test(name) && isCents(amount) && (amount as number) > 0);
const PLACES = ["dealer", "extra", "bonus_card"];
const isServed: Check = (value) => {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [to, what] = value as [unknown, unknown];
  if (to === "discarded") return isCards(what) && (what as string).length === 2;
  return (isPosition(to) || PLACES.includes(to as string)) && Number.isInteger(what) && (what as number) >= 1 && (what as number) <= 6;
};
const isSharedRound = isObject({
  format: (value) => value === FORMAT,
  rulebook: isText,
  edition: isText,
  bonus: (value) => value === null || isText(value),
  places: isListOf(isObject({
    position: isPosition,
    cards: optional(isCards),
    own: optional(isObject({ wagers: isWagers, play: optional(isCents), net: isCents })),
  }), 7),
  dealer: isCards,
  up: isCards,
  bonus_card: optional(isCards),
  commitment: isHex,
  secret: isHex,
  hashes: isListOf(isHex, 12),
  cuts: isListOf(isCents, 4),
  served: isListOf(isServed, 60),
}) as (value: unknown) => value is SharedRound;
