/** Results added up round by round, beside what was to be expected and the band that chance stays in. */

import type { Result } from "./types";

/** So many standard deviations to both sides hold 95 of 100 results. */
export const WIDTH = 1.96;

export interface Point {
  rounds: number;
  net: number;
  expected: number;
  low: number;
  high: number;
}

const START: Point = { rounds: 0, net: 0, expected: 0, low: 0, high: 0 };

/** Rounds are taken as independent: their expected values add up, and so do their variances. */
export function summed(results: Result[]): Point[] {
  const points = [START];
  let [net, expected, variance] = [0, 0, 0];
  results.forEach((result, at) => {
    net += result.net;
    expected += result.expected;
    variance += result.sd ** 2;
    const reach = WIDTH * Math.sqrt(variance);
    points.push({ rounds: at + 1, net, expected, low: expected - reach, high: expected + reach });
  });
  return points;
}

/** At most so many of the points, evenly apart, the first and the last among them. */
export function thinned(points: Point[], most: number): Point[] {
  if (points.length <= most) return points;
  return Array.from({ length: most }, (_, at) => points[Math.round((at * (points.length - 1)) / (most - 1))]!);
}

/** Round numbers for an axis: about so many steps from the least to the most. */
export function ticks(least: number, most: number, about: number): number[] {
  const rough = (most - least) / about || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? rough;
  const found: number[] = [];
  for (let at = Math.ceil(least / step); at * step <= most; at++) found.push(at * step);
  return found;
}
