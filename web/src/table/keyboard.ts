/** Keyboard shortcuts: which key does what in which situation, for the key handler and the help. */

import type { BettingSpot } from "../lib/apiTypes";
import { activatesFocus, isTyping } from "../lib/keys";
import { shortcutsEnabled } from "../lib/settings.svelte";
import { buyInRequest, freeSeat } from "./seating.svelte";
import type { TableSession } from "./session.svelte";

export type Situation = "seat" | "betting" | "decision" | "dealing";

export interface Shortcut {
  /** The keys as the help shows them. */
  keys: string;
  /** What they do. */
  does: string;
  matches: (key: string) => boolean;
  run: (key: string, shift: boolean) => void;
}

const shortcut = (keys: string, does: string, names: string[], run: Shortcut["run"]): Shortcut => ({
  keys,
  does,
  matches: (key) => names.includes(key),
  run,
});

/** What the player can do at the table now; null for people who only watch. */
export function situationOf(session: TableSession): Situation | null {
  if (!session.you) return null;
  if (!session.myPositions.length) return "seat";
  if (session.decidingPosition !== null) return "decision";
  return session.betsOpen ? "betting" : "dealing";
}

const digits = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index + 1}`);

function sitDown(session: TableSession): void {
  const seat = freeSeat(session);
  if (seat !== null) buyInRequest.takeSeat(session, seat);
}

function chooseChip(session: TableSession, key: string): void {
  const chip = session.config.chips[Number(key) - 1];
  if (chip !== undefined) session.chip = chip;
}

function changeWager(session: TableSession, { wager }: BettingSpot, withdraw: boolean): void {
  const position = session.activePosition;
  if (position === null) return;
  if (!withdraw) void session.addChip(position, wager);
  else if (session.wagerAmount(position, wager)) void session.withdrawWager(position, wager);
}

function deal(session: TableSession): void {
  if (session.canRebet) void session.rebetAndDeal();
  else if (session.stake && !session.you?.ready) void session.deal();
}

function nextPosition(session: TableSession): void {
  const { myPositions, activePosition } = session;
  const at = activePosition === null ? -1 : myPositions.indexOf(activePosition);
  session.activePosition = myPositions[(at + 1) % myPositions.length] ?? null;
}

function play(session: TableSession, times: number): void {
  const position = session.decidingPosition;
  const amount = times * (session.place(position ?? 0)?.wagers.ante ?? 0);
  if (position !== null && !session.decisionPending(position) && session.canPlay(position, amount)) void session.play(position, amount);
}

function fold(session: TableSession): void {
  const position = session.decidingPosition;
  if (position !== null && !session.decisionPending(position)) void session.fold(position);
}

/** The shortcuts of a situation at this table. */
export function shortcutsIn(situation: Situation, session: TableSession): Shortcut[] {
  const { chips, spots, play: plays } = session.config;
  switch (situation) {
    case "seat":
      return [shortcut("Enter", "sit down", ["enter"], () => sitDown(session))];
    case "betting":
      return [
        shortcut(`1 – ${chips.length}`, "select a chip", digits(chips.length), (key) => chooseChip(session, key)),
        ...spots
          .filter(({ look }) => look.key)
          .map((spot) =>
            shortcut(spot.look.key, `add a chip to ${spot.label}; with Shift: take it back`, [spot.look.key.toLowerCase()], (_, shift) =>
              changeWager(session, spot, shift),
            ),
          ),
        shortcut("Z", "undo the last chip or change", ["z"], () => void session.undo()),
        shortcut("C", "clear your wagers", ["c"], () => void session.clear()),
        shortcut("X", "double your wagers", ["x"], () => void session.double()),
        shortcut("R", "repeat the last wagers", ["r"], () => void session.repeat()),
        shortcut("Enter or D", "deal; after a result: the same wagers again", ["enter", "d"], () => deal(session)),
        {
          ...shortcut("Space", "after a result: the same wagers again, and deal", [" "], () => deal(session)),
          matches: (key) => key === " " && session.canRebet,
        },
        ...(session.myPositions.length > 1 ? [shortcut("N", "go to your next position", ["n"], () => nextPosition(session))] : []),
      ];
    case "decision":
      return [
        shortcut("F", "fold", ["f"], () => fold(session)),
        shortcut(digits(plays.most).join(" "), "play so many times the Ante", digits(plays.most), (key) => play(session, Number(key))),
      ];
    case "dealing":
      return [shortcut("Space or Esc", "skip to what comes next", [" ", "escape"], () => session.skip())];
  }
}

/** Run the shortcut of a key; return whether the key had one. */
export function handleKey(event: KeyboardEvent, session: TableSession, showHelp: () => void): boolean {
  if (event.repeat || isTyping(event)) return false;
  if (event.key === "?") {
    showHelp();
    return true;
  }
  const situation = situationOf(session);
  if (!shortcutsEnabled.value || !situation || activatesFocus(event)) return false;
  const key = event.key.toLowerCase();
  const found = shortcutsIn(situation, session).find((each) => each.matches(key));
  found?.run(key, event.shiftKey);
  return found !== undefined;
}
