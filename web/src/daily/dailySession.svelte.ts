/** Daily session: the ten decisions of today, the own choices so far, and what they cost. */

import { onDestroy } from "svelte";
import type { TrainerGames } from "../lib/apiTypes";
import { loadGames } from "../lib/games";
import { StoredValue } from "../lib/localStorage.svelte";
import { Query } from "../lib/query.svelte";
import { add, fraction, multiply, toNumber } from "../poker/fractions";
import { prepareCounting } from "../poker/dealerCount";
import type { Answer } from "../trainer/answer";
import { judge, type Judgment } from "../trainer/judge";
import { termsQuery, type ChosenTerms } from "../trainer/terms";
import { closestOf, dailyTen, dailyTerms, dateOf, dayBefore, TEN } from "./dailyTen";
import { isFinished, NO_TRIES, readTries, recordOf, tryOf, withTry } from "./tries";

/** The score is told for an Ante of ten dollars, in cents. */
const CENTS_PER_ANTE = fraction(1000);

export class DailySession {
  readonly loaded = new Query<TrainerGames>();
  readonly #stored = new StoredValue<unknown>("daily", NO_TRIES);
  readonly tries = $derived(readTries(this.#stored.value));
  date = $state(dateOf(Date.now()));
  readonly made = $derived(tryOf(this.tries, this.date));
  readonly isFinished = $derived(isFinished(this.made));
  readonly record = $derived(recordOf(this.tries, this.date));
  readonly chosen: ChosenTerms | null = $derived(this.loaded.data && dailyTerms(this.loaded.data.games));

  /** Today's decisions, as far as they are counted. */
  answers: Answer[] = $state.raw([]);
  /** Yesterday's decision with the smallest margin, once it is found. */
  hardest: Answer | null = $state.raw(null);
  failed = $state(false);
  /** Whether the last decision is still on the screen. */
  showsFeedback = $state(false);
  #run = 0;

  /** The own decisions, judged. */
  readonly judgments: Judgment[] = $derived.by(() => {
    const verdicts = this.loaded.data?.verdicts;
    if (!verdicts) return [];
    return this.answers.slice(0, this.made.choices.length).map(({ values }, at) => {
      const choice = values.choices.find(({ multiple }) => `${multiple}` === this.made.choices[at]);
      return judge(values, choice?.name ?? "fold", verdicts);
    });
  });
  /** Cents lost per $10 Ante so far. */
  readonly cents: number = $derived(toNumber(multiply(CENTS_PER_ANTE, this.judgments.reduce((sum, { cost }) => add(sum, cost), fraction(0)))));
  /** The number of the decision on the screen, from 0. */
  readonly at: number = $derived(this.made.choices.length - (this.showsFeedback ? 1 : 0));
  readonly answer: Answer | null = $derived(this.answers[this.at] ?? null);
  readonly judgment: Judgment | null = $derived(this.showsFeedback ? (this.judgments[this.at] ?? null) : null);

  constructor() {
    prepareCounting();
    this.load();
    $effect(() => {
      if (this.chosen) void this.#count(this.date, this.chosen);
    });
    onDestroy(() => this.#run++);
  }

  load(): void {
    void this.loaded.run(loadGames);
  }

  /** The terms as parameters of an address. */
  get terms(): Record<string, string> {
    return this.chosen && this.loaded.data ? termsQuery(this.chosen, this.loaded.data.games) : {};
  }

  /** Count today's decisions and then yesterday's, one after the other. */
  async #count(date: string, chosen: ChosenTerms): Promise<void> {
    const run = ++this.#run;
    this.answers = [];
    this.hardest = null;
    try {
      for await (const answer of dailyTen(date, chosen)) {
        if (run !== this.#run) return;
        this.answers = [...this.answers, answer];
      }
      const before: Answer[] = [];
      for await (const answer of dailyTen(dayBefore(date), chosen)) {
        if (run !== this.#run) return;
        before.push(answer);
      }
      this.hardest = closestOf(before);
    } catch {
      if (run === this.#run) this.failed = true;
    }
  }

  /** Make a choice; nothing can take it back. */
  choose(name: string): void {
    const { answer, showsFeedback, at } = this;
    const choice = answer?.values.choices.find((each) => each.name === name);
    this.#stored.refresh();
    if (showsFeedback || !choice || this.made.choices.length !== at) return;
    this.#store(this.made.choices + choice.multiple, null);
    this.showsFeedback = true;
    if (this.isFinished) this.#store(this.made.choices, this.cents);
  }

  #store(choices: string, cents: number | null): void {
    this.#stored.value = withTry(this.tries, this.date, { choices, cents });
  }

  next(): void {
    this.showsFeedback = false;
    this.followDate();
  }

  /** Go on to a new date, unless a try is under way. */
  followDate(): void {
    const begun = this.made.choices.length > 0 && !this.isFinished;
    if (!begun && !this.showsFeedback) this.date = dateOf(Date.now());
  }

  /** Whether the last of the ten is on the screen. */
  get isLast(): boolean {
    return this.at === TEN - 1;
  }
}
