/** Figures: exact or estimated numbers formatted for the odds page. */

import type { FigureValue } from "../lib/apiTypes";
import { dollars, percent } from "../lib/format";

const MONEY = ["break_even_meter"];
const ANTES = ["ev_per_ante", "average_wager", "bonus_value"];
/** Smaller chances are written as "1 in 52,360" instead of percent. */
const RARE = 0.0005;

export const formatShare = ({ value, standard_error: error }: FigureValue, digits = 4): string => {
  const text = percent(value, error === undefined ? digits : 3).replace("-", "−");
  return error === undefined ? text : `${text} ± ${percent(error, 3)}`;
};

export const formatFigure = (name: string, figure: FigureValue): string => {
  if (MONEY.includes(name)) return dollars(Math.round(figure.value));
  if (ANTES.includes(name)) return figure.value.toFixed(6);
  return formatShare(figure);
};

export const formatChance = (count: number, of: number): string =>
  count === 0 ? "never" : count / of < RARE ? `1 in ${Math.round(of / count).toLocaleString("en-US")}` : percent(count / of, 4);

export const formatCount = (count: number): string => count.toLocaleString("en-US");
