/**
 * HTTP client: one function per method. Paths, parameters, bodies and answers are those of the server's description.
 * A refused request throws `ApiError` with the reason and its clauses.
 */

import type { CommandAccepted, paths, RefusalBody, TableSummaryListPage } from "./apiTypes";

type Method = "get" | "post";
/** The paths that take a method. */
export type PathFor<M extends Method> = { [P in keyof paths]: paths[P] extends { [_ in M]: object } ? P : never }[keyof paths];
export type Operation<M extends Method, P extends PathFor<M>> = NonNullable<paths[P][M]>;
type Given<Found> = [Found] extends [undefined] ? unknown : NonNullable<Found>;
type ParametersIn<O, Place extends string> = O extends { parameters: { [_ in Place]?: infer Found } } ? Given<Found> : unknown;
/** All parameters of an operation: those in braces in its path, and those of its query. */
type Parameters<O> = Omit<ParametersIn<O, "path"> & ParametersIn<O, "query">, never>;
type OptionalParameters<O> = object extends Parameters<O> ? [parameters?: Parameters<O>] : [parameters: Parameters<O>];
export type GetParameters<P extends PathFor<"get">> = Parameters<Operation<"get", P>>;
type Body<O> = O extends { requestBody: { content: { "application/json": infer Found } } } ? Found : undefined;
export type Answer<O> = O extends { responses: { 200: { content: { "application/json": infer Found } } } } ? Found : void;

export class ApiError extends Error {
  readonly status: number;
  readonly refusal: RefusalBody;

  constructor(status: number, refusal: RefusalBody) {
    super(refusal.message);
    this.status = status;
    this.refusal = refusal;
  }
}

const unreachable: RefusalBody = {
  code: 0,
  name: "unreachable",
  message: "Can't reach the server. Check your connection and try again.",
  clauses: [],
};
const unexpected: RefusalBody = {
  code: 0,
  name: "unexpected",
  message: "Can't read the server's answer. Load the page again.",
  clauses: [],
};

/** The refusal behind any error, for an error message on the page. */
export const refusalOf = (error: unknown): RefusalBody => (error instanceof ApiError ? error.refusal : unexpected);

async function request<Answered>(method: string, path: string, body?: unknown): Promise<Answered> {
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
  if (response.status === 204) return undefined as Answered;
  const text = await response.text();
  const answer = text ? JSON.parse(text) : null;
  if (!response.ok) throw new ApiError(response.status, answer?.refusal ?? { ...unreachable, message: response.statusText });
  return answer as Answered;
}

/** The address of a path: parameters in braces are filled in, the others form the query; empty ones are left out. */
function address(path: string, parameters: object = {}): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const [name, value] of Object.entries(parameters)) {
    if (filled.includes(`{${name}}`)) filled = filled.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (value !== undefined && value !== null && value !== "") query.set(name, String(value));
  }
  return query.size ? `${filled}?${query}` : filled;
}

export const get = <P extends PathFor<"get">>(
  path: P,
  ...[parameters]: OptionalParameters<Operation<"get", P>>
): Promise<Answer<Operation<"get", P>>> => request("GET", address(path, parameters));

type Posted<O> = Body<O> extends undefined ? [] : [body: Body<O>, ...parameters: OptionalParameters<O>];

export const post = <P extends PathFor<"post">>(
  path: P,
  ...[body, parameters]: Posted<Operation<"post", P>>
): Promise<Answer<Operation<"post", P>>> => request("POST", address(path, parameters), body ?? {});

/** A page of any list. */
export type Page<Item> = Omit<TableSummaryListPage, "items"> & { items: Item[] };
/** The paths whose answers are pages of a list. */
type PagedPath = { [P in PathFor<"get">]: Answer<Operation<"get", P>> extends Page<unknown> ? P : never }[PathFor<"get">];
type Items<P extends PagedPath> = Answer<Operation<"get", P>>["items"];

/** The largest page that the server gives. */
const PAGE_LIMIT = 200;

/** All items of a list that the server gives in pages. */
export async function getAll<P extends PagedPath>(path: P): Promise<Items<P>> {
  const items: unknown[] = [];
  let after: string | null = null;
  do {
    const page: Page<unknown> = await request("GET", address(path, { limit: PAGE_LIMIT, after }));
    items.push(...page.items);
    after = page.next;
  } while (after);
  return items as Items<P>;
}

/** A unique key for a command: the server runs a command once per key. (`randomUUID` needs https or localhost.) */
export const newKey = (): string =>
  crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(16)).join("-");

export type CommandPath = Extract<PathFor<"post">, `${string}/commands`>;
export type CommandFor<P extends CommandPath> = Body<Operation<"post", P>>["command"];

/** Send a command to a table, a meter, a player account or the staff list. */
export const sendCommand = <P extends CommandPath>(
  path: P,
  command: CommandFor<P>,
  ...[parameters]: OptionalParameters<Operation<"post", P>>
): Promise<CommandAccepted> => request("POST", address(path, parameters), { key: newKey(), command });
