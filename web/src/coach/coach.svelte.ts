/** The coach beside a player: values a spot before the decision, after it, or not at all, and keeps the count. */

import { createContext } from "svelte";
import { get, Refused } from "../lib/api";
import { Kept } from "../lib/kept.svelte";
import type { Refusal } from "../lib/types";
import type { Playing } from "../table/playing.svelte";
import { asked, type Advice, type Question } from "./advice";

export type Mode = "off" | "after" | "before";

export interface Mistake {
  table: string;
  number: number;
  position: number;
  hand: string;
  up: string;
  ante: number;
  chose: string;
  best: string;
  cost: number;
  values: Record<string, number>;
  /** Cents that the chips lacked for the best choice. */
  short: number;
}

export interface Decisions {
  decisions: number;
  right: number;
  cost: number;
  mistakes: { items: Mistake[]; next: string | null };
}

export const [getCoach, setCoach] = createContext<Coach>();

export const mode = new Kept<Mode>("coach", "after");

export class Coach {
  readonly #playing: Playing;
  /** The spot that the coach speaks of, and what was done in it: cents on Play, 0 for a fold, null before. */
  question: Question | null = $state.raw(null);
  chosen: number | null = $state(null);
  /** The chips for a Play wager in cents, as they are now, or as they were when the decision was made. */
  chips = $state(0);
  advice: Advice | null = $state.raw(null);
  refusal: Refusal | null = $state.raw(null);
  tally: Decisions | null = $state.raw(null);
  #asking = "";

  constructor(playing: Playing) {
    this.#playing = playing;
  }

  /** Whether the values may be seen now. */
  get open(): boolean {
    return mode.value === "before" || (mode.value === "after" && this.chosen !== null);
  }

  /** Look at the table: a new spot is taken up, and a decision in it is noticed. */
  follow(): void {
    const spot = this.#present();
    if (spot && !same(spot, this.question)) {
      this.question = spot;
      this.chosen = null;
      this.advice = null;
      this.refusal = null;
    }
    if (this.question && this.chosen === null) {
      this.chosen = this.#decided(this.question);
      this.chips = this.chosen === null ? (this.#playing.you?.chips ?? 0) : Math.max(this.chips, this.chosen);
    }
    if (this.question && this.open && !this.advice) void this.#ask(this.question);
  }

  #present(): Question | null {
    const { deciding: position, round, view, live } = this.#playing;
    const place = position === null ? null : this.#playing.place(position);
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

  /** What was put on Play in a spot, once the table says so. */
  #decided(question: Question): number | null {
    const { view } = this.#playing;
    if (view?.number !== question.round) return null;
    const place = this.#playing.place(question.position, view.round ?? view.last);
    if (!place?.decision) return null;
    return place.decision === "fold" ? 0 : (place.wagers.play ?? 0);
  }

  async #ask(question: Question): Promise<void> {
    const id = JSON.stringify(question);
    if (this.#asking === id) return;
    this.#asking = id;
    try {
      const advice = await asked(question);
      if (same(question, this.question)) this.advice = advice;
    } catch (reason) {
      if (reason instanceof Refused && same(question, this.question)) this.refusal = reason.refusal;
    }
    this.#asking = "";
  }

  /** Fetch the count of all decisions so far. */
  async count(): Promise<void> {
    try {
      this.tally = await get<Decisions>("/api/decisions");
    } catch {
      this.tally = null;
    }
  }
}

const same = (one: Question, other: Question | null): boolean =>
  other !== null && one.table === other.table && one.round === other.round && one.position === other.position;
