/** Table session: one visit to one table, with everything the player sees and can do there. */

import { createContext } from "svelte";
import type { BettingSpot, OfferedCommand, PositionView, RefusalBody, RoundView, TableConfig, TableView, ViewerSeat } from "../lib/apiTypes";
import type { LiveTable } from "../lib/liveTable.svelte";
import { StoredValue } from "../lib/localStorage.svelte";
import { SeedKeeper } from "./seeds.svelte";
import { amountWithChip, placementOrder, total, wagersBeforeCards, type WagerName, type Wagers } from "./wagers";

export const [getSession, setSession] = createContext<TableSession>();

export class TableSession {
  readonly live: LiveTable;
  readonly config: TableConfig;
  readonly seeds: SeedKeeper;
  /** The selected chip, in cents. */
  chip: number = $state(0);
  #selectedPosition: number | null = $state(null);
  #lastWagers: StoredValue<Record<string, Wagers>>;
  /** Repeat or Clear in progress: several wagers, one after the other. */
  #batch: Promise<void> = Promise.resolve();

  constructor(live: LiveTable, config: TableConfig) {
    this.live = live;
    this.config = config;
    this.seeds = new SeedKeeper(live);
    const least = config.spots.find((spot) => spot.wager === "ante")?.least ?? 0;
    this.chip = [...config.chips].reverse().find((chip) => chip <= least) ?? config.chips[0] ?? config.chip;
    this.#lastWagers = new StoredValue(`wagers.${live.table}`, {});
  }

  get view(): TableView | null {
    return this.live.message?.view ?? null;
  }

  get you(): ViewerSeat | null {
    return this.live.message?.you ?? null;
  }

  get #player(): string {
    return this.you?.player ?? "";
  }

  get round(): RoundView | null {
    return this.view?.round ?? null;
  }

  get myPositions(): number[] {
    return this.you?.positions ?? [];
  }

  get betsOpen(): boolean {
    return this.round?.bets_open ?? false;
  }

  /** The player's position that has to decide now. */
  get decidingPosition(): number | null {
    const position = this.round?.deciding ?? null;
    return position !== null && this.myPositions.includes(position) ? position : null;
  }

  /** The player's position that keyboard shortcuts act on. */
  get activePosition(): number | null {
    if (this.decidingPosition !== null) return this.decidingPosition;
    const selected = this.#selectedPosition;
    return selected !== null && this.myPositions.includes(selected) ? selected : (this.myPositions[0] ?? null);
  }

  set activePosition(position: number | null) {
    this.#selectedPosition = position;
  }

  /** The round whose cards are shown: the last one, until the player has a wager in the next. */
  get shownRound(): RoundView | null {
    if (!this.round) return this.view?.last ?? null;
    return this.betsOpen && !this.stake ? (this.view?.last ?? this.round) : this.round;
  }

  /** The finished round, until the player places a new wager. */
  get finishedRound(): RoundView | null {
    return this.shownRound && this.shownRound === this.view?.last ? this.shownRound : null;
  }

  /** Whether a position sits out after a missed round. */
  sitsOut(position: number): boolean {
    return this.live.message?.sitting_out.includes(position) ?? false;
  }

  /** The player's positions in a round, even if they have left their seats since. */
  positionsIn(round: RoundView): number[] {
    return round.places.filter((place) => place.player === this.you?.player).map((place) => place.position);
  }

  place(position: number, round: RoundView | null = this.round): PositionView | null {
    return round?.places.find((place) => place.position === position) ?? null;
  }

  spot(wager: WagerName): BettingSpot | null {
    return this.config.spots.find((spot) => spot.wager === wager) ?? null;
  }

  /** The allowed commands of a kind. */
  allowed(kind: string, position?: number, wager?: WagerName): OfferedCommand[] {
    const commands = this.live.allowed?.may ?? [];
    return commands.filter(
      (each) =>
        each.kind === kind && (position === undefined || each.position === position) && (wager === undefined || each.wager === wager),
    );
  }

  /** The amount on one of the player's spots, including requests that are not answered yet. */
  wagerAmount(position: number, wager: WagerName): number {
    for (const { body } of [...this.live.pending].reverse()) {
      const command = "command" in body ? body.command : null;
      if (command?.kind === "place_wagers" && command.position === position && wager in command.wagers) return command.wagers[wager] ?? 0;
      if (command?.kind !== "place_wager" && command?.kind !== "withdraw_wager") continue;
      if (command.position === position && command.wager === wager) return command.kind === "place_wager" ? command.amount : 0;
    }
    return this.place(position)?.wagers[wager] ?? 0;
  }

  /** Whether the light of a position's progressive sensor is on: from the wager until the round ends. */
  sensorLit(position: number): boolean {
    return this.round !== null && (this.place(position)?.wagers.progressive ?? 0) > 0;
  }

  /** The player's chips on the table now. (The dealer collects progressive chips before the deal.) */
  get amountOnTable(): number {
    return this.myPositions.reduce((sum, position) => sum + total(this.place(position)?.lying ?? {}), 0);
  }

  /** The player's wagers in this round, including requests that are not answered yet. */
  get stake(): number {
    if (!this.betsOpen) return this.myPositions.reduce((sum, position) => sum + total(this.place(position)?.wagers ?? {}), 0);
    const amountAt = (position: number): number =>
      this.config.spots.reduce((sum, { wager }) => sum + this.wagerAmount(position, wager), 0);
    return this.myPositions.reduce((sum, position) => sum + amountAt(position), 0);
  }

  /** The wagers of the player's last round, which Repeat places again. */
  get repeatableWagers(): [number, Wagers][] {
    return this.myPositions
      .map((position): [number, Wagers] => [position, this.#lastWagers.value[position] ?? {}])
      .filter(([, wagers]) => total(wagers) > 0);
  }

  /** Store the wagers once betting has closed, for Repeat. */
  rememberWagers(): void {
    if (!this.round || this.betsOpen) return;
    const placed = this.myPositions.map((position) => {
      const place = this.place(position);
      return [`${position}`, place ? wagersBeforeCards(place, this.config.spots) : {}] as const;
    });
    const wagers = Object.fromEntries(placed.filter(([, each]) => total(each) > 0));
    if (Object.keys(wagers).length && JSON.stringify(wagers) !== JSON.stringify(this.#lastWagers.value)) this.#lastWagers.value = wagers;
  }

  addChip(position: number, wager: WagerName): Promise<RefusalBody | null> {
    const spot = this.spot(wager);
    this.activePosition = position;
    const before = this.wagerAmount(position, wager);
    const amount = spot ? amountWithChip(spot, before, this.chip) : this.chip;
    return amount === before ? Promise.resolve(null) : this.placeWager(position, wager, amount);
  }

  placeWager(position: number, wager: WagerName, amount: number): Promise<RefusalBody | null> {
    return this.live.command({ kind: "place_wager", position, wager, amount });
  }

  withdrawWager(position: number, wager: WagerName): Promise<RefusalBody | null> {
    this.activePosition = position;
    return this.live.command({ kind: "withdraw_wager", position, wager });
  }

  repeat(): Promise<void> {
    return (this.#batch = this.#repeat());
  }

  clear(): Promise<void> {
    return (this.#batch = this.#clear());
  }

  async #repeat(): Promise<void> {
    for (const [position, last] of this.repeatableWagers) {
      const missing = Object.entries(last).filter(([wager, amount]) => amount && amount !== this.wagerAmount(position, wager as WagerName));
      const wagers = Object.fromEntries(missing);
      if (missing.length && (await this.live.command({ kind: "place_wagers", position, wagers }))) return;
    }
  }

  async #clear(): Promise<void> {
    for (const position of this.myPositions)
      for (const { wager } of placementOrder(this.config.spots).reverse())
        if (this.wagerAmount(position, wager) && (await this.withdrawWager(position, wager))) return;
  }

  /** Tell the table that this player is done betting, after Repeat or Clear has finished. */
  async deal(): Promise<RefusalBody | null> {
    await this.#batch;
    return this.live.ready(this.view?.number ?? 0);
  }

  /** Whether rules and chips allow an amount on Play. */
  canPlay(position: number, amount: number): boolean {
    const plays = this.live.allowed?.plays[position];
    return plays !== undefined && amount >= plays.least && amount <= plays.most && (amount - plays.least) % plays.step === 0;
  }

  /** Whether a decision was sent and is not answered yet. */
  decisionPending(position: number): boolean {
    return this.live.pending.some(
      ({ body }) =>
        "command" in body && (body.command.kind === "fold" || body.command.kind === "play") && body.command.position === position,
    );
  }

  fold(position: number): Promise<RefusalBody | null> {
    return this.live.command({ kind: "fold", position });
  }

  play(position: number, amount: number): Promise<RefusalBody | null> {
    return this.live.command({ kind: "play", position, amount });
  }

  async takeSeat(position: number, buyIn: number): Promise<RefusalBody | null> {
    const refusal = buyIn > 0 ? await this.buyIn(buyIn) : null;
    return refusal ?? (await this.live.command({ kind: "take_seat", position, player: this.#player }));
  }

  buyIn(cents: number): Promise<RefusalBody | null> {
    return this.live.command({ kind: "buy_in", player: this.#player, cents });
  }

  /** Leave every position and cash out: at once, or after the round if there are wagers in play. */
  leave(): Promise<RefusalBody | null> {
    return this.live.command({ kind: "leave_table", player: this.#player });
  }

  /** Cancel leaving while the round is still in progress. */
  stay(): Promise<RefusalBody | null> {
    return this.live.command({ kind: "leave_table", player: this.#player, cancel: true });
  }
}
