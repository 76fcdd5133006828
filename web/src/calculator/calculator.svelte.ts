/** Calculator: the position of the address, what the keys and buttons change in it, and its counted answer. */

import type { TrainerGame } from "../lib/apiTypes";
import { loadGames } from "../lib/games";
import { cardFace } from "../lib/format";
import { Query } from "../lib/query.svelte";
import { route, setQuery } from "../lib/route.svelte";
import { cardText, parseCard, RANKS, SUITS } from "../poker/cards";
import { prepareCounting } from "../poker/dealerCount";
import { answerTo, countPosition, type Answer, type Counted } from "../trainer/answer";
import { cardsOf, HAND_SIZE, isComplete, positionLink, positionQuery, randomPosition, readPosition, type Position } from "../trainer/position";
import { chooseTerms, termsQuery, type ChosenTerms } from "../trainer/terms";

export type Place = "hand" | "up";

export class Calculator {
  readonly games = new Query<TrainerGame[]>();
  readonly read = $derived(readPosition(route.query));
  readonly position: Position = $derived(this.read.position);
  readonly chosen: ChosenTerms | null = $derived(this.games.data && chooseTerms(this.games.data, route.query));
  readonly problems: string[] = $derived([...this.read.problems, ...(this.chosen?.problems ?? [])]);
  /** The place that the player chose to fill next; null for the first free one. */
  #preferred: Place | null = $state(null);
  /** A rank that was typed and waits for its suit. */
  typedRank = $state("");
  /** Why the last key or button did nothing. */
  note = $state("");
  counted: Counted | null = $state.raw(null);
  failed = $state(false);

  readonly answer: Answer | null = $derived.by(() => {
    const [counted, chosen] = [this.counted, this.chosen];
    return counted && chosen && answerTo(counted, chosen);
  });

  constructor() {
    prepareCounting();
    this.load();
    $effect(() => this.#count(this.position));
  }

  load(): void {
    void this.games.run(async () => (await loadGames()).games);
  }

  /** Count a complete position; return a function that drops the count. */
  #count(position: Position): (() => void) | void {
    this.failed = false;
    if (!isComplete(position)) {
      this.counted = null;
      return;
    }
    let dropped = false;
    countPosition(position).then(
      (counted) => dropped || (this.counted = counted),
      () => dropped || (this.failed = true),
    );
    return () => (dropped = true);
  }

  /** The chosen terms as parameters of an address; before they are loaded, those that the address has. */
  get terms(): Record<string, string> {
    if (this.chosen && this.games.data) return termsQuery(this.chosen, this.games.data);
    return { rulebook: route.query.get("rulebook") ?? "", bonus: route.query.get("bonus") ?? "" };
  }

  /** The place that the next card fills; null if every place has a card. */
  get next(): Place | null {
    const free: Place[] = [];
    if (this.position.hand.length < HAND_SIZE) free.push("hand");
    if (this.position.up === null) free.push("up");
    return free.find((place) => place === this.#preferred) ?? free[0] ?? null;
  }

  prefer(place: Place): void {
    this.#preferred = place;
  }

  show(position: Position): void {
    this.note = this.typedRank = "";
    setQuery({ ...positionQuery(position), ...this.terms });
  }

  chooseTerms(rulebook: string, bonus: string): void {
    setQuery({ ...positionQuery(this.position), rulebook, bonus });
  }

  /** Put a card in the next free place, or take it away if it is used. */
  toggle(card: number): void {
    if (cardsOf(this.position).includes(card)) this.remove(card);
    else this.place(card);
  }

  place(card: number): void {
    const { hand, up } = this.position;
    const next = this.next;
    this.typedRank = "";
    if (cardsOf(this.position).includes(card)) this.note = `The ${cardFace(cardText(card))?.name} is already used.`;
    else if (next === null) this.note = "All six cards are chosen. Remove one first.";
    else this.show(next === "up" ? { hand, up: card } : { hand: [...hand, card], up });
    if (next === "up") this.#preferred = null;
  }

  remove(card: number): void {
    const { hand, up } = this.position;
    this.#preferred = card === up ? "up" : "hand";
    this.show({ hand: hand.filter((each) => each !== card), up: up === card ? null : up });
  }

  removeLast(): void {
    const last = cardsOf(this.position).at(-1);
    if (this.typedRank) this.typedRank = "";
    else if (last !== undefined) this.remove(last);
  }

  clear(): void {
    this.#preferred = null;
    this.show({ hand: [], up: null });
  }

  random(): void {
    this.show(randomPosition());
  }

  /** Type a rank or, after it, a suit; return whether the key is one. */
  type(key: string): boolean {
    const letter = key.toUpperCase();
    if (this.typedRank === "1" && key === "0") this.typedRank = "T";
    else if (key === "1" || (key.length === 1 && RANKS.includes(letter))) this.typedRank = letter;
    else if (key.length === 1 && SUITS.includes(key.toLowerCase())) {
      const card = parseCard(this.typedRank + key);
      if (card === null) this.note = "Type a rank first, then its suit.";
      else this.place(card);
    } else return false;
    return true;
  }

  link(position: Position): string {
    return positionLink(position, this.terms);
  }
}
