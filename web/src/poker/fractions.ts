/** Exact fractions of whole numbers. */

export interface Fraction {
  n: bigint;
  d: bigint;
}

const divisor = (a: bigint, b: bigint): bigint => (b ? divisor(b, a % b) : a < 0n ? -a : a);

export function fraction(n: bigint | number, d: bigint | number = 1n): Fraction {
  const [top, bottom] = [BigInt(n), BigInt(d)];
  const common = divisor(top, bottom) * (bottom < 0n ? -1n : 1n);
  return { n: top / common, d: bottom / common };
}

/** The fraction of a text such as "3/2" or "5". */
export function parseFraction(text: string): Fraction {
  const [n, d = "1"] = text.split("/");
  return fraction(BigInt(n!), BigInt(d));
}

export const add = (a: Fraction, b: Fraction): Fraction => fraction(a.n * b.d + b.n * a.d, a.d * b.d);
export const subtract = (a: Fraction, b: Fraction): Fraction => fraction(a.n * b.d - b.n * a.d, a.d * b.d);
export const multiply = (a: Fraction, b: Fraction): Fraction => fraction(a.n * b.n, a.d * b.d);
export const isAbove = (a: Fraction, b: Fraction): boolean => a.n * b.d > b.n * a.d;
export const toNumber = ({ n, d }: Fraction): number => Number(n) / Number(d);
export const fractionText = ({ n, d }: Fraction): string => (d === 1n ? `${n}` : `${n}/${d}`);
