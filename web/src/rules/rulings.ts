/** All rulings, page after page. */

import type { get, Page } from "../lib/api";
import type { Ruling } from "./types";

const MOST_A_PAGE = 200;

export async function everyRuling(ask: typeof get): Promise<Ruling[]> {
  const found: Ruling[] = [];
  let after: string | undefined;
  do {
    const page: Page<Ruling> = await ask<Page<Ruling>>("/api/rulings", { limit: MOST_A_PAGE, after });
    found.push(...page.items);
    after = page.next ?? undefined;
  } while (after !== undefined);
  return found;
}
