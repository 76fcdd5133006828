/** Which points are shown, and under which heading. */

import { words } from "../lib/format";
import type { Point } from "./types";

const said = (point: Point, book: string): string | null => point.rulebooks[book]?.value ?? null;

/** A point is shown where the chosen rulebooks do not all say the same; where all are shown, one must speak. */
export function shownPoints(points: Point[], books: string[], all: boolean, search: string): Point[] {
  const wanted = search.trim().toLowerCase();
  return points.filter((point) => {
    const values = books.map((book) => said(point, book));
    const speaks = values.some((value) => value !== null);
    const differs = new Set(values).size > 1;
    return (differs || (all && speaks)) && words(point.point).replaceAll(".", " ").toLowerCase().includes(wanted);
  });
}

export function grouped(points: Point[]): [string, Point[]][] {
  const groups = new Map<string, Point[]>();
  for (const point of points) {
    const [first = "", second = ""] = point.point.split(".");
    const title = first === "wagers" ? second : first;
    groups.set(title, [...(groups.get(title) ?? []), point]);
  }
  return [...groups];
}
