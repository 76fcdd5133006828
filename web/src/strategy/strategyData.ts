/** Strategy data: the chart and the strategies to memorise of some terms, and the cell of a hand. */

import type { ChartCell, StrategyData, TrainerBonus, TrainerGame } from "../lib/apiTypes";
import { loadDataFile } from "../lib/dataFiles";
import { RANKS, rankOf } from "../poker/cards";
import { bestHand } from "../poker/hands";

/** The name of the data file of a game with a bonus table. */
export const strategyKey = (game: TrainerGame, bonus: TrainerBonus | null): string => `${game.id}-${bonus?.id ?? "none"}`;

/** The strategy of a key; loaded once. */
export const loadStrategy = (key: string): Promise<StrategyData> =>
  loadDataFile<"/data/strategy/{name}">("data/strategy/{name}", { name: `${key}.json` });

/** The cell of a row and a column by their names, or null. */
export const cellAt = (data: StrategyData, hand: string | null, up: string | null): ChartCell | null =>
  data.cells[data.hands.indexOf(hand ?? "")]?.[data.ups.indexOf(up ?? "")] ?? null;

/** The cell of five cards and an up card. */
export function cellOf(data: StrategyData, hand: readonly number[], up: number): ChartCell {
  const { strength } = bestHand(hand);
  const row = data.strengths.findIndex(([lowest, highest]) => lowest! <= strength && strength <= highest!);
  return data.cells[row]![data.ups.indexOf(RANKS[rankOf(up)]!)]!;
}

/** Whether a cell's decision is to fold, the smallest Play wager or a larger one. */
export function decisionKind({ decision, values }: ChartCell): "fold" | "least" | "most" {
  if (decision === "fold") return "fold";
  return decision === Object.keys(values).find((choice) => choice !== "fold") ? "least" : "most";
}
