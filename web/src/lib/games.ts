/** Games: the base game of every rulebook, for pages that count without a server. */

import type { TrainerGames } from "./apiTypes";
import { loadDataFile } from "./dataFiles";

/** Every game, in the order of the rulebooks, and what decisions are called by their cost; loaded once. */
export const loadGames = (): Promise<TrainerGames> => loadDataFile<"/data/games.json">("data/games.json");
