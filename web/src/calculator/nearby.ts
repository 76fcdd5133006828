/** Nearby positions: the same hand against other up cards, and hands of nearby strengths against the same up card. */

import { RANK_NAMES, rankOf, suitOf } from "../poker/cards";
import { countDealer } from "../poker/dealerCount";
import { bestHand, type Hand } from "../poker/hands";
import { handOfStrength, STRENGTH_COUNT } from "../poker/nearbyHands";
import { choiceValues, type ChoiceValues, type Terms } from "../poker/values";
import type { CompletePosition } from "../trainer/position";

export interface NearbyPosition {
  position: CompletePosition;
  hand: Hand;
  values: ChoiceValues;
}

/** Strengths that are shown on each side of a hand. */
const STEPS = 2;

export async function evaluate(position: CompletePosition, terms: Terms): Promise<NearbyPosition> {
  const hand = bestHand(position.hand);
  const counts = await countDealer(position.hand, position.up);
  return { position, hand, values: choiceValues(terms, hand.strength, counts) };
}

/** A position with an up card of every rank, the ace first; its own suit where it can be. Null where the hand has all four. */
export function upCardPositions({ hand, up }: CompletePosition): (CompletePosition | null)[] {
  const suits = [suitOf(up), 3, 2, 1, 0];
  return [...RANK_NAMES.keys()].reverse().map((rank) => {
    const card = suits.map((suit) => 4 * rank + suit).find((each) => !hand.includes(each));
    return card === undefined ? null : { hand, up: rankOf(up) === rank ? up : card };
  });
}

/**
 * The next stronger and weaker hands against the same up card, then the nearest on each side with another decision.
 * Each keeps as many of the player's cards as it can.
 */
export async function* nearbyHands(position: CompletePosition, terms: Terms): AsyncGenerator<NearbyPosition> {
  const current = await evaluate(position, terms);
  yield current;
  const side = new Side(current, terms);
  for (const direction of [1, -1]) {
    let distance = 0;
    for (let step = 0; step < STEPS; step++) {
      const found = side.reachable(direction, distance + 1, STRENGTH_COUNT);
      if (!found) break;
      distance = found.distance;
      yield await evaluate(found.position, terms);
    }
  }
  for (const direction of [1, -1]) {
    const change = await side.nearestChange(direction);
    if (change) yield change;
  }
}

interface Reachable {
  position: CompletePosition;
  /** The difference of strengths. */
  distance: number;
}

/** The hands that are stronger or weaker than one. */
class Side {
  constructor(
    readonly current: NearbyPosition,
    readonly terms: Terms,
  ) {}

  /** The nearest hand at a distance or farther, up to a limit, that five cards can make. */
  reachable(direction: number, from: number, limit: number): Reachable | null {
    const { position, hand } = this.current;
    for (let distance = from; distance < limit; distance++) {
      const cards = handOfStrength(hand.strength + direction * distance, position.hand, position.up);
      if (cards) return { position: { hand: cards, up: position.up }, distance };
    }
    return null;
  }

  /** The nearest hand whose best decision differs: found by halving, as stronger hands never wager less. */
  async nearestChange(direction: number): Promise<NearbyPosition | null> {
    const { multiple } = this.current.values.best;
    let [same, other] = [0, STRENGTH_COUNT];
    let found: NearbyPosition | null = null;
    while (other - same > 1) {
      const middle = (same + other) >> 1;
      const next = this.reachable(direction, middle, other);
      if (!next) {
        other = middle;
        continue;
      }
      const evaluated = await evaluate(next.position, this.terms);
      if (evaluated.values.best.multiple === multiple) same = next.distance;
      else [found, other] = [evaluated, next.distance];
    }
    return found;
  }
}
