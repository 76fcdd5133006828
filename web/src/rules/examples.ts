/** The submissions that come with the system, and their texts. */

import { get, type Page } from "../lib/api";
import type { Example } from "./types";

export const everyExample = async (): Promise<Example[]> => (await get<Page<Example>>("/api/examples")).items;

export const textOf = async (name: string): Promise<string> =>
  (await get<{ text: string }>(`/api/examples/${encodeURIComponent(name)}`)).text;
