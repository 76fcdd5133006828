/** Canvas: the cloth, the colors and the writing of pictures that are shared. */

import { FONT } from "./cardDrawing";

export const PICTURE_WIDTH = 1200;
export const PICTURE_HEIGHT = 630;

export const COLORS = {
  cloth: "#0e4a37", deep: "#06170f", ink: "#f4f1e6", muted: "#b9c9bf", gold: "#e8c66a", win: "#9be7a8", loss: "#ff9a8b", barWin: "#58c98b",
  barLoss: "#c8594b",
};
export const LEFT = 60;
export const RIGHT = PICTURE_WIDTH - 60;

export type Write = (text: string, x: number, y: number, size: number, color: string, style?: { weight?: number; align?: CanvasTextAlign }) => void;

export const writeOn = (context: CanvasRenderingContext2D): Write => (text, x, y, size, color, style = {}) => {
  context.font = `${style.weight ?? 400} ${size}px ${FONT}`;
  context.textAlign = style.align ?? "left";
  context.textBaseline = "alphabetic";
  context.fillStyle = color;
  context.fillText(text, x, y);
};

export function drawCloth(context: CanvasRenderingContext2D): void {
  const cloth = context.createRadialGradient(PICTURE_WIDTH / 2, 120, 80, PICTURE_WIDTH / 2, 200, PICTURE_WIDTH * 0.75);
  cloth.addColorStop(0, COLORS.cloth);
  cloth.addColorStop(1, COLORS.deep);
  context.fillStyle = cloth;
  context.fillRect(0, 0, PICTURE_WIDTH, PICTURE_HEIGHT);
}

/** Draw the last line: where the picture comes from. */
export function drawSource(write: Write, game: string, source: string): void {
  write(`♠ fourcard · ${game}`, LEFT, PICTURE_HEIGHT - 24, 20, COLORS.gold, { weight: 600 });
  write(source, RIGHT, PICTURE_HEIGHT - 24, 20, COLORS.muted, { align: "right" });
}
