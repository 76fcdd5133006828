/** Wording: a shared round in words. */

import { cardNames, choiceLabel, signedDollars } from "../lib/format";
import { toNumber } from "../poker/fractions";
import type { CheckedRound, Settled } from "./checkShared";
import type { JudgedDecision } from "./judged";

const OUTCOMES: Record<Settled["outcome"], string> = {
  win: "beats the dealer", tie: "ties the dealer", loss: "loses to the dealer", fold: "folded", "no Ante": "played no Ante",
};

export const outcomeText = ({ outcome }: Settled): string => OUTCOMES[outcome];

/** What a decision cost, in Antes. */
export function costText({ chose, cost, values }: JudgedDecision): string {
  const antes = toNumber(cost);
  return antes > 0 ? `${choiceLabel(chose)} cost ${antes.toFixed(4)} Antes. ${choiceLabel(values.best.name)} was best.` : `${choiceLabel(chose)} was best.`;
}

/** The whole round in sentences, for those who cannot see the picture. */
export function roundInWords({ round, dealer, settled }: CheckedRound, judged: JudgedDecision[]): string {
  return [
    `The dealer shows the ${cardNames([round.up])} and has ${dealer.name}.`,
    ...settled.map((each) => `The player at position ${each.place.position} has ${each.hand.name}, ${outcomeText(each)}, and ends with ${signedDollars(each.place.own.net)}.`),
    ...judged.map((each) => `${costText(each)}`),
  ].join(" ");
}
