/** Hand classes: the kinds of hands that a player learns one by one. */

import { RANKS, rankOf } from "../poker/cards";
import { bestHand, type Hand } from "../poker/hands";

export const HAND_CLASSES = ["no_pair", "low_pair", "high_pair", "two_pair", "strong"] as const;
export type HandClass = (typeof HAND_CLASSES)[number];

export const CLASS_LABELS: Record<HandClass, string> = {
  no_pair: "No pair",
  low_pair: "Low pair",
  high_pair: "High pair",
  two_pair: "Two pair",
  strong: "Strong hands",
};

export const CLASS_MEANINGS: Record<HandClass, string> = {
  no_pair: "nothing better than a high card",
  low_pair: "a pair of twos to nines",
  high_pair: "a pair of tens to aces",
  two_pair: "two pair",
  strong: "a straight, a flush, three or four of a kind, or a straight flush",
};

const FIRST_HIGH_PAIR = RANKS.indexOf("T");
const [KING, ACE] = [RANKS.indexOf("K"), RANKS.indexOf("A")];

export const isHandClass = (text: string | null): text is HandClass => (HAND_CLASSES as readonly (string | null)[]).includes(text);

export function classOf({ category, ranks }: Pick<Hand, "category" | "ranks">): HandClass {
  if (category === "high_card") return "no_pair";
  if (category === "pair") return ranks[0]! < FIRST_HIGH_PAIR ? "low_pair" : "high_pair";
  return category === "two_pair" ? "two_pair" : "strong";
}

/**
 * Whether two choices can be worth nearly the same with such a hand. Two pair and better are always played with the
 * largest wager, and without a pair only ace and king high come near to a Play wager.
 */
export function mayBeClose(cards: readonly number[]): boolean {
  const hand = bestHand(cards);
  const ranks = cards.map(rankOf);
  return hand.category === "high_card" ? ranks.includes(ACE) && ranks.includes(KING) : hand.category === "pair";
}
