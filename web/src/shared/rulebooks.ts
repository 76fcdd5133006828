/** The rulebooks by which a shared round is checked: their games, and how they deal. */

import { loadDataFile } from "../lib/dataFiles";
import { loadGames } from "../lib/games";
import type { Rulebooks } from "./checkShared";

export async function loadRulebooks(): Promise<Rulebooks> {
  const [{ games }, { rulebooks }] = await Promise.all([loadGames(), loadDataFile<"/data/dealing.json">("data/dealing.json")]);
  return { games, dealing: rulebooks };
}
