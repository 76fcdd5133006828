/** Seating: picks a free seat and opens the buy-in dialog. */

import type { TableSession } from "./session.svelte";

/** The free position nearest to the middle of the table. */
export function freeSeat(session: TableSession): number | null {
  const middle = (session.config.positions + 1) / 2;
  const free = session.allowed("take_seat").map((command) => command.position as number);
  return free.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0] ?? null;
}

class BuyInRequest {
  /** The seat to take; 0 to buy more chips for a seat already taken; null while the dialog is closed. */
  seat: number | null = $state(null);

  /** Sit down at once if the player has chips for the minimum Ante; otherwise open the buy-in dialog. */
  takeSeat(session: TableSession, position: number): void {
    const least = session.spot("ante")?.least ?? 0;
    if ((session.you?.chips ?? 0) >= least) void session.takeSeat(position, 0);
    else this.seat = position;
  }

  buyMore(): void {
    this.seat = 0;
  }

  close(): void {
    this.seat = null;
  }
}

export const buyInRequest = new BuyInRequest();
