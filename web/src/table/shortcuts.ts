/** Whole rounds by keys: what a key press does at this moment. */

import { Kept } from "../lib/kept.svelte";
import { pressing, typing, wagerOf } from "./keys";
import type { Playing } from "./playing.svelte";
import { freeSeat } from "./seats";
import { sitting } from "./sitting.svelte";

/** Whether single keys act; who speaks to the machine or presses keys by mistake turns them off. */
export const keysOn = new Kept("keys", true);
/** Whether screen readers are given every sentence of the dealer; without it what decides a round is said anyway. */
export const readsAlong = new Kept("reads-along", false);

const digit = (key: string): number => (/^[1-9]$/.test(key) ? Number(key) : 0);

function decide(playing: Playing, position: number, key: string): boolean {
  const ante = playing.place(position)?.wagers.ante ?? 0;
  const times = digit(key);
  if (playing.decided(position)) return times > 0 || key === "f";
  if (key === "f") void playing.fold(position);
  else if (times && playing.mayPlay(position, times * ante)) void playing.play(position, times * ante);
  else return false;
  return true;
}

function wager(playing: Playing, position: number, key: string, back: boolean): boolean {
  const chip = playing.felt.chips[digit(key) - 1];
  const wanted = wagerOf(key);
  if (chip !== undefined) playing.chip = chip;
  else if (wanted && playing.spot(wanted)) {
    if (!back) void playing.add(position, wanted);
    else if (playing.wagered(position, wanted)) void playing.takeBack(position, wanted);
  } else if (key === "r") void playing.repeat();
  else if (key === "c") void playing.clear();
  else if (key === "n") playing.at = playing.mine[(playing.mine.indexOf(position) + 1) % playing.mine.length] ?? null;
  else return false;
  return true;
}

function deal(playing: Playing): boolean {
  if (!playing.stake || playing.you?.ready) return false;
  void playing.deal();
  return true;
}

function sit(playing: Playing): boolean {
  const seat = freeSeat(playing);
  if (seat !== null) sitting.ask(playing, seat);
  return seat !== null;
}

/** Do what a key means now; say whether it meant something. */
export function press(event: KeyboardEvent, playing: Playing, help: () => void): boolean {
  if (event.repeat || typing(event)) return false;
  if (event.key === "?") {
    help();
    return true;
  }
  if (!keysOn.value || !playing.you) return false;
  const key = event.key.toLowerCase();
  const enter = event.key === "Enter" && !pressing(event);
  if (!playing.mine.length) return enter && sit(playing);
  if (playing.deciding !== null) return decide(playing, playing.deciding, key);
  if (!playing.betsOpen || playing.at === null) return false;
  if (enter || key === "d") return deal(playing);
  return wager(playing, playing.at, key, event.shiftKey);
}
