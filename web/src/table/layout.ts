/** Table drawing: where things are on a drawing 1000 units wide, and the text printed on the layout. */

import type { TableConfig } from "../lib/apiTypes";
import type { WagerName } from "./wagers";
import { dollars } from "../lib/format";

export const WIDTH = 1000;
export const HEIGHT = 600;

export interface Point {
  x: number;
  y: number;
}

/** The middle of a position. Position 1 is at the dealer's left, which is on our right; numbers go up towards our left. */
export function positionPoint(position: number, positions: number): Point {
  const gap = positions > 1 ? Math.min(150, 792 / (positions - 1)) : 0;
  const across = ((positions + 1) / 2 - position) * gap;
  return { x: WIDTH / 2 + across, y: 464 - 160 * (across / 402) ** 2 };
}

/** The outline of the table: straight on the dealer's side, round on the players' side. */
export const edgePath = (inset: number): string => {
  const [left, right, bottom, corner] = [inset, WIDTH - inset, HEIGHT - inset, inset + 16];
  const middle = WIDTH / 2;
  return [
    `M ${left} ${corner} Q ${left} ${inset} ${left + 16} ${inset} L ${right - 16} ${inset} Q ${right} ${inset} ${right} ${corner}`,
    `L ${right} 345 C ${right} ${500 - inset / 2} ${middle + 310} ${bottom} ${middle} ${bottom}`,
    `C ${middle - 310} ${bottom} ${left} ${500 - inset / 2} ${left} 345 Z`,
  ].join(" ");
};

/** A curved baseline for printed text. */
export const arcPath = (y: number, half: number, bend: number): string =>
  `M ${WIDTH / 2 - half} ${y} Q ${WIDTH / 2} ${y + 2 * bend} ${WIDTH / 2 + half} ${y}`;

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

/** The posted limits of each wager. */
export const postedLimits = (config: TableConfig): { label: string; range: string }[] =>
  config.spots
    .filter((spot) => spot.stakes.length || spot.least !== null)
    .map((spot) => ({
      label: spot.label,
      range: spot.stakes.length ? spot.stakes.map(dollars).join(" or ") : `${dollars(spot.least ?? 0)} – ${dollars(spot.most ?? 0)}`,
    }));

/** The label of the card source drawn on the table. */
export const cardSource = (method: string): string =>
  method.includes("machine") ? "Shuffler" : method.includes("shoe") ? "Shoe" : "Deck";
