/** Wording of the Daily Ten: dates, scores and the result to share. */

import type { Judgment } from "../trainer/judge";

/** A date as people write it: "Thursday, November 19, 2026". */
export const dayName = (date: string): string =>
  new Date(date).toLocaleDateString("en-US", { timeZone: "UTC", weekday: "long", year: "numeric", month: "long", day: "numeric" });

/** Cents to a tenth: "12.3¢". */
export const centsText = (cents: number): string => `${cents.toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 })}¢`;

/** Hours and minutes: "5 h 12 min". */
export function durationText(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / 60_000);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const SQUARES: Record<string, string> = { best: "🟩", inaccuracy: "🟨", mistake: "🟧", blunder: "🟥" };

/** The result to share: no hand and no choice, only how good each was. */
export function resultText(date: string, judgments: readonly Judgment[], cents: number, streak: number, link: string): string {
  const best = judgments.filter(({ isBest }) => isBest).length;
  return [
    `fourcard Daily Ten ${date}`,
    judgments.map(({ verdict }) => SQUARES[verdict] ?? "⬜").join(""),
    [`${centsText(cents)} lost per $10 Ante`, `${best} of ${judgments.length} best`, ...(streak > 1 ? [`${streak} days in a row`] : [])].join(" · "),
    link,
  ].join("\n");
}
