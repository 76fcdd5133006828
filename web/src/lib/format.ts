/** Amounts and cards as a person reads them. */

export const dollars = (cents: number): string => {
  const whole = Math.abs(cents) % 100 === 0;
  const text = (Math.abs(cents) / 100).toLocaleString("en-US", {
    minimumFractionDigits: whole ? 0 : 2,
    maximumFractionDigits: 2,
  });
  return `${cents < 0 ? "−" : ""}$${text}`;
};

export const signed = (cents: number): string => (cents > 0 ? `+${dollars(cents)}` : dollars(cents));

export const percent = (share: number, digits = 2): string => `${(100 * share).toFixed(digits)}%`;

const RANKS: Record<string, string> = { T: "10", J: "jack", Q: "queen", K: "king", A: "ace" };
const SUITS: Record<string, { sign: string; name: string; red: boolean }> = {
  s: { sign: "♠", name: "spades", red: false },
  h: { sign: "♥", name: "hearts", red: true },
  d: { sign: "♦", name: "diamonds", red: true },
  c: { sign: "♣", name: "clubs", red: false },
};

export interface Face {
  rank: string;
  sign: string;
  red: boolean;
  name: string;
}

export const FACE_DOWN = "??";

export const face = (card: string): Face | null => {
  const suit = SUITS[card[1] ?? ""];
  const rank = card[0] ?? "";
  if (!suit) return null;
  return { rank: rank === "T" ? "10" : rank, sign: suit.sign, red: suit.red, name: `${RANKS[rank] ?? rank} of ${suit.name}` };
};

export const words = (name: string): string => name.replaceAll("_", " ").replaceAll("-", " ");

/** A sentence of the dealer with its cards as faces: "Td" becomes "10♦". */
export const faces = (text: string): string =>
  text.replace(/\b([2-9TJQKA])([shdc])\b/g, (whole, rank: string, suit: string) => {
    const sign = SUITS[suit]?.sign;
    return sign ? `${rank === "T" ? "10" : rank}${sign}` : whole;
  });

/** A choice of the coach as a button says it: "3x" becomes "Play 3x". */
export const choice = (name: string): string => (name === "fold" ? "Fold" : /^\dx$/.test(name) ? `Play ${name}` : name);

/** Fractions of a cent as money, to the nearest cent: what a mistake cost. */
export const cost = (cents: number): string => {
  const text = (Math.abs(cents) / 100).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return `${cents < 0 && text !== "0.00" ? "−" : ""}$${text}`;
};
