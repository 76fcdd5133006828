/** Choice keys: which key takes which choice, on every page that asks for decisions. */

import { activatesFocus, isTyping } from "../lib/keys";
import { shortcutsEnabled } from "../lib/settings.svelte";

/** The key of a choice: F to fold, and the digit of a Play wager. */
export const keyOf = (name: string): string => (name === "fold" ? "F" : name.charAt(0));

export const CHOICE_KEYS: [key: string, what: string][] = [
  ["F", "fold"],
  ["1 2 3", "play so many times the Ante"],
  ["Enter or Space", "go on to the next hand"],
  ["?", "show this list"],
];

export interface KeyActions {
  /** What can be chosen now, by name; none while no decision is open. */
  choices: readonly string[];
  choose: (name: string) => void;
  next: () => void;
  help: () => void;
}

/** Act on a key, and keep the browser from using it too. */
export function handleChoiceKey(event: KeyboardEvent, { choices, choose, next, help }: KeyActions): void {
  if (event.repeat || isTyping(event)) return;
  if (event.key === "?") help();
  else if (!shortcutsEnabled.value || activatesFocus(event)) return;
  else {
    const chosen = choices.find((name) => keyOf(name) === event.key.toUpperCase());
    if (chosen !== undefined) choose(chosen);
    else if (!choices.length && (event.key === "Enter" || event.key === " ")) next();
    else return;
  }
  event.preventDefault();
}
