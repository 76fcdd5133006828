/** Results over time: running totals with the expected value and a 95% band, and chart helpers. */

import type { RoundResult } from "../lib/apiTypes";

/** Standard deviations on both sides that hold 95% of results. */
const Z_95 = 1.96;

export interface ResultPoint {
  rounds: number;
  net: number;
  expected: number;
  low: number;
  high: number;
}

const START: ResultPoint = { rounds: 0, net: 0, expected: 0, low: 0, high: 0 };

/** Running totals. Rounds are independent, so expected values and variances add up. */
export function cumulate(results: RoundResult[]): ResultPoint[] {
  const points = [START];
  let [net, expected, variance] = [0, 0, 0];
  results.forEach((result, at) => {
    net += result.net;
    expected += result.expected;
    variance += result.sd ** 2;
    const reach = Z_95 * Math.sqrt(variance);
    points.push({ rounds: at + 1, net, expected, low: expected - reach, high: expected + reach });
  });
  return points;
}

/** At most `most` points, evenly spaced, including the first and the last. */
export function sampled(points: ResultPoint[], most: number): ResultPoint[] {
  if (points.length <= most) return points;
  return Array.from({ length: most }, (_, at) => points[Math.round((at * (points.length - 1)) / (most - 1))]!);
}

/** Round numbers for an axis, about `about` steps from `least` to `most`. */
export function ticks(least: number, most: number, about: number): number[] {
  const rough = (most - least) / about || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? rough;
  const values: number[] = [];
  for (let at = Math.ceil(least / step); at * step <= most; at++) values.push(at * step);
  return values;
}
