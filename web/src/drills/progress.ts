/**
 * Progress: what the browser keeps of one person's drills, by hand class, and the positions that come back.
 *
 * A missed position comes back after 3 decisions, and after each best decision later: after 8, 21 and 55 more. Every
 * second time another position of its kind comes. After four best decisions in a row it is learned, and dropped.
 */

import { DECK_SIZE } from "../poker/cards";
import { cardsOf, HAND_SIZE, type CompletePosition } from "../trainer/position";
import { HAND_CLASSES, type HandClass } from "../trainer/handClasses";

/** Decisions after which a missed position comes back, by how often it was decided right since. */
export const INTERVALS = [3, 8, 21, 55];
/** Decisions of a class that its figures are of, and the most positions that wait to come back. */
export const RECENT = 50;
export const MAX_MISSED = 200;
const VERSION = 1;

/** A missed position under certain terms. */
export interface Missed extends CompletePosition {
  terms: string;
  /** Best decisions in a row since the miss. */
  stage: number;
  /** The number of decisions after which it comes back. */
  due: number;
}

/** A recent decision: the Antes lost, and whether it was the best one. */
export type Recent = [lost: number, best: boolean];

export interface Progress {
  version: typeof VERSION;
  decisions: number;
  best: number;
  lost: number;
  /** Best decisions in a row: now, and the most so far. */
  streak: number;
  longest: number;
  classes: Record<HandClass, Recent[]>;
  missed: Missed[];
}

export const NO_PROGRESS: Progress = {
  version: VERSION, decisions: 0, best: 0, lost: 0, streak: 0, longest: 0,
  classes: { no_pair: [], low_pair: [], high_pair: [], two_pair: [], strong: [] },
  missed: [],
};

export const isSame = (a: CompletePosition, b: CompletePosition): boolean => `${cardsOf(a)}` === `${cardsOf(b)}`;

/** One decision of a drill. */
export interface Drilled {
  position: CompletePosition;
  handClass: HandClass;
  terms: string;
  lost: number;
  /** Whether it was the best decision, in time. */
  right: boolean;
  /** The missed position that came back with it, if one did. */
  repeated: Missed | null;
}

export function withDecision(progress: Progress, { position, handClass, terms, lost, right, repeated }: Drilled): Progress {
  const decisions = progress.decisions + 1;
  const streak = right ? progress.streak + 1 : 0;
  const others = progress.missed.filter((each) => !isSame(each, position) && !(repeated && isSame(each, repeated)));
  const stage = right && repeated ? repeated.stage + 1 : 0;
  const returning = right ? repeated : position;
  const interval = INTERVALS[stage];
  const comesBack = returning && interval !== undefined && { hand: returning.hand, up: returning.up, terms, stage, due: decisions + interval };
  return {
    version: VERSION,
    decisions,
    best: progress.best + (right ? 1 : 0),
    lost: progress.lost + lost,
    streak,
    longest: Math.max(progress.longest, streak),
    classes: { ...progress.classes, [handClass]: [...progress.classes[handClass], [lost, right]].slice(-RECENT) },
    missed: (comesBack ? [...others, comesBack] : others).slice(-MAX_MISSED),
  };
}

export interface ClassFigures {
  handClass: HandClass;
  /** The recent decisions that the figures are of. */
  decisions: number;
  /** The share of best decisions. */
  accuracy: number;
  /** Antes per decision. */
  lost: number;
}

/** The recent figures of the classes that have decisions, those that cost the most first. */
export function figuresByClass({ classes }: Progress): ClassFigures[] {
  return HAND_CLASSES.filter((each) => classes[each].length)
    .map((handClass) => {
      const recent = classes[handClass];
      const sum = (value: (each: Recent) => number): number => recent.reduce((total, each) => total + value(each), 0);
      return {
        handClass,
        decisions: recent.length,
        accuracy: sum(([, best]) => (best ? 1 : 0)) / recent.length,
        lost: sum(([lost]) => lost) / recent.length,
      };
    })
    .sort((a, b) => b.lost - a.lost || a.accuracy - b.accuracy);
}

// Reading what is stored: anything can stand there, as people and other programs can change it.

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isLoss = (value: unknown): value is number => typeof value === "number" && value >= 0 && value < Infinity;
const isCard = (value: unknown): value is number => isCount(value) && value < DECK_SIZE;
const isRecent = (value: unknown): value is Recent => Array.isArray(value) && isLoss(value[0]) && typeof value[1] === "boolean";
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function isMissed(value: unknown): value is Missed {
  if (!isRecord(value) || !Array.isArray(value.hand)) return false;
  const cards = [...value.hand, value.up];
  const distinct = cards.length === HAND_SIZE + 1 && cards.every(isCard) && new Set(cards).size === cards.length;
  return distinct && typeof value.terms === "string" && isCount(value.stage) && value.stage < INTERVALS.length && isCount(value.due);
}

/** The progress that is stored, as far as it is valid; none otherwise. */
export function readProgress(stored: unknown): Progress {
  if (!isRecord(stored) || stored.version !== VERSION) return NO_PROGRESS;
  const { decisions, best, lost, streak, longest, classes, missed } = stored;
  if (![decisions, best, streak, longest].every(isCount) || !isLoss(lost) || !isRecord(classes) || !Array.isArray(missed)) return NO_PROGRESS;
  const recents = HAND_CLASSES.map((each) => {
    const recent: unknown = classes[each];
    return [each, Array.isArray(recent) ? recent.filter(isRecent).slice(-RECENT) : []] as const;
  });
  return {
    ...(stored as unknown as Progress),
    classes: Object.fromEntries(recents) as Progress["classes"],
    missed: missed.filter(isMissed).slice(-MAX_MISSED),
  };
}
