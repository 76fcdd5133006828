/** Chips: colors by value, and an amount as a stack. */

export interface ChipColors {
  body: string;
  edge: string;
  ink: string;
}

const COLORS: [number, ChipColors][] = [
  [100_000, { body: "#d9a520", edge: "#5a3d00", ink: "#1b1200" }],
  [50_000, { body: "#6b2fa0", edge: "#e6d4f5", ink: "#ffffff" }],
  [10_000, { body: "#20242a", edge: "#e9e4d4", ink: "#ffffff" }],
  [2_500, { body: "#1f7a45", edge: "#f2efe2", ink: "#ffffff" }],
  [1_000, { body: "#1d5fa8", edge: "#f2efe2", ink: "#ffffff" }],
  [500, { body: "#b3202c", edge: "#f6ecd9", ink: "#ffffff" }],
  [200, { body: "#c96f1e", edge: "#fdf1dc", ink: "#1b1200" }],
  [0, { body: "#e9e4d4", edge: "#5b6f8c", ink: "#22303f" }],
];

const DEFAULT: ChipColors = { body: "#e9e4d4", edge: "#5b6f8c", ink: "#22303f" };

export const chipColors = (cents: number): ChipColors => COLORS.find(([from]) => cents >= from)?.[1] ?? DEFAULT;

/** The chips of an amount, largest first, at most `most` of them. */
export function chipStack(cents: number, denominations: number[], most = 6): number[] {
  const chips: number[] = [];
  let left = cents;
  for (const chip of [...denominations].sort((a, b) => b - a))
    for (; left >= chip && chip > 0; left -= chip) chips.push(chip);
  if (left > 0) chips.push(left);
  return chips.length > most ? [...chips.slice(0, most - 1), chips[chips.length - 1]!] : chips;
}

/** A short result with its sign for a betting spot: "+$10", "−$7.50", "+$1,235", "+$12.3K". */
export function shortResult(cents: number): string {
  const whole = Math.abs(cents) / 100;
  const text = whole >= 10_000 ? `${(whole / 1000).toFixed(1)}K` : whole >= 1000 || Number.isInteger(whole) ? Math.round(whole).toLocaleString("en-US") : whole.toFixed(2);
  return `${cents < 0 ? "−" : "+"}$${text}`;
}

/** A short amount for a chip or a stack: "$5", "$1K", "50¢". */
export function shortAmount(cents: number): string {
  if (cents < 100) return `${cents}¢`;
  if (cents >= 1_000_000 && cents % 10_000 === 0) return `$${cents / 100_000}K`;
  return `$${(cents / 100).toLocaleString("en-US", { minimumFractionDigits: cents % 100 ? 2 : 0 })}`;
}
