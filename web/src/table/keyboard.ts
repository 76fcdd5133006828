/** Keyboard shortcuts: which key does what, for the key handler, the buttons and the help. */

import type { BettingSpot } from "../lib/apiTypes";
import { StoredValue } from "../lib/localStorage.svelte";
import { buyInRequest, freeSeat } from "./seating.svelte";
import type { TableSession } from "./session.svelte";

/** Whether single keys act. Off helps with voice control and accidental key presses. */
export const shortcutsEnabled = new StoredValue("keys", true);
/** Whether screen readers announce every sentence of the dealer. Results are always announced. */
export const announceDealer = new StoredValue("reads-along", false);

const spotForKey = (session: TableSession, key: string): BettingSpot | undefined =>
  session.config.spots.find(({ look }) => look.key !== "" && look.key === key.toUpperCase());

const TEXT_FIELDS = "input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]";

/** Whether a key belongs to a text field or an open dialog. */
const isTyping = (event: KeyboardEvent): boolean =>
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  (event.target as Element | null)?.closest?.(TEXT_FIELDS) !== null ||
  document.querySelector("dialog[open]") !== null;

let usedPointer = false;
addEventListener("pointerdown", () => (usedPointer = true), true);
addEventListener("keydown", ({ key }) => (usedPointer &&= key !== "Tab" && !key.startsWith("Arrow")), true);

/**
 * Whether Enter activates the focused element: a button, link or summary reached by keyboard.
 * A clicked element keeps the focus, but Enter then deals. A betting spot takes chips with Space and +, never Enter.
 */
const activatesFocus = (event: KeyboardEvent): boolean =>
  !usedPointer && (event.target as Element | null)?.closest?.("button:not(.spot), a[href], summary") !== null;

const digit = (key: string): number => (/^[1-9]$/.test(key) ? Number(key) : 0);

function decide(session: TableSession, position: number, key: string): boolean {
  const ante = session.place(position)?.wagers.ante ?? 0;
  const times = digit(key);
  if (session.decisionPending(position)) return times > 0 || key === "f";
  if (key === "f") void session.fold(position);
  else if (times && session.canPlay(position, times * ante)) void session.play(position, times * ante);
  else return false;
  return true;
}

function bet(session: TableSession, position: number, key: string, withdraw: boolean): boolean {
  const chip = session.config.chips[digit(key) - 1];
  const wager = spotForKey(session, key)?.wager;
  const { myPositions } = session;
  if (chip !== undefined) session.chip = chip;
  else if (wager) {
    if (!withdraw) void session.addChip(position, wager);
    else if (session.wagerAmount(position, wager)) void session.withdrawWager(position, wager);
  } else if (key === "r") void session.repeat();
  else if (key === "c") void session.clear();
  else if (key === "n") session.activePosition = myPositions[(myPositions.indexOf(position) + 1) % myPositions.length] ?? null;
  else return false;
  return true;
}

function deal(session: TableSession): boolean {
  if (!session.stake || session.you?.ready) return false;
  void session.deal();
  return true;
}

function sitDown(session: TableSession): boolean {
  const seat = freeSeat(session);
  if (seat !== null) buyInRequest.takeSeat(session, seat);
  return seat !== null;
}

/** Run the shortcut of a key; return whether the key had one. */
export function handleKey(event: KeyboardEvent, session: TableSession, showHelp: () => void): boolean {
  if (event.repeat || isTyping(event)) return false;
  if (event.key === "?") {
    showHelp();
    return true;
  }
  if (!shortcutsEnabled.value || !session.you) return false;
  const key = event.key.toLowerCase();
  const enter = event.key === "Enter" && !activatesFocus(event);
  if (!session.myPositions.length) return enter && sitDown(session);
  if (session.decidingPosition !== null) return decide(session, session.decidingPosition, key);
  if (!session.betsOpen || session.activePosition === null) return false;
  if (enter || key === "d") return deal(session);
  return bet(session, session.activePosition, key, event.shiftKey);
}
