/**
 * Data files: what the pages read that need no house. A server and a site without one give the same files, so each is
 * fetched by an address relative to the page, once.
 */

import { ApiError, type Answer, type Operation, type PathFor } from "./api";

/** The addresses of data files as the server describes them, without the leading slash. */
type DataPath = Extract<PathFor<"get">, `/data/${string}`>;
type WithoutSlash<P extends string> = P extends `/${infer Rest}` ? Rest : never;

const loaded = new Map<string, Promise<unknown>>();

async function fetchFile(path: string): Promise<unknown> {
  const failed = (status: number): ApiError => {
    const message = status === 404 ? "There is no such page. Check the address." : "Can't load the data of this page. Try again.";
    return new ApiError(status, { code: 0, name: status === 404 ? "missing" : "unreachable", message, clauses: [] });
  };
  let response: Response;
  try {
    response = await fetch(path);
  } catch {
    throw failed(0);
  }
  const answer = await response.json().catch(() => null);
  if (!response.ok || answer === null) {
    const refusal = response.status === 404 ? null : answer?.refusal;
    throw refusal ? new ApiError(response.status, refusal) : failed(response.status);
  }
  return answer;
}

/** A data file by its path, with the names in braces filled in; a file that could not be loaded is tried again. */
export function loadDataFile<P extends DataPath>(path: WithoutSlash<P>, names: Record<string, string> = {}): Promise<Answer<Operation<"get", P>>> {
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? ""));
  let found = loaded.get(address);
  if (!found) {
    found = fetchFile(address);
    loaded.set(address, found);
    found.catch(() => loaded.delete(address));
  }
  return found as Promise<Answer<Operation<"get", P>>>;
}
