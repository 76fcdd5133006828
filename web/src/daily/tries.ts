/** Tries: what the browser keeps of one person's Daily Tens, by date: the choices of each, and the cost once all ten are made. */

import { dayBefore, TEN } from "./dailyTen";

/** The most dates that are kept. */
const MAX_DATES = 1000;
const VERSION = 1;

export interface Try {
  /** The Play wager of each decision in Antes, one digit each; 0 is a fold. */
  choices: string;
  /** Cents lost per $10 Ante; null until the tenth decision. */
  cents: number | null;
}

export interface Tries {
  version: typeof VERSION;
  dates: Record<string, Try>;
}

export const NO_TRIES: Tries = { version: VERSION, dates: {} };
const NO_TRY: Try = { choices: "", cents: null };

export const tryOf = ({ dates }: Tries, date: string): Try => dates[date] ?? NO_TRY;

export const isFinished = ({ choices }: Try): boolean => choices.length === TEN;

export function withTry({ dates }: Tries, date: string, made: Try): Tries {
  const newest = Object.entries({ ...dates, [date]: made }).sort(([a], [b]) => (a < b ? -1 : 1)).slice(-MAX_DATES);
  return { version: VERSION, dates: Object.fromEntries(newest) };
}

export interface DailyRecord {
  played: number;
  /** Finished dates in a row up to today, or to yesterday while today is not finished. */
  streak: number;
  longest: number;
  /** Cents per date. */
  average: number;
}

export function recordOf({ dates }: Tries, today: string): DailyRecord {
  const finished = Object.keys(dates).filter((date) => isFinished(dates[date]!)).sort();
  const runs = new Map<string, number>();
  for (const date of finished) runs.set(date, (runs.get(dayBefore(date)) ?? 0) + 1);
  const cents = finished.reduce((sum, date) => sum + (dates[date]!.cents ?? 0), 0);
  return {
    played: finished.length,
    streak: runs.get(today) ?? runs.get(dayBefore(today)) ?? 0,
    longest: Math.max(0, ...runs.values()),
    average: finished.length ? cents / finished.length : 0,
  };
}

// Reading what is stored: anything can stand there, as people and other programs can change it.

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

function isTry(value: unknown): value is Try {
  if (!isRecord(value) || typeof value.choices !== "string" || !/^[0-3]{0,10}$/.test(value.choices)) return false;
  return value.cents === null || (typeof value.cents === "number" && value.cents >= 0 && value.cents < Infinity);
}

/** The tries that are stored, as far as they are valid. */
export function readTries(stored: unknown): Tries {
  if (!isRecord(stored) || stored.version !== VERSION || !isRecord(stored.dates)) return NO_TRIES;
  const valid = Object.entries(stored.dates).filter((entry): entry is [string, Try] => isDate(entry[0]) && isTry(entry[1]));
  return { version: VERSION, dates: Object.fromEntries(valid.slice(-MAX_DATES)) };
}
