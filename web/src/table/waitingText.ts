/** Waiting text: one sentence that says whom the table waits for, for players and for staff. */

import type { TableMessage } from "../lib/apiTypes";
import { humanize, playerName } from "../lib/format";

type Waiting = NonNullable<TableMessage["waiting"]>;

const PEOPLE: Record<string, string> = {
  dealer: "the dealer",
  floorperson: "the floor",
  supervisor: "a supervisor",
  "casino-supervisor": "a casino supervisor",
  executive: "an executive",
};

const whoActs = (waiting: Waiting): string => PEOPLE[waiting.role] ?? "the staff";

/** The player whose decision the table waits for. */
export function deciderName(message: TableMessage): string {
  const position = message.waiting?.position ?? 0;
  const player = message.view.seats[position];
  return player ? `${playerName(player)} at position ${position}` : `position ${position}`;
}

/** The sentence for players while staff have to act. */
export function playerWaitingText(waiting: Waiting): string {
  if (waiting.for === "jackpot") return `A win waits for ${waiting.role === "dealer" ? "the dealer" : "the floor"} to confirm it.`;
  if (waiting.for === "seeds") return "The seeds are revealed.";
  if (waiting.for === "document") return `Staff are documenting the payout at position ${waiting.position}.`;
  return `Waiting for ${whoActs(waiting)}.`;
}

/** The sentence for a member of staff with these acting roles. */
export function staffWaitingText(message: TableMessage, acting: string[]): string {
  const { waiting } = message;
  if (!waiting) return "The auto-dealer runs this table.";
  switch (waiting.for) {
    case "wagers":
      return "Waiting for players to place wagers.";
    case "ready":
      return "Waiting for players to finish betting.";
    case "decision":
      return `Waiting for ${deciderName(message)} to decide.`;
    case "seeds":
      return "Waiting for the players' seeds, at most 2 seconds.";
    case "players":
      return "Waiting for players to sit down.";
  }
  // For a win the console knows who can act at its amount.
  const due = waiting.for === "staff" ? null : message.console?.next;
  if (due) return `Waiting for ${due.who}: ${due.what}.`;
  const { role, task } = waiting;
  return acting.includes(role) ? `Your turn as ${humanize(role)}: ${task}` : `Waiting for ${whoActs(waiting)}: ${task}`;
}
