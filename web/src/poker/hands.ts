/**
 * Four-card hands: category, rank and name of the best four of four to six cards.
 *
 * A strength is a number from 0 (lowest) to 2,534; equal strengths tie. It is the same number as `fourcard rank` gives.
 */

import { RANK_NAMES, rankOf, suitOf } from "./cards";

/** The categories, the lowest first. */
export const CATEGORIES = [
  "high_card", "pair", "two_pair", "straight", "flush", "three_of_a_kind", "straight_flush", "four_of_a_kind",
] as const;
export type Category = (typeof CATEGORIES)[number];

export interface Hand {
  category: Category;
  /** The deciding ranks, most important first; a straight has only its top card. */
  ranks: number[];
  /** The four cards in order of importance; a low straight as 4 3 2 A. */
  cards: number[];
  strength: number;
  /** Such as "pair of aces, king and seven". */
  name: string;
}

const SIZE = 4;
const ACE = 12;

/** The category and deciding ranks of four ranks sorted high to low. */
function classify(ranks: readonly number[], flush: boolean): [category: number, ranks: number[]] {
  const distinct = [...new Set(ranks)];
  const count = (rank: number): number => ranks.filter((each) => each === rank).length;
  const grouped = distinct.sort((a, b) => count(b) - count(a) || b - a);
  const most = count(grouped[0]!);
  if (most === 4) return [CATEGORIES.indexOf("four_of_a_kind"), grouped];
  if (most === 3) return [CATEGORIES.indexOf("three_of_a_kind"), grouped];
  if (most === 2) return [CATEGORIES.indexOf(grouped.length === 2 ? "two_pair" : "pair"), grouped];
  const top = straightTop(ranks);
  if (top !== null) return [CATEGORIES.indexOf(flush ? "straight_flush" : "straight"), [top]];
  return [CATEGORIES.indexOf(flush ? "flush" : "high_card"), [...ranks]];
}

/** The top of four different ranks in sequence, or null; an ace is also low, below the two. */
function straightTop([first, second, , last]: readonly number[]): number | null {
  if (first === ACE && second === 2) return 2;
  return first! - last! === SIZE - 1 ? first! : null;
}

/** The place of a category and its ranks in the order of all hands. */
const keyOf = (category: number, ranks: readonly number[]): number =>
  ranks.reduce((key, rank) => 13 * key + rank, category) * 13 ** (SIZE - ranks.length);

/** What makes a strength: four ranks sorted high to low, and whether they are of one suit. */
export interface Pattern {
  ranks: readonly number[];
  flush: boolean;
}

let patterns: Map<number, Pattern> | undefined;
let strengths: Map<number, number> | undefined;

/** Every pattern by the key of its category and ranks; the keys have the order of the strengths. */
function patternByKey(): Map<number, Pattern> {
  if (patterns) return patterns;
  const found: [key: number, pattern: Pattern][] = [];
  const insert = (ranks: number[], flush: boolean): unknown => found.push([keyOf(...classify(ranks, flush)), { ranks, flush }]);
  for (let a = 0; a <= ACE; a++)
    for (let b = 0; b <= a; b++)
      for (let c = 0; c <= b; c++)
        for (let d = 0; d <= c; d++) {
          insert([a, b, c, d], false);
          if (a > b && b > c && c > d) insert([a, b, c, d], true);
        }
  return (patterns = new Map(found.sort(([a], [b]) => a - b)));
}

const strengthByKey = (): Map<number, number> =>
  (strengths ??= new Map([...patternByKey().keys()].map((key, strength) => [key, strength])));

/** The strength of four ranks sorted high to low. */
export const strengthOfRanks = (ranks: readonly number[], flush: boolean): number =>
  strengthByKey().get(keyOf(...classify(ranks, flush)))!;

let byStrength: Pattern[] | undefined;

/** Every pattern, the weakest first: the index is the strength. */
export const patternsByStrength = (): readonly Pattern[] => (byStrength ??= [...patternByKey().values()]);

/** The order in which equal cards are shown: of a rank, spades first. */
const highFirst = (a: number, b: number): number => b - a;

function handOf(four: readonly number[]): Hand {
  const sorted = [...four].sort(highFirst);
  const ranks = sorted.map(rankOf);
  const flush = new Set(sorted.map(suitOf)).size === 1;
  const [category, decisive] = classify(ranks, flush);
  const held = (card: number): number => ranks.filter((rank) => rank === rankOf(card)).length;
  const lowAce = ranks[0] === ACE && ranks[1] === 2 && ranks[2] === 1 && ranks[3] === 0;
  const cards = lowAce ? [...sorted.slice(1), sorted[0]!] : sorted.sort((a, b) => held(b) - held(a) || b - a);
  const strength = strengthByKey().get(keyOf(category, decisive))!;
  return { category: CATEGORIES[category]!, ranks: decisive, cards, strength, name: nameOf(CATEGORIES[category]!, decisive) };
}

/** Every choice of four cards, in the order of the cards. */
function fours(cards: readonly number[]): number[][] {
  const choose = (rest: readonly number[], size: number): number[][] =>
    size === 0 ? [[]] : rest.flatMap((card, at) => choose(rest.slice(at + 1), size - 1).map((more) => [card, ...more]));
  return choose(cards, SIZE);
}

/** The best hand of four to six cards; of equal ones the one with the first suits: s, h, d, c. */
export function bestHand(cards: readonly number[]): Hand {
  const hands = fours([...cards].sort(highFirst)).map(handOf);
  return hands.reduce((best, each) => (each.strength > best.strength ? each : best));
}

/** A rank's plural name: "sixes". */
export const pluralRank = (rank: number): string => `${RANK_NAMES[rank]}${RANK_NAMES[rank] === "six" ? "es" : "s"}`;

function nameOf(category: Category, [first, ...rest]: readonly number[]): string {
  const others = rest.map((rank) => RANK_NAMES[rank]);
  switch (category) {
    case "four_of_a_kind":
      return `four ${pluralRank(first!)}`;
    case "three_of_a_kind":
      return `three ${pluralRank(first!)}, ${others[0]}`;
    case "two_pair":
      return `two pair, ${pluralRank(first!)} and ${pluralRank(rest[0]!)}`;
    case "pair":
      return `pair of ${pluralRank(first!)}, ${others.join(" and ")}`;
    case "straight":
    case "straight_flush":
      return `${category.replace("_", " ")}, ${RANK_NAMES[first!]} high`;
    default:
      return `${category.replace("_", " ")}, ${RANK_NAMES[first!]}, ${others.slice(0, -1).join(", ")} and ${others.at(-1)}`;
  }
}
