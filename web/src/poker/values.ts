/** Values: what each decision is worth in Antes, exactly, and which one is best. At equal value the smaller wager is best. */

import type { DealerCounts } from "./counting";
import { add, fraction, fractionText, isAbove, multiply, parseFraction, toNumber, type Fraction } from "./fractions";

/** The terms of the base game for an Ante of one unit; the server gives them for every rulebook. */
export interface Terms {
  /** What a winning Ante and Play pay, such as "1" or "3/2". */
  ante: string;
  play: string;
  ties_win: boolean;
  least: number;
  most: number;
  /** What the Automatic Bonus pays for a range of strengths; none without one. */
  bonus: readonly { from: number; to: number; value: string }[];
}

export interface Choice {
  /** "fold", "1x", "2x" or "3x". */
  name: string;
  /** The Play wager in Antes; 0 is a fold. */
  multiple: number;
  exact: Fraction;
  value: number;
  text: string;
}

export interface ChoiceValues {
  choices: Choice[];
  best: Choice;
  /** Of the dealer's hands, how many the player wins against; ties count as the rulebook says. */
  won: number;
  of: number;
  bonus: Fraction;
}

/** What the Automatic Bonus pays a hand per unit of Ante. */
export function bonusFor(terms: Terms, strength: number): Fraction {
  const row = terms.bonus.find(({ from, to }) => from <= strength && strength <= to);
  return row ? parseFraction(row.value) : fraction(0);
}

/** The value of every decision against the dealer's possible hands. */
export function choiceValues(terms: Terms, strength: number, counts: DealerCounts): ChoiceValues {
  const won = counts.below + (terms.ties_win ? counts.tied : 0);
  const bonus = bonusFor(terms, strength);
  const [ante, play] = [parseFraction(terms.ante), parseFraction(terms.play)];
  const lost = counts.of - won;
  const valueOf = (multiple: number): Fraction => {
    if (multiple === 0) return fraction(-1);
    const gain = multiply(fraction(won), add(ante, multiply(fraction(multiple), play)));
    return add(multiply(add(gain, fraction(-lost * (1 + multiple))), fraction(1, counts.of)), bonus);
  };
  const multiples = [0, ...Array.from({ length: terms.most - terms.least + 1 }, (_, at) => terms.least + at)];
  const choices = multiples.map((multiple) => {
    const exact = valueOf(multiple);
    const name = multiple === 0 ? "fold" : `${multiple}x`;
    return { name, multiple, exact, value: toNumber(exact), text: fractionText(exact) };
  });
  const best = choices.reduce((found, each) => (isAbove(each.exact, found.exact) ? each : found));
  return { choices, best, won, of: counts.of, bonus };
}

/** The shares of wins above which the smallest Play wager beats a fold, and the largest beats the smallest. */
export function winsNeeded(terms: Terms, strength: number): { toPlay: number; toRaise: number } {
  const [ante, play, bonus] = [parseFraction(terms.ante), parseFraction(terms.play), bonusFor(terms, strength)].map(toNumber) as [number, number, number];
  const toPlay = Math.max(0, (terms.least - bonus) / (ante + terms.least * play + 1 + terms.least));
  return { toPlay, toRaise: Math.max(toPlay, 1 / (play + 1)) };
}
