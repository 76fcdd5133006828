/** Sessions: when one was played, in words. */

import type { PlayerSession } from "../lib/apiTypes";

/** "Nov 19, 2026, 10:20 AM to 10:45 AM". */
export function sessionTime({ begin, end }: PlayerSession): string {
  const [from, to] = [new Date(begin), new Date(end)];
  const day = (at: Date): string => at.toLocaleDateString("en-US", { dateStyle: "medium" });
  const time = (at: Date): string => at.toLocaleTimeString("en-US", { timeStyle: "short" });
  const last = day(from) === day(to) ? time(to) : `${day(to)}, ${time(to)}`;
  return `${day(from)}, ${time(from)}${begin === end ? "" : ` to ${last}`}`;
}
