/** Table session: one visit to one table, with everything the player sees and can do there. */

import { createContext } from "svelte";
import type { BettingSpot, OfferedCommand, PositionView, RefusalBody, RoundView, TableConfig, TableView, ViewerSeat } from "../lib/apiTypes";
import type { LiveTable } from "../lib/liveTable.svelte";
import { StoredValue } from "../lib/localStorage.svelte";
import { SeedKeeper } from "./seeds.svelte";
import { amountWithChip, doubled, placementOrder, total, wagersBeforeCards, type WagerName, type Wagers } from "./wagers";

/** Wagers by position. */
type WagersAt = Record<number, Wagers>;
/** How many changes of the wagers Undo can take back. */
const MAX_UNDO = 50;

export const [getSession, setSession] = createContext<TableSession>();

export class TableSession {
  readonly live: LiveTable;
  readonly config: TableConfig;
  readonly seeds: SeedKeeper;
  /** The selected chip, in cents. */
  chip: number = $state(0);
  #selectedPosition: number | null = $state(null);
  #lastWagers: StoredValue<Record<string, Wagers>>;
  /** The wagers before each change in a round, for Undo. */
  #changes: { round: number; before: WagersAt[] } = $state.raw({ round: 0, before: [] });
  /** A change of several wagers in progress, one after the other. */
  #batch: Promise<RefusalBody | null> = Promise.resolve(null);

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
    if (amount === before) return Promise.resolve(null);
    this.#noteChange();
    return this.live.command({ kind: "place_wager", position, wager, amount });
  }

  withdrawWager(position: number, wager: WagerName): Promise<RefusalBody | null> {
    this.activePosition = position;
    this.#noteChange();
    return this.live.command({ kind: "withdraw_wager", position, wager });
  }

  /** Place the wagers of the last round again. */
  repeat(): Promise<RefusalBody | null> {
    return this.#change({ ...this.#wagers, ...Object.fromEntries(this.repeatableWagers) });
  }

  clear(): Promise<RefusalBody | null> {
    return this.#change({});
  }

  /** Double every wager, up to its maximum. */
  double(): Promise<RefusalBody | null> {
    const wagers = Object.entries(this.#wagers).map(([position, each]) => [position, doubled(each, this.config.spots)] as const);
    return this.#change(Object.fromEntries(wagers));
  }

  get canUndo(): boolean {
    return this.betsOpen && this.#changes.round === this.view?.number && this.#changes.before.length > 0;
  }

  /** Take back the last chip, or the last change of several wagers. */
  undo(): Promise<RefusalBody | null> {
    const before = this.#changes.before.at(-1);
    if (!this.canUndo || !before) return Promise.resolve(null);
    this.#changes = { ...this.#changes, before: this.#changes.before.slice(0, -1) };
    return (this.#batch = this.#placeAll(before));
  }

  /** The player's wagers now, including requests that are not answered yet. */
  get #wagers(): WagersAt {
    const at = (position: number): Wagers =>
      Object.fromEntries(this.config.spots.map(({ wager }) => [wager, this.wagerAmount(position, wager)] as const).filter(([, amount]) => amount));
    return Object.fromEntries(this.myPositions.map((position) => [position, at(position)]));
  }

  #noteChange(): void {
    const round = this.view?.number ?? 0;
    const before = this.#changes.round === round ? this.#changes.before : [];
    this.#changes = { round, before: [...before, this.#wagers].slice(-MAX_UNDO) };
  }

  #change(wagers: WagersAt): Promise<RefusalBody | null> {
    this.#noteChange();
    return (this.#batch = this.#placeAll(wagers));
  }

  /** Make these the player's wagers: take back what is too much, then place what differs. */
  async #placeAll(wanted: WagersAt): Promise<RefusalBody | null> {
    for (const position of this.myPositions) {
      const wagers = wanted[position] ?? {};
      for (const { wager } of placementOrder(this.config.spots).reverse()) {
        if (wagers[wager] || !this.wagerAmount(position, wager)) continue;
        const refusal = await this.live.command({ kind: "withdraw_wager", position, wager });
        if (refusal) return refusal;
      }
      const missing = Object.entries(wagers).filter(([wager, amount]) => amount && amount !== this.wagerAmount(position, wager as WagerName));
      const refusal = missing.length ? await this.live.command({ kind: "place_wagers", position, wagers: Object.fromEntries(missing) }) : null;
      if (refusal) return refusal;
    }
    return null;
  }

  /** Tell the table that this player is done betting, once every wager is placed. */
  async deal(): Promise<RefusalBody | null> {
    await this.#batch;
    return this.live.ready(this.view?.number ?? 0);
  }

  /** Whether the last round's wagers can be placed again now, with the deal after them. */
  get canRebet(): boolean {
    return this.betsOpen && !this.you?.ready && this.stake === 0 && this.repeatableWagers.length > 0;
  }

  /** Place the wagers of the last round again, and deal unless they are refused. */
  async rebetAndDeal(): Promise<RefusalBody | null> {
    return (await this.repeat()) ?? (await this.deal());
  }

  /** Whether the dealer acts, so that there is something to skip. */
  get dealerActs(): boolean {
    return this.round !== null && this.myPositions.length > 0 && this.live.message?.waiting === null;
  }

  /** Show the rest at once, until the table next waits for a person. */
  skip(): void {
    if (this.dealerActs) this.live.skip();
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
