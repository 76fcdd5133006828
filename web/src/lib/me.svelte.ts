/** Who looks at the page: signing in and out, and the money on the account. */

import { get, post, Refused } from "./api";
import { newKey } from "./live.svelte";
import type { Me, Refusal, Stack } from "./types";

class Myself {
  me: Me | null = $state.raw(null);
  /** Why the house did not answer at the first question. */
  trouble: Refusal | null = $state.raw(null);

  get who(): Me["who"] {
    return this.me?.who ?? null;
  }

  /** The account as cents; a message of a live table knows it earlier than the house's answer to this page. */
  get account(): number {
    return this.me?.account ?? 0;
  }

  /** What lies at tables. */
  get stacks(): Stack[] {
    return this.me?.stacks ?? [];
  }

  /** Leave a table and cash out, at once or after the round that holds wagers. */
  async leave(table: string): Promise<void> {
    const command = { kind: "leave_table", player: this.who?.person };
    try {
      await post(`/api/tables/${encodeURIComponent(table)}/commands`, { key: newKey(), command });
    } finally {
      await this.load();
    }
  }

  async load(): Promise<void> {
    try {
      this.me = await get<Me>("/api/me");
      this.trouble = null;
    } catch (reason) {
      this.trouble = reason instanceof Refused ? reason.refusal : null;
    }
  }

  async signIn(kind: "player" | "staff", person: string, password: string): Promise<void> {
    this.me = await post<Me>("/api/sign-in", { kind, person, password });
  }

  async signOut(): Promise<void> {
    await post("/api/sign-out");
    await this.load();
  }

  /** More play money, in local mode alone. */
  async refill(): Promise<void> {
    this.me = await post<Me>("/api/me/refill");
  }
}

export const myself = new Myself();
