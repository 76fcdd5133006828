/** Current user: sign-in, sign-out, the account and chips at tables. */

import { ApiError, get, post, sendCommand } from "./api";
import type { ChipBalance, Me, Refusal } from "./apiTypes";

class CurrentUser {
  me: Me | null = $state.raw(null);
  /** Why the user could not be loaded. */
  error: Refusal | null = $state.raw(null);

  get identity(): Me["who"] {
    return this.me?.who ?? null;
  }

  /** The account in cents. */
  get account(): number {
    return this.me?.account ?? 0;
  }

  /** Chips at tables. */
  get stacks(): ChipBalance[] {
    return this.me?.stacks ?? [];
  }

  /** Chips at every table except one, wagers included, in cents. */
  chipsElsewhere(table: string | undefined): number {
    return this.stacks.filter((stack) => stack.table !== table).reduce((sum, { chips, wagered }) => sum + chips + wagered, 0);
  }

  /** Leave a table and cash out: at once, or after the round if there are wagers in play. */
  async leaveTable(table: string): Promise<void> {
    try {
      await sendCommand(`/api/tables/${encodeURIComponent(table)}`, { kind: "leave_table", player: this.identity?.person });
    } finally {
      await this.load();
    }
  }

  async load(): Promise<void> {
    try {
      this.me = await get<Me>("/api/me");
      this.error = null;
    } catch (error) {
      this.error = error instanceof ApiError ? error.refusal : null;
    }
  }

  async signIn(kind: "player" | "staff", person: string, password: string): Promise<void> {
    this.me = await post<Me>("/api/sign-in", { kind, person, password });
  }

  async signOut(): Promise<void> {
    await post("/api/sign-out");
    await this.load();
  }

  /** Get more play money; local mode only. */
  async refill(): Promise<void> {
    this.me = await post<Me>("/api/me/refill");
  }
}

export const user = new CurrentUser();
