/** Rulebook changes: how the rulebook of a table differs from the one the player used last. */

import { getAll } from "../lib/api";
import type { DifferencePoint, TableSummary } from "../lib/apiTypes";
import { StoredValue } from "../lib/localStorage.svelte";

/** The rulebook of the table that the player visited last. */
export const lastRulebook = new StoredValue<string | null>("rulebook", null);

/** A rulebook's key in the list of differences: its id, with the edition if there are several. */
export const rulebookKey = (table: Pick<TableSummary, "rulebook" | "edition">): string =>
  table.edition && table.edition !== "printed" ? `${table.rulebook} (${table.edition})` : table.rulebook;

/** Points that matter to a player at the table. */
const FOR_PLAYERS = /^(positions|leaving|wagers|wagering|deciding|settlement\.order)/;
/** Points that only the rules page shows: single paytables, and what an operator can choose. */
const LEFT_OUT = /(\.tables\.\d+|\.own_tables|\.choices|\.declared|_declared|\.posted_limits|\.device|\.mode)$/;

/** Every point on which the rulebooks differ. */
export const fetchDifferences = (): Promise<DifferencePoint[]> => getAll("/api/differences");

const valueIn = (point: DifferencePoint, book: string): string | null => point.rulebooks[book]?.value ?? null;

/** Wagers that only one of two rulebooks offers: they get one line, not one line per point. */
const offeredInOne = (points: DifferencePoint[], from: string, to: string): string[] =>
  points
    .filter((point) => /^wagers\.\w+\.offered$/.test(point.point) && (valueIn(point, from) === null) !== (valueIn(point, to) === null))
    .map((point) => point.point.replace(/offered$/, ""));

/** The points that differ: first those for players, then dealing procedure. */
export function splitChanges(points: DifferencePoint[], from: string, to: string): [DifferencePoint[], DifferencePoint[]] {
  const single = offeredInOne(points, from, to);
  const differing = points.filter(
    (point) =>
      valueIn(point, from) !== valueIn(point, to) &&
      !LEFT_OUT.test(point.point) &&
      (point.point.endsWith(".offered") || !single.some((wager) => point.point.startsWith(wager))),
  );
  const order = (point: DifferencePoint): number => (point.point.endsWith(".offered") ? 0 : point.point.startsWith("wagers") ? 1 : 2);
  const forPlayers = differing.filter((point) => FOR_PLAYERS.test(point.point)).sort((a, b) => order(a) - order(b));
  return [forPlayers, differing.filter((point) => !FOR_PLAYERS.test(point.point))];
}
