/** An answer of the house on its way: what came, why nothing came, and that a later question overtakes an earlier. */

import { onDestroy } from "svelte";
import { Refused, type Page } from "../lib/api";
import type { Refusal } from "../lib/types";

const UNEXPECTED: Refusal = { code: 0, name: "unexpected", message: "The answer of the house cannot be read.", clauses: [] };

export const refusalOf = (error: unknown): Refusal => (error instanceof Refused ? error.refusal : UNEXPECTED);

/** What the house says while something is being worked out that is needed first. */
const NOT_YET = 503;
const PAUSE = 2500;

/** Made while a component is set up, and over with it. */
export class Asked<Answer> {
  answer: Answer | null = $state.raw(null);
  refusal: Refusal | null = $state.raw(null);
  busy: boolean = $state(false);
  #turn = 0;

  constructor() {
    onDestroy(() => this.#turn++);
  }

  /** Ask; what the house cannot answer yet is asked again after a pause. */
  async ask(question: () => Promise<Answer>): Promise<void> {
    const turn = ++this.#turn;
    this.busy = true;
    try {
      const answer = await question();
      if (turn !== this.#turn) return;
      this.answer = answer;
      this.refusal = null;
    } catch (error) {
      if (turn !== this.#turn) return;
      this.refusal = refusalOf(error);
      if (error instanceof Refused && error.status === NOT_YET) this.#later(turn, question);
    } finally {
      if (turn === this.#turn) this.busy = false;
    }
  }

  #later(turn: number, question: () => Promise<Answer>): void {
    setTimeout(() => {
      if (turn === this.#turn) void this.ask(question);
    }, PAUSE);
  }
}

/** A list that comes in pages, each after the cursor of the one before. */
export class Paged<Item> {
  items: Item[] = $state.raw([]);
  next: string | null = $state(null);
  refusal: Refusal | null = $state.raw(null);
  busy: boolean = $state(false);
  #turn = 0;
  #ask: (after: string | undefined) => Promise<Page<Item>> = async () => ({ items: [], next: null });

  begin(ask: (after: string | undefined) => Promise<Page<Item>>): Promise<void> {
    this.#ask = ask;
    return this.#load(undefined, []);
  }

  more(): Promise<void> {
    return this.#load(this.next ?? undefined, this.items);
  }

  async #load(after: string | undefined, before: Item[]): Promise<void> {
    const turn = ++this.#turn;
    this.busy = true;
    try {
      const page = await this.#ask(after);
      if (turn !== this.#turn) return;
      this.items = [...before, ...page.items];
      this.next = page.next;
      this.refusal = null;
    } catch (error) {
      if (turn === this.#turn) this.refusal = refusalOf(error);
    } finally {
      if (turn === this.#turn) this.busy = false;
    }
  }
}

/** Return a function that does something once nothing was asked of it for some milliseconds. */
export const settled = <Words extends unknown[]>(act: (...words: Words) => void, wait = 300): ((...words: Words) => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (...words) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...words), wait);
  };
};
