/** What the coach knows of a spot, and the arithmetic of what a choice cost. */

import { get } from "../lib/api";
import { dollars } from "../lib/format";

export interface Advice {
  dealer: { below: number; tied: number; above: number; of: number };
  ev: Record<string, number>;
  best: string;
  exact: Record<string, string>;
  hand: string;
  ante: number | null;
  cents: Record<string, number> | null;
  can: string[];
  why: string;
  source: "table" | "single state";
  cell: { hand: string; up: string };
}

/** A spot in which somebody decides, with the money that it is about. */
export interface Question {
  table: string;
  round: number;
  position: number;
  hand: string[];
  up: string;
  ante: number;
  /** The largest Play wager that rules and chips allow; null where there is none. */
  most: number | null;
}

/** A choice and its worth: in Antes, in cents where the Ante is known, and whether it can be made. */
export interface Worth {
  choice: string;
  amount: number;
  ev: number;
  cents: number;
  can: boolean;
}

export const asked = (question: Question): Promise<Advice> =>
  get<Advice>("/api/advice", {
    hand: question.hand.join(" "),
    up: question.up,
    table: question.table,
    ante: question.ante,
    most: question.most ?? 0,
  });

const times = (choice: string): number => (choice === "fold" ? 0 : Number.parseInt(choice, 10));

/** What an amount on Play is worth in Antes, 0 being a fold; the worth is linear in the Play wager. */
export function worthOf(advice: Advice, ante: number, amount: number): number {
  const { fold = -1, "1x": one = 0, "2x": two = 0 } = advice.ev;
  return amount === 0 ? fold : one + (two - one) * (amount / ante - 1);
}

/** Every choice with its worth; where limits or chips end between multiples, the largest Play wager too. */
export function worths(advice: Advice, question: Question): Worth[] {
  const found = Object.entries(advice.ev).map(([choice, ev]) => ({
    choice,
    amount: times(choice) * question.ante,
    ev,
    cents: ev * question.ante,
    can: advice.can.includes(choice),
  }));
  const most = question.most ?? 0;
  if (most > question.ante && most % question.ante) {
    const ev = worthOf(advice, question.ante, most);
    found.push({ choice: `Play ${dollars(most)}`, amount: most, ev, cents: ev * question.ante, can: true });
  }
  return found;
}

/** The best that can be done: of equal worth the smaller wager. */
export const bestOf = (values: Worth[]): Worth | null =>
  values.filter((each) => each.can).reduce<Worth | null>((best, each) => (!best || each.ev > best.ev ? each : best), null);

/** A choice as it was made: "fold", "3x", or the amount where it lies between. */
export const named = (ante: number, amount: number): string =>
  amount === 0 ? "fold" : amount % ante === 0 ? `${amount / ante}x` : `Play ${dollars(amount)}`;
