/** Decisions of a review: their points, exact costs and verdicts, and the next mistake. */

import type { DecisionPoint } from "../coach/coach.svelte";
import type { CoachAdvice, ReviewedDecision, Verdict } from "../lib/apiTypes";
import { StoredValue } from "../lib/localStorage.svelte";
import { fraction, parseFraction, subtract, toNumber, type Fraction } from "../poker/fractions";
import { verdictOn } from "../poker/verdicts";

export type MistakeOrder = "cost" | "recent";
/** Which mistake comes next. */
export const mistakeOrder = new StoredValue<MistakeOrder>("mistake-order", "cost");

export const pointOf = (table: string, round: number, { position, hand, up, ante }: ReviewedDecision): DecisionPoint => ({
  table, round, position, hand: hand.split(" "), up, ante,
});

/** A cost in Antes: "0.3571 Antes, exactly 5/14". */
export function antesInWords(exact: string): string {
  const antes = toNumber(parseFraction(exact)).toFixed(4);
  return `${antes} Antes${exact.includes("/") ? `, exactly ${exact}` : ""}`;
}

/** Parts of a value that is not a whole number of Antes; the limits of a table allow no finer one. */
const PARTS = 1e9;

/** What a choice costs against the best one that the table allows, in Antes. */
export function costOfChoice({ exact, choices, best }: CoachAdvice, choice: string): Fraction {
  const valueOf = (name: string): Fraction => {
    const text = exact[name];
    return text === undefined ? fraction(Math.round((choices?.find((each) => each.choice === name)?.ev ?? 0) * PARTS), PARTS) : parseFraction(text);
  };
  return subtract(valueOf(best), valueOf(choice));
}

export const verdictOfChoice = (verdicts: readonly Verdict[], advice: CoachAdvice, choice: string): string =>
  verdictOn(verdicts, costOfChoice(advice, choice));
