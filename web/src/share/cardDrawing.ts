/** Card drawing: playing cards on a canvas, for pictures that are shared. */

import { cardFace } from "../lib/format";
import { cardText, suitOf } from "../poker/cards";

export const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';
/** Height of a card of width one. */
export const CARD_RATIO = 1.4;

const TWO_COLORS = ["#14181c", "#c8102e", "#c8102e", "#14181c"];
const FOUR_COLORS = ["#0f6b33", "#1452a8", "#c8102e", "#14181c"];

export interface CardRow {
  x: number;
  y: number;
  /** The width of one card. */
  width: number;
  gap: number;
  fourColors?: boolean;
  /** The cards that stand a little higher and are underlined, such as the best four. */
  lifted?: readonly number[];
}

/** Draw cards side by side, face up. */
export function drawCards(context: CanvasRenderingContext2D, cards: readonly number[], row: CardRow): void {
  cards.forEach((card, at) => {
    const lifted = row.lifted?.includes(card) ?? false;
    const [x, y] = [row.x + at * (row.width + row.gap), row.y - (lifted ? row.width * 0.1 : 0)];
    drawCard(context, card, x, y, row);
    if (!lifted) return;
    context.fillStyle = "#e8c66a";
    context.fillRect(x, row.y + row.width * (CARD_RATIO + 0.02), row.width, row.width * 0.05);
  });
}

function drawCard(context: CanvasRenderingContext2D, card: number, x: number, y: number, { width, fourColors }: CardRow): void {
  const face = cardFace(cardText(card));
  if (!face) return;
  context.save();
  context.shadowColor = "#0009";
  context.shadowBlur = width * 0.08;
  context.shadowOffsetY = width * 0.03;
  context.fillStyle = "#fdfcf7";
  context.beginPath();
  context.roundRect(x, y, width, width * CARD_RATIO, width * 0.1);
  context.fill();
  context.restore();
  context.fillStyle = (fourColors ? FOUR_COLORS : TWO_COLORS)[suitOf(card)]!;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const write = (text: string, size: number, left: number, top: number, weight = 400): void => {
    context.font = `${weight} ${size * width}px ${FONT}`;
    context.fillText(text, x + left * width, y + top * width);
  };
  write(face.rank, 0.42, 0.27, 0.28, 700);
  write(face.symbol, 0.34, 0.27, 0.62);
  write(face.symbol, 0.56, 0.66, 1.03);
}
