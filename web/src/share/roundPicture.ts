/** Round picture: a finished round with the hands, the result and the verdict on each decision, drawn to be shared. */

import { choiceLabel, signedDollars, titleCase } from "../lib/format";
import { parseCard } from "../poker/cards";
import { toNumber } from "../poker/fractions";
import { cardNumbers, type CheckedRound } from "../shared/checkShared";
import type { JudgedDecision } from "../shared/judged";
import { outcomeText } from "../shared/wording";
import { sentenceCase } from "../trainer/wording";
import { COLORS, drawCloth, drawSource, LEFT, RIGHT, writeOn, type Write } from "./canvas";
import { CARD_RATIO, drawCards } from "./cardDrawing";

const VERDICT_COLORS: Record<string, string> = { best: COLORS.win, inaccuracy: COLORS.gold, mistake: COLORS.loss, blunder: COLORS.loss };
const CARD = 92;
const GAP = 12;

/** Draw a round with the first of its decisions; `source` names where it comes from. */
export function drawRound(context: CanvasRenderingContext2D, checked: CheckedRound, judged: JudgedDecision[], source: string, fourColors: boolean): void {
  const write = writeOn(context);
  drawCloth(context);
  const { round, dealer, settled, chosen } = checked;
  const [own] = settled;
  const up = parseCard(round.up)!;
  const dealers = [up, ...cardNumbers(round.dealer).filter((card) => card !== up)];
  drawHand(context, write, { title: `Dealer: ${dealer.name}`, cards: dealers, best: dealer.cards, y: 60, fourColors });
  write("up card", LEFT + CARD / 2, 84 + CARD * CARD_RATIO + 26, 18, COLORS.muted, { align: "center" });
  const cards = cardNumbers(own!.place.cards!);
  drawHand(context, write, { title: `Player: ${own!.hand.name}`, cards, best: own!.hand.cards, y: 316, fourColors });

  const { net } = own!.place.own;
  write("Result", RIGHT, 66, 22, COLORS.muted, { align: "right" });
  write(signedDollars(net), RIGHT, 132, 58, net < 0 ? COLORS.loss : COLORS.win, { weight: 700, align: "right" });
  write(outcomeText(own!), RIGHT, 176, 26, COLORS.ink, { align: "right" });
  const decision = judged.find(({ settled: each }) => each === own);
  if (decision) drawDecision(write, decision);
  drawSource(write, chosen.game.name, source);
}

interface DrawnHand {
  title: string;
  cards: readonly number[];
  best: readonly number[];
  y: number;
  fourColors: boolean;
}

function drawHand(context: CanvasRenderingContext2D, write: Write, { title, cards, best, y, fourColors }: DrawnHand): void {
  write(sentenceCase(title), LEFT, y, 24, COLORS.ink, { weight: 600 });
  drawCards(context, cards, { x: LEFT, y: y + 28, width: CARD, gap: GAP, fourColors, lifted: best });
}

function drawDecision(write: Write, { chose, verdict, cost, values }: JudgedDecision): void {
  write("Decision", RIGHT, 322, 22, COLORS.muted, { align: "right" });
  write(choiceLabel(chose), RIGHT, 376, 46, COLORS.ink, { weight: 700, align: "right" });
  write(titleCase(verdict), RIGHT, 422, 30, VERDICT_COLORS[verdict] ?? COLORS.ink, { weight: 700, align: "right" });
  const antes = toNumber(cost);
  const says = antes > 0 ? `cost ${antes.toFixed(4)} Antes; ${choiceLabel(values.best.name)} was best` : "nothing is better";
  write(says, RIGHT, 460, 22, COLORS.muted, { align: "right" });
}
