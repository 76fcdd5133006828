/** Choose position: the next decision of a drill, by what is due to come back, by hand class, and by closeness. */

import { DECK_SIZE, rankOf, suitOf } from "../poker/cards";
import { isAbove } from "../poker/fractions";
import { bestHand } from "../poker/hands";
import { answerTo, countPosition, type Answer } from "../trainer/answer";
import { classOf, HAND_CLASSES, mayBeClose, type HandClass } from "../trainer/handClasses";
import { marginOf } from "../trainer/judge";
import { randomPosition, type CompletePosition } from "../trainer/position";
import type { ChosenTerms } from "../trainer/terms";
import { figuresByClass, isSame, type Missed, type Progress } from "./progress";

/** How often a class comes to somebody who decides all of them equally well: more often where decisions are close. */
const WEIGHTS: Record<HandClass, number> = { no_pair: 3, low_pair: 5, high_pair: 4, two_pair: 1, strong: 1 };
/** How much more often for each Ante that one loses per decision of the class, and at most so many times as often. */
const WEIGHT_PER_ANTE = 30;
const MAX_FACTOR = 8;
/** Most positions of the classes that have close ones are the closest of some; the rest are any. */
const CANDIDATES = 4;
const CLOSE_SHARE = 0.75;
const CLOSE_CLASSES: readonly HandClass[] = ["no_pair", "low_pair", "high_pair"];

/** A position to decide, counted, and the missed one that brought it. */
export interface Task {
  answer: Answer;
  repeated: Missed | null;
}

/** What a next task is chosen by. */
export interface TaskQuery {
  progress: Progress;
  /** The number of decisions that are made when the task is shown. */
  at: number;
  chosen: ChosenTerms;
  terms: string;
  /** The class to drill, or every class. */
  wanted: HandClass | null;
  /** The position on the screen, which does not come again at once. */
  shown: CompletePosition | null;
}

/** The next task: of the missed positions that are due the one that waits the longest, and otherwise a new one. */
export async function nextTask(query: TaskQuery): Promise<Task> {
  const repeated = dueNext(query);
  if (!repeated) return { answer: await newAnswer(query.chosen, query.wanted ?? drawClass(query.progress)), repeated };
  const position = repeated.stage % 2 ? sameKind(repeated) : repeated;
  return { answer: answerTo(await countPosition({ hand: position.hand, up: position.up }), query.chosen), repeated };
}

function dueNext({ progress, at, terms, wanted, shown }: TaskQuery): Missed | null {
  const due = progress.missed.filter(
    (each) => each.terms === terms && each.due <= at && !(shown && isSame(each, shown)) && (!wanted || classOf(bestHand(each.hand)) === wanted),
  );
  return due.reduce<Missed | null>((first, each) => (first && first.due <= each.due ? first : each), null);
}

/** A class by its weight and by what one's own decisions of it cost. */
function drawClass(progress: Progress): HandClass {
  const lost = new Map(figuresByClass(progress).map((each) => [each.handClass, each.lost]));
  const weights = HAND_CLASSES.map((each) => WEIGHTS[each] * Math.min(MAX_FACTOR, 1 + WEIGHT_PER_ANTE * (lost.get(each) ?? 0)));
  let left = Math.random() * weights.reduce((sum, weight) => sum + weight);
  return HAND_CLASSES.find((_, at) => (left -= weights[at]!) < 0) ?? HAND_CLASSES[0];
}

/** A random position of a class. */
async function newAnswer(chosen: ChosenTerms, handClass: HandClass): Promise<Answer> {
  const close = CLOSE_CLASSES.includes(handClass) && Math.random() < CLOSE_SHARE;
  const answers: Answer[] = [];
  while (answers.length < (close ? CANDIDATES : 1)) answers.push(answerTo(await countPosition(drawPosition(handClass, close)), chosen));
  return answers.reduce((closest, each) => (isAbove(marginOf(closest.values), marginOf(each.values)) ? each : closest));
}

function drawPosition(handClass: HandClass, close: boolean): CompletePosition {
  for (;;) {
    const position = randomPosition();
    if (classOf(bestHand(position.hand)) === handClass && (!close || mayBeClose(position.hand))) return position;
  }
}

/** Cards that make a kind of hand: of a pair its two, without a pair the two highest, and otherwise all four. */
const MAKERS = 2;

/** Another position of the same kind: the same hand but for its side cards, against an up card of the same rank. */
export function sameKind({ hand, up }: CompletePosition): CompletePosition {
  const best = bestHand(hand);
  const isTwo = best.category === "pair" || best.category === "high_card";
  const kept = isTwo ? best.cards.slice(0, MAKERS) : best.cards;
  for (;;) {
    const others = deckWithout([...kept, up]);
    const cards = [...kept, ...shuffled(others).slice(0, hand.length - kept.length)];
    const made = bestHand(cards);
    const same = made.category === best.category && made.ranks[0] === best.ranks[0] && (best.category !== "high_card" || made.ranks[1] === best.ranks[1]);
    if (same) return otherSuits({ hand: cards, up });
  }
}

const deckWithout = (cards: readonly number[]): number[] => Array.from({ length: DECK_SIZE }, (_, card) => card).filter((card) => !cards.includes(card));

function shuffled(cards: readonly number[]): number[] {
  const found = [...cards];
  for (let at = found.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1));
    [found[at], found[other]] = [found[other]!, found[at]!];
  }
  return found;
}

/** The position with its suits exchanged at random; nothing about its value changes. */
function otherSuits(position: CompletePosition): CompletePosition {
  const suits = shuffled([0, 1, 2, 3]);
  const exchange = (card: number): number => 4 * rankOf(card) + suits[suitOf(card)]!;
  return { hand: position.hand.map(exchange).sort((a, b) => b - a), up: exchange(position.up) };
}
