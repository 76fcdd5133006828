/** Cards as numbers: 4 * rank + suit, from the two of clubs (0) to the ace of spades (51), and as text such as "As". */

export const RANKS = "23456789TJQKA";
export const SUITS = "cdhs";
export const DECK_SIZE = 52;
export const RANK_NAMES = [
  "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace",
] as const;

export const rankOf = (card: number): number => card >> 2;
export const suitOf = (card: number): number => card & 3;
export const cardText = (card: number): string => `${RANKS[card >> 2]}${SUITS[card & 3]}`;
export const cardsText = (cards: readonly number[]): string => cards.map(cardText).join(" ");

/** The card of a text such as "As", "10h" or "t♥", or null. */
export function parseCard(text: string): number | null {
  const match = /^(10|[2-9tjqka])([cdhs♣♦♥♠])$/i.exec(text.trim());
  if (!match) return null;
  const rank = RANKS.indexOf(match[1] === "10" ? "T" : match[1]!.toUpperCase());
  const symbol = "♣♦♥♠".indexOf(match[2]!);
  return 4 * rank + (symbol < 0 ? SUITS.indexOf(match[2]!.toLowerCase()) : symbol);
}

const ONE_CARD = /(?:10|[2-9tjqka])[cdhs♣♦♥♠]/gi;
/** Asks for a suit drawn as text or as a picture; it follows suits that are pasted from elsewhere. */
const VARIANT = /[\uFE0E\uFE0F]/g;

const MOST_SHOWN = 20;

/** The different cards of a text such as "As Ah Kd", "A♠, 10h" or "AsAhKd", or what is wrong with it in a sentence. */
export function parseCards(text: string): number[] | string {
  const plain = text.replace(VARIANT, "");
  const unknown = plain.replace(ONE_CARD, " ").split(/[\s,+]+/).find(Boolean);
  if (unknown) return `“${unknown.slice(0, MOST_SHOWN)}” is not a card. Write a rank and a suit, such as As or 10h.`;
  const cards = (plain.match(ONE_CARD) ?? []).map((each) => parseCard(each)!);
  const twice = cards.find((card, at) => cards.indexOf(card) < at);
  return twice === undefined ? cards : `“${cardText(twice)}” is there twice. Each card exists once.`;
}
