/**
 * Fairness check of one round. Your browser runs exactly the code that you are reading.
 *
 * Before the shuffle the house published a commitment: the SHA-256 of a secret of 32 bytes. Then each player's page drew
 * a new seed and sent its hash. When bets were closed, the pages saw all hashes and revealed their seeds. After the round
 * the house revealed the secret. Only the secret, the table, the numbers of shuffle and round, the seeds, and the hashes
 * of seeds that were withheld decide the order of the 52 cards. This code computes everything again from the secret and
 * compares it with the round, and with the receipt that your own page kept. SHA-256 and HMAC come from the browser
 * (WebCrypto); nothing else is needed.
 *
 * The round is as the house exports it. Its proof also has the cuts (how many cards each took from the top) and the
 * cards in the order in which they left the deck, with the place where they went. How the cards must be dealt is read
 * from the rules that the round was played by: the pinned game, whose hash is in the journal of the house.
 *
 * The findings are the same, sentence for sentence, as those of `fourcard verify-shuffle`.
 */

import type { DrawnCards, ExportedRound, PinnedGame, ShuffleProof } from "../lib/apiTypes";
import type { Receipt } from "../lib/receipts";

const ALGORITHM = "fourcard-shuffle-2";
/** Rounds of 0.1: no round in the message, no hashes, and the house knew the seeds before its commitment. */
const FIRST_ALGORITHM = "fourcard-shuffle-1";
const SECRET_BYTES = 32;
const MIN_SEED_LENGTH = 16;
const MAX_SEED_LENGTH = 64;
const RANKS = "23456789TJQKA";
const SUITS = "cdhs";
/** A new deck: 2c 2d 2h 2s 3c and so on to As. */
const DECK = [...RANKS].flatMap((rank) => [...SUITS].map((suit) => rank + suit));
/** How many different numbers four bytes can hold. */
const SPAN = 2 ** 32;
/** No step of a deal takes more cards; a card found face up is one of the next ones. */
export const MAX_PER_STEP = 6;

export type Destination = DrawnCards["to"];

/** The result of one step of the check; `text` and `cards` are what it computed. */
export interface CheckStep {
  title: string;
  says: string;
  holds: boolean;
  text?: string;
  cards?: string[];
  /** Where each card went: a position, D dealer, E extra stack, B bonus card, X out of play. */
  places?: string[];
}

export interface FairnessResult {
  verdict: "fair" | "committed only" | "not verifiable" | "false";
  findings: string[];
  steps: CheckStep[];
  /** What became of your seed; null without a receipt of the shuffle. */
  ownSeed: "used" | "withheld" | "left out" | null;
  /** The shuffled deck before any cut, top card first. */
  order: string;
}

/** The proof has a value that no shuffle can use. */
export class InvalidProof extends Error {}

export async function check(line: ExportedRound, game: PinnedGame, receipt?: Receipt | null, player?: string): Promise<FairnessResult> {
  const proof = line.proof;
  if (!proof) return notVerifiable("The round has no proof: its cards were keyed in, or none was dealt.");
  if (proof.algorithm !== ALGORITHM && proof.algorithm !== FIRST_ALGORITHM)
    return notVerifiable(`The algorithm '${proof.algorithm}' is not known here.`);
  const steps: CheckStep[] = [];
  try {
    const secret = bytesOf(proof.secret);
    const message = messageOf(proof);
    const { order, drawn, skipped } = await shuffled(numbersOf(secret, message));
    const faults = [...(await commitmentStep(secret, proof.commitment, steps)), ...roundFaults(line.id, proof)];
    shuffleSteps(message, drawn, skipped, order, steps);
    const deck = cutStep(order, proof.cuts, steps);
    faults.push(...deckStep(deck, proof, steps));
    faults.push(...handStep(line, proof, steps));
    faults.push(...(await rulesStep(game, steps)));
    const rules: Rules = JSON.parse(game.text);
    if (line.void == null) faults.push(...dealingOrderStep(line, proof, rules, steps));
    const own = await ownSeedStep(proof, receipt ?? null, player, ROUND_ID.test(`${line.id}`), steps);
    faults.push(...own.faults);
    const doubts = [...own.doubts, ...laterChoices(rules, proof)];
    const verdict = faults.length ? "false" : doubts.length ? "committed only" : "fair";
    const reasons = faults.length ? faults : [...confirmed(line, proof), ...(doubts.length ? doubts : [FAIR])];
    return { verdict, findings: [...reasons, ...withheldFindings(proof)], steps, ownSeed: own.use, order: order.join(" ") };
  } catch (error) {
    if (!(error instanceof InvalidProof)) throw error;
    steps.push({ title: "The proof is valid", says: error.message, holds: false });
    return { verdict: "false", findings: [error.message, ...withheldFindings(proof)], steps, ownSeed: null, order: "" };
  }
}

function notVerifiable(reason: string): FairnessResult {
  return { verdict: "not verifiable", findings: [reason], steps: [], ownSeed: null, order: "" };
}

function confirmed(line: ExportedRound, proof: ShuffleProof): string[] {
  const count = proof.drawn.reduce((sum, each) => sum + cardsOf(each.cards).length, 0);
  const cuts = proof.cuts.map((depth) => `, cut at ${depth}`).join("");
  return [
    `The secret matches commitment ${proof.commitment}.`,
    `The ${count} drawn cards match the shuffled deck${cuts}.`,
    `Every hand matches the drawn cards${line.void == null ? ", served as its rulebook deals" : ""}.`,
  ];
}

function withheldFindings(proof: ShuffleProof): string[] {
  const names = (proof.withheld ?? []).map(([player]) => player);
  if (!names.length) return [];
  const [count, each] = names.length === 1 ? ["1 seed was", ""] : [`${names.length} seeds were`, " each"];
  return [`${count} withheld (${names.join(", ")}): a partner of the house gains one bit by withholding${each}.`];
}

/** The id that a house gives to an exported round: its table and its number. */
const ROUND_ID = /^([a-z0-9][a-z0-9._-]{0,39})\/([0-9]{1,18})$/;

function roundFaults(id: string | number | null | undefined, proof: ShuffleProof): string[] {
  const named = ROUND_ID.exec(`${id}`);
  if (!named || proof.round == null || (named[1] === proof.table && Number(named[2]) === proof.round)) return [];
  return [`The line is of round ${named[0]}, but its proof is of round ${proof.table}/${proof.round}.`];
}

// 1. The commitment.

export async function commitmentStep(secret: Uint8Array<ArrayBuffer>, published: string, steps: CheckStep[]): Promise<string[]> {
  const hash = hexadecimal(await crypto.subtle.digest("SHA-256", secret));
  const holds = hash === published;
  const says = holds ? "The SHA-256 of the secret is the commitment." : `The commitment is different: ${published}.`;
  const text = `SHA-256(secret) = ${hash}`;
  steps.push({ title: "The secret matches the commitment", says, holds, text });
  return holds ? [] : [`The secret does not match the commitment: its own commitment is ${hash}.`];
}

// 2. The shuffle: its message, the random numbers, and the shuffled deck.

/** The message of a shuffle, one line each: algorithm, table, shuffle, round, and seeds and withheld hashes by player. */
export function messageOf(proof: ShuffleProof): string {
  const { algorithm, table, shuffle, seeds } = proof;
  const [round, withheld] = [proof.round ?? null, proof.withheld ?? []];
  if ((algorithm === ALGORITHM) !== (round !== null) || (withheld.length && !round))
    throw new InvalidProof(`The algorithm '${algorithm}' has no such fields.`);
  if (!isName(table)) throw new InvalidProof(`'${table}' is not a valid table name.`);
  if (shuffle < 0) throw new InvalidProof(`A shuffle's number is 0 or more, not ${shuffle}.`);
  checkSeeds(seeds, withheld, round === null ? 1 : MIN_SEED_LENGTH);
  if (round === null) {
    const lines = [...seeds].sort(byPlayer).map(([player, seed]) => `${player} ${seed}`);
    return [algorithm, table, `${shuffle}`, ...lines].join("\n");
  }
  if (round < 1) throw new InvalidProof(`A round's number is 1 or more, not ${round}.`);
  const parts = [...seeds.map(([player, seed]) => [player, `seed ${player} ${seed}`]), ...withheld.map(([player, hash]) => [player, `withheld ${player} ${hash}`])];
  return [algorithm, table, `${shuffle}`, `${round}`, ...(parts as Seed[]).sort(byPlayer).map(([, text]) => text)].join("\n");
}

type Seed = [player: string, text: string];
const byPlayer = ([a]: Seed, [b]: Seed): number => (a < b ? -1 : 1);

function checkSeeds(seeds: Seed[], withheld: Seed[], least: number): void {
  const players = [...seeds, ...withheld].map(([player]) => player);
  for (const player of players) if (!isName(player)) throw new InvalidProof(`'${player}' is not a valid player name.`);
  for (const [player, seed] of seeds)
    if (!isSeed(seed, least)) throw new InvalidProof(`The seed of ${player} is not ${least} to ${MAX_SEED_LENGTH} plain characters.`);
  if (!withheld.every(([, hash]) => /^[0-9a-f]{64}$/.test(hash)))
    throw new InvalidProof("The hash of a withheld seed is not 64 hexadecimal digits.");
  if (new Set(players).size < players.length) throw new InvalidProof("A player has more than one seed.");
}

/** Random numbers: the HMAC-SHA256 of message, newline and block number (0, 1, 2, …), read as 4-byte numbers. */
async function* numbersOf(secret: Uint8Array<ArrayBuffer>, message: string): AsyncGenerator<number, void> {
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  for (let block = 0; ; block++) {
    const input = new TextEncoder().encode(`${message}\n${block}`);
    const bytes = new DataView(await crypto.subtle.sign("HMAC", key, input));
    for (let at = 0; at < bytes.byteLength; at += 4) yield bytes.getUint32(at); // big-endian
  }
}

/**
 * Fisher-Yates shuffle: from the last card to the second, swap each card with one at or before its place.
 * Numbers above the largest multiple of the number of choices are skipped: they would favor low places.
 */
export async function shuffled(
  numbers: AsyncGenerator<number, void>,
): Promise<{ order: string[]; drawn: number[]; skipped: number[] }> {
  const [order, drawn, skipped] = [[...DECK], [] as number[], [] as number[]];
  const next = async (): Promise<number> => {
    const { value } = await numbers.next();
    if (value === undefined) throw new InvalidProof("There are too few random numbers for a shuffle.");
    return value;
  };
  for (let place = order.length - 1; place > 0; place--) {
    const choices = place + 1;
    let number = await next();
    for (; number >= SPAN - (SPAN % choices); number = await next()) skipped.push(number);
    drawn.push(number);
    const chosen = number % choices;
    [order[place], order[chosen]] = [order[chosen]!, order[place]!];
  }
  return { order, drawn, skipped };
}

function shuffleSteps(message: string, drawn: number[], skipped: number[], order: string[], steps: CheckStep[]): void {
  const input = "The algorithm, the table, the numbers of shuffle and round, and one line for each player's seed or withheld hash.";
  steps.push({ title: "The input of the shuffle", says: input, holds: true, text: message });
  const skips = skipped.length === 0 ? "None was skipped." : `${skipped.length} skipped: ${skipped.join(", ")}.`;
  const says = `HMAC-SHA256 with the secret as its key gives ${drawn.length} numbers, one for each swap. ${skips}`;
  steps.push({ title: "The random numbers from the secret", says, holds: true, text: drawn.join(" ") });
  const deck = "The deck after the swaps, top card first.";
  steps.push({ title: "The shuffled deck", says: deck, holds: true, cards: order });
}

// 3. The cuts.

/** A cut at a depth moves that many top cards under the rest. */
export function cutStep(order: string[], cuts: number[], steps: CheckStep[]): string[] {
  for (const depth of cuts) {
    if (!(depth > 0 && depth < DECK.length)) throw new InvalidProof(`A deck cannot be cut at ${depth}.`);
    order = [...order.slice(depth), ...order.slice(0, depth)];
  }
  if (cuts.length) {
    const says = `${cuts.join(", then ")} top cards were moved under the rest.`;
    steps.push({ title: "The cut", says, holds: true, cards: order });
  } else steps.push({ title: "The cut", says: "The deck was not cut.", holds: true });
  return order;
}

// 4. The cards drawn: each is the next card of the deck, except a card found face up.

const LETTERS: Record<string, string> = { dealer: "D", extra: "E", bonus_card: "B", discarded: "X" };
const LEGEND = "a position, D dealer, E extra stack, B bonus card, X out of play";

function deckStep(order: string[], proof: ShuffleProof, steps: CheckStep[]): string[] {
  const left = [...order];
  const taken: string[] = [];
  const places: string[] = [];
  let fault = "";
  for (const [to, card] of drawnOf(proof)) {
    const next = left.slice(0, to === "discarded" ? MAX_PER_STEP : 1);
    if (!next.includes(card)) {
      const given = `secret, table, numbers, seeds and cuts give ${next.join(" ") || "nothing"}`;
      fault = `Card ${taken.length + 1} off the deck was ${card}, but ${given}.`;
      break;
    }
    left.splice(left.indexOf(card), 1);
    taken.push(card);
    places.push(LETTERS[to] ?? `${to}`);
  }
  const says = fault || `All ${taken.length} cards came off the deck in this order. Below each card: where it went (${LEGEND}).`;
  steps.push({ title: "The cards drawn", says, holds: !fault, cards: taken, places });
  return fault ? [fault] : [];
}

/** Every drawn card with its destination, in order. */
function* drawnOf(proof: ShuffleProof): Generator<[Destination, string]> {
  for (const { to, cards } of proof.drawn) {
    if (typeof to === "number" && to < 1) throw new InvalidProof(`Cards were drawn to position ${to}, which no table has.`);
    for (const card of cardsOf(cards)) yield [to, card];
  }
}

// 5. The hands: each hand has exactly the cards that were drawn to it, in any order.

export function handStep(line: ExportedRound, proof: ShuffleProof, steps: CheckStep[]): string[] {
  const drawn = [...drawnOf(proof)];
  const drawnTo = (place: Destination): string[] => drawn.filter(([to]) => to === place).map(([, card]) => card);
  const handByPosition = new Map(line.seats.map((seat) => [seat.position, cardsOf(seat.cards ?? "")]));
  const faults = handByPosition.size < line.seats.length ? ["A position is listed twice."] : [];
  const positions = drawn.map(([to]) => to).filter((to) => typeof to === "number");
  for (const position of [...new Set([...handByPosition.keys(), ...positions])].sort((a, b) => a - b)) {
    const [has, was] = [handByPosition.get(position) ?? [], drawnTo(position)];
    if (!same(has, was)) faults.push(`Position ${position} has ${hand(has)}, but ${hand(was)} was drawn to it.`);
  }
  const [bonus, box] = [cardsOf(line.bonus_card ?? ""), drawnTo("bonus_card")];
  if (bonus.join(" ") !== box.join(" "))
    faults.push(`The bonus card is ${hand(bonus)}, but ${hand(box)} was drawn for it.`);
  // The dealer's own cards, and at most one card turned up from the extra stack.
  const [dealer, own, extra] = [cardsOf(line.dealer ?? ""), drawnTo("dealer"), drawnTo("extra")];
  const up = dealer.filter((card) => !own.includes(card));
  if (!same([...own, ...up], dealer) || up.length > 1 || !up.every((card) => extra.includes(card)))
    faults.push(`The dealer has ${hand(dealer)}, but ${hand(own)} was drawn to the dealer.`);
  const hands = `The dealer's hand and those of ${handByPosition.size} position${handByPosition.size === 1 ? "" : "s"}`;
  const says = faults.join(" ") || `${hands} have the cards that were drawn.`;
  steps.push({ title: "The hands", says, holds: !faults.length });
  return faults;
}

// 6. The rules: their text has the hash that the journal names.

async function rulesStep(game: PinnedGame, steps: CheckStep[]): Promise<string[]> {
  const hash = hexadecimal(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(game.text)));
  const holds = hash === game.hash;
  const says = holds ? "The SHA-256 of the rules is the hash in the journal." : `The journal names other rules: ${game.hash}.`;
  steps.push({ title: "The rules of the round", says, holds, text: `SHA-256(rules) = ${hash}` });
  return holds ? [] : [`The rules of the round have the hash ${hash}, but the journal names ${game.hash}.`];
}

/** An object in the text of the rules: a list of names and values, sorted by name, so that a text has one hash. */
export type Rules = [name: string, value: unknown][];

const valueOf = (rules: Rules, name: string): unknown => rules.find(([each]) => each === name)?.[1] ?? undefined;
const part = (rules: Rules, name: string): Rules => (valueOf(rules, name) ?? []) as Rules;
/** What the law says on a point, each of which has a value and its clauses; undefined where it is silent. */
const rule = <T>(rules: Rules, name: string): T | undefined => valueOf(part(rules, name), "value") as T | undefined;
const numberOf = (rules: Rules, name: string): number => rule<number>(rules, name) ?? 0;

// 7. The dealing order: one that the rules allow; the up card is the right card of the extra stack.

interface Plan {
  /** Where each card goes, in order. */
  order: Destination[];
  /** Which card of the extra stack is turned up, if one is. */
  turned?: "top" | "bottom";
}

const cards = (to: Destination, number: number): Destination[] => Array<Destination>(number).fill(to);

/** Every plan by which the rules deal to these positions: each method, with the dealer first where that is a choice. */
export function plansOf(game: Rules, positions: number[]): Plan[] {
  return part(part(game, "rulebook"), "dealing").flatMap(([, method]) => {
    const dealing = method as Rules;
    const served = [...positions].sort((a, b) => (rule(dealing, "start") === "dealer-right" ? b - a : a - b));
    if (isSilent(dealing, "stack")) return [dealtInPasses(dealing, served)];
    const choices = rule(dealing, "dealer_first") === "with-reshuffling-shoe" ? [false, true] : [false];
    return choices.map((dealerFirst) => dealtInStacks(game, dealing, served, dealerFirst));
  });
}

const isSilent = (rules: Rules, name: string): boolean => rule(rules, name) === undefined;

/** Some cards to everybody in each pass, the dealer last; the dealer's last cards come together. */
function dealtInPasses(dealing: Rules, served: number[]): Plan {
  const [each, total] = [numberOf(dealing, "cards_a_pass"), numberOf(dealing, "dealer_down") + numberOf(dealing, "dealer_up")];
  const apart = total - numberOf(dealing, "dealer_together");
  const order: Destination[] = [];
  let held = 0;
  for (let dealt = 0; dealt < numberOf(dealing, "player_cards"); dealt += each) {
    order.push(...served.flatMap((position) => cards(position, each)));
    if (held + each > apart) continue;
    held += each;
    order.push(...cards("dealer", each));
  }
  return { order: [...order, ...cards("dealer", total - held)] };
}

/** Whole hands from a machine, in its order. */
function dealtInStacks(game: Rules, dealing: Rules, served: number[], dealerFirst: boolean): Plan {
  const printed = rule<string[]>(dealing, "order") ?? [];
  const last = dealerFirst && printed.indexOf("dealer") > printed.indexOf("players");
  const recipients = last ? [...printed.filter((each) => each !== "players"), "players"] : printed;
  const stacks: Record<string, Destination[]> = {
    players: served.flatMap((position) => cards(position, numberOf(dealing, "stack"))),
    dealer: cards("dealer", numberOf(dealing, "dealer_stack")),
    extra: cards("extra", isSilent(dealing, "burned") ? 0 : numberOf(dealing, "extra_stack")),
    bonus: cards("bonus_card", dealsBonusCard(game) ? numberOf(dealing, "bonus_cards") : 0),
  };
  const upCard = rule<string>(dealing, "up_card") ?? "";
  // Stored games of version 0.1 could choose the end of the stack (R78).
  const chosen = setting(game, "up_card_end") ?? "as_printed";
  const end = (chosen === "as_printed" ? upCard : chosen).startsWith("top") ? "top" : "bottom";
  return { order: recipients.flatMap((each) => stacks[each] ?? []), turned: upCard.endsWith("extra-stack") ? end : undefined };
}

/** The bonus card is dealt where its wager is offered, or always where the house chose so. */
const dealsBonusCard = (game: Rules): boolean =>
  [part(game, "tables"), part(part(game, "submission"), "wagers")].some((each) => each.some(([name]) => name === "six_card")) ||
  setting(game, "bonus_card") === "always";

const setting = (game: Rules, name: string): string | undefined => valueOf(part(game, "settings"), name) as string | undefined;

/** How many cards found face up a deal survives: the one that is discarded, or none. */
function faceUpLimit(game: Rules): number {
  const rows = part(part(game, "rulebook"), "irregularities");
  if (!rule<string[]>(rows, "one_face_up_card")?.includes("discard-card")) return 0;
  return isSilent(rows, "more_face_up_cards") ? DECK.length : 1;
}

export function dealingOrderStep(line: ExportedRound, proof: ShuffleProof, game: Rules, steps: CheckStep[]): string[] {
  const drawn = [...drawnOf(proof)];
  const served = drawn.map(([to]) => to).filter((to) => to !== "discarded");
  const faceUp = drawn.length - served.length;
  const many = `${line.rulebook} does not allow a deal after ${faceUp} cards were found face up.`;
  const faults = faceUp > faceUpLimit(game) ? [many] : [];
  const positions = [...new Set(served.filter((to) => typeof to === "number"))];
  const extra = drawn.filter(([to]) => to === "extra").map(([, card]) => card);
  const dealer = cardsOf(line.dealer ?? "");
  const plans = plansOf(game, positions).filter((plan) => plan.order.join(" ") === served.join(" "));
  const turnsUp = (plan: Plan): boolean => plan.turned !== undefined && dealer.includes(extra.at(plan.turned === "top" ? 0 : -1)!);
  if (!plans.length) faults.push(`No dealing method of ${line.rulebook} serves the places in this order.`);
  else if (extra.length && !plans.some(turnsUp))
    faults.push(`The dealer's up card is not the card of the extra stack that ${line.rulebook} turns up.`);
  const says = faults.join(" ") || `${line.rulebook} deals in this order.`;
  steps.push({ title: "The dealing order", says, holds: !faults.length });
  return faults;
}

// 8. Your seed: nobody knew it before the commitment, and everything else was fixed before you revealed it.

const ALONE =
  "The house kept to its commitment, but could have chosen the cards: to check your seed, give --player and --receipts.";
const NO_SEEDS = "No player's seed took part in this shuffle, so the house could have chosen the cards.";
const FIRST = "The house knew the seeds before its commitment, as in all rounds of 0.1: it could have chosen the cards.";
const NO_RECEIPT = "You have no receipt of this shuffle: without a seed of yours the house could have chosen the cards.";
const LEFT_OUT = "Your seed was not used: the proof leaves it out, so the house could have chosen the cards.";
const WITHHELD =
  "Your seed was withheld: the house used its hash as if it came too late, so it could choose between two orders.";
const UNSEEN_HASHES =
  "Your receipt lacks the other players' hashes, so a seed could have been added after yours was revealed.";
const UNNAMED_ROUND = "Only the proof names the round, so the house could have tried other numbers.";
const FAIR = "Your own seed was part of this shuffle, and nobody could know it before the house had fixed its secret.";
const FORGED = "it is forged, unless another browser or terminal of yours drew it";
const CHOSEN_LATER = "somebody who knew the order could choose this";

/** What your receipt says: a fault shows that the house cheated, a doubt leaves it the possibility. */
interface OwnSeed {
  use: FairnessResult["ownSeed"];
  faults: string[];
  doubts: string[];
}

async function ownSeedStep(
  proof: ShuffleProof,
  receipt: Receipt | null,
  player: string | undefined,
  roundNamed: boolean,
  steps: CheckStep[],
): Promise<OwnSeed> {
  if (player === undefined || receipt === null) return { use: null, faults: [], doubts: [doubtWithoutReceipt(proof, player)] };
  const faults = await receiptFaults(proof, receipt, player);
  const use = names(proof.seeds, player) ? "used" : names(proof.withheld ?? [], player) ? "withheld" : "left out";
  const doubts: string[] = [];
  if (proof.round == null) doubts.push(FIRST);
  else if (use !== "used") doubts.push(use === "withheld" ? WITHHELD : LEFT_OUT);
  else if (!receipt.call) {
    if (proof.seeds.length + (proof.withheld ?? []).length > 1) doubts.push(UNSEEN_HASHES);
    if (!roundNamed) doubts.push(UNNAMED_ROUND);
  }
  const says = [...faults, ...doubts].join(" ") || "The proof has the commitment, the seeds and the round that your browser kept.";
  steps.push({ title: "Your receipt", says, holds: !faults.length, text: `seed = ${receipt.seed}` });
  return { use, faults, doubts };
}

const names = (seeds: Seed[], player: string): boolean => seeds.some(([each]) => each === player);

function doubtWithoutReceipt(proof: ShuffleProof, player: string | undefined): string {
  if (proof.round == null) return FIRST;
  if (!proof.seeds.length && !proof.withheld?.length) return NO_SEEDS;
  return player === undefined ? ALONE : NO_RECEIPT;
}

async function receiptFaults(proof: ShuffleProof, receipt: Receipt, player: string): Promise<string[]> {
  const { commitment, seed, call } = receipt;
  const other = `The house published another commitment to you before the shuffle: ${commitment}.`;
  const faults = commitment === proof.commitment ? [] : [other];
  if (proof.round == null) return faults;
  const own = await hashOf(proof, player, seed);
  const hashes = new Map(proof.withheld ?? []);
  for (const [each, revealed] of proof.seeds) hashes.set(each, await hashOf(proof, each, revealed));
  if ((hashes.get(player) ?? own) !== own) {
    const kind = names(proof.seeds, player) ? "seed" : "hash";
    return [...faults, `The proof has another ${kind} under your name than your receipt: ${FORGED}.`];
  }
  if (!call) return faults;
  if (call.round !== proof.round)
    faults.push(`The house called your seed for round ${call.round}, but the proof is of round ${proof.round}.`);
  return [...faults, ...changesSince(new Map([[player, own], ...call.hashes]), hashes)];
}

/** What changed after the house had called the seeds. */
function changesSince(seen: Map<string, string>, hashes: Map<string, string>): string[] {
  return [...new Set([...hashes.keys(), ...seen.keys()])].sort().flatMap((player) => {
    if (!seen.has(player)) return [`The seed of ${player} was added after the house had called yours.`];
    if (!hashes.has(player)) return [`The seed of ${player} was left out after the house had called yours.`];
    if (hashes.get(player) === seen.get(player)) return [];
    return [`The seed of ${player} does not match the hash that you saw before you revealed yours.`];
  });
}

/** The hash by which a player commits to a seed: the SHA-256 of five lines. */
async function hashOf({ table, shuffle }: ShuffleProof, player: string, seed: string): Promise<string> {
  const lines = ["fourcard-seed", table, `${shuffle}`, player, seed].join("\n");
  return hexadecimal(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(lines)));
}

/** What somebody who knew the order could have chosen after the shuffle. */
function laterChoices(game: Rules, proof: ShuffleProof): string[] {
  const about = rule<number>(part(part(game, "rulebook"), "cutting"), "about") ?? DECK.length / 2;
  const usual = proof.cuts.length === 0 || (proof.cuts.length === 1 && proof.cuts[0] === about);
  const cut = `The deck was cut at ${proof.cuts.join(" and ")}, not once at ${about}: ${CHOSEN_LATER}.`;
  const discarded = `A card was discarded as found face up: ${CHOSEN_LATER}.`;
  return [...(usual ? [] : [cut]), ...(proof.drawn.some(({ to }) => to === "discarded") ? [discarded] : [])];
}

// Text, bytes and cards.

const same = (a: string[], b: string[]): boolean => [...a].sort().join(" ") === [...b].sort().join(" ");
const hand = (cards: string[]): string => cards.join(" ") || "nothing";
const isName = (text: string): boolean => /^[a-z0-9][a-z0-9._-]{0,39}$/.test(text) && !text.endsWith("\n");
const isSeed = (text: string, least: number): boolean =>
  /^[ -~]{1,64}$/.test(text) && text.length >= least && text === text.trim();
export const hexadecimal = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export function bytesOf(secret: string): Uint8Array<ArrayBuffer> {
  if (!/^([0-9a-f]{2})+$/.test(secret)) throw new InvalidProof("The secret is not written in hexadecimal.");
  const bytes = Uint8Array.from(secret.match(/../g)!, (pair) => parseInt(pair, 16));
  if (bytes.length !== SECRET_BYTES) throw new InvalidProof(`A secret has ${SECRET_BYTES} bytes, not ${bytes.length}.`);
  return bytes;
}

export function cardsOf(text: string): string[] {
  const cards = text.split(/[\s,]+/).filter(Boolean);
  for (const card of cards) {
    if (DECK.includes(card)) continue;
    throw new InvalidProof(`'${card}' is not a card; write a rank of ${RANKS} and a suit of ${SUITS}, such as As or Td.`);
  }
  return cards;
}
