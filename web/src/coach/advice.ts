/** What the coach knows of a spot, and the arithmetic of what a choice cost. */

import { get } from "../lib/api";
import { dollars } from "../lib/format";

/** A choice as the house values it on an Ante, in Antes and in cents. */
export interface Choice {
  /** "fold", "3x", or an amount such as "$12 on Play" where a limit ends between multiples. */
  choice: string;
  /** Cents on Play; 0 for a fold. */
  amount: number;
  ev: number;
  cents: number;
  /** Whether rules and limits allow it, whatever chips there are. */
  allowed: boolean;
}

export interface Advice {
  ev: Record<string, number>;
  /** The best decision of the game, whatever chips there are. */
  best: string;
  hand: string;
  choices: Choice[];
  why: string;
  cell: { hand: string; up: string };
}

/** A spot in which somebody decides. */
export interface Question {
  table: string;
  round: number;
  position: number;
  hand: string[];
  up: string;
  ante: number;
}

export const asked = (question: Question): Promise<Advice> =>
  get<Advice>("/api/advice", {
    hand: question.hand.join(" "),
    up: question.up,
    table: question.table,
    ante: question.ante,
  });

/** What an amount on Play is worth in Antes, 0 being a fold; the worth is linear in the Play wager. */
export function worthOf(advice: Advice, ante: number, amount: number): number {
  const { fold = -1, "1x": one = 0, "2x": two = 0 } = advice.ev;
  return amount === 0 ? fold : one + (two - one) * (amount / ante - 1);
}

export const bestOf = (advice: Advice): Choice | null => advice.choices.find(({ choice }) => choice === advice.best) ?? null;

/** The cents that chips lack for an amount on Play. */
export const shortOf = (amount: number, chips: number): number => Math.max(0, amount - chips);

/** A choice as it was made, in the words of the house: "fold", "3x", or "$15 on Play" where it lies between. */
export const named = (ante: number, amount: number): string =>
  amount === 0 ? "fold" : amount % ante === 0 ? `${amount / ante}x` : `${dollars(amount)} on Play`;
