/**
 * Daily Ten: the ten decisions of a date, drawn from the date alone. docs/player/training.md says how, so that anybody
 * can draw them again; a change here would change the decisions of past dates.
 */

import type { TrainerGame } from "../lib/apiTypes";
import { DECK_SIZE } from "../poker/cards";
import { isAbove } from "../poker/fractions";
import { bestHand } from "../poker/hands";
import { answerTo, countPosition, type Answer } from "../trainer/answer";
import { classOf, type HandClass } from "../trainer/handClasses";
import { marginOf } from "../trainer/judge";
import { HAND_SIZE, type CompletePosition } from "../trainer/position";
import { chooseTerms, type ChosenTerms } from "../trainer/terms";

/** The class of each decision, and how many positions of it are drawn, of which the closest is taken. */
const DRAWS: readonly [HandClass, number][] = [
  ["no_pair", 6], ["no_pair", 6], ["low_pair", 4], ["low_pair", 4], ["low_pair", 4], ["low_pair", 1], ["high_pair", 4], ["high_pair", 4],
  ["two_pair", 1], ["strong", 1],
];
export const TEN = DRAWS.length;
const RULEBOOK = "massachusetts";
const DAY = 24 * 60 * 60 * 1000;

/** The date in UTC, such as "2026-11-19". */
export const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
export const dayBefore = (date: string): string => dateOf(Date.parse(date) - DAY);
/** Milliseconds until the next date. */
export const untilNext = (time: number): number => DAY - (time % DAY);

/** The terms that hold for everybody: those of one rulebook with its default bonus table. */
export const dailyTerms = (games: readonly TrainerGame[]): ChosenTerms => chooseTerms(games, new URLSearchParams({ rulebook: RULEBOOK }))!;

const MASK = (1n << 64n) - 1n;

/** SplitMix64 (Steele, Lea and Flood, 2014): a sequence of 64-bit numbers from a seed. */
class SplitMix64 {
  #state: bigint;

  constructor(seed: bigint) {
    this.#state = seed;
  }

  #next(): bigint {
    this.#state = (this.#state + 0x9e3779b97f4a7c15n) & MASK;
    let mixed = this.#state;
    mixed = ((mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
    mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & MASK;
    return mixed ^ (mixed >> 31n);
  }

  below(limit: number): number {
    return Number(this.#next() % BigInt(limit));
  }

  /** The first numbers of a random order of the numbers below a limit. */
  draw(count: number, limit: number): number[] {
    const numbers = Array.from({ length: limit }, (_, number) => number);
    for (let at = 0; at < count; at++) {
      const other = at + this.below(limit - at);
      [numbers[at], numbers[other]] = [numbers[other]!, numbers[at]!];
    }
    return numbers.slice(0, count);
  }
}

/** The generator of one draw of a date; draw 0 is the order of the ten. */
const generatorOf = (date: string, draw: number): SplitMix64 => new SplitMix64(BigInt(date.replaceAll("-", "")) * 100n + BigInt(draw));

/** The positions of a draw, from 1 to 10. */
function positionsOf(date: string, draw: number): CompletePosition[] {
  const [handClass, count] = DRAWS[draw - 1]!;
  const generator = generatorOf(date, draw);
  const found: CompletePosition[] = [];
  while (found.length < count) {
    const cards = generator.draw(HAND_SIZE + 1, DECK_SIZE);
    const hand = cards.slice(0, HAND_SIZE);
    if (classOf(bestHand(hand)) === handClass) found.push({ hand, up: cards[HAND_SIZE]! });
  }
  return found;
}

/** The ten decisions of a date, one after the other as they are counted. */
export async function* dailyTen(date: string, chosen: ChosenTerms): AsyncGenerator<Answer> {
  for (const draw of generatorOf(date, 0).draw(TEN, TEN)) {
    const answers: Answer[] = [];
    for (const position of positionsOf(date, draw + 1)) answers.push(answerTo(await countPosition(position), chosen));
    yield closestOf(answers);
  }
}

/** The decision with the smallest margin; of equal ones the first. */
export const closestOf = (answers: readonly Answer[]): Answer =>
  answers.reduce((closest, each) => (isAbove(marginOf(closest.values), marginOf(each.values)) ? each : closest));
