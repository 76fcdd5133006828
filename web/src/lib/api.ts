/** Asking the server: one function a method; what it refuses is thrown with its reason and clauses. */

import type { Refusal } from "./types";

export class Refused extends Error {
  readonly status: number;
  readonly refusal: Refusal;

  constructor(status: number, refusal: Refusal) {
    super(refusal.message);
    this.status = status;
    this.refusal = refusal;
  }
}

const unreachable: Refusal = { code: 0, name: "unreachable", message: "The house cannot be reached.", clauses: [] };

async function ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const init: RequestInit = { method, headers: { accept: "application/json" } };
  if (body !== undefined) {
    init.headers = { ...init.headers, "content-type": "application/json" };
    init.body = JSON.stringify(body);
  }
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new Refused(0, unreachable);
  }
  if (response.status === 204) return undefined as Answer;
  const text = await response.text();
  const answer = text ? JSON.parse(text) : null;
  if (!response.ok) throw new Refused(response.status, answer?.refusal ?? { ...unreachable, message: response.statusText });
  return answer as Answer;
}

export const get = <Answer>(path: string, query: Record<string, string | number | undefined> = {}): Promise<Answer> => {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== "") asked.set(name, `${value}`);
  return ask<Answer>("GET", asked.size ? `${path}?${asked}` : path);
};

export const post = <Answer>(path: string, body: unknown = {}): Promise<Answer> => ask<Answer>("POST", path, body);

export interface Page<Item> {
  items: Item[];
  next: string | null;
}
