/** Card art: the shapes of the suits, and where the pips of each card stand on a card 250 wide and 350 high. */

import courts from "./courts.svg";

/** The outline of each suit in a square of 100. */
export const SUIT_PATHS: Record<string, string> = {
  s: "M50 3C61 24 94 42 94 65C94 78 84 85 74 85C65 85 58 80 54 72C55 84 58 92 67 97L33 97C42 92 45 84 46 72C42 80 35 85 26 85C16 85 6 78 6 65C6 42 39 24 50 3Z",
  h: "M50 95C22 68 4 50 4 30C4 15 15 6 27 6C38 6 46 12 50 23C54 12 62 6 73 6C85 6 96 15 96 30C96 50 78 68 50 95Z",
  d: "M50 2C59 20 73 38 88 50C73 62 59 80 50 98C41 80 27 62 12 50C27 38 41 20 50 2Z",
  c: "M50 3A23 23 0 0 1 69 39A23 23 0 1 1 54 71C55 84 59 92 67 97L33 97C41 92 45 84 46 71A23 23 0 1 1 31 39A23 23 0 0 1 50 3Z",
};

export interface Pip {
  x: number;
  y: number;
  /** The side of its square. */
  size: number;
  /** Whether it stands on its head, as all in the lower half do. */
  turned: boolean;
}

const [LEFT, MIDDLE, RIGHT] = [86, 125, 164];
const [TOP, BOTTOM] = [62, 288];
const SIZE = 46;

/** A place in a column: 0 is the top, 1 the bottom. */
const at = (x: number, part: number): Pip => ({ x, y: TOP + part * (BOTTOM - TOP), size: SIZE, turned: part > 0.5 });
const sides = (...parts: number[]): Pip[] => parts.flatMap((part) => [at(LEFT, part), at(RIGHT, part)]);
const middle = (...parts: number[]): Pip[] => parts.map((part) => at(MIDDLE, part));

const COURT_PIPS: Pip[] = [
  { x: 71, y: 62, size: 34, turned: false },
  { x: 179, y: 288, size: 34, turned: true },
];

const PIPS: Record<string, Pip[]> = {
  A: [{ x: MIDDLE, y: 175, size: 118, turned: false }],
  2: middle(0, 1),
  3: middle(0, 0.5, 1),
  4: sides(0, 1),
  5: [...sides(0, 1), ...middle(0.5)],
  6: sides(0, 0.5, 1),
  7: [...sides(0, 0.5, 1), ...middle(0.25)],
  8: [...sides(0, 0.5, 1), ...middle(0.25, 0.75)],
  9: [...sides(0, 1 / 3, 2 / 3, 1), ...middle(0.5)],
  T: [...sides(0, 1 / 3, 2 / 3, 1), ...middle(1 / 6, 5 / 6)],
  J: COURT_PIPS,
  Q: COURT_PIPS,
  K: COURT_PIPS,
};

/** The pips of a card such as "Td". */
export const pipsOf = (card: string): Pip[] => PIPS[card[0] ?? ""] ?? [];

/** The address of the drawing of a court card, or null for any other card. */
export const courtOf = (card: string): string | null => ("JQK".includes(card[0] ?? "?") ? `${courts}#${card[0]}` : null);

/** The placement of a pip. */
export const pipTransform = ({ x, y, size, turned }: Pip): string =>
  `translate(${x} ${y}) ${turned ? "rotate(180) " : ""}scale(${size / 100}) translate(-50 -50)`;
