/**
 * Check of a shared round, in this browser alone: the deck is shuffled again from the secret, every card shown must come
 * from it by the rules of dealing, and Ante, Play and Automatic Bonus are settled again.
 */

import {
  bytesOf, cardsOf, commitmentStep, cutStep, dealingOrderStep, handStep, InvalidProof, MAX_PER_STEP, shuffled, type CheckStep, type Rules,
} from "../history/fairness";
import type { DealingRules, ExportedRound, ShuffleProof, TrainerGame } from "../lib/apiTypes";
import { parseCards } from "../poker/cards";
import { bestHand, type Hand } from "../poker/hands";
import { bonusFor } from "../poker/values";
import { parseFraction, toNumber } from "../poker/fractions";
import type { ChosenTerms } from "../trainer/terms";
import { numbersFrom, UnsharedRound, type OwnPart, type SharedPlace, type SharedRound } from "./sharedRound";

/** How Ante, Play and Automatic Bonus of a position were settled again. */
export interface Settled {
  place: SharedPlace & { own: OwnPart };
  hand: Hand;
  outcome: "win" | "tie" | "loss" | "fold" | "no Ante";
  /** Cents on Ante, Play and Automatic Bonus. */
  main: number;
  /** Cents on all other wagers, as the house paid them. */
  others: number;
}

export interface CheckedRound {
  round: SharedRound;
  chosen: ChosenTerms;
  dealer: Hand;
  settled: Settled[];
  /** What was checked. */
  steps: CheckStep[];
}

/** What the check needs to know of the rulebooks. */
export interface Rulebooks {
  games: readonly TrainerGame[];
  dealing: readonly DealingRules[];
}

/** Wagers of the base game; what the others win depends on tables of the house. */
const MAIN = ["ante", "play"];

/** Check a round; fail with a sentence at the first thing that is wrong. */
export async function checkShared(round: SharedRound, rulebooks: Rulebooks): Promise<CheckedRound> {
  const steps: CheckStep[] = [];
  const confirm = (faults: string[]): void => {
    if (faults.length) throw new UnsharedRound(faults[0]);
  };
  try {
    const secret = bytesOf(round.secret);
    confirm(await commitmentStep(secret, round.commitment, steps));
    const deck = await deckOf(round, secret, steps);
    const chosen = termsOf(round, rulebooks.games);
    const { line, drawn } = dealt(round, deck, chosen.game.name);
    confirm(handStep(line, line.proof, steps));
    const rules = dealingOf(round, rulebooks.dealing);
    confirm(dealingOrderStep(line, line.proof, rules, steps));
    confirm(upCardFaults(round, drawn));
    const dealer = bestHand(cardNumbers(round.dealer));
    const settled = round.places.filter((place) => place.own).map((place) => settle(place as Settled["place"], dealer, chosen));
    if (!settled.length) confirm(["This link has no position of the player who shared it."]);
    steps.push({ title: "The settlement", says: settlementText(settled), holds: true });
    return { round, chosen, dealer, settled, steps };
  } catch (error) {
    if (error instanceof InvalidProof) throw new UnsharedRound(error.message);
    throw error;
  }
}

/** The cards of a checked round. */
export function cardNumbers(cards: string): number[] {
  const found = parseCards(cards);
  if (typeof found === "string") throw new UnsharedRound(found);
  return found;
}

/** The deck after the shuffle and the cuts. */
async function deckOf(round: SharedRound, secret: Uint8Array<ArrayBuffer>, steps: CheckStep[]): Promise<string[]> {
  let used = 0;
  async function* hashes(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for (const hash of round.hashes) {
      used += 1;
      yield bytesOf(hash);
    }
  }
  const { order } = await shuffled(numbersFrom(secret, hashes()));
  if (used !== round.hashes.length) throw new UnsharedRound("The link holds more hashes than the shuffle takes.");
  const says = "The secret and the hashes of the players’ seeds give this order, top card first. The hashes hide names and seeds.";
  steps.push({ title: "The shuffled deck", says, holds: true, cards: order });
  return cutStep(order, round.cuts, steps);
}

/** The cards that the deck gives to each place, as a line and a proof of the round. */
function dealt(round: SharedRound, deck: string[], rulebook: string): { line: ExportedRound; drawn: ShuffleProof["drawn"] } {
  const left = [...deck];
  const take = (card: string): string => left.splice(left.indexOf(card), 1)[0]!;
  const drawn = round.served.map(([to, what]): ShuffleProof["drawn"][number] => {
    if (typeof what === "number") return { to, cards: left.splice(0, what).join(" ") };
    if (!left.slice(0, MAX_PER_STEP).includes(what)) throw new UnsharedRound(`The deck had no ${what} to discard there.`);
    return { to, cards: take(what) };
  });
  const drawnTo = (position: number): string => drawn.filter(({ to }) => to === position).map(({ cards }) => cards).join(" ");
  const seats = round.places.map(({ position, cards }) => ({ position, player: "", cards: cards ?? drawnTo(position), wagers: {} }));
  const proof = { ...round, algorithm: "", table: "", shuffle: 0, round: null, seeds: [], withheld: [], drawn };
  const { dealer, bonus_card } = round;
  return { line: { id: "", rulebook, options: {}, settings: {}, seats, dealer, ...(bonus_card && { bonus_card }), proof }, drawn };
}

/** How the rulebook deals; the bonus card is dealt where the round has one. */
function dealingOf(round: SharedRound, dealing: readonly DealingRules[]): Rules {
  const found = dealing.find(({ id, edition }) => id === round.rulebook && edition === round.edition);
  if (!found) throw new UnsharedRound(`This page does not know the rulebook “${round.rulebook}”.`);
  return [...(found.rules as Rules), ["tables", round.bonus_card ? [["six_card", []]] : []]];
}

/** The up card is a card of the extra stack, which the dealing order fixes, or else the dealer's last card. */
function upCardFaults({ up, dealer }: SharedRound, drawn: ShuffleProof["drawn"]): string[] {
  const drawnTo = (place: string): string[] => drawn.filter(({ to }) => to === place).flatMap(({ cards }) => cardsOf(cards));
  const [own, extra] = [drawnTo("dealer"), drawnTo("extra")];
  const turned = extra.find((card) => cardsOf(dealer).includes(card)) ?? own.at(-1);
  return up === turned ? [] : [`The up card was ${turned}, not ${up}.`];
}

function termsOf({ rulebook, edition, bonus }: SharedRound, games: readonly TrainerGame[]): ChosenTerms {
  const game = games.find((each) => each.id === rulebook && each.edition === edition) ?? games.find(({ id }) => id === rulebook);
  if (!game) throw new UnsharedRound(`This page does not know the rulebook “${rulebook}”.`);
  const table = game.bonuses.find(({ id }) => id === bonus) ?? null;
  if (bonus !== null && !table) throw new UnsharedRound(`${game.name} has no bonus table “${bonus}”, so the result cannot be checked.`);
  return { game, bonus: table, terms: { ...game, bonus: table?.rows ?? [] }, problems: [] };
}

/** Settle Ante, Play and Automatic Bonus again, and compare the result. */
function settle(place: Settled["place"], dealer: Hand, { terms }: ChosenTerms): Settled {
  const { cards, own, position } = place;
  if (!cards) throw new UnsharedRound(`The link hides the cards of position ${position}, but shows its wagers.`);
  const hand = bestHand(cardNumbers(cards));
  const { ante = 0 } = own.wagers;
  if ((own.play === undefined) !== !ante) throw new UnsharedRound(`Position ${position} has no decision on its Ante.`);
  if (own.play && (own.play < terms.least * ante || own.play > terms.most * ante))
    throw new UnsharedRound(`The Play wager of position ${position} is not ${terms.least} to ${terms.most} Antes.`);
  const { outcome, main } = baseGame(hand, dealer, ante, own.play ?? 0, terms);
  const others = own.net - main;
  const staked = Object.entries(own.wagers).reduce((sum, [name, amount]) => sum + (MAIN.includes(name) ? 0 : amount), 0);
  if (staked === 0 ? others !== 0 : others < -staked)
    throw new UnsharedRound(`Position ${position} cannot end with ${(own.net / 100).toFixed(2)} dollars: Ante, Play and Automatic Bonus give ${(main / 100).toFixed(2)}.`);
  return { place, hand, outcome, main, others };
}

function baseGame(hand: Hand, dealer: Hand, ante: number, play: number, terms: ChosenTerms["terms"]): Pick<Settled, "outcome" | "main"> {
  if (!ante) return { outcome: "no Ante", main: 0 };
  if (!play) return { outcome: "fold", main: -ante };
  const outcome = hand.strength > dealer.strength ? "win" : hand.strength === dealer.strength ? "tie" : "loss";
  const [antePays, playPays, bonus] = [parseFraction(terms.ante), parseFraction(terms.play), bonusFor(terms, hand.strength)].map(toNumber) as [number, number, number];
  const wins = outcome === "win" || (outcome === "tie" && terms.ties_win);
  return { outcome, main: Math.round((wins ? ante * antePays + play * playPays : -ante - play) + ante * bonus) };
}

function settlementText(settled: Settled[]): string {
  const sides = settled.some(({ place }) => Object.keys(place.own.wagers).some((name) => !MAIN.includes(name)));
  return `Ante, Play and Automatic Bonus were settled again and give the result${sides ? "; the other wagers are as the house paid them" : ""}.`;
}
