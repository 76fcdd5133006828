/** Position: five cards, the up card and the terms, as an address and as a text. */

import { cardsText, DECK_SIZE, parseCard, parseCards } from "../poker/cards";

export const HAND_SIZE = 5;

export interface Position {
  /** At most five cards, in the order they were picked. */
  hand: readonly number[];
  up: number | null;
}

/** A position with all its cards. */
export interface CompletePosition extends Position {
  up: number;
}

export const isComplete = (position: Position): position is CompletePosition =>
  position.hand.length === HAND_SIZE && position.up !== null;

export const cardsOf = ({ hand, up }: Position): number[] => (up === null ? [...hand] : [...hand, up]);

export interface ReadPosition {
  position: Position;
  /** What is wrong with the text, in sentences; the position has the rest. */
  problems: string[];
}

/** The position of an address. */
export function readPosition(query: URLSearchParams): ReadPosition {
  const [handText, upText] = [query.get("hand") ?? "", query.get("up") ?? ""];
  const problems: string[] = [];
  let hand = parseCards(handText);
  if (typeof hand !== "string" && hand.length > HAND_SIZE) hand = `It has ${hand.length} cards, and a hand has five.`;
  if (typeof hand === "string") {
    problems.push(`The hand in the address cannot be used. ${hand}`);
    hand = [];
  }
  let up = upText.trim() ? parseCard(upText) : null;
  if (up === null && upText.trim()) problems.push("The up card in the address is not a card such as Ac.");
  if (up !== null && hand.includes(up)) {
    problems.push("The up card in the address is also in the hand.");
    up = null;
  }
  return { position: { hand, up }, problems };
}

/** The cards of a position as parameters of an address. */
export const positionQuery = ({ hand, up }: Position): Record<string, string> => ({
  hand: cardsText(hand),
  up: up === null ? "" : cardsText([up]),
});

/** The link to a position with the given terms. */
export function positionLink(position: Position, terms: Record<string, string>): string {
  const values = Object.entries({ ...positionQuery(position), ...terms }).filter(([, value]) => value);
  return `#/calculator?${new URLSearchParams(values)}`;
}

/** A position as it is typed: "As Ah Kd 7c 2h / Ac". */
export const positionText = ({ hand, up }: Position): string =>
  [cardsText(hand), up === null ? "" : `/ ${cardsText([up])}`].filter(Boolean).join(" ");

/** The position of a typed text, such as "As Ah Kd 7c 2h vs Ac"; without a separator the sixth card is the up card. */
export function parsePosition(text: string): Position | string {
  const parts = text.split(/\/|\b(?:vs?|against)\b\.?/i);
  const cards = parseCards(parts.join(" "));
  if (typeof cards === "string") return cards;
  const handSize = parts.length > 1 ? parseCards(parts[0]!).length : Math.min(cards.length, HAND_SIZE);
  if (handSize > HAND_SIZE || cards.length - handSize > 1) return "A position has five cards and, after “/”, one up card.";
  return { hand: cards.slice(0, handSize), up: cards[handSize] ?? null };
}

/** Six random cards. */
export function randomPosition(): CompletePosition {
  const deck = Array.from({ length: DECK_SIZE }, (_, card) => card);
  for (let at = 0; at <= HAND_SIZE; at++) {
    const other = at + Math.floor(Math.random() * (DECK_SIZE - at));
    [deck[at], deck[other]] = [deck[other]!, deck[at]!];
  }
  return { hand: deck.slice(0, HAND_SIZE).sort((a, b) => b - a), up: deck[HAND_SIZE]! };
}
