/** Arranged hand: the order in which the cards of a hand are shown, and which of them make it. */

import { bestHand } from "../poker/hands";
import { cardText, parseCard } from "../poker/cards";

export interface ShownCard {
  card: string;
  /** Whether it is one of the best four; null while that is not known or not shown. */
  used: boolean | null;
}

const SMALLEST_HAND = 4;

/** The numbers of cards that all lie face up, or null. */
function numbers(cards: readonly string[]): number[] | null {
  const known = cards.map(parseCard).filter((card) => card !== null);
  return known.length === cards.length && known.length >= SMALLEST_HAND ? known : null;
}

/** The cards in the order in which they are shown: sorted, the best four in order of importance and then the rest, high to low. */
export function arrangedHand(cards: readonly string[], best: boolean, sorted: boolean): ShownCard[] {
  const known = best ? numbers(cards) : null;
  if (!known) return cards.map((card) => ({ card, used: null }));
  const four = bestHand(known).cards.map(cardText);
  const shown = cards.map((card) => ({ card, used: four.includes(card) }));
  if (!sorted) return shown;
  const place = ({ card, used }: ShownCard): number => (used ? four.indexOf(card) : 100 - parseCard(card)!);
  return shown.sort((a, b) => place(a) - place(b));
}
