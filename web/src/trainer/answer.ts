/** Answer: a counted position and the value of each choice in it. */

import { countDealer, type DealerCounts } from "../poker/dealerCount";
import { bestHand, type Hand } from "../poker/hands";
import { choiceValues, type ChoiceValues } from "../poker/values";
import type { CompletePosition } from "./position";
import type { ChosenTerms } from "./terms";

/** A counted position. */
export interface Counted {
  position: CompletePosition;
  hand: Hand;
  counts: DealerCounts;
}

/** A counted position under the chosen terms. */
export interface Answer extends Counted {
  values: ChoiceValues;
  chosen: ChosenTerms;
}

export async function countPosition(position: CompletePosition): Promise<Counted> {
  return { position, hand: bestHand(position.hand), counts: await countDealer(position.hand, position.up) };
}

export const answerTo = (counted: Counted, chosen: ChosenTerms): Answer => ({
  ...counted,
  chosen,
  values: choiceValues(chosen.terms, counted.hand.strength, counted.counts),
});
