/** Luck and skill: a result in words, split into what the cards gave and what the decisions cost. */

import type { LuckAndSkill } from "../lib/apiTypes";
import { dollars, dollarsAndCents } from "../lib/format";

/** Less than half a cent is shown as nothing. */
const HALF_A_CENT = 0.5;

export const signedCents = (cents: number): string => {
  const text = dollarsAndCents(cents);
  return Math.round(cents) > 0 ? `+${text}` : text;
};

/** The result in one sentence. */
export function resultInWords({ net, cost, luck }: LuckAndSkill, decisions: number): string {
  const result = net > 0 ? `You won ${dollars(net)}` : net < 0 ? `You lost ${dollars(-net)}` : "You broke even";
  if (!decisions) return `${result}: you had nothing to decide, so the cards did it all.`;
  if (cost < HALF_A_CENT) return `${result}, all of it by the cards: ${decisions === 1 ? "your decision was" : "your decisions were"} worth as much as the best.`;
  const cards = Math.round(luck) > 0 ? `gave you ${dollarsAndCents(luck)}` : Math.round(luck) < 0 ? `took ${dollarsAndCents(-luck)}` : "gave and took nothing";
  return `${result}: the cards ${cards}, and your ${decisions === 1 ? "decision" : "decisions"} cost ${dollarsAndCents(cost)} against best play.`;
}
