/** Giving a command over HTTP: under a key of its own, so that the house does it once. */

import { post } from "../lib/api";
import type { Command, DoneMessage } from "../lib/types";

const newKey = (): string => Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(16)).join("-");

export const give = (path: string, command: Command): Promise<DoneMessage> =>
  post<DoneMessage>(`${path}/commands`, { key: newKey(), command });
