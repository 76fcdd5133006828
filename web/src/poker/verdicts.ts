/** Verdicts: what a decision is called, by the Antes that it costs against the best one. */

import type { Verdict } from "../lib/apiTypes";
import { isAbove, parseFraction, type Fraction } from "./fractions";

/** The first verdict that allows this cost in Antes; a decision may cost the bound itself. */
export const verdictOn = (verdicts: readonly Verdict[], cost: Fraction): string =>
  (verdicts.find(({ most }) => most === null || !isAbove(cost, parseFraction(most))) ?? verdicts[verdicts.length - 1]!).name;
