/** One visit to one table: what the player has before the eyes, and everything that the player can do. */

import { createContext } from "svelte";
import { Kept } from "../lib/kept.svelte";
import type { Live } from "../lib/live.svelte";
import type { Command, Felt, PlaceView, Refusal, RoundView, Spot, TableView, WagerName, You } from "../lib/types";
import { inOrder, placedBefore, total, withChip, type Wagers } from "./betting";

export const [getPlaying, setPlaying] = createContext<Playing>();

export class Playing {
  readonly live: Live;
  readonly felt: Felt;
  /** The chip that goes down next, in cents. */
  chip: number = $state(0);
  /** The own position that keys without a position mean, where a player holds several. */
  #chosen: number | null = $state(null);
  #last: Kept<Record<string, Wagers>>;
  #work: Promise<void> = Promise.resolve();

  constructor(live: Live, felt: Felt) {
    this.live = live;
    this.felt = felt;
    const least = felt.spots.find((spot) => spot.wager === "ante")?.least ?? 0;
    this.chip = [...felt.chips].reverse().find((chip) => chip <= least) ?? felt.chips[0] ?? felt.chip;
    this.#last = new Kept(`wagers.${live.table}`, {});
  }

  get view(): TableView | null {
    return this.live.message?.view ?? null;
  }

  get you(): You | null {
    return this.live.message?.you ?? null;
  }

  get round(): RoundView | null {
    return this.view?.round ?? null;
  }

  get mine(): number[] {
    return this.you?.positions ?? [];
  }

  get betsOpen(): boolean {
    return this.round?.bets_open ?? false;
  }

  /** The own position that decides now. */
  get deciding(): number | null {
    const position = this.round?.deciding ?? null;
    return position !== null && this.mine.includes(position) ? position : null;
  }

  get at(): number | null {
    if (this.deciding !== null) return this.deciding;
    return this.#chosen !== null && this.mine.includes(this.#chosen) ? this.#chosen : (this.mine[0] ?? null);
  }

  set at(position: number | null) {
    this.#chosen = position;
  }

  /** The round whose cards lie on the felt: the last one until something of one's own lies there for the next. */
  get shown(): RoundView | null {
    if (!this.round) return this.view?.last ?? null;
    return this.betsOpen && !this.stake ? (this.view?.last ?? this.round) : this.round;
  }

  /** The finished round, as long as nothing new has been placed. */
  get finished(): RoundView | null {
    return this.shown && this.shown === this.view?.last ? this.shown : null;
  }

  /** Whether nobody waits for a position, whose player has missed a round. */
  sitsOut(position: number): boolean {
    return this.live.message?.sitting_out.includes(position) ?? false;
  }

  /** The own positions in a round, though the seats may have been given up since. */
  playedIn(round: RoundView): number[] {
    return round.places.filter((place) => place.player === this.you?.player).map((place) => place.position);
  }

  place(position: number, round: RoundView | null = this.round): PlaceView | null {
    return round?.places.find((place) => place.position === position) ?? null;
  }

  spot(wager: WagerName): Spot | null {
    return this.felt.spots.find((spot) => spot.wager === wager) ?? null;
  }

  may(kind: string, position?: number, wager?: WagerName): Command[] {
    const may = this.live.message?.chances.may ?? [];
    return may.filter(
      (each) =>
        each.kind === kind && (position === undefined || each.position === position) && (wager === undefined || each.wager === wager),
    );
  }

  /** What lies on an own spot, what was asked for and not answered yet included. */
  wagered(position: number, wager: WagerName): number {
    for (const { body } of [...this.live.sent].reverse()) {
      if (!("command" in body) || body.command.position !== position || body.command.wager !== wager) continue;
      if (body.command.kind === "place_wager") return body.command.amount as number;
      if (body.command.kind === "withdraw_wager") return 0;
    }
    return this.place(position)?.wagers[wager] ?? 0;
  }

  /** Whether the light of a position's sensor is on: from the wager until its round is over. */
  lit(position: number): boolean {
    return this.round !== null && (this.place(position)?.wagers.progressive ?? 0) > 0;
  }

  /** Everything that the house has taken on the own spots in this round, whatever became of it. */
  get placed(): number {
    return this.mine.reduce((sum, position) => sum + total(this.place(position)?.wagers ?? {}), 0);
  }

  /** What of it still lies on the own spots: the dealer collects a progressive chip before the cards come. */
  get lying(): number {
    return this.mine.reduce((sum, position) => sum + total(this.place(position)?.lying ?? {}), 0);
  }

  /** The same with what is on its way there. */
  get stake(): number {
    if (!this.betsOpen) return this.placed;
    const asked = (position: number): number => this.felt.spots.reduce((sum, { wager }) => sum + this.wagered(position, wager), 0);
    return this.mine.reduce((sum, position) => sum + asked(position), 0);
  }

  /** What was placed the round before, and can be placed again. */
  get repeatable(): [number, Wagers][] {
    return this.mine
      .map((position): [number, Wagers] => [position, this.#last.value[position] ?? {}])
      .filter(([, wagers]) => total(wagers) > 0);
  }

  /** Keep what lies there once the cards come, to place it again. */
  remember(): void {
    if (!this.round || this.betsOpen) return;
    const placed = this.mine.map((position) => [`${position}`, placedBefore(this.place(position) ?? EMPTY)] as const);
    const wagered = Object.fromEntries(placed.filter(([, wagers]) => total(wagers) > 0));
    if (Object.keys(wagered).length && JSON.stringify(wagered) !== JSON.stringify(this.#last.value)) this.#last.value = wagered;
  }

  add(position: number, wager: WagerName): Promise<Refusal | null> {
    const spot = this.spot(wager);
    this.at = position;
    const lying = this.wagered(position, wager);
    const amount = spot ? withChip(spot, lying, this.chip) : this.chip;
    return amount === lying ? Promise.resolve(null) : this.put(position, wager, amount);
  }

  put(position: number, wager: WagerName, amount: number): Promise<Refusal | null> {
    return this.live.command({ kind: "place_wager", position, wager, amount });
  }

  takeBack(position: number, wager: WagerName): Promise<Refusal | null> {
    this.at = position;
    return this.live.command({ kind: "withdraw_wager", position, wager });
  }

  repeat(): Promise<void> {
    return (this.#work = this.#repeat());
  }

  clear(): Promise<void> {
    return (this.#work = this.#clear());
  }

  async #repeat(): Promise<void> {
    for (const [position, wagers] of this.repeatable)
      for (const { wager } of inOrder(this.felt.spots)) {
        const amount = wagers[wager];
        if (amount && amount !== this.wagered(position, wager) && (await this.put(position, wager, amount))) return;
      }
  }

  async #clear(): Promise<void> {
    for (const position of this.mine)
      for (const { wager } of inOrder(this.felt.spots).reverse())
        if (this.wagered(position, wager) && (await this.takeBack(position, wager))) return;
  }

  /** Say that the bets may close, once what was begun with several wagers is done. */
  async deal(): Promise<Refusal | null> {
    await this.#work;
    return this.live.ready(this.view?.number ?? 0);
  }

  /** Whether rules and chips allow an amount on Play. */
  mayPlay(position: number, amount: number): boolean {
    const plays = this.live.message?.chances.plays[position];
    return plays !== undefined && amount >= plays.least && amount <= plays.most && (amount - plays.least) % plays.step === 0;
  }

  /** Whether a decision of a position is on its way to the house. */
  decided(position: number): boolean {
    return this.live.sent.some(
      ({ body }) => "command" in body && ["fold", "play"].includes(body.command.kind) && body.command.position === position,
    );
  }

  fold(position: number): Promise<Refusal | null> {
    return this.live.command({ kind: "fold", position });
  }

  play(position: number, amount: number): Promise<Refusal | null> {
    return this.live.command({ kind: "play", position, amount });
  }

  async sit(position: number, buyIn: number): Promise<Refusal | null> {
    const player = this.you?.player;
    const refused = buyIn > 0 ? await this.live.command({ kind: "buy_in", player, cents: buyIn }) : null;
    return refused ?? (await this.live.command({ kind: "take_seat", position, player }));
  }

  buyIn(cents: number): Promise<Refusal | null> {
    return this.live.command({ kind: "buy_in", player: this.you?.player, cents });
  }

  /** Get up from every position and change the chips back, at once or after the round that holds wagers. */
  leave(): Promise<Refusal | null> {
    return this.live.command({ kind: "leave_table", player: this.you?.player });
  }

  /** Stay after all, while the round is still under way. */
  stay(): Promise<Refusal | null> {
    return this.live.command({ kind: "leave_table", player: this.you?.player, cancel: true });
  }

  chooseSeed(seed: string): Promise<Refusal | null> {
    return this.live.command({ kind: "choose_seed", player: this.you?.player, seed });
  }
}

const EMPTY: PlaceView = {
  position: 0,
  player: "",
  wagers: {},
  lying: {},
  cards: [],
  decision: null,
  asked: false,
  abandoned: false,
  racked: false,
  net: 0,
  hand: null,
};
