/** Drill session: the position on the screen, its decision, the next position, the clock and the progress. */

import { onDestroy, untrack } from "svelte";
import type { TrainerGames } from "../lib/apiTypes";
import { loadGames } from "../lib/games";
import { StoredValue } from "../lib/localStorage.svelte";
import { Query } from "../lib/query.svelte";
import { route, setQuery } from "../lib/route.svelte";
import { prepareCounting } from "../poker/dealerCount";
import { strategyKey } from "../strategy/strategyData";
import { classOf, isHandClass, type HandClass } from "../trainer/handClasses";
import { judge, type Judgment } from "../trainer/judge";
import { chooseTerms, termsQuery, type ChosenTerms } from "../trainer/terms";
import { nextTask, type Task } from "./choosePosition";
import { NO_PROGRESS, readProgress, withDecision, type Progress } from "./progress";

/** The choices of seconds for a decision; 0 turns the clock off. */
export const CLOCKS = [0, 30, 15, 8, 4];
const TICK = 100;
/** Who does not decide in time folds, as at a table. */
const WHEN_LATE = "fold";

export interface Decided extends Judgment {
  /** Whether the time ran out before a choice was made. */
  late: boolean;
}

export class DrillSession {
  readonly loaded = new Query<TrainerGames>();
  readonly #stored = new StoredValue<unknown>("drills", NO_PROGRESS);
  readonly progress: Progress = $derived(readProgress(this.#stored.value));
  readonly chosen: ChosenTerms | null = $derived(this.loaded.data && chooseTerms(this.loaded.data.games, route.query));
  readonly handClass: HandClass | null = $derived.by(() => {
    const named = route.query.get("class");
    return isHandClass(named) ? named : null;
  });
  readonly clock: number = $derived(CLOCKS.find((each) => `${each}` === route.query.get("clock")) ?? 0);

  /** What the positions are chosen by, as a text; another one makes what was prepared useless. */
  readonly #wanted: string | null = $derived(this.chosen && [this.terms, this.handClass, this.clock].join(" "));

  task: Task | null = $state.raw(null);
  decided: Decided | null = $state.raw(null);
  /** Milliseconds that are left. */
  left = $state(0);
  failed = $state(false);
  /** The decisions since the page was opened. */
  count = $state(0);
  lost = $state(0);
  #next: Promise<Task> | null = null;
  #run = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor() {
    prepareCounting();
    this.load();
    $effect(() => {
      if (this.#wanted) untrack(() => void this.#restart());
    });
    onDestroy(() => {
      this.#run++;
      clearInterval(this.#timer);
    });
  }

  load(): void {
    void this.loaded.run(loadGames);
  }

  get terms(): string {
    return this.chosen ? strategyKey(this.chosen.game, this.chosen.bonus) : "";
  }

  /** The terms as parameters of an address. */
  get termsQuery(): Record<string, string> {
    return this.chosen && this.loaded.data ? termsQuery(this.chosen, this.loaded.data.games) : {};
  }

  /** Whether a decision is asked for now. */
  get isOpen(): boolean {
    return this.task !== null && this.decided === null;
  }

  change(values: { class?: string; clock?: string; rulebook?: string; bonus?: string }): void {
    setQuery({ ...Object.fromEntries(route.query), ...this.termsQuery, ...values });
  }

  /** Show the task that was prepared, and prepare another. */
  async next(): Promise<void> {
    if (this.isOpen || !this.chosen) return;
    const run = ++this.#run;
    this.#next ??= this.#prepare(this.progress.decisions);
    this.task = this.decided = null;
    try {
      const task = await this.#next;
      if (run !== this.#run) return;
      this.task = task;
      this.#next = this.#prepare(this.progress.decisions + 1);
      this.#startClock();
    } catch {
      if (run === this.#run) this.failed = true;
    }
  }

  async #restart(): Promise<void> {
    this.#next = this.task = null;
    this.failed = false;
    clearInterval(this.#timer);
    await this.next();
  }

  #prepare(at: number): Promise<Task> {
    const { progress, terms, handClass: wanted } = this;
    const prepared = nextTask({ progress, at, chosen: this.chosen!, terms, wanted, shown: this.task?.answer.position ?? null });
    prepared.catch(() => {});
    return prepared;
  }

  #startClock(): void {
    clearInterval(this.#timer);
    if (!this.clock) return;
    const end = Date.now() + 1000 * this.clock;
    const tick = (): void => {
      this.left = Math.max(0, end - Date.now());
      if (this.left === 0) this.decide(WHEN_LATE, true);
    };
    tick();
    this.#timer = setInterval(tick, TICK);
  }

  decide(name: string, late = false): void {
    const { task, loaded } = this;
    if (!task || this.decided || !loaded.data) return;
    clearInterval(this.#timer);
    const judgment = judge(task.answer.values, name, loaded.data.verdicts);
    this.decided = { ...judgment, late };
    this.count++;
    this.lost += judgment.lost;
    this.#stored.refresh();
    this.#stored.value = withDecision(this.progress, {
      position: task.answer.position,
      handClass: classOf(task.answer.hand),
      terms: this.terms,
      lost: judgment.lost,
      right: judgment.isBest && !late,
      repeated: task.repeated,
    });
  }

  reset(): void {
    this.#stored.value = NO_PROGRESS;
    this.count = this.lost = 0;
  }
}
