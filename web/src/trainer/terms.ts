/** Terms: the rulebook and the Automatic Bonus table of a calculation, chosen in the address. */

import type { TrainerBonus, TrainerGame } from "../lib/apiTypes";
import type { Terms } from "../poker/values";

export interface ChosenTerms {
  game: TrainerGame;
  bonus: TrainerBonus | null;
  terms: Terms;
  /** What is wrong with the address, in sentences; the terms are then the default. */
  problems: string[];
}

/** The name of a game in the address: its rulebook, and the edition too where that rulebook has another game before it. */
export const gameId = (game: TrainerGame, games: readonly TrainerGame[]): string =>
  games.find(({ id }) => id === game.id) === game ? game.id : `${game.id} ${game.edition}`;

/** The terms that an address asks for. */
export function chooseTerms(games: readonly TrainerGame[], query: URLSearchParams): ChosenTerms | null {
  const problems: string[] = [];
  const [rulebook, table] = [query.get("rulebook"), query.get("bonus")];
  const found = games.find((each) => gameId(each, games) === rulebook);
  const game = found ?? games[0];
  if (!game) return null;
  if (rulebook && !found) problems.push(`There is no such rulebook as the address names. These are the values of ${game.name}.`);
  const bonus = game.bonuses.find(({ id }) => id === table) ?? game.bonuses.find(({ id }) => id === game.default_bonus) ?? null;
  if (table && found && bonus?.id !== table)
    problems.push(`${game.name} has no such bonus table as the address names. These are the values of ${bonus ? `the table ${bonus.id}` : "a game without one"}.`);
  return { game, bonus, terms: { ...game, bonus: bonus?.rows ?? [] }, problems };
}

/** Terms as parameters of an address. */
export const termsQuery = ({ game, bonus }: ChosenTerms, games: readonly TrainerGame[]): Record<string, string> => ({
  rulebook: gameId(game, games),
  bonus: bonus?.id ?? "",
});
