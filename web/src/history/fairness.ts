/**
 * The fairness check of one round, done in your browser by the very code that you are reading.
 *
 * Before a deck was shuffled the house published a commitment: the SHA-256 of a secret of 32 bytes. After the
 * round it revealed the secret. Secret, table, number of the shuffle and the players' seeds give the order of the
 * 52 cards, and nothing else has a say in it. So everything is worked out anew here, from the secret on, and held
 * against what the round says of itself. Only SHA-256 and HMAC come from elsewhere: from the browser (WebCrypto).
 *
 * It says the same, sentence for sentence, as `fourcard verify-shuffle`, and needs no other file.
 */

const ALGORITHM = "fourcard-shuffle-1";
const SECRET_BYTES = 32;
const LONGEST_SEED = 64;
const RANKS = "23456789TJQKA";
const SUITS = "cdhs";
/** A new deck: 2c 2d 2h 2s 3c and so on to As. */
const DECK = [...RANKS].flatMap((rank) => [...SUITS].map((suit) => rank + suit));
/** How many different numbers four bytes can give. */
const SPAN = 2 ** 32;
/** No motion of any deal takes more cards, and a card found face up lies among those that come next. */
const MOST_AT_ONCE = 6;

export type To = number | "dealer" | "extra" | "bonus_card" | "discarded";

export interface Proof {
  algorithm: string;
  table: string;
  /** The number of the shuffle at its table. */
  shuffle: number;
  commitment: string;
  secret: string;
  seeds: [player: string, seed: string][];
  /** How many cards each cut took from the top. */
  cuts: number[];
  /** The cards in the order in which they left the deck, and where they went. */
  drawn: { to: To; cards: string }[];
}

/** A finished round, as the house exports it. */
export interface Line {
  id: string | number | null;
  rulebook: string;
  edition?: string | null;
  options?: Record<string, unknown>;
  settings?: Record<string, unknown>;
  seats: { position: number; cards?: string }[];
  dealer?: string;
  bonus_card?: string | null;
  void?: string | null;
  proof?: Proof | null;
}

/** What one part of the check came to; `text` and `cards` are what it worked out. */
export interface Step {
  title: string;
  says: string;
  holds: boolean;
  text?: string;
  cards?: string[];
  /** Where each of the cards went: a position, D the dealer, E the extra stack, B the bonus box, X out of play. */
  places?: string[];
}

export interface Checked {
  verdict: "fair" | "unverifiable" | "false";
  findings: string[];
  steps: Step[];
  /** The deck as it was shuffled, top card first, before any cut. */
  order: string;
}

/** Something that no shuffle can be made of. */
class Unfit extends Error {}

export async function check(line: Line): Promise<Checked> {
  const proof = line.proof;
  if (!proof) return unverifiable("The round has no proof: its cards were keyed in, or none was dealt.");
  if (proof.algorithm !== ALGORITHM) return unverifiable(`The algorithm '${proof.algorithm}' is not known here.`);
  const steps: Step[] = [];
  try {
    const secret = bytesOf(proof.secret);
    const message = messageOf(proof.table, proof.shuffle, proof.seeds);
    const { order, drawn, passed } = await shuffled(secret, message);
    const faults = [...(await commitmentStep(secret, proof.commitment, steps))];
    shuffleSteps(message, drawn, passed, order, steps);
    const deck = cutStep(order, proof.cuts, steps);
    faults.push(...deckStep(deck, proof, steps));
    faults.push(...handStep(line, proof, steps));
    if (line.void == null) faults.push(...servingStep(line, proof, steps));
    const verdict = faults.length ? "false" : "fair";
    return { verdict, findings: faults.length ? faults : fairly(line, proof), steps, order: order.join(" ") };
  } catch (error) {
    if (!(error instanceof Unfit)) throw error;
    steps.push({ title: "What the proof says", says: error.message, holds: false });
    return { verdict: "false", findings: [error.message], steps, order: "" };
  }
}

function unverifiable(reason: string): Checked {
  return { verdict: "unverifiable", findings: [reason], steps: [], order: "" };
}

function fairly(line: Line, proof: Proof): string[] {
  const count = proof.drawn.reduce((sum, each) => sum + cardsOf(each.cards).length, 0);
  const cuts = proof.cuts.map((depth) => `, cut at ${depth}`).join("");
  return [
    `The secret matches commitment ${proof.commitment}.`,
    `The ${count} drawn cards match the shuffled deck${cuts}.`,
    `Every hand matches the drawn cards${line.void == null ? ", served as its rulebook deals" : ""}.`,
  ];
}

// 1. The commitment.

async function commitmentStep(secret: Uint8Array<ArrayBuffer>, published: string, steps: Step[]): Promise<string[]> {
  const found = hexadecimal(await crypto.subtle.digest("SHA-256", secret));
  const holds = found === published;
  const says = holds ? "The SHA-256 of the secret is the commitment." : `The commitment is another: ${published}.`;
  const text = `SHA-256(secret) = ${found}`;
  steps.push({ title: "The secret is the one that was committed to", says, holds, text });
  return holds ? [] : [`The secret does not match the commitment: its own commitment is ${found}.`];
}

// 2. The shuffle: what is told of it, the stream of numbers, and the deck that follows.

/** A line each: the algorithm, the table, the number of the shuffle, and the seeds in the order of the players. */
export function messageOf(table: string, shuffle: number, seeds: [string, string][]): string {
  if (!isName(table)) throw new Unfit(`'${table}' is not a valid table name.`);
  if (shuffle < 0) throw new Unfit(`A shuffle's number is 0 or more, not ${shuffle}.`);
  for (const [player, seed] of seeds) {
    if (!isName(player)) throw new Unfit(`'${player}' is not a valid player name.`);
    if (!isSeed(seed)) throw new Unfit(`The seed of ${player} is not 1 to ${LONGEST_SEED} plain characters.`);
  }
  const players = new Set(seeds.map(([player]) => player));
  if (players.size < seeds.length) throw new Unfit("A player has more than one seed.");
  const ordered = [...seeds].sort(([one], [other]) => (one < other ? -1 : 1));
  return [ALGORITHM, table, `${shuffle}`, ...ordered.map(([player, seed]) => `${player} ${seed}`)].join("\n");
}

/** Block 0, 1, 2 and so on: the HMAC-SHA256 of message, newline and number of the block, read as 4-byte numbers. */
async function* numbersOf(secret: Uint8Array<ArrayBuffer>, message: string): AsyncGenerator<number, never> {
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  for (let block = 0; ; block++) {
    const told = new TextEncoder().encode(`${message}\n${block}`);
    const bytes = new DataView(await crypto.subtle.sign("HMAC", key, told));
    for (let at = 0; at < bytes.byteLength; at += 4) yield bytes.getUint32(at); // the first byte weighs most
  }
}

/**
 * The last card of the deck, then the one before it and so on, changes places with one up to it (Fisher-Yates).
 * A number out of the last, incomplete turn of remainders is passed over: it would favour the low places.
 */
export async function shuffled(
  secret: Uint8Array<ArrayBuffer>,
  message: string,
): Promise<{ order: string[]; drawn: number[]; passed: number[] }> {
  const [order, drawn, passed] = [[...DECK], [] as number[], [] as number[]];
  const numbers = numbersOf(secret, message);
  for (let place = order.length - 1; place > 0; place--) {
    const choices = place + 1;
    let number = (await numbers.next()).value;
    for (; number >= SPAN - (SPAN % choices); number = (await numbers.next()).value) passed.push(number);
    drawn.push(number);
    const chosen = number % choices;
    [order[place], order[chosen]] = [order[chosen]!, order[place]!];
  }
  return { order, drawn, passed };
}

function shuffleSteps(message: string, drawn: number[], passed: number[], order: string[], steps: Step[]): void {
  const told = "Algorithm, table, number of the shuffle, and a line for each seed of a player.";
  steps.push({ title: "What is told of the shuffle", says: told, holds: true, text: message });
  const over = passed.length === 0 ? "none was passed over" : `${passed.length} passed over: ${passed.join(", ")}`;
  const says = `HMAC-SHA256 with the secret as its key gives ${drawn.length} numbers, one a swap; ${over}.`;
  steps.push({ title: "The numbers that the secret gives", says, holds: true, text: drawn.join(" ") });
  const deck = "The deck after the swaps, top card first.";
  steps.push({ title: "The deck that they shuffle", says: deck, holds: true, cards: order });
}

// 3. The cuts.

/** A cut at a depth puts so many top cards under the rest. */
function cutStep(order: string[], cuts: number[], steps: Step[]): string[] {
  for (const depth of cuts) {
    if (!(depth > 0 && depth < DECK.length)) throw new Unfit(`A deck cannot be cut at ${depth}.`);
    order = [...order.slice(depth), ...order.slice(0, depth)];
  }
  if (cuts.length) {
    const says = `${cuts.join(", then ")} cards from the top went under the rest.`;
    steps.push({ title: "The cut", says, holds: true, cards: order });
  } else steps.push({ title: "The cut", says: "The deck was not cut.", holds: true });
  return order;
}

// 4. The cards off the deck: each is the next one; a card found face up is taken from where it lies.

const LETTERS: Record<string, string> = { dealer: "D", extra: "E", bonus_card: "B", discarded: "X" };
const WHERE = "a position, D the dealer, E the extra stack, B the bonus box, X out of play";

function deckStep(order: string[], proof: Proof, steps: Step[]): string[] {
  const left = [...order];
  const taken: string[] = [];
  const places: string[] = [];
  let fault = "";
  for (const [to, card] of drawnOf(proof)) {
    const next = left.slice(0, to === "discarded" ? MOST_AT_ONCE : 1);
    if (!next.includes(card)) {
      const given = `secret, table, number, seeds and cuts give ${next.join(" ") || "nothing"}`;
      fault = `Card ${taken.length + 1} off the deck was ${card}, but ${given}.`;
      break;
    }
    left.splice(left.indexOf(card), 1);
    taken.push(card);
    places.push(LETTERS[to] ?? `${to}`);
  }
  const came = `All ${taken.length} cards came off the deck in this order`;
  const says = fault || `${came}; under each stands where it went: ${WHERE}.`;
  steps.push({ title: "The cards that were drawn", says, holds: !fault, cards: taken, places });
  return fault ? [fault] : [];
}

/** Every card that left the deck, one by one, with where it went. */
function* drawnOf(proof: Proof): Generator<[To, string]> {
  for (const { to, cards } of proof.drawn) {
    if (typeof to === "number" && to < 1) throw new Unfit(`Cards were drawn to position ${to}, which no table has.`);
    for (const card of cardsOf(cards)) yield [to, card];
  }
}

// 5. The hands: every card of a hand was drawn to it, in any order, and no other.

function handStep(line: Line, proof: Proof, steps: Step[]): string[] {
  const drawn = [...drawnOf(proof)];
  const drawnTo = (place: To): string[] => drawn.filter(([to]) => to === place).map(([, card]) => card);
  const told = new Map(line.seats.map((seat) => [seat.position, cardsOf(seat.cards ?? "")]));
  const faults = told.size < line.seats.length ? ["A position is listed twice."] : [];
  const positions = drawn.map(([to]) => to).filter((to) => typeof to === "number");
  for (const position of [...new Set([...told.keys(), ...positions])].sort((one, other) => one - other)) {
    const [has, was] = [told.get(position) ?? [], drawnTo(position)];
    if (!same(has, was)) faults.push(`Position ${position} has ${hand(has)}, but ${hand(was)} was drawn to it.`);
  }
  const [bonus, box] = [cardsOf(line.bonus_card ?? ""), drawnTo("bonus_card")];
  if (bonus.join(" ") !== box.join(" "))
    faults.push(`The bonus card is ${hand(bonus)}, but ${hand(box)} was drawn for it.`);
  // The dealer's own cards, and at most one that was turned up from the extra stack.
  const [dealer, own, extra] = [cardsOf(line.dealer ?? ""), drawnTo("dealer"), drawnTo("extra")];
  const up = dealer.filter((card) => !own.includes(card));
  if (!same([...own, ...up], dealer) || up.length > 1 || !up.every((card) => extra.includes(card)))
    faults.push(`The dealer has ${hand(dealer)}, but ${hand(own)} was drawn to the dealer.`);
  const hands = `The dealer's hand and those of ${told.size} position${told.size === 1 ? "" : "s"}`;
  const says = faults.join(" ") || `${hands} are what was drawn.`;
  steps.push({ title: "The hands", says, holds: !faults.length });
  return faults;
}

// 6. The order of serving: one of those that the rulebook knows, and it turns that card of the extra stack up.

const BY_PASSES = ["massachusetts", "maryland", "washington", "catfish-bend"];
const BOTTOM_TURNED_UP = ["massachusetts", "maryland"];

/** Every order in which a rulebook serves these positions, card by card. */
export function servings(line: Line, positions: number[]): To[][] {
  const served = [...positions].sort((one, other) => one - other);
  const five = (to: To): To[] => Array<To>(5).fill(to);
  const players = served.flatMap(five);
  const dealer = [...five("dealer"), ...five("extra")];
  const passes = [...Array(5).keys()].flatMap(() => [...served, "dealer" as const]);
  const found: To[][] = BY_PASSES.includes(line.rulebook) ? [[...passes, "dealer"]] : [];
  if (line.rulebook !== "maryland") return [...found, [...players, ...dealer]];
  if (line.edition === "existing") return [...found, [...players, ...dealer], [...dealer, ...players]];
  const bonus: To[] = line.options?.six_card != null || line.settings?.bonus_card === "always" ? ["bonus_card"] : [];
  return [...found, [...bonus, ...five("dealer"), "dealer", ...players]];
}

function servingStep(line: Line, proof: Proof, steps: Step[]): string[] {
  const drawn = [...drawnOf(proof)];
  const served = drawn.map(([to]) => to).filter((to) => to !== "discarded");
  const found = drawn.length - served.length;
  // The first card found face up is taken out; the next calls the deal off, in Catfish Bend the first already.
  const tolerated = line.rulebook === "catfish-bend" ? 0 : 1;
  const many = `${line.rulebook} does not allow a deal after ${found} cards were found face up.`;
  const faults = found > tolerated ? [many] : [];
  const positions = [...new Set(served.filter((to) => typeof to === "number"))];
  const extra = drawn.filter(([to]) => to === "extra").map(([, card]) => card);
  const chosen = line.settings?.up_card_end;
  const bottom = chosen === "bottom" || (chosen !== "top" && BOTTOM_TURNED_UP.includes(line.rulebook));
  if (!servings(line, positions).some((order) => order.join(" ") === served.join(" ")))
    faults.push(`No dealing method of ${line.rulebook} serves the places in this order.`);
  else if (extra.length && !cardsOf(line.dealer ?? "").includes(extra.at(bottom ? -1 : 0)!))
    faults.push(`The dealer's up card is not the card of the extra stack that ${line.rulebook} turns up.`);
  const says = faults.join(" ") || `A dealing method of ${line.rulebook} serves the places in this order.`;
  steps.push({ title: "The order of serving", says, holds: !faults.length });
  return faults;
}

// Texts, bytes and cards.

const same = (one: string[], other: string[]): boolean => [...one].sort().join(" ") === [...other].sort().join(" ");
const hand = (cards: string[]): string => cards.join(" ") || "nothing";
const isName = (text: string): boolean => /^[a-z0-9][a-z0-9._-]{0,39}$/.test(text) && !text.endsWith("\n");
const isSeed = (text: string): boolean => /^[ -~]{1,64}$/.test(text) && text === text.trim();
const hexadecimal = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export function bytesOf(secret: string): Uint8Array<ArrayBuffer> {
  if (!/^([0-9a-f]{2})+$/.test(secret)) throw new Unfit("The secret is not written in hexadecimal.");
  const bytes = Uint8Array.from(secret.match(/../g)!, (pair) => parseInt(pair, 16));
  if (bytes.length !== SECRET_BYTES) throw new Unfit(`A secret has ${SECRET_BYTES} bytes, not ${bytes.length}.`);
  return bytes;
}

function cardsOf(text: string): string[] {
  const cards = text.split(/[\s,]+/).filter(Boolean);
  for (const card of cards) {
    if (DECK.includes(card)) continue;
    throw new Unfit(`'${card}' is not a card; write a rank of ${RANKS} and a suit of ${SUITS}, such as As or Td.`);
  }
  return cards;
}
