/** HTTP client: one function per method. A refused request throws `ApiError` with the reason and its clauses. */

import type { Command, DoneMessage, Refusal } from "./apiTypes";

export class ApiError extends Error {
  readonly status: number;
  readonly refusal: Refusal;

  constructor(status: number, refusal: Refusal) {
    super(refusal.message);
    this.status = status;
    this.refusal = refusal;
  }
}

const unreachable: Refusal = {
  code: 0,
  name: "unreachable",
  message: "Can't reach the server. Check your connection and try again.",
  clauses: [],
};
const unexpected: Refusal = {
  code: 0,
  name: "unexpected",
  message: "Can't read the server's answer. Load the page again.",
  clauses: [],
};

/** The refusal behind any error, for an error message on the page. */
export const refusalOf = (error: unknown): Refusal => (error instanceof ApiError ? error.refusal : unexpected);

async function request<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const init: RequestInit = { method, headers: { accept: "application/json" } };
  if (body !== undefined) {
    init.headers = { ...init.headers, "content-type": "application/json" };
    init.body = JSON.stringify(body);
  }
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new ApiError(0, unreachable);
  }
  if (response.status === 204) return undefined as Answer;
  const text = await response.text();
  const answer = text ? JSON.parse(text) : null;
  if (!response.ok) throw new ApiError(response.status, answer?.refusal ?? { ...unreachable, message: response.statusText });
  return answer as Answer;
}

type QueryParameters = Record<string, string | number | undefined>;

export const get = <Answer>(path: string, query: QueryParameters = {}): Promise<Answer> => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== "") parameters.set(name, `${value}`);
  return request<Answer>("GET", parameters.size ? `${path}?${parameters}` : path);
};

export const post = <Answer>(path: string, body: unknown = {}): Promise<Answer> => request<Answer>("POST", path, body);

export interface Page<Item> {
  items: Item[];
  next: string | null;
}

/** The largest page that the server gives. */
const PAGE_LIMIT = 200;

/** All items of a list that the server gives in pages. */
export async function getAll<Item>(path: string, query: QueryParameters = {}): Promise<Item[]> {
  const items: Item[] = [];
  let after: string | undefined;
  do {
    const page: Page<Item> = await get<Page<Item>>(path, { limit: PAGE_LIMIT, ...query, after });
    items.push(...page.items);
    after = page.next ?? undefined;
  } while (after);
  return items;
}

/** A unique key for a command: the server runs a command once per key. (`randomUUID` needs https or localhost.) */
export const newKey = (): string =>
  crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(16)).join("-");

/** Send a command to a table, a meter, a player account or the staff list. */
export const sendCommand = (path: string, command: Command): Promise<DoneMessage> =>
  post<DoneMessage>(`${path}/commands`, { key: newKey(), command });
