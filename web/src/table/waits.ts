/** Whose act a table waits for, in a sentence for the person who reads it. */

import { words } from "../lib/format";
import type { TableMessage } from "../lib/types";
import { called } from "./names";

type Waiting = NonNullable<TableMessage["waiting"]>;

const PEOPLE: Record<string, string> = {
  dealer: "the dealer",
  floorperson: "the floor",
  supervisor: "a supervisor",
  "casino-supervisor": "a casino supervisor",
  executive: "an executive",
};

const whoActs = (waiting: Waiting): string => PEOPLE[waiting.role] ?? "the staff";

/** The player at the position that a table waits for. */
export function deciderOf(message: TableMessage): string {
  const position = message.waiting?.position ?? 0;
  const player = message.view.seats[position];
  return player ? `${called(player)} at position ${position}` : `Position ${position}`;
}

/** What a player reads while staff are to act. */
export function staffAwaited(waiting: Waiting): string {
  if (waiting.for === "jackpot") return `A jackpot! It waits for ${waiting.role === "dealer" ? "the dealer" : "the floor"} to confirm it.`;
  if (waiting.for === "document") return `The payout of position ${waiting.position} is being documented.`;
  return `The table waits for ${whoActs(waiting)}.`;
}

/** What a member of staff reads who acts in some roles. */
export function toldToStaff(message: TableMessage, acting: string[]): string {
  const { waiting } = message;
  if (!waiting) return "The house deals this table by itself.";
  switch (waiting.for) {
    case "wagers":
      return "The table waits for the players to place their wagers.";
    case "ready":
      return "The table waits for the players to finish their wagers.";
    case "decision":
      return `${deciderOf(message)} decides.`;
    case "players":
      return "The table waits for players.";
  }
  /** For a win the console knows who may act at its amount. */
  const due = waiting.for === "staff" ? null : message.console?.next;
  if (due) return `The table waits for ${due.who}: ${due.what}.`;
  const { role, task } = waiting;
  return acting.includes(role) ? `Your turn as ${words(role)}: ${task}` : `The table waits for ${whoActs(waiting)}: ${task}`;
}
