/** Judged decisions: what each decision of a shared round was worth, counted in this browser. */

import type { Verdict } from "../lib/apiTypes";
import { dollars } from "../lib/format";
import { parseCard } from "../poker/cards";
import { add, fraction, isAbove, multiply, subtract, toNumber, type Fraction } from "../poker/fractions";
import type { Choice, ChoiceValues } from "../poker/values";
import { verdictOn } from "../poker/verdicts";
import { answerTo, countPosition } from "../trainer/answer";
import { cardNumbers, type CheckedRound, type Settled } from "./checkShared";

export interface JudgedDecision {
  settled: Settled;
  values: ChoiceValues;
  /** "fold", "3x", or an amount between multiples. */
  chose: string;
  /** Antes. */
  cost: Fraction;
  verdict: string;
}

/** The decisions of a checked round with their exact values. */
export const judge = ({ round, chosen, settled }: CheckedRound, verdicts: readonly Verdict[]): Promise<JudgedDecision[]> =>
  Promise.all(settled.filter(({ outcome }) => outcome !== "no Ante").map(async (each) => {
    const position = { hand: cardNumbers(each.place.cards!), up: parseCard(round.up)! };
    const { values } = answerTo(await countPosition(position), chosen);
    const { wagers, play = 0 } = each.place.own;
    const antes = fraction(play, wagers.ante!);
    const lost = subtract(values.best.exact, valueOf(values, antes));
    const cost = isAbove(lost, fraction(0)) ? lost : fraction(0);
    const chose = values.choices.find(({ multiple }) => multiple === toNumber(antes))?.name ?? `${dollars(play)} on Play`;
    return { settled: each, values, chose, cost, verdict: verdictOn(verdicts, cost) };
  }));

/** The value of a Play wager in Antes; it is linear from the smallest to the largest. */
function valueOf({ choices }: ChoiceValues, antes: Fraction): Fraction {
  const fold = choices[0]!;
  if (antes.n === 0n) return fold.exact;
  const [least, next] = choices.slice(1) as [Choice, Choice];
  const slope = subtract(next.exact, least.exact);
  return add(least.exact, multiply(slope, subtract(antes, fraction(least.multiple))));
}
