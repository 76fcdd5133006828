/** Nearby hands: five cards of a wanted strength that keep as many cards of another hand as they can. */

import { DECK_SIZE, RANK_NAMES, rankOf, suitOf } from "./cards";
import { bestHand, patternsByStrength, strengthOfRanks, type Pattern } from "./hands";

export const STRENGTH_COUNT = 2535;

/** The ranks of a fifth card that leaves four ranks the best. */
function fifthRanks({ ranks }: Pattern, strength: number): number[] {
  return RANK_NAMES.map((_, rank) => rank).filter((rank) => {
    const five = [...ranks, rank].sort((a, b) => b - a);
    const fours = five.map((_, at) => five.filter((_, index) => index !== at));
    return fours.every((four) => strengthOfRanks(four, false) <= strength);
  });
}

/** Five cards whose best four have a strength, without the up card; null if no five cards make exactly that. */
export function handOfStrength(strength: number, near: readonly number[], up: number): number[] | null {
  const pattern = patternsByStrength()[strength];
  if (!pattern) return null;
  const others = Array.from({ length: DECK_SIZE }, (_, card) => card).filter((card) => card !== up && !near.includes(card));
  // Kept cards come first; a new card rather has the suit of the most important one that goes.
  const ordered = [...new Set([...bestHand(near).cards, ...near])];
  const leaving = [...new Set(ordered.filter((card) => !pattern.ranks.includes(rankOf(card))).map(suitOf))];
  const suitOrder = [...leaving, 3, 2, 1, 0];
  const bySuit = [...others].sort((a, b) => suitOrder.indexOf(suitOf(a)) - suitOrder.indexOf(suitOf(b)));
  const forFour = [...ordered, ...bySuit];
  const allowed = fifthRanks(pattern, strength);
  const forFifth = [...[...near].sort((a, b) => a - b), ...others].filter((card) => allowed.includes(rankOf(card)));
  if (!forFifth.length) return null;

  const complete = (four: readonly number[]): number[] | null => {
    if (bestHand(four).strength !== strength) return null;
    const fifth = forFifth.find((card) => !four.includes(card) && bestHand([...four, card]).strength === strength);
    return fifth === undefined ? null : [...four, fifth];
  };
  const extend = (four: readonly number[]): number[] | null => {
    if (four.length === pattern.ranks.length) return complete(four);
    for (const card of forFour) {
      if (rankOf(card) !== pattern.ranks[four.length] || four.includes(card)) continue;
      if (pattern.flush && four.length > 0 && suitOf(card) !== suitOf(four[0]!)) continue;
      const found = extend([...four, card]);
      if (found) return found;
    }
    return null;
  };
  return extend([]);
}
