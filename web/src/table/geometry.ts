/** Where things lie on the felt, in units of a drawing 1000 wide: the dealer looks at us from the top. */

export const WIDE = 1000;
export const HIGH = 600;

export interface Point {
  x: number;
  y: number;
}

/** The middle of a position: 1 is at the dealer's left, so on our right, and the numbers go round towards our left. */
export function placeOf(position: number, positions: number): Point {
  const gap = positions > 1 ? Math.min(150, 792 / (positions - 1)) : 0;
  const across = ((positions + 1) / 2 - position) * gap;
  return { x: WIDE / 2 + across, y: 464 - 160 * (across / 402) ** 2 };
}

/** The edge of the table: straight before the dealer, round where the players sit. */
export const edge = (inset: number): string => {
  const [left, right, bottom, corner] = [inset, WIDE - inset, HIGH - inset, inset + 16];
  const middle = WIDE / 2;
  return [
    `M ${left} ${corner} Q ${left} ${inset} ${left + 16} ${inset} L ${right - 16} ${inset} Q ${right} ${inset} ${right} ${corner}`,
    `L ${right} 345 C ${right} ${500 - inset / 2} ${middle + 310} ${bottom} ${middle} ${bottom}`,
    `C ${middle - 310} ${bottom} ${left} ${500 - inset / 2} ${left} 345 Z`,
  ].join(" ");
};

/** A line along which words are printed, bent as the table is. */
export const arc = (y: number, half: number, bend: number): string =>
  `M ${WIDE / 2 - half} ${y} Q ${WIDE / 2} ${y + 2 * bend} ${WIDE / 2 + half} ${y}`;
