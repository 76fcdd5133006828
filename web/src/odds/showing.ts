/** Figures as a person reads them. */

import { dollars, percent } from "../lib/format";
import type { Figure } from "./types";

const MONEY = ["break_even_meter"];
const ANTES = ["ev_per_ante", "average_wager", "bonus_value"];
/** A chance so small that percent say little is told as one in so many. */
const SELDOM = 0.0005;

export const share = ({ value, standard_error: error }: Figure, digits = 4): string => {
  const told = percent(value, error === undefined ? digits : 3).replace("-", "−");
  return error === undefined ? told : `${told} ± ${percent(error, 3)}`;
};

export const shown = (name: string, figure: Figure): string => {
  if (MONEY.includes(name)) return dollars(Math.round(figure.value));
  if (ANTES.includes(name)) return figure.value.toFixed(6);
  return share(figure);
};

export const chance = (count: number, of: number): string =>
  count === 0 ? "never" : count / of < SELDOM ? `1 in ${Math.round(of / count).toLocaleString("en-US")}` : percent(count / of, 4);

export const whole = (count: number): string => count.toLocaleString("en-US");
