/** Layout: the text printed on the table, and which positions are on which side of it. */

import type { TableConfig } from "../lib/apiTypes";
import type { WagerName } from "./wagers";

export interface Sides {
  left: number[];
  near: number[];
  right: number[];
}

/** How many positions are near a viewer without a seat. */
const NEAR = 3;

/**
 * The positions around the table, each list from our left to our right: the own ones near us, the others on both sides in their order.
 * Position 1 is at the dealer's left, which is on our right; numbers go up towards our left.
 */
export function sides(positions: number, own: readonly number[]): Sides {
  const others = Array.from({ length: positions }, (_, index) => positions - index).filter((position) => !own.includes(position));
  const right = own.length ? Math.ceil(others.length / 2) : Math.ceil(Math.max(0, others.length - NEAR) / 2);
  const left = own.length ? others.length - right : right;
  const near = own.length ? [...own].sort((a, b) => b - a) : others.slice(left, others.length - right);
  return { left: others.slice(0, left), near, right: others.slice(others.length - right) };
}

/** The printed lines: what Ante and Play pay, and the bonus. */
export function printedLines(config: TableConfig): string[] {
  const rows = (wager: WagerName): string[] => {
    const pays = config.sign.find((panel) => panel.wager === wager)?.pays ?? {};
    return Object.entries(pays).map(([row, cells]) => `${row} ${Object.values(cells)[0] ?? ""}`.trim());
  };
  const bonus = rows("automatic_bonus");
  const base = rows("ante").map((row) => row.replace(/ (\d+ (?:to|for) \d+)$/, " pays $1"));
  return [base.join(" · "), bonus.length ? `Bonus: ${bonus.join(" · ")}` : ""].filter(Boolean);
}

/** The label of the card source drawn on the table. */
export const cardSource = (method: string): string =>
  method.includes("machine") ? "Shuffler" : method.includes("shoe") ? "Shoe" : "Deck";
