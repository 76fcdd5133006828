/** Live table: the WebSocket connection to one table, its latest state, the dealer's log and unanswered commands. */

import { ApiError, get, newKey } from "./api";
import type {
  AllowedActions,
  KeyedTableCommand,
  LiveMessage,
  LiveRequest,
  NarrationLine,
  ReadyMessage,
  RefusalBody,
  TableChange,
  TableMessage,
} from "./apiTypes";
import { recordCommitment } from "./commitments";
import type { Speed } from "./settings.svelte";
import { applyChange } from "./tableChange";

export type TableCommand = KeyedTableCommand["command"];
/** A request without its key. */
type Body = Omit<KeyedTableCommand, "key"> | Omit<ReadyMessage, "key">;

/** A request to the table. It stays until the table's state includes its result. */
export interface PendingRequest {
  key: string;
  body: Body;
  /** The journal sequence at which it was done; null until it is answered. */
  doneAt: number | null;
  /** Whether the page sent it by itself, so that a refusal is not shown. */
  quiet: boolean;
}

/** A sentence in the dealer's log, with its round. */
export interface LogLine extends NarrationLine {
  id: number;
  round: number;
}

const FIRST_RECONNECT_DELAY = 400;
const MAX_RECONNECT_DELAY = 4000;
const RESEND_DELAY = 8000;
const MAX_LOG_LINES = 300;
/** Close codes from here on come from the server itself; an HTTP request then tells the reason. */
const CLOSED_BY_SERVER = 4400;

const protocolError = (message: string): RefusalBody => ({ code: 0, name: "trouble", message, clauses: [] });

export class LiveTable {
  readonly table: string;
  message: TableMessage | null = $state.raw(null);
  lines: LogLine[] = $state.raw([]);
  pending: PendingRequest[] = $state.raw([]);
  connection: "opening" | "open" | "lost" = $state("opening");
  /** Why the last request was refused; null after the next one. */
  refusal: RefusalBody | null = $state.raw(null);
  /** Why the table can't be opened at all, for example because it does not exist. */
  accessError: ApiError | null = $state.raw(null);
  /** When the last message arrived, on the page's own clock. */
  receivedAt = $state(0);

  #socket: WebSocket | null = null;
  #speed: Speed = "normal";
  #reconnectDelay = FIRST_RECONNECT_DELAY;
  #timers = new Set<ReturnType<typeof setTimeout>>();
  #resolvers = new Map<string, (refusal: RefusalBody | null) => void>();
  /** Whether the next table starts the dealer's log again: after a connection, and after the whole table was asked for. */
  #startsLog = true;
  /** The table as this connection has it; null until it has come. */
  #received: TableMessage | null = null;
  #lineId = 0;
  #closed = false;

  constructor(table: string) {
    this.table = table;
    addEventListener("online", this.#reconnectIfVisible);
    document.addEventListener("visibilitychange", this.#reconnectIfVisible);
    this.#connect();
  }

  /** What the signed-in person can do now. */
  get allowed(): AllowedActions | undefined {
    return this.message?.chances;
  }

  /** Close the connection for good, for example when the page goes to another table. */
  close(): void {
    this.#closed = true;
    removeEventListener("online", this.#reconnectIfVisible);
    document.removeEventListener("visibilitychange", this.#reconnectIfVisible);
    for (const timer of this.#timers) clearTimeout(timer);
    this.#socket?.close();
  }

  /** Send a command. Returns null when it was done, or why it was refused. */
  command(command: TableCommand): Promise<RefusalBody | null> {
    return this.#request({ command });
  }

  /** Send a command that the page gives by itself: a refusal is not shown. */
  commandQuietly(command: TableCommand): Promise<RefusalBody | null> {
    return this.#request({ command }, true);
  }

  /** Tell the table that this player is done betting in a round. */
  ready(round: number): Promise<RefusalBody | null> {
    return this.#request({ ready: round });
  }

  /** Tell the table how fast this player wants to see what the dealer does, now and after every reconnection. */
  chooseSpeed(speed: Speed): void {
    this.#speed = speed;
    this.#tell({ key: newKey(), speed });
  }

  /** Ask to see the rest at once, until the table next waits for a person. */
  skip(): void {
    this.#tell({ key: newKey(), skip: true });
  }

  /** Send a request whose answer nobody waits for. */
  #tell(request: LiveRequest): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(request));
  }

  #request(body: Body, quiet = false): Promise<RefusalBody | null> {
    const request: PendingRequest = { key: newKey(), body, doneAt: null, quiet };
    this.pending = [...this.pending, request];
    if (!quiet) this.refusal = null;
    return new Promise((resolve) => {
      this.#resolvers.set(request.key, resolve);
      this.#send(request);
    });
  }

  /** Send, and send again with the same key if no answer comes: the server runs it once. */
  #send(request: PendingRequest): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    const message: LiveRequest = { key: request.key, ...request.body };
    this.#socket.send(JSON.stringify(message));
    this.#schedule(RESEND_DELAY, () => {
      if (this.#resolvers.has(request.key)) this.#send(request);
    });
  }

  #schedule(delay: number, action: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (!this.#closed) action();
    }, delay);
    this.#timers.add(timer);
  }

  #connect(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${encodeURIComponent(this.table)}/live`);
    let opened = false;
    this.#socket = socket;
    this.#startsLog = true;
    this.#received = null;
    socket.onopen = () => {
      opened = true;
      this.connection = "open";
      this.chooseSpeed(this.#speed);
      for (const request of this.pending) if (request.doneAt === null) this.#send(request);
    };
    socket.onmessage = (event) => {
      if (this.#socket === socket) this.#receive(JSON.parse(event.data as string) as LiveMessage);
    };
    socket.onclose = ({ code }) => {
      if (this.#closed || this.#socket !== socket) return;
      this.connection = "lost";
      if (!opened || code >= CLOSED_BY_SERVER) void this.#checkAccess();
      this.#schedule(this.#reconnectDelay * (0.8 + 0.4 * Math.random()), () => this.#reconnect());
      this.#reconnectDelay = Math.min(2 * this.#reconnectDelay, MAX_RECONNECT_DELAY);
    };
  }

  #reconnect(): void {
    if (this.accessError || this.#socket?.readyState === WebSocket.OPEN || this.#socket?.readyState === WebSocket.CONNECTING)
      return;
    this.#connect();
  }

  #reconnectIfVisible = (): void => {
    if (document.visibilityState === "visible") this.#reconnect();
  };

  /** Ask for the table over HTTP, which tells why the connection was refused. */
  async #checkAccess(): Promise<void> {
    try {
      await get("/api/tables/{table}", { table: this.table });
    } catch (error) {
      if (error instanceof ApiError && [401, 403, 404].includes(error.status)) this.accessError = error;
    }
  }

  #receive(message: LiveMessage): void {
    if (message.kind === "table") return this.#show(message);
    if (message.kind === "change") return this.#applyChange(message);
    if (message.kind === "done") return this.#resolve(message.key, null, message.sequence);
    this.#resolve(message.key, message.kind === "refused" ? message.refusal : protocolError(message.message), null);
  }

  /** Apply a change to the table that it continues; if that one is missing, ask for the whole table. */
  #applyChange(change: TableChange): void {
    if (this.#received?.version === change.from) return this.#show(applyChange(this.#received, change));
    if (this.#received === null) return;
    this.#received = null;
    this.#startsLog = true;
    this.#tell({ key: newKey(), whole: true });
  }

  #show(message: TableMessage): void {
    const first = this.#startsLog;
    this.#startsLog = false;
    this.#received = message;
    this.#reconnectDelay = FIRST_RECONNECT_DELAY;
    if (this.message && message.sequence < this.message.sequence) return;
    this.message = message;
    this.receivedAt = performance.now();
    recordCommitment(this.table, message.commitment, message.view.number);
    const lines = message.told.map((line) => ({ ...line, id: ++this.#lineId, round: message.view.number }));
    this.lines = (first ? lines : [...this.lines, ...lines]).slice(-MAX_LOG_LINES);
    this.#dropVisible();
  }

  #resolve(key: string, refusal: RefusalBody | null, sequence: number | null): void {
    const resolve = this.#resolvers.get(key);
    if (!resolve) return;
    this.#resolvers.delete(key);
    const quiet = this.pending.some((each) => each.key === key && each.quiet);
    if (refusal && !quiet) this.refusal = refusal;
    this.pending = this.pending
      .map((each) => (each.key === key ? { ...each, doneAt: sequence } : each))
      .filter((each) => each.key !== key || sequence !== null);
    this.#dropVisible();
    resolve(refusal);
  }

  /** Drop done requests whose result the shown state includes. */
  #dropVisible(): void {
    const shown = this.message?.sequence ?? -1;
    if (this.pending.some((each) => each.doneAt !== null && each.doneAt <= shown))
      this.pending = this.pending.filter((each) => each.doneAt === null || each.doneAt > shown);
  }
}
