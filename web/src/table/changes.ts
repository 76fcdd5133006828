/** The differences between two rulebooks, told apart by whether a player feels them. */

import { get, type Page } from "../lib/api";

export interface DifferencePoint {
  point: string;
  differs: boolean;
  pays?: Record<string, string>;
  rulebooks: Record<string, { value: string | null; clauses: string[] }>;
}

const FELT = /^(positions|leaving|wagers|wagering|deciding|settlement\.order)/;
/** Which single tables of odds a rulebook prints, and under which conditions an operator may, is for the page of rules. */
const LEFT_OUT = /(\.tables\.\d+|\.own_tables|\.choices|\.declared|_declared|\.posted_limits|\.device|\.mode)$/;

/** Every point at which the rulebooks differ. */
export async function differences(): Promise<DifferencePoint[]> {
  const found: DifferencePoint[] = [];
  let after: string | undefined;
  do {
    const page: Page<DifferencePoint> = await get("/api/differences", { limit: 200, after });
    found.push(...page.items);
    after = page.next ?? undefined;
  } while (after);
  return found;
}

const at = (point: DifferencePoint, book: string): string | null => point.rulebooks[book]?.value ?? null;

/** A wager that only one of two rulebooks has: it is told in a line, not in one for each of its points. */
const lone = (points: DifferencePoint[], from: string, to: string): string[] =>
  points
    .filter((point) => /^wagers\.\w+\.offered$/.test(point.point) && (at(point, from) === null) !== (at(point, to) === null))
    .map((point) => point.point.replace(/offered$/, ""));

/** The points that differ, first those that a player feels, then the procedure. */
export function changes(points: DifferencePoint[], from: string, to: string): [DifferencePoint[], DifferencePoint[]] {
  const alone = lone(points, from, to);
  const differing = points.filter(
    (point) =>
      at(point, from) !== at(point, to) &&
      !LEFT_OUT.test(point.point) &&
      (point.point.endsWith(".offered") || !alone.some((wager) => point.point.startsWith(wager))),
  );
  const weight = (point: DifferencePoint): number => (point.point.endsWith(".offered") ? 0 : point.point.startsWith("wagers") ? 1 : 2);
  const felt = differing.filter((point) => FELT.test(point.point)).sort((a, b) => weight(a) - weight(b));
  return [felt, differing.filter((point) => !FELT.test(point.point))];
}
