/** Keys: to whom a key press belongs. */

const TEXT_FIELDS = "input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]";

/** Whether a key belongs to a text field or an open dialog. */
export const isTyping = (event: KeyboardEvent): boolean =>
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  (event.target as Element | null)?.closest?.(TEXT_FIELDS) !== null ||
  document.querySelector("dialog[open]") !== null;

/** What was pressed last with mouse or finger; null once the keyboard has moved the focus. */
let pressed: EventTarget | null = null;
addEventListener("pointerdown", ({ target }) => (pressed = target), true);
addEventListener("keydown", ({ key }) => (pressed = key === "Tab" || key.startsWith("Arrow") ? null : pressed), true);

/** What a key activates when it has the focus. A betting spot takes chips with Space and +, never Enter. */
const ACTIVATED: Record<string, string> = {
  Enter: "button:not(.spot), a[href], summary",
  " ": "button, input, summary",
};

/** Whether a key activates the focused element. A clicked element keeps the focus, but the key is then a shortcut. */
export function activatesFocus({ key, target }: KeyboardEvent): boolean {
  const activated = ACTIVATED[key];
  const focused = activated === undefined ? null : (target as Element | null)?.closest?.(activated);
  return focused != null && !focused.contains(pressed as Node | null);
}
