/**
 * Motion: cards and chips travel between the places of the felt, at the speed that the player chose.
 *
 * Nothing moves at instant speed, with reduced motion, or before the table was first shown. What moves are copies and transforms, so
 * the layout never changes by it.
 */

import { untrack } from "svelte";
import { speed } from "../lib/settings.svelte";

/** A place of the felt, marked by `data-place`; the player's own is that of the seat (`data-seat`). */
export type Place = "shoe" | "discards" | "tray" | "player";

const PACES = { normal: 1, fast: 1 / 3, instant: 0 };
const EASING = "cubic-bezier(0.2, 0.7, 0.25, 1)";
const FLIGHT = 420;
const TURN = 260;
const reduced = matchMedia("(prefers-reduced-motion: reduce)");
let shown = false;

/** How long motion lasts: 1 is full, 0 none. */
export const pace = (): number => (reduced.matches ? 0 : PACES[speed.value]);

/** Let things move from now on; call it once the table is shown as it was found. */
export function startMotion(): () => void {
  const timer = setTimeout(() => (shown = true), 150);
  return () => {
    clearTimeout(timer);
    shown = false;
  };
}

/** Finish everything that moves on the felt at once. */
export function skipMotion(): void {
  for (const animation of document.querySelector(".felt")?.getAnimations({ subtree: true }) ?? []) animation.finish();
}

function placeNear(node: Element, place: Place): Element | null {
  const within = place === "player" ? node.closest("[data-seat]") : node.closest(".felt");
  return within?.querySelector(`[data-place="${place}"]`) ?? null;
}

/** The transform that puts an element of one box into the middle of another. */
function moveTo(from: DOMRect, to: DOMRect): string {
  const across = to.x + to.width / 2 - from.x - from.width / 2;
  const down = to.y + to.height / 2 - from.y - from.height / 2;
  return `translate(${across}px, ${down}px) scale(0.6)`;
}

const timing = (duration: number, delay: number): KeyframeAnimationOptions => ({
  duration: duration * pace(), delay: delay * pace(), easing: EASING, fill: "backwards",
});

const moves = (): boolean => shown && untrack(pace) > 0;

/** Let an element come from a place, after a delay in milliseconds. */
export function flyIn(node: Element, place: Place, delay = 0): void {
  const from = moves() ? placeNear(node, place)?.getBoundingClientRect() : null;
  if (!from?.width) return;
  untrack(() =>
    node.animate([{ transform: moveTo(node.getBoundingClientRect(), from), opacity: 0 }, { opacity: 1, offset: 0.25 }, {}], timing(FLIGHT, delay)),
  );
}

/** Let a copy of an element go to a place; the element itself may disappear at once. */
export function flyOut(node: HTMLElement, place: Place, delay = 0): void {
  const felt = node.closest<HTMLElement>(".felt");
  const to = moves() ? placeNear(node, place)?.getBoundingClientRect() : null;
  if (!felt || !to?.width) return;
  const [box, within] = [node.getBoundingClientRect(), felt.getBoundingClientRect()];
  const copy = node.cloneNode(true) as HTMLElement;
  for (const named of [copy, ...copy.querySelectorAll("[role]")]) named.removeAttribute("role");
  copy.setAttribute("aria-hidden", "true");
  Object.assign(copy.style, {
    position: "absolute", left: `${box.x - within.x - felt.clientLeft}px`, top: `${box.y - within.y - felt.clientTop}px`,
    width: `${box.width}px`, height: `${box.height}px`, margin: "0", transform: "none", zIndex: "6", pointerEvents: "none",
    fontSize: getComputedStyle(node).fontSize,
  });
  felt.append(copy);
  const flight = untrack(() =>
    copy.animate([{}, { opacity: 1, offset: 0.75 }, { transform: moveTo(box, to), opacity: 0 }], timing(FLIGHT, delay)),
  );
  flight.onfinish = flight.oncancel = () => copy.remove();
}

/** Turn a card over, after a delay in milliseconds. */
export function turnOver(node: Element, delay = 0): void {
  if (moves()) untrack(() => node.animate([{ transform: "perspective(30em) rotateY(90deg)" }, {}], timing(TURN, delay)));
}
