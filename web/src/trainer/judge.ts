/** Judge: what a decision in a counted position costs against the best one, and its verdict. */

import type { Verdict } from "../lib/apiTypes";
import { subtract, toNumber, type Fraction } from "../poker/fractions";
import type { Choice, ChoiceValues } from "../poker/values";
import { verdictOn } from "../poker/verdicts";

export interface Judgment {
  choice: Choice;
  /** In Antes, exactly. */
  cost: Fraction;
  /** In Antes. */
  lost: number;
  verdict: string;
  isBest: boolean;
}

export function judge({ choices, best }: ChoiceValues, name: string, verdicts: readonly Verdict[]): Judgment {
  const choice = choices.find((each) => each.name === name) ?? choices[0]!;
  const cost = subtract(best.exact, choice.exact);
  const verdict = verdictOn(verdicts, cost);
  return { choice, cost, lost: toNumber(cost), verdict, isBest: verdict === verdicts[0]!.name };
}

/** What the best choice gains over the second best, exactly; little where the decision is close. */
export function marginOf({ choices, best }: ChoiceValues): Fraction {
  const costs = choices.filter((each) => each !== best).map((each) => subtract(best.exact, each.exact));
  return costs.reduce((least, each) => (each.n * least.d < least.n * each.d ? each : least));
}
