/**
 * Counting: how many of the dealer's 1,370,754 possible hands are below, equal to and above a player's hand.
 *
 * The dealer holds the up card and five of the 46 cards that are neither that nor the player's. Each of these hands is
 * ranked with two look-ups: what its ranks make, and, where four cards share a suit, what those make.
 */

import { DECK_SIZE, rankOf, suitOf } from "./cards";
import { bestHand, strengthOfRanks } from "./hands";

export interface DealerCounts {
  below: number;
  tied: number;
  above: number;
  of: number;
}

/** One number for each rank; no two sets of up to six ranks, none more than four times, have the same sum. */
const RANK_NUMBERS = [0, 1, 5, 22, 98, 422, 1734, 5760, 14270, 37951, 90838, 206930, 436437];
const RANK_COUNT = RANK_NUMBERS.length;
const DEALER_CARDS = 6;
const HAND_SIZE = 4;
/** Added to the count of each suit, in four bits each, so that four cards of a suit set its high bit. */
const FOUR_OF_A_SUIT = 0x4444;
const HIGH_BITS = 0x8888;

interface Tables {
  /** Strength of the best four of six ranks, by the sum of their numbers. */
  byRanks: Uint16Array;
  /** Strength of the best four of the ranks held in one suit, given as bits. */
  bySuited: Uint16Array;
}

let tables: Tables | undefined;

/** The tables, built at the first use. */
const rankingTables = (): Tables => (tables ??= { byRanks: strengthsByRanks(), bySuited: strengthsBySuited() });

/** Build the tables ahead of the first count. */
export const prepareTables = (): void => void rankingTables();

/** Call with every set of so many ranks, from high to low, none more than four times. */
function forEachRanks(size: number, action: (ranks: readonly number[]) => void): void {
  const ranks: number[] = [];
  const extend = (highest: number): void => {
    if (ranks.length === size) return action(ranks);
    for (let rank = highest; rank >= 0; rank--) {
      if (ranks[ranks.length - HAND_SIZE] === rank) continue;
      ranks.push(rank);
      extend(rank);
      ranks.pop();
    }
  };
  extend(RANK_COUNT - 1);
}

const sumOf = (ranks: readonly number[]): number => ranks.reduce((sum, rank) => sum + RANK_NUMBERS[rank]!, 0);

function strengthsByRanks(): Uint16Array {
  let smaller = new Map<number, number>();
  forEachRanks(HAND_SIZE, (ranks) => smaller.set(sumOf(ranks), strengthOfRanks(ranks, false)));
  for (let size = HAND_SIZE + 1; size <= DEALER_CARDS; size++) {
    const larger = new Map<number, number>();
    forEachRanks(size, (ranks) => {
      const sum = sumOf(ranks);
      larger.set(sum, Math.max(...ranks.map((rank) => smaller.get(sum - RANK_NUMBERS[rank]!) ?? 0)));
    });
    smaller = larger;
  }
  const found = new Uint16Array(DEALER_CARDS * RANK_NUMBERS[RANK_COUNT - 1]! + 1);
  for (const [sum, strength] of smaller) found[sum] = strength;
  return found;
}

function strengthsBySuited(): Uint16Array {
  const found = new Uint16Array(1 << RANK_COUNT);
  for (let held = 0; held < found.length; held++) {
    const ranks: number[] = [];
    for (let rank = RANK_COUNT - 1; rank >= 0; rank--) if ((held >> rank) & 1) ranks.push(rank);
    if (ranks.length === HAND_SIZE) found[held] = strengthOfRanks(ranks, true);
    else if (ranks.length > HAND_SIZE && ranks.length <= DEALER_CARDS)
      found[held] = Math.max(...ranks.map((rank) => found[held ^ (1 << rank)]!));
  }
  return found;
}

/** Count the dealer's hands against a hand of five cards and an up card. */
export function countDealerHands(hand: readonly number[], up: number): DealerCounts {
  const { byRanks, bySuited } = rankingTables();
  const strength = bestHand(hand).strength;
  const rest = Array.from({ length: DECK_SIZE }, (_, card) => card).filter((card) => card !== up && !hand.includes(card));
  const ranks = Int32Array.from(rest, (card) => RANK_NUMBERS[rankOf(card)]!);
  const suits = Int32Array.from(rest, (card) => 1 << (4 * suitOf(card)));
  const bits = Int32Array.from(rest, (card) => 1 << rankOf(card));
  const [upRank, upSuit, upBit] = [RANK_NUMBERS[rankOf(up)]!, 1 << (4 * suitOf(up)), 1 << rankOf(up)];
  const size = rest.length;
  let below = 0;
  let tied = 0;
  for (let a = 4; a < size; a++)
    for (let b = 3; b < a; b++) {
      const [rankB, suitB] = [upRank + ranks[a]! + ranks[b]!, upSuit + suits[a]! + suits[b]!];
      for (let c = 2; c < b; c++)
        for (let d = 1; d < c; d++) {
          const rankD = rankB + ranks[c]! + ranks[d]!;
          const suitD = suitB + suits[c]! + suits[d]!;
          for (let e = 0; e < d; e++) {
            let found = byRanks[rankD + ranks[e]!]!;
            const full = (suitD + suits[e]! + FOUR_OF_A_SUIT) & HIGH_BITS;
            if (full) {
              // The suit of four: its cards carry the number 1 << (4 * suit), which the high bit is eight times.
              const suit = full >> 3;
              const held =
                (suits[a] === suit ? bits[a]! : 0) |
                (suits[b] === suit ? bits[b]! : 0) |
                (suits[c] === suit ? bits[c]! : 0) |
                (suits[d] === suit ? bits[d]! : 0) |
                (suits[e] === suit ? bits[e]! : 0) |
                (upSuit === suit ? upBit : 0);
              const flush = bySuited[held]!;
              if (flush > found) found = flush;
            }
            if (found < strength) below++;
            else if (found === strength) tied++;
          }
        }
    }
  const of = (size * (size - 1) * (size - 2) * (size - 3) * (size - 4)) / 120;
  return { below, tied, above: of - below - tied, of };
}
