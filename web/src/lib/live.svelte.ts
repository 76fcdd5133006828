/** A table as it lives: what the server pushes, what was said, and every command until it is answered. */

import { get, Refused } from "./api";
import { note } from "./noted";
import type { Command, LiveMessage, Refusal, TableMessage, Told } from "./types";

type Body = { command: Command } | { ready: number };

/** Something asked of the table. It stays until its answer has come and the table as it is afterwards too. */
export interface Sent {
  key: string;
  body: Body;
  /** How far the journal was when it was done; null while no answer has come. */
  done: number | null;
}

/** A sentence of the commentary, with the round in which it was said. */
export interface Line extends Told {
  id: number;
  round: number;
}

const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 4000;
const PATIENCE = 8000;
const MOST_LINES = 300;
/** From this code on the house itself has closed the connection, and by HTTP it says why. */
const TURNED_AWAY = 4400;

/** A key of its own for everything asked; browsers give `randomUUID` to secure addresses alone. */
export const newKey = (): string =>
  crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(16)).join("-");

const tooFast = (message: string): Refusal => ({ code: 0, name: "trouble", message, clauses: [] });

export class Live {
  readonly table: string;
  message: TableMessage | null = $state.raw(null);
  lines: Line[] = $state.raw([]);
  sent: Sent[] = $state.raw([]);
  connection: "opening" | "open" | "lost" = $state("opening");
  /** Why the last thing asked was refused; null once something else was asked. */
  refusal: Refusal | null = $state.raw(null);
  /** Why there is no such connection at all, such as a table that does not exist. */
  barred: Refused | null = $state.raw(null);
  /** When the last message came, on the page's own clock. */
  heard = $state(0);

  #socket: WebSocket | null = null;
  #pause = FIRST_PAUSE;
  #timers = new Set<ReturnType<typeof setTimeout>>();
  #answers = new Map<string, (refusal: Refusal | null) => void>();
  #fresh = true;
  #lineId = 0;
  #left = false;

  constructor(table: string) {
    this.table = table;
    addEventListener("online", this.#hurry);
    document.addEventListener("visibilitychange", this.#hurry);
    this.#connect();
  }

  /** Stop for good, as when the page goes to another table. */
  leave(): void {
    this.#left = true;
    removeEventListener("online", this.#hurry);
    document.removeEventListener("visibilitychange", this.#hurry);
    for (const timer of this.#timers) clearTimeout(timer);
    this.#socket?.close();
  }

  /** Ask for a command; the answer is null when it was done, or why it was refused. */
  command(command: Command): Promise<Refusal | null> {
    return this.#ask({ command });
  }

  /** Say that betting may close in this round. */
  ready(round: number): Promise<Refusal | null> {
    return this.#ask({ ready: round });
  }

  #ask(body: Body): Promise<Refusal | null> {
    const sent: Sent = { key: newKey(), body, done: null };
    this.sent = [...this.sent, sent];
    this.refusal = null;
    return new Promise((answer) => {
      this.#answers.set(sent.key, answer);
      this.#send(sent);
    });
  }

  /** Send, and send again with the same key where no answer comes: the house does it once. */
  #send(sent: Sent): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify({ key: sent.key, ...sent.body }));
    this.#later(PATIENCE, () => {
      if (this.#answers.has(sent.key)) this.#send(sent);
    });
  }

  #later(pause: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (!this.#left) act();
    }, pause);
    this.#timers.add(timer);
  }

  #connect(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${encodeURIComponent(this.table)}/live`);
    let opened = false;
    this.#socket = socket;
    this.#fresh = true;
    socket.onopen = () => {
      opened = true;
      this.connection = "open";
      for (const sent of this.sent) if (sent.done === null) this.#send(sent);
    };
    socket.onmessage = (event) => this.#hear(JSON.parse(event.data as string) as LiveMessage);
    socket.onclose = ({ code }) => {
      if (this.#left || this.#socket !== socket) return;
      this.connection = "lost";
      if (!opened || code >= TURNED_AWAY) void this.#askWhy();
      this.#later(this.#pause * (0.8 + 0.4 * Math.random()), () => this.#again());
      this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
    };
  }

  #again(): void {
    if (this.barred || this.#socket?.readyState === WebSocket.OPEN || this.#socket?.readyState === WebSocket.CONNECTING)
      return;
    this.#connect();
  }

  #hurry = (): void => {
    if (document.visibilityState === "visible") this.#again();
  };

  /** Ask for the table by HTTP, which says why somebody was turned away. */
  async #askWhy(): Promise<void> {
    try {
      await get(`/api/tables/${encodeURIComponent(this.table)}`);
    } catch (reason) {
      if (reason instanceof Refused && [401, 403, 404].includes(reason.status)) this.barred = reason;
    }
  }

  #hear(message: LiveMessage): void {
    if (message.kind === "table") return this.#show(message);
    if (message.kind === "done") return this.#answer(message.key, null, message.sequence);
    this.#answer(message.key, message.kind === "refused" ? message.refusal : tooFast(message.message), null);
  }

  #show(message: TableMessage): void {
    const whole = this.#fresh;
    this.#fresh = false;
    this.#pause = FIRST_PAUSE;
    if (this.message && message.sequence < this.message.sequence) return;
    this.message = message;
    this.heard = performance.now();
    note(this.table, message.commitment, message.view.number);
    const said = message.told.map((told) => ({ ...told, id: ++this.#lineId, round: message.view.number }));
    this.lines = (whole ? said : [...this.lines, ...said]).slice(-MOST_LINES);
    this.#forget();
  }

  #answer(key: string, refusal: Refusal | null, sequence: number | null): void {
    const answer = this.#answers.get(key);
    if (!answer) return;
    this.#answers.delete(key);
    if (refusal) this.refusal = refusal;
    this.sent = this.sent
      .map((each) => (each.key === key ? { ...each, done: sequence } : each))
      .filter((each) => each.key !== key || sequence !== null);
    this.#forget();
    answer(refusal);
  }

  /** Drop what was done once the table is seen as it is afterwards. */
  #forget(): void {
    const seen = this.message?.sequence ?? -1;
    if (this.sent.some((each) => each.done !== null && each.done <= seen))
      this.sent = this.sent.filter((each) => each.done === null || each.done > seen);
  }
}
