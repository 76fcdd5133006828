/** The numbers that a person has to count and enter: fields of an offered command that are null. */

import type { Command } from "../lib/types";

export interface Count {
  /** Where it stands in the command: a field, or a field and a key in it. */
  path: [string] | [string, string];
  label: string;
}

const handOf = (position: string): string => (position === "0" ? "Dealer's hand" : `Hand at position ${position}`);

/** What has to be counted before a command can be sent, in the order of its fields. */
export const countsIn = (command: Command): Count[] =>
  Object.entries(command).flatMap(([name, value]): Count[] => {
    if (value === null) return [{ path: [name], label: name === "stub" ? "Cards in the stub" : "Number counted" }];
    if (name !== "hands" || typeof value !== "object") return [];
    return Object.entries(value)
      .filter(([, size]) => size === null)
      .map(([position]) => ({ path: [name, position], label: handOf(position) }));
  });

/** A command with the numbers that were entered, in the order of its counts. */
export const withCounts = (command: Command, numbers: number[]): Command => {
  const filled: Command = { ...command };
  countsIn(command).forEach(({ path: [name, key] }, at) => {
    filled[name] = key === undefined ? numbers[at] : { ...(filled[name] as object), [key]: numbers[at] };
  });
  return filled;
};
