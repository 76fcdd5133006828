/** Games: the base game of every rulebook, for pages that count without a server. */

import type { TrainerGame, Verdict } from "./apiTypes";
import { loadDataFile } from "./dataFiles";

/** Every game, in the order of the rulebooks; loaded once. */
export const loadGames = async (): Promise<TrainerGame[]> => (await loadDataFile<"/data/games.json">("data/games.json")).games;

/** What decisions are called by their cost, from the best to the worst. */
export const loadVerdicts = async (): Promise<Verdict[]> => (await loadDataFile<"/data/games.json">("data/games.json")).verdicts;
