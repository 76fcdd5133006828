/** Wagers: amounts on the spots, buy-ins and results. The server decides what is allowed. */

import type { MoneyMovement, FoldResult, PositionView, RoundView, BettingSpot, TableConfig } from "../lib/apiTypes";
import { dollars } from "../lib/format";

export type WagerName = BettingSpot["wager"];
export type Wagers = Partial<Record<WagerName, number>>;

export const total = (wagers: Wagers): number => Object.values(wagers).reduce((sum, cents) => sum + cents, 0);

// Placing wagers.

/**
 * The amount on a spot after one more chip: at least its minimum, at most its maximum; a progressive goes to its next stake.
 * Above the maximum the request is sent anyway, and the server answers with the limit.
 */
export function amountWithChip(spot: BettingSpot, before: number, chip: number): number {
  if (spot.stakes.length) return spot.stakes.find((stake) => stake > before) ?? before;
  const amount = Math.max(before + chip, spot.least ?? 0);
  return spot.most !== null && before < spot.most ? Math.min(amount, spot.most) : amount;
}

/** Wagers with every amount doubled, up to its maximum; a wager of fixed stakes goes to the largest that fits. */
export function doubled(wagers: Wagers, spots: BettingSpot[]): Wagers {
  const amount = ({ wager, stakes, most }: BettingSpot): number => {
    const twice = 2 * (wagers[wager] ?? 0);
    return stakes.length ? Math.max(...stakes.filter((stake) => stake <= twice)) : Math.min(twice, most ?? twice);
  };
  return Object.fromEntries(spots.filter(({ wager }) => wagers[wager]).map((spot) => [spot.wager, amount(spot)]));
}

/** The spots in an order in which every wager comes after the wagers it needs. */
export function placementOrder(spots: BettingSpot[]): BettingSpot[] {
  const ordered: BettingSpot[] = [];
  let remaining = [...spots];
  while (remaining.length) {
    const placed = ordered.map((spot) => spot.wager);
    const next = remaining.filter(
      (spot) =>
        (!spot.needs.length || spot.needs.some((need) => placed.includes(need))) &&
        spot.needs_all.every((need) => placed.includes(need)),
    );
    ordered.push(...(next.length ? next : remaining));
    remaining = next.length ? remaining.filter((spot) => !next.includes(spot)) : [];
  }
  return ordered;
}

/** The wagers that a player placed before the cards came: all that have a spot, except Play. */
export const wagersBeforeCards = (place: PositionView, spots: BettingSpot[]): Wagers =>
  Object.fromEntries(Object.entries(place.wagers).filter(([wager]) => wager !== "play" && spots.some((spot) => spot.wager === wager)));

// Buying chips.

/** The most that an account can change into whole chips, in cents. */
export const maxBuyIn = (account: number, chip: number): number => Math.max(0, account - (account % chip));

/** Whether an amount is in whole chips and the account covers it. */
export const canBuyIn = (cents: number, account: number, chip: number): boolean =>
  cents > 0 && cents % chip === 0 && cents <= maxBuyIn(account, chip);

/** The suggested buy-in: 20 minimum Antes rounded up to $100, or the whole account if that is less. */
export const suggestedBuyIn = (least: number, account: number, chip: number): number =>
  Math.min(maxBuyIn(account, chip), Math.ceil((20 * least) / 10_000) * 10_000);

/** The quick choices: 10, 20 or 50 minimum Antes, and the whole account. */
export const buyInChoices = (least: number, account: number, chip: number): number[] => {
  const most = maxBuyIn(account, chip);
  return [...new Set([10, 20, 50].map((n) => n * least).concat(most))].filter((cents) => canBuyIn(cents, most, chip));
};

// Results.

const signedAmount = (movement: MoneyMovement): number => (movement.action === "pay" ? movement.amount : -movement.amount);

/** What a wager has won or lost so far; null if no chips were moved. */
export function wagerNet(round: RoundView | null, position: number, wager: WagerName): number | null {
  const movements = round?.moved.filter((moved) => moved.position === position && moved.wager === wager) ?? [];
  return movements.length ? movements.reduce((sum, moved) => sum + signedAmount(moved), 0) : null;
}

/** What a fold does: "Lose $16. Aces Up still plays." */
export function foldSentence({ lost, stays }: FoldResult, wagerLabels: TableConfig["labels"]): string {
  const labels = stays.map((wager) => wagerLabels[wager] ?? wager);
  const names = labels.length > 1 ? `${labels.slice(0, -1).join(", ")} and ${labels.at(-1)}` : labels[0];
  const rest = names ? ` ${names} still ${labels.length > 1 ? "play" : "plays"}.` : "";
  return `Lose ${dollars(total(lost))}.${rest}`;
}

export interface WagerResult {
  wager: WagerName;
  net: number;
  clauses: string[];
}

/** The result of each wager of some positions, in settlement order. */
export function resultsByWager(round: RoundView, positions: number[]): WagerResult[] {
  const results = new Map<WagerName, WagerResult>();
  for (const moved of round.moved.filter((each) => positions.includes(each.position))) {
    const result = results.get(moved.wager) ?? { wager: moved.wager, net: 0, clauses: [] };
    result.net += signedAmount(moved);
    result.clauses = [...new Set([...result.clauses, ...moved.clauses])];
    results.set(moved.wager, result);
  }
  return [...results.values()];
}

/** What a round brought to some positions, in cents. */
export const netResult = (round: RoundView, positions: number[]): number =>
  round.places.filter((place) => positions.includes(place.position)).reduce((sum, place) => sum + place.net, 0);

/** The result of a round in a sentence: "You won $30". */
export function resultSentence(round: RoundView, positions: number[]): string | null {
  const places = round.places.filter((place) => positions.includes(place.position) && Object.keys(place.wagers).length);
  if (!places.length) return null;
  if (round.void.length) return "Round void: all wagers returned";
  const net = netResult(round, positions);
  return net === 0 ? "You broke even" : `You ${net > 0 ? "won" : "lost"} ${dollars(Math.abs(net))}`;
}
