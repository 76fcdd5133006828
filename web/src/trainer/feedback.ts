/** Feedback: a position and a decision in words, for screen readers. */

import { choiceLabel } from "../lib/format";
import type { Answer } from "./answer";
import type { Judgment } from "./judge";
import { cardName, sentenceCase } from "./wording";

export const positionWords = ({ position, hand }: Answer): string =>
  `Your hand is ${hand.name}: ${hand.cards.map(cardName).join(", ")}, beside the ${cardName(position.hand.find((card) => !hand.cards.includes(card))!)}. The dealer shows the ${cardName(position.up)}.`;

/** Such as "Mistake: Play 3x costs 0.3100 Antes. Fold is best." */
export function judgmentWords({ values }: Answer, { choice, verdict, lost, isBest }: Judgment): string {
  if (isBest) return `${sentenceCase(verdict)}: ${choiceLabel(choice.name)}.`;
  return `${sentenceCase(verdict)}: ${choiceLabel(choice.name)} costs ${lost.toFixed(4)} Antes. ${choiceLabel(values.best.name)} is best.`;
}
