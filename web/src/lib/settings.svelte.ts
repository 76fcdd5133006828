/** Settings: how one person wants the page, kept by the browser. */

import { StoredValue } from "./localStorage.svelte";
import { user } from "./user.svelte";

export type Speed = "normal" | "fast" | "instant";
export type Theme = "system" | "dark" | "light";
export type Deck = "two" | "four";

/** How fast the dealer deals and settles for this player. */
export const speed = new StoredValue<Speed>("speed", "normal");
export const theme = new StoredValue<Theme>("theme", "system");
/** Two colors of suits, or one for each suit. */
export const deck = new StoredValue<Deck>("deck", "two");
/** Whether hands are shown with their best four cards first. */
export const sortHands = new StoredValue("sort", true);
/** Whether single keys act. Off helps with voice control and accidental key presses. */
export const shortcutsEnabled = new StoredValue("keys", true);
/** Whether screen readers announce every sentence of the dealer. Results are always announced. */
export const announceDealer = new StoredValue("reads-along", false);
const clauses = new StoredValue<boolean | null>("clauses", null);

/** Whether the page shows the clauses behind what it says; at first only staff see them. */
export const showClauses = {
  get value(): boolean {
    return clauses.value ?? user.identity?.kind === "staff";
  },
  set value(value: boolean) {
    clauses.value = value;
  },
};

/** Give the page the colors of the chosen theme, and follow the system while that is chosen. */
export function applyTheme(): void {
  const system = matchMedia("(prefers-color-scheme: light)");
  const chosen = theme.value === "system" ? (system.matches ? "light" : "dark") : theme.value;
  document.documentElement.dataset.theme = chosen;
}
matchMedia("(prefers-color-scheme: light)").addEventListener("change", applyTheme);
