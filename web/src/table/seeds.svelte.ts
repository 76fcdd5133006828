/** Seeds of the player: a fresh one for every shuffle, committed to by its hash and revealed when bets close. */

import type { TableMessage } from "../lib/apiTypes";
import type { LiveTable } from "../lib/liveTable.svelte";
import { drawSeed, keepReceipt, receiptFor, seedHash, type Receipt } from "../lib/receipts";

/** Whether the browser can hash: it does so only over HTTPS and on the own machine. */
export const canHash = "subtle" in crypto;

/** The receipt of the hash that the house has; null if another browser drew the seed. */
function ownReceipt({ table, seeds, you }: TableMessage): Receipt | null {
  const known = you && seeds ? receiptFor(you.player, table, seeds.shuffle) : null;
  return known && known.hash === you?.seed_hash ? known : null;
}

export class SeedKeeper {
  /** The seed for the next shuffle; empty until one is drawn. */
  seed: string = $state("");
  #live: LiveTable;
  /** The shuffle that a hash was sent for, and the one whose seed was revealed. */
  #committed = 0;
  #revealed = 0;

  constructor(live: LiveTable) {
    this.#live = live;
  }

  /** Do what the table asks for: send a hash after each commitment of the house, and the seed once it is called. */
  async follow(message: TableMessage): Promise<void> {
    const { seeds, you } = message;
    if (!seeds || !you) return;
    if (seeds.called) return this.#reveal(message);
    if (you.positions.length === 0) this.#committed = 0;
    else if (!you.seed_hash && this.#committed !== seeds.shuffle) await this.draw();
    else if (you.seed_hash) this.seed = ownReceipt(message)?.seed ?? "";
  }

  /** Draw a seed for the next shuffle, from the player's own words if there are any, and send its hash. */
  async draw(words = ""): Promise<void> {
    const message = this.#live.message;
    if (!message?.seeds || !message.you || !canHash) return;
    const { table, commitment, seeds, you } = message;
    const { shuffle } = seeds;
    this.#committed = shuffle;
    const known = receiptFor(you.player, table, shuffle);
    const again = !you.seed_hash && !words && known?.commitment === commitment;
    const seed = again ? known!.seed : drawSeed(words);
    const hash = await seedHash(table, shuffle, you.player, seed);
    // The receipt comes first: a seed that nobody remembers cannot be revealed.
    keepReceipt(you.player, { table, shuffle, commitment, seed, hash, round: message.view.number });
    this.seed = seed;
    await this.#live.commandQuietly({ kind: "commit_seed", player: you.player, shuffle, hash });
  }

  async #reveal(message: TableMessage): Promise<void> {
    const { you, seeds, view } = message;
    const receipt = ownReceipt(message);
    if (!you || !seeds || !receipt || you.seed || this.#revealed === seeds.shuffle) return;
    this.#revealed = seeds.shuffle;
    // What the house has shown by now is kept: once it knows this seed, it cannot add another one unnoticed.
    keepReceipt(you.player, { ...receipt, call: { round: view.number, hashes: seeds.hashes } });
    await this.#live.commandQuietly({ kind: "reveal_seed", player: you.player, shuffle: seeds.shuffle, seed: receipt.seed });
  }
}
