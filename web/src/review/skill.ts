/** Skill over time: what decisions cost on average, period by period and by hand class. */

import type { SkillPeriod } from "../lib/apiTypes";
import type { Category } from "../poker/hands";
import { classOf, HAND_CLASSES, type HandClass } from "../trainer/handClasses";

export interface ClassTotal {
  decisions: number;
  best: number;
  /** Antes. */
  lost: number;
}

export interface ClassSkill extends ClassTotal {
  name: HandClass;
  /** Antes lost per decision in each period; null where there was none. */
  perPeriod: (number | null)[];
}

const NOTHING: ClassTotal = { decisions: 0, best: 0, lost: 0 };

const totalOf = ({ groups }: SkillPeriod, name: HandClass): ClassTotal =>
  groups
    .filter(({ category, rank }) => classOf({ category: category as Category, ranks: [rank] }) === name)
    .reduce((sum, each) => ({ decisions: sum.decisions + each.decisions, best: sum.best + each.best, lost: sum.lost + each.lost }), NOTHING);

/** The skill with each hand class; classes that never came are left out. */
export const skillByClass = (periods: SkillPeriod[]): ClassSkill[] =>
  HAND_CLASSES.map((name) => {
    const totals = periods.map((period) => totalOf(period, name));
    const sum = (of: keyof ClassTotal): number => totals.reduce((found, each) => found + each[of], 0);
    const perPeriod = totals.map(({ decisions, lost }) => (decisions ? lost / decisions : null));
    return { name, decisions: sum("decisions"), best: sum("best"), lost: sum("lost"), perPeriod };
  }).filter(({ decisions }) => decisions > 0);
