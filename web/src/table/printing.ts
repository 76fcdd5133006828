/** What is printed on the layout, taken from the sign that the submission posts. */

import { dollars } from "../lib/format";
import type { Felt, WagerName } from "../lib/types";

/** The base game, the bonus, and whose rules they are, a line each. */
export function printing(felt: Felt): string[] {
  const rows = (wager: WagerName): string[] => {
    const pays = felt.sign.find((panel) => panel.wager === wager)?.pays ?? {};
    return Object.entries(pays).map(([row, cells]) => `${row} ${Object.values(cells)[0] ?? ""}`.trim());
  };
  const bonus = rows("automatic_bonus");
  const base = rows("ante").map((row) => row.replace(/ (\d+ (?:to|for) \d+)$/, " pays $1"));
  return [base.join(" · "), bonus.length ? `Bonus: ${bonus.join(" · ")}` : ""].filter(Boolean);
}

/** The posted limits, a line a wager. */
export const limits = (felt: Felt): { label: string; range: string }[] =>
  felt.spots
    .filter((spot) => spot.stakes.length || spot.least !== null)
    .map((spot) => ({
      label: spot.label,
      range: spot.stakes.length ? spot.stakes.map(dollars).join(" or ") : `${dollars(spot.least ?? 0)} – ${dollars(spot.most ?? 0)}`,
    }));

/** From where the cards come, as a word on the table. */
export const source = (method: string): string =>
  method.includes("machine") ? "Shuffler" : method.includes("shoe") ? "Shoe" : "Deck";
