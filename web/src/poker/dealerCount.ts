/** Dealer count: asks a worker how many of the dealer's hands are below, equal to and above a hand. */

import { cardsText } from "./cards";
import type { DealerCounts } from "./counting";

export type { DealerCounts } from "./counting";

interface Waiting {
  resolve: (counts: DealerCounts) => void;
  reject: (error: Error) => void;
}

const MAX_KEPT = 500;
const kept = new Map<string, Promise<DealerCounts>>();
const waiting = new Map<number, Waiting>();
let worker: Worker | undefined;
let nextId = 0;

function startWorker(): Worker {
  const started = new Worker(new URL("./dealerCount.worker.ts", import.meta.url), { type: "module" });
  started.onmessage = ({ data }: MessageEvent<{ id: number; counts: DealerCounts }>) => {
    waiting.get(data.id)?.resolve(data.counts);
    waiting.delete(data.id);
  };
  started.onerror = () => {
    worker = undefined;
    for (const each of waiting.values()) each.reject(new Error("The browser could not count the dealer's hands."));
    waiting.clear();
  };
  return started;
}

/** Start the worker, which then builds its tables, so that the first position is counted as quickly as the others. */
export function prepareCounting(): void {
  worker ??= startWorker();
}

/** The dealer's hands against five cards and an up card, counted once for each position. */
export function countDealer(hand: readonly number[], up: number): Promise<DealerCounts> {
  const key = cardsText([...[...hand].sort((a, b) => a - b), up]);
  const known = kept.get(key);
  if (known) return known;
  const asked = new Promise<DealerCounts>((resolve, reject) => {
    worker ??= startWorker();
    waiting.set(++nextId, { resolve, reject });
    worker.postMessage({ id: nextId, hand: [...hand], up });
  });
  kept.set(key, asked);
  asked.catch(() => kept.delete(key));
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
  return asked;
}
