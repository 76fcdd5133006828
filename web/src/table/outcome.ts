/** What came of wagers: the chips that were moved, summed as a person asks for them. */

import { dollars } from "../lib/format";
import type { FoldResult, Moved, RoundView, WagerName } from "../lib/types";
import { total } from "./betting";

const worth = (moved: Moved): number => (moved.action === "pay" ? moved.amount : -moved.amount);

/** What a wager of a position has gained or lost so far; null where nothing was moved. */
export function netOf(round: RoundView | null, position: number, wager: WagerName): number | null {
  const found = round?.moved.filter((moved) => moved.position === position && moved.wager === wager) ?? [];
  return found.length ? found.reduce((sum, moved) => sum + worth(moved), 0) : null;
}

const LABELS: Record<WagerName, string> = {
  ante: "Ante",
  play: "Play",
  automatic_bonus: "Automatic Bonus",
  aces_up: "Aces Up",
  bad_beat: "Bad Beat Bonus",
  six_card: "Six Card Bonus",
  cover_all: "Cover All",
  progressive: "Progressive",
  envy: "Envy",
};

export const labelOf = (wager: WagerName): string => LABELS[wager];

/** What a fold leads to, in a sentence or two: "Lose $16. Aces Up still plays." */
export function foldSentence({ lost, stays }: FoldResult): string {
  const labels = stays.map(labelOf);
  const named = labels.length > 1 ? `${labels.slice(0, -1).join(", ")} and ${labels.at(-1)}` : labels[0];
  const left = named ? ` ${named} still ${labels.length > 1 ? "play" : "plays"}.` : "";
  return `Lose ${dollars(total(lost))}.${left}`;
}

export interface Share {
  wager: WagerName;
  net: number;
  clauses: string[];
}

/** What each wager brought to some positions, in the order in which they were settled. */
export function shares(round: RoundView, positions: number[]): Share[] {
  const found = new Map<WagerName, Share>();
  for (const moved of round.moved.filter((each) => positions.includes(each.position))) {
    const share = found.get(moved.wager) ?? { wager: moved.wager, net: 0, clauses: [] };
    share.net += worth(moved);
    share.clauses = [...new Set([...share.clauses, ...moved.clauses])];
    found.set(moved.wager, share);
  }
  return [...found.values()];
}

/** The end of a round in a sentence: "You won $30". */
export function resultOf(round: RoundView, positions: number[]): string | null {
  const places = round.places.filter((place) => positions.includes(place.position) && Object.keys(place.wagers).length);
  if (!places.length) return null;
  if (round.void.length) return "The round is void: every wager came back";
  const net = places.reduce((sum, place) => sum + place.net, 0);
  return net === 0 ? "You are even" : `You ${net > 0 ? "won" : "lost"} ${dollars(Math.abs(net))}`;
}
