/** Choosing a seat for somebody who does not care which. */

import type { Playing } from "./playing.svelte";

/** The free position nearest to the middle of the table. */
export function freeSeat(playing: Playing): number | null {
  const middle = (playing.felt.positions + 1) / 2;
  const free = playing.may("take_seat").map((command) => command.position as number);
  return free.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0] ?? null;
}
