/** Rulebooks for players: the list of all, and the rules of one. */

import type { RulebookList, RulebookRules } from "../lib/apiTypes";
import { loadDataFile } from "../lib/dataFiles";

export const loadRulebooks = (): Promise<RulebookList> => loadDataFile<"/data/rulebooks.json">("data/rulebooks.json");

export const loadRulebookRules = (id: string): Promise<RulebookRules> =>
  loadDataFile<"/data/rules/{file}">("data/rules/{file}", { file: `${id}.json` });
