/** Under which rulebook somebody played last, to tell what another one changes. */

import { Kept } from "../lib/kept.svelte";

/** A rulebook as the list of differences names it, with the edition where there are several. */
export const titled = (table: { rulebook: string; edition: string }): string =>
  table.edition && table.edition !== "printed" ? `${table.rulebook} (${table.edition})` : table.rulebook;

export const lastBook = new Kept<string | null>("rulebook", null);
