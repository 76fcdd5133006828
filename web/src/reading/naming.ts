/** Names of wagers and rulebooks as a person writes them: "aces_up" becomes "Aces Up". */

import { words } from "../lib/format";

export const titled = (name: string): string => words(name).replace(/(?<=^|[\s(])[a-z]/g, (letter) => letter.toUpperCase());
