/** Wording: positions, values and shares as a person reads them. */

import { cardFace, choiceLabel, percent } from "../lib/format";
import { cardText, RANKS } from "../poker/cards";
import { winsNeeded, type Choice } from "../poker/values";
import type { Answer } from "./answer";

export const cardName = (card: number): string => cardFace(cardText(card))?.name ?? "";

/** A value in Antes: "+1.5172" or "−0.2500". */
export const antes = (value: number, digits = 4): string => {
  const text = Math.abs(value).toFixed(digits);
  const sign = Number(text) === 0 ? "" : value < 0 ? "−" : "+";
  return `${sign}${text}`;
};

export const count = (number: number): string => number.toLocaleString("en-US");

export const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What a choice loses against the best one, in Antes. */
export const costOf = (choice: Choice, best: Choice): number => best.value - choice.value;

/** A rank as it stands on a card. */
export const rankLabel = (rank: number): string => (RANKS[rank] === "T" ? "10" : RANKS[rank]!);

const spoken = (value: number): string => `${value < 0 ? "minus " : ""}${Math.abs(value).toFixed(4)}`;

const listed = (items: string[]): string => [items.slice(0, -1).join(", "), items.at(-1)].filter(Boolean).join(" and ");

/** The whole answer in sentences, for screen readers and for those who prefer words. */
export function inWords({ position, hand, counts, values, chosen }: Answer): string {
  const share = (part: number): string => `${count(part)} (${percent(part / counts.of, 1)})`;
  const { best, choices } = values;
  const others = choices.filter((each) => each !== best).map((each) => `${choiceLabel(each.name)} costs ${costOf(each, best).toFixed(4)}`);
  return [
    `You hold the ${listed(position.hand.map(cardName))}; the dealer shows the ${cardName(position.up)}.`,
    `Your best four cards make ${hand.name}.`,
    `Of the dealer's ${count(counts.of)} possible hands you beat ${share(counts.below)}, tie ${share(counts.tied)} and lose to ${share(counts.above)}.`,
    `Under the rules of ${chosen.game.name}, ${choiceLabel(best.name)} is best, worth ${spoken(best.value)} Antes.`,
    `Compared with it, ${listed(others)} Antes.`,
  ].join(" ");
}

/** Why the best choice is best: how often the hand wins, and how often it must. */
export function whyBest({ hand, values, chosen: { terms } }: Answer): string {
  const { toPlay, toRaise } = winsNeeded(terms, hand.strength);
  const needs = toRaise > toPlay ? `Playing beats folding from ${percent(toPlay, 1)} on, and ${choiceLabel(`${terms.most}x`)} is best from ${percent(toRaise, 1)} on.` : `${choiceLabel(`${terms.most}x`)} is best from ${percent(toRaise, 1)} on.`;
  return `You win ${percent(values.won / values.of, 1)} of the time${terms.ties_win ? ", ties included" : ""}. ${needs}`;
}
