/** People as the table calls them: bots by their first name, the looker as "you". */

import { faces } from "../lib/format";

const BOT = /\bbot-([a-z]+)(-[a-z0-9-]*)?/g;

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

export const isBot = (player: string): boolean => player.startsWith("bot-");

export const called = (player: string): string => player.replace(BOT, (_, name: string) => capital(name));

/** A sentence of the dealer as one looker reads it: cards as faces, bots by name, oneself as "you". */
export function said(text: string, you: string | null): string {
  const named = you ? text.replaceAll(`(${you})`, "(you)") : text;
  const known = named.replace(/\((bot-[a-z0-9-]+)\)/g, (_, bot: string) => `(${called(bot)}, a bot)`);
  return faces(known.replace(BOT, (_, name: string) => `${capital(name)} the bot`));
}
