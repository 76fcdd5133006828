/** Changes of a live table: how the page keeps the whole table when only what changed is sent. */

import type { TableChange, TableMessage } from "./apiTypes";

/** Field names and list indexes that lead to a value. */
type Path = TableChange["set"][number][0];

/** Return the table after a change. Parts that did not change stay the same objects; the table before stays as it is. */
export function applyChange(message: TableMessage, change: TableChange): TableMessage {
  const { version, sequence, told } = change;
  const start: TableMessage = { ...message, version, sequence, told };
  return change.set.reduce((table, [path, value]) => withValue(table, path, value) as TableMessage, start);
}

function withValue(node: unknown, [first, ...rest]: Path, value: unknown): unknown {
  if (first === undefined) return value;
  const copy = (Array.isArray(node) ? [...node] : { ...(node as object) }) as Record<string | number, unknown>;
  copy[first] = withValue(copy[first], rest, value);
  return copy;
}
