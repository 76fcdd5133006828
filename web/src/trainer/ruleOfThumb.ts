/** Rule of thumb: the first rule of a strategy to memorise that fits a position. */

import type { StrategyData, StrategyRule } from "../lib/apiTypes";
import { choiceLabel } from "../lib/format";
import { RANKS, rankOf } from "../poker/cards";
import { bestHand, CATEGORIES, type Category, type Hand } from "../poker/hands";
import type { CompletePosition } from "./position";

/** Whether a hand is above (1), below (-1) or among (0) the hands of a text such as "pair J" or "two pair". */
function compareTo(text: string, { category, ranks }: Hand): number {
  const words = text.replaceAll("_", " ").split(" ");
  const isRank = (word: string): boolean => word.length === 1 && RANKS.includes(word);
  const named = words.filter((word) => !isRank(word)).join("_") as Category;
  const order = CATEGORIES.indexOf(category) - CATEGORIES.indexOf(named);
  const differences = words.filter(isRank).map((word, at) => (ranks[at] ?? 0) - RANKS.indexOf(word));
  return Math.sign(order || (differences.find(Boolean) ?? 0));
}

/** Whether a text such as "2-9 J" names a rank. */
const names = (text: string, rank: number): boolean =>
  text.split(/[\s,]+/).some((word) => {
    const [first = "", last = first] = word.split("-");
    return RANKS.indexOf(first) <= rank && rank <= RANKS.indexOf(last);
  });

function fits(rule: StrategyRule, { hand, up }: CompletePosition): boolean {
  const best = bestHand(hand);
  const ranks = hand.map(rankOf);
  return (
    (rule.at_least == null || compareTo(rule.at_least, best) >= 0) &&
    (rule.at_most == null || compareTo(rule.at_most, best) <= 0) &&
    (rule.up == null || names(rule.up, rankOf(up))) &&
    (rule.matching == null || ranks.includes(rankOf(up)) === rule.matching) &&
    (rule.over == null || Math.max(...ranks) > rankOf(up) === rule.over)
  );
}

export interface RuleOfThumb {
  says: string;
  /** Such as "3x". */
  bet: string;
}

/** The rule of the longest strategy to memorise that decides a position. */
export function ruleOfThumb({ memorise }: StrategyData, position: CompletePosition): RuleOfThumb {
  const strategy = memorise.reduce((longest, each) => (each.rules.length > longest.rules.length ? each : longest));
  const rule = strategy.rules.find((each) => fits(each, position));
  if (rule) return { says: rule.says ?? "", bet: rule.bet };
  return { says: `${choiceLabel(strategy.otherwise)} with every other hand.`.replace("Fold with", "Fold"), bet: strategy.otherwise };
}
