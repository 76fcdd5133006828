/** Rules data: sources, topics, example submissions, rulings, and the points on which rulebooks differ. */

import { get, getAll } from "../lib/api";
import type { Example, DifferencePoint, RulingEntry } from "../lib/apiTypes";
import { humanize } from "../lib/format";

/** Source names by the first letters of their clause ids. */
export const SOURCES: Record<string, string> = {
  MA: "Massachusetts",
  SM: "Shuffle Master",
  MD: "Maryland",
  WA: "Washington",
  IA: "Catfish Bend, Iowa",
};

/** The topics of clauses, in the order of a round. */
export const TOPICS = [
  "cards", "deck", "deck-change", "equipment", "layout", "opening", "shuffle", "cut", "wagers", "limits", "deal-shoe",
  "deal-hand", "deal-auto", "stub-count", "ranking", "play-decision", "settlement", "payout", "automatic-bonus", "aces-up",
  "bad-beat", "six-card-bonus", "cover-all", "progressive", "envy", "meter", "jackpot-workflow", "progressive-system",
  "irregularity", "roles", "approval", "submission", "math",
];

export const fetchExamples = async (): Promise<Example[]> => (await get("/api/examples")).items;

export const fetchExampleText = async (name: string): Promise<string> =>
  (await get("/api/examples/{name}", { name })).text;

export const fetchRulings = (): Promise<RulingEntry[]> => getAll("/api/rulings");

/** The points to show: those on which the selected rulebooks differ, or with `all` every point that one of them covers. */
export function filterPoints(points: DifferencePoint[], books: string[], all: boolean, search: string): DifferencePoint[] {
  const wanted = search.trim().toLowerCase();
  return points.filter((point) => {
    const values = books.map((book) => point.rulebooks[book]?.value ?? null);
    const covered = values.some((value) => value !== null);
    const differs = new Set(values).size > 1;
    return (differs || (all && covered)) && humanize(point.point).replaceAll(".", " ").toLowerCase().includes(wanted);
  });
}

/** The points by subject: "wagers.aces_up.pays" belongs to "aces_up". */
export function groupPoints(points: DifferencePoint[]): [string, DifferencePoint[]][] {
  const groups = new Map<string, DifferencePoint[]>();
  for (const point of points) {
    const [first = "", second = ""] = point.point.split(".");
    const title = first === "wagers" ? second : first;
    groups.set(title, [...(groups.get(title) ?? []), point]);
  }
  return [...groups];
}
