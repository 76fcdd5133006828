/** Guide: the first round of a new player, step by step, with the control that each step is about. */

import { fetchAdvice, getCoach, type Coach } from "../coach/coach.svelte";
import type { CoachAdvice } from "../lib/apiTypes";
import { choiceLabel, dollars } from "../lib/format";
import { StoredValue } from "../lib/localStorage.svelte";
import { route, setQuery } from "../lib/route.svelte";
import { freeSeat } from "./seating.svelte";
import { getSession, type TableSession } from "./session.svelte";
import { resultSentence, suggestedBuyIn } from "./wagers";

/** Whether this person has finished or left the guided round. */
export const guideDone = new StoredValue("guide-done", false);

export interface GuideStep {
  number: number;
  text: string;
  /** Finds the control that the step is about. */
  target: string;
  /** The button that goes on, where nothing at the table does. */
  button?: string;
}

/** How many steps a guided round has. */
export const GUIDE_STEPS = 5;
const DECISION = "[aria-label^='Your decision']";

export class Guide {
  readonly #session: TableSession = getSession();
  readonly #coach: Coach = getCoach();
  /** Whether the guided round has begun at this table. */
  #running = $state(false);
  /** Whether the player has looked at the cards. */
  #looked = $state(false);
  #advice: CoachAdvice | null = $state.raw(null);
  /** The guided round, once the player decides in it. */
  #round: number | null = null;

  /** Begin where the address asks for it: with a seat and chips, in one step. */
  begin(): void {
    const { you, live, config } = this.#session;
    if (!route.query.has("start") || !you || !live.message) return;
    setQuery({});
    this.#running = !guideDone.value;
    const seat = you.positions.length ? null : freeSeat(this.#session);
    if (seat === null) return;
    const least = this.#session.spot("ante")?.least ?? config.chip;
    void this.#session.takeSeat(seat, you.chips >= least ? 0 : suggestedBuyIn(least, you.account, config.chip));
  }

  get step(): GuideStep | null {
    return this.#running ? this.#step() : null;
  }

  #step(): GuideStep | null {
    const session = this.#session;
    if (!session.myPositions.length) return null;
    if (session.decidingPosition !== null) return this.#decisionStep(session.decidingPosition);
    const { finishedRound: round } = session;
    const sentence = round && this.#looked ? resultSentence(round, session.positionsIn(round)) : null;
    if (sentence) {
      const text = `${sentence}. That was a whole round. The coach beside the table says what your decision was worth.`;
      return { number: GUIDE_STEPS, text, target: "[aria-label='Result of the round']", button: "Done" };
    }
    if (!session.betsOpen) return { number: this.#looked ? GUIDE_STEPS : 2, text: this.#dealerText(), target: "[aria-label=Dealer]" };
    if (session.stake) return { number: 2, text: "Press Deal to get your cards. The other spots are side bets: leave them empty for now.", target: "[aria-label=Deal]" };
    return { number: 1, text: `Bet: press the Ante spot to put ${dollars(session.chip)} on it.`, target: "button[aria-label^='Ante, position']" };
  }

  #dealerText(): string {
    return this.#looked
      ? "The dealer turns the cards over. If your best four cards beat or tie the dealer's, Ante and Play pay 1 to 1."
      : "The dealer deals: five cards for you, six for the dealer.";
  }

  #decisionStep(position: number): GuideStep {
    const { hand } = this.#session.place(position) ?? {};
    if (!this.#looked) {
      const text = `Your best four: ${hand ?? "they are in front of you"}. The dealer has six cards and shows you one.`;
      return { number: 3, text, target: `[aria-label^='Cards of position ${position}']`, button: "Next" };
    }
    const hint = this.#advice ? ` The coach would choose ${choiceLabel(this.#advice.best)} here.` : "";
    const text = `Decide: Fold loses the Ante. Play bets one to three times the Ante that you win.${hint}`;
    return { number: 4, text, target: DECISION };
  }

  /** Follow the table: get the coach's hint, notice that the player has decided, and end with the next round. */
  follow(): void {
    const { point, chosen } = this.#coach;
    if (!this.#running || !point) return;
    this.#round ??= point.round;
    if (point.round !== this.#round) this.end();
    else if (chosen !== null) this.#looked = true;
    else if (!this.#advice) void this.#loadAdvice(point);
  }

  async #loadAdvice(point: Parameters<typeof fetchAdvice>[0]): Promise<void> {
    this.#advice = await fetchAdvice(point).catch(() => null);
  }

  /** Go on to the next step, or end after the last. */
  next(): void {
    if (this.step?.number === GUIDE_STEPS) this.end();
    else this.#looked = true;
  }

  /** End, and offer the guided round no more. */
  end(): void {
    this.#running = false;
    guideDone.value = true;
  }
}
