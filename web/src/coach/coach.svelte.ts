/** Coach: fetches the exact value of each choice, before or after the player's decision, and counts mistakes. */

import { createContext } from "svelte";
import { ApiError, get } from "../lib/api";
import type { CoachAdvice, ChoiceAnswer, DecisionsAnswer, RefusalBody } from "../lib/apiTypes";
import { choiceLabel, dollars, dollarsAndCents } from "../lib/format";
import { StoredValue } from "../lib/localStorage.svelte";
import type { TableSession } from "../table/session.svelte";

/** A loss below this, in cents, is an error of the floating point numbers. */
const ROUNDING = 1e-9;

/** A situation in which a player decides. */
export interface DecisionPoint {
  table: string;
  round: number;
  position: number;
  hand: string[];
  up: string;
  ante: number;
}

export const fetchAdvice = (point: DecisionPoint): Promise<CoachAdvice> =>
  get("/api/advice", { hand: point.hand.join(" "), up: point.up, table: point.table, ante: point.ante });

/** The expected value of an amount on Play, in Antes; 0 is a fold. It is linear in the Play wager. */
export function choiceValue(advice: CoachAdvice, ante: number, amount: number): number {
  const { fold = -1, "1x": one = 0, "2x": two = 0 } = advice.ev;
  return amount === 0 ? fold : one + (two - one) * (amount / ante - 1);
}

/** Every choice with its value; there are none without an Ante. */
export const choicesOf = (advice: CoachAdvice): ChoiceAnswer[] => advice.choices ?? [];

export const bestChoice = (advice: CoachAdvice): ChoiceAnswer | null =>
  choicesOf(advice).find(({ choice }) => choice === advice.best) ?? null;

/** The cents that a player's chips lack for an amount on Play. */
export const chipsShort = (amount: number, chips: number): number => Math.max(0, amount - chips);

/** The name of a decision: "fold", "3x", or "$15 on Play" for an amount between multiples. */
export const choiceName = (ante: number, amount: number): string =>
  amount === 0 ? "fold" : amount % ante === 0 ? `${amount / ante}x` : `${dollars(amount)} on Play`;

export interface Verdict {
  text: string;
  /** Whether the decision was best; null before it. */
  right: boolean | null;
}

/** The best choice before a decision, or what the decision cost after it; without chips, what they cover does not matter. */
export function verdictOf(point: DecisionPoint, advice: CoachAdvice, chosen: number | null, chips: number | null): Verdict {
  const best = bestChoice(advice);
  const short = chips === null || !best ? 0 : chipsShort(best.amount, chips);
  const needs = short ? ` You ${chosen === null ? "need" : "needed"} ${dollars(short)} more for ${advice.best}.` : "";
  if (chosen === null) return { text: `Best: ${choiceLabel(advice.best)}, worth ${dollarsAndCents(best?.cents ?? 0)}.${needs}`, right: null };
  const lost = best ? Math.max(0, (best.ev - choiceValue(advice, point.ante, chosen)) * point.ante) : 0;
  const choice = choiceLabel(choiceName(point.ante, chosen));
  if (lost < ROUNDING) return { text: `${choice} was best.`, right: true };
  return { text: `${choice} cost ${dollarsAndCents(lost)}. ${choiceLabel(advice.best)} was best.${needs}`, right: false };
}

const samePoint = (point: DecisionPoint, other: DecisionPoint | null): boolean =>
  other !== null && point.table === other.table && point.round === other.round && point.position === other.position;

export type CoachMode = "off" | "after" | "before";
export const COACH_MODES: { value: CoachMode; label: string; name: string }[] = [
  { value: "off", label: "Off", name: "Coach off" },
  { value: "after", label: "After", name: "Coach after the decision" },
  { value: "before", label: "Before", name: "Coach before the decision" },
];

export const coachMode = new StoredValue<CoachMode>("coach", "after");

export const [getCoach, setCoach] = createContext<Coach>();

export class Coach {
  readonly #session: TableSession;
  /** The decision that the coach talks about. */
  point: DecisionPoint | null = $state.raw(null);
  /** What the player chose: cents on Play, 0 for a fold, null before the decision. */
  chosen: number | null = $state(null);
  /** The player's chips in cents, now or when the decision was made. */
  chips = $state(0);
  advice: CoachAdvice | null = $state.raw(null);
  refusal: RefusalBody | null = $state.raw(null);
  tally: DecisionsAnswer | null = $state.raw(null);
  #loading = "";

  constructor(session: TableSession) {
    this.#session = session;
  }

  /** Whether the values can be shown now. */
  get visible(): boolean {
    return coachMode.value === "before" || (coachMode.value === "after" && this.chosen !== null);
  }

  /** What the coach says now, if it may. */
  get verdict(): Verdict | null {
    return this.visible && this.point && this.advice ? verdictOf(this.point, this.advice, this.chosen, this.chips) : null;
  }

  /** Follow the table: pick up a new decision point, and notice the decision. */
  update(): void {
    const current = this.#currentPoint();
    if (current && !samePoint(current, this.point)) {
      this.point = current;
      this.chosen = null;
      this.advice = null;
      this.refusal = null;
    }
    if (this.point && this.chosen === null) {
      this.chosen = this.#decision(this.point);
      this.chips = this.chosen === null ? (this.#session.you?.chips ?? 0) : Math.max(this.chips, this.chosen);
    }
    if (this.point && this.visible && !this.advice) void this.#load(this.point);
  }

  #currentPoint(): DecisionPoint | null {
    const { decidingPosition: position, round, view, live } = this.#session;
    const place = position === null ? null : this.#session.place(position);
    if (position === null || !place || !round?.up || place.cards.includes("??")) return null;
    return {
      table: live.table,
      round: view?.number ?? 0,
      position,
      hand: place.cards,
      up: round.up,
      ante: place.wagers.ante ?? 0,
    };
  }

  /** The amount on Play after the decision; null before it. */
  #decision(point: DecisionPoint): number | null {
    const { view } = this.#session;
    if (!view) return null;
    // The next round may have begun before the page heard how this one ended.
    const last = view.number - (view.round ? 1 : 0);
    const round = point.round === last ? view.last : point.round === view.number ? view.round : null;
    const place = this.#session.place(point.position, round);
    if (!place?.decision) return null;
    return place.decision === "fold" ? 0 : (place.wagers.play ?? 0);
  }

  async #load(point: DecisionPoint): Promise<void> {
    const id = JSON.stringify(point);
    if (this.#loading === id) return;
    this.#loading = id;
    try {
      const advice = await fetchAdvice(point);
      if (samePoint(point, this.point)) this.advice = advice;
    } catch (error) {
      if (error instanceof ApiError && samePoint(point, this.point)) this.refusal = error.refusal;
    }
    this.#loading = "";
  }

  /** Load the tally of all decisions so far. */
  async loadTally(): Promise<void> {
    try {
      this.tally = await get("/api/decisions");
    } catch {
      this.tally = null;
    }
  }
}
