/** Arithmetic of wagers on their spots; what is allowed is for the house to say. */

import type { PlaceView, Spot, WagerName } from "../lib/types";

export type Wagers = Partial<Record<WagerName, number>>;

/** Wagers that nobody places before the cards. */
const LATER: WagerName[] = ["play", "automatic_bonus", "envy"];

/**
 * The amount on a spot after one more chip: from its minimum up to its maximum; a progressive goes to its next stake.
 * Beyond the maximum the house is asked all the same, and answers with the clause.
 */
export function withChip(spot: Spot, lying: number, chip: number): number {
  if (spot.stakes.length) return spot.stakes.find((stake) => stake > lying) ?? lying;
  const wanted = Math.max(lying + chip, spot.least ?? 0);
  return spot.most !== null && lying < spot.most ? Math.min(wanted, spot.most) : wanted;
}

/** The spots of a position in an order in which each wager's needs come before it. */
export function inOrder(spots: Spot[]): Spot[] {
  const ordered: Spot[] = [];
  let waiting = [...spots];
  while (waiting.length) {
    const placed = ordered.map((spot) => spot.wager);
    const next = waiting.filter(
      (spot) =>
        (!spot.needs.length || spot.needs.some((need) => placed.includes(need))) &&
        (spot.needs_all ?? []).every((need) => placed.includes(need)),
    );
    ordered.push(...(next.length ? next : waiting));
    waiting = next.length ? waiting.filter((spot) => !next.includes(spot)) : [];
  }
  return ordered;
}

/** What a player had put down before the cards came. */
export const placedBefore = (place: PlaceView): Wagers =>
  Object.fromEntries(Object.entries(place.wagers).filter(([wager]) => !LATER.includes(wager as WagerName)));

export const total = (wagers: Wagers): number => Object.values(wagers).reduce((sum, cents) => sum + cents, 0);

/** The most of an account that can be changed into whole chips, in cents. */
export const mostBuyIn = (account: number, chip: number): number => Math.max(0, account - (account % chip));

/** Whether an amount can be changed into whole chips, and the account has it. */
export const canBuyIn = (cents: number, account: number, chip: number): boolean =>
  cents > 0 && cents % chip === 0 && cents <= mostBuyIn(account, chip);

/** How much to change into chips first: twenty of the least Ante in even money, or all there is if it is less. */
export const firstBuyIn = (least: number, account: number, chip: number): number =>
  Math.min(mostBuyIn(account, chip), Math.ceil((20 * least) / 10_000) * 10_000);

/** The amounts to choose from: some of the least Ante that the account has, and all of it. */
export const buyIns = (least: number, account: number, chip: number): number[] => {
  const most = mostBuyIn(account, chip);
  return [...new Set([10, 20, 50].map((n) => n * least).concat(most))].filter((cents) => canBuyIn(cents, most, chip));
};
