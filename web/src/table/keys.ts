/** Which key stands for what, in one place for the buttons, the help and whoever listens. */

import type { WagerName } from "../lib/types";

const WAGER_KEYS: Partial<Record<WagerName, string>> = {
  ante: "A",
  aces_up: "U",
  bad_beat: "B",
  six_card: "S",
  cover_all: "V",
  progressive: "P",
};

export const keyOf = (wager: WagerName): string | undefined => WAGER_KEYS[wager];

export const wagerOf = (key: string): WagerName | undefined =>
  (Object.entries(WAGER_KEYS) as [WagerName, string][]).find(([, each]) => each === key.toUpperCase())?.[0];

const FIELDS = "input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]";

/** Whether a key press is meant for the field in which somebody types, or for an open dialog. */
export const typing = (event: KeyboardEvent): boolean =>
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  (event.target as Element | null)?.closest?.(FIELDS) !== null ||
  document.querySelector("dialog[open]") !== null;

let pointed = false;
addEventListener("pointerdown", () => (pointed = true), true);
addEventListener("keydown", ({ key }) => (pointed &&= key !== "Tab" && !key.startsWith("Arrow")), true);

/**
 * Whether Enter belongs to what has the focus: a button, a link or a summary that somebody reached by keys.
 * What was clicked keeps the focus too, but is done with; a betting spot takes chips by Space and +, never by Enter.
 */
export const pressing = (event: KeyboardEvent): boolean =>
  !pointed && (event.target as Element | null)?.closest?.("button:not(.spot), a[href], summary") !== null;
