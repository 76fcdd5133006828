/** Heat map: what a cell of the strategy chart shows, and how strong its color is. */

import type { CellAccuracy, ChartCell } from "../lib/apiTypes";
import { antes } from "../trainer/wording";
import { choiceLabel, humanize, percent } from "../lib/format";

/** What stands in each cell below the decision; without anything the whole chart fits a phone. */
export const VIEWS = { value: "Value", margin: "Lead", decision: "Decision", accuracy: "My accuracy" } as const;
export type View = keyof typeof VIEWS;
export const isView = (text: string | null): text is View => text !== null && text in VIEWS;

/** The lead over the second-best choice, in Antes, from which a color is at its strongest. */
const CLEAR_LEAD = 0.5;
const [WEAKEST, STRONGEST] = [8, 44];

/** How much of its color a cell has, in percent: little where the choices are close. */
export const colorShare = (lead: number): number => WEAKEST + (STRONGEST - WEAKEST) * Math.sqrt(Math.min(1, lead / CLEAR_LEAD));

export const shortChoice = (decision: string): string => (decision === "fold" ? "F" : decision);

export const rowKey = (hand: string, up: string): string => `${hand}/${up}`;

/** The own decisions of each cell, by its row and column. */
export const byCell = (cells: readonly CellAccuracy[]): Map<string, CellAccuracy> =>
  new Map(cells.map((each) => [rowKey(each.hand, each.up), each]));

/** The figure below the decision. */
export function figureOf(cell: ChartCell, view: View, own: CellAccuracy | undefined): string {
  if (view === "decision") return "";
  if (view === "accuracy") return own ? `${own.best}/${own.decisions}` : "";
  return view === "value" ? antes(cell.values[cell.decision]!, 2) : cell.margin.toFixed(2);
}

export const upName = (up: string): string => (up === "T" ? "10" : up);

/** The own decisions in a cell, in words. */
export const accuracyText = ({ decisions, best, lost }: CellAccuracy): string =>
  `${decisions} ${decisions === 1 ? "decision" : "decisions"}, ${best} the best one (${percent(best / decisions, 0)}), ${lost.toFixed(2)} Antes lost`;

/** The name of a cell for screen readers. */
export function cellLabel(cell: ChartCell, view: View, own: CellAccuracy | undefined, current: boolean): string {
  const parts = [`${humanize(cell.hand)} against ${upName(cell.up)}: ${choiceLabel(cell.decision)}`];
  if (cell.mixed) parts.push("with exceptions");
  if (view === "accuracy") parts.push(own ? accuracyText(own) : "no decision of yours");
  else if (view !== "decision") parts.push(view === "value" ? `worth ${antes(cell.values[cell.decision]!, 2)} Antes` : `${cell.margin.toFixed(2)} Antes ahead`);
  if (current) parts.push("your hand now");
  return parts.join(", ");
}
