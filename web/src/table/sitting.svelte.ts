/** Which dialog about chips is open: sitting down with a first stack, or buying more. */

import type { Playing } from "./playing.svelte";

class Sitting {
  /** The seat that is asked for; 0 for more chips at a seat that one has; null while nothing is asked. */
  seat: number | null = $state(null);

  /** Sit down at once where there are chips for the least Ante, or ask how many to buy. */
  ask(playing: Playing, position: number): void {
    const least = playing.spot("ante")?.least ?? 0;
    if ((playing.you?.chips ?? 0) >= least) void playing.sit(position, 0);
    else this.seat = position;
  }

  more(): void {
    this.seat = 0;
  }
}

export const sitting = new Sitting();
