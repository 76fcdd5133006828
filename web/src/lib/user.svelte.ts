/** Current user: sign-in, sign-out, the account and chips at tables. */

import { ApiError, get, post, sendCommand } from "./api";
import type { TableChips, VisitorAnswer, RefusalBody } from "./apiTypes";

class CurrentUser {
  me: VisitorAnswer | null = $state.raw(null);
  /** Why the user could not be loaded. */
  error: RefusalBody | null = $state.raw(null);

  get identity(): VisitorAnswer["who"] {
    return this.me?.who ?? null;
  }

  /** The account in cents. */
  get account(): number {
    return this.me?.account ?? 0;
  }

  /** Chips at tables. */
  get stacks(): TableChips[] {
    return this.me?.stacks ?? [];
  }

  /** Chips at every table except one, wagers included, in cents. */
  chipsElsewhere(table: string | undefined): number {
    return this.stacks.filter((stack) => stack.table !== table).reduce((sum, { chips, wagered }) => sum + chips + wagered, 0);
  }

  /** Leave a table and cash out: at once, or after the round if there are wagers in play. */
  async leaveTable(table: string): Promise<void> {
    try {
      const player = this.identity?.person ?? "";
      await sendCommand("/api/tables/{table}/commands", { kind: "leave_table", player }, { table });
    } finally {
      await this.load();
    }
  }

  async load(): Promise<void> {
    try {
      this.me = await get("/api/me");
      this.error = null;
    } catch (error) {
      this.error = error instanceof ApiError ? error.refusal : null;
    }
  }

  async signIn(kind: "player" | "staff", person: string, password: string): Promise<void> {
    this.me = await post("/api/sign-in", { kind, person, password });
  }

  async signOut(): Promise<void> {
    await post("/api/sign-out");
    await this.load();
  }

  /** Get more play money; local mode only. */
  async refill(): Promise<void> {
    this.me = await post("/api/me/refill");
  }

  /** Choose how many bots join people at each table; local mode only. */
  async chooseBots(bots: number): Promise<void> {
    this.me = await post("/api/bots", { bots });
  }
}

export const user = new CurrentUser();
