/** Position picture: a counted position with the value of each choice, drawn to be shared. */

import type { Answer } from "../trainer/answer";
import { antes, costOf, count, sentenceCase } from "../trainer/wording";
import { choiceLabel, percent } from "../lib/format";
import { COLORS, drawCloth, drawSource, LEFT, PICTURE_WIDTH, RIGHT, writeOn, type Write } from "./canvas";
import { CARD_RATIO, drawCards } from "./cardDrawing";

/** Draw the picture of an answer; `source` names where it comes from. */
export function drawPosition(context: CanvasRenderingContext2D, answer: Answer, source: string, fourColors: boolean): void {
  const write = writeOn(context);
  drawCloth(context);

  const { hand, up } = answer.position;
  const width = 112;
  const cardsTop = 92;
  write("Your cards", LEFT, 62, 22, COLORS.muted);
  drawCards(context, hand, { x: LEFT, y: cardsTop, width, gap: 14, fourColors, lifted: answer.hand.cards });
  const upLeft = LEFT + 5 * (width + 14) + 40;
  write("Dealer’s up card", upLeft, 62, 22, COLORS.muted);
  drawCards(context, [up], { x: upLeft, y: cardsTop, width, gap: 0, fourColors });
  const { best, choices } = answer.values;
  write("Best choice", RIGHT, 62, 22, COLORS.muted, { align: "right" });
  write(choiceLabel(best.name), RIGHT, 136, 58, COLORS.win, { weight: 700, align: "right" });
  write(`${antes(best.value)} Antes`, RIGHT, 184, 28, COLORS.ink, { align: "right" });
  write(sentenceCase(answer.hand.name), LEFT, cardsTop + width * CARD_RATIO + 48, 26, COLORS.ink, { weight: 600 });

  drawOutcomes(context, answer, 334, write);
  const largest = Math.max(...choices.map(({ value }) => Math.abs(value)));
  choices.forEach((choice, at) => {
    const y = 442 + at * 38;
    const color = choice === best ? COLORS.win : COLORS.ink;
    write(choiceLabel(choice.name), LEFT, y, 24, color, { weight: choice === best ? 700 : 400 });
    write(antes(choice.value), 330, y, 24, color, { weight: choice === best ? 700 : 400, align: "right" });
    context.fillStyle = choice.value < 0 ? COLORS.barLoss : COLORS.barWin;
    context.fillRect(360, y - 18, (Math.abs(choice.value) / largest) * 540, 20);
    write(choice === best ? "best" : `costs ${costOf(choice, best).toFixed(4)}`, RIGHT, y, 22, choice === best ? COLORS.win : COLORS.muted, { align: "right" });
  });
  drawSource(write, answer.chosen.game.name, source);
}

/** Draw how often the player wins, ties and loses. */
function drawOutcomes(context: CanvasRenderingContext2D, { counts }: Answer, top: number, write: Write): void {
  const parts: [name: string, part: number, color: string][] = [
    ["Win", counts.below, COLORS.barWin], ["Tie", counts.tied, COLORS.gold], ["Lose", counts.above, COLORS.barLoss],
  ];
  let left = LEFT;
  for (const [, part, color] of parts) {
    const width = (part / counts.of) * (RIGHT - LEFT);
    context.fillStyle = color;
    context.fillRect(left, top, width, 26);
    left += width;
  }
  parts.forEach(([name, part], at) => {
    const places: [number, CanvasTextAlign][] = [[LEFT, "left"], [PICTURE_WIDTH / 2, "center"], [RIGHT, "right"]];
    write(`${name} ${percent(part / counts.of)} · ${count(part)}`, places[at]![0], top + 56, 22, COLORS.ink, { align: places[at]![1] });
  });
}
