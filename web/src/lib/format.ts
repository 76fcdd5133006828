/** Formatting: amounts, times, cards and names as a person reads them. */

export const dollars = (cents: number): string => {
  const whole = Math.abs(cents) % 100 === 0;
  const text = (Math.abs(cents) / 100).toLocaleString("en-US", {
    minimumFractionDigits: whole ? 0 : 2,
    maximumFractionDigits: 2,
  });
  return `${cents < 0 ? "−" : ""}$${text}`;
};

export const signedDollars = (cents: number): string => (cents > 0 ? `+${dollars(cents)}` : dollars(cents));

/** Dollars with two decimals, rounded to the cent: "$0.25". */
export const dollarsAndCents = (cents: number): string => {
  const text = (Math.abs(cents) / 100).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return `${cents < 0 && text !== "0.00" ? "−" : ""}$${text}`;
};

export const percent = (share: number, digits = 2): string => `${(100 * share).toFixed(digits)}%`;

/** Date and time in the viewer's time zone. */
export const formatTime = (timestamp: number): string =>
  new Date(timestamp).toLocaleString("en-US", { dateStyle: "medium", timeStyle: "short" });

/** An identifier with spaces: "aces_up" becomes "aces up". */
export const humanize = (name: string): string => name.replaceAll("_", " ").replaceAll("-", " ");

/** An identifier as a title: "aces_up" becomes "Aces Up". */
export const titleCase = (name: string): string => humanize(name).replace(/(?<=^|[\s(])[a-z]/g, (letter) => letter.toUpperCase());

/** A decision as its button says it: "3x" becomes "Play 3x". */
export const choiceLabel = (name: string): string => (name === "fold" ? "Fold" : /^\dx$/.test(name) ? `Play ${name}` : name);

// Cards.

const RANKS: Record<string, string> = { T: "10", J: "jack", Q: "queen", K: "king", A: "ace" };
const SUITS: Record<string, { symbol: string; name: string; red: boolean }> = {
  s: { symbol: "♠", name: "spades", red: false },
  h: { symbol: "♥", name: "hearts", red: true },
  d: { symbol: "♦", name: "diamonds", red: true },
  c: { symbol: "♣", name: "clubs", red: false },
};

export interface CardFace {
  rank: string;
  symbol: string;
  red: boolean;
  name: string;
}

/** The face of a card, or null for a card that lies face down. */
export const cardFace = (card: string): CardFace | null => {
  const suit = SUITS[card[1] ?? ""];
  const rank = card[0] ?? "";
  if (!suit) return null;
  return { rank: rank === "T" ? "10" : rank, symbol: suit.symbol, red: suit.red, name: `${RANKS[rank] ?? rank} of ${suit.name}` };
};

/** Cards as a person reads them out: "ace of spades, 10 of hearts". */
export const cardNames = (cards: string[]): string => cards.map((card) => cardFace(card)?.name ?? "face-down card").join(", ");

/** Text with its cards as rank and suit symbol: "Td" becomes "10♦". */
export const withSuitSymbols = (text: string): string =>
  text.replace(/\b([2-9TJQKA])([shdc])\b/g, (whole, rank: string, suit: string) => {
    const symbol = SUITS[suit]?.symbol;
    return symbol ? `${rank === "T" ? "10" : rank}${symbol}` : whole;
  });

// Players.

const BOT = /\bbot-([a-z]+)(-[a-z0-9-]*)?/g;

const capitalize = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** A player's display name; bots go by their first name. */
export const playerName = (player: string): string => player.replace(BOT, (_, name: string) => capitalize(name));

/** A sentence of the dealer for one viewer: cards with suit symbols, bots by name, the viewer as "you". */
export function narrationText(text: string, you: string | null): string {
  const forViewer = you ? text.replaceAll(`(${you})`, "(you)") : text;
  const withBots = forViewer.replace(/\((bot-[a-z0-9-]+)\)/g, (_, bot: string) => `(${playerName(bot)}, a bot)`);
  return withSuitSymbols(withBots.replace(BOT, (_, name: string) => `${capitalize(name)} the bot`));
}
