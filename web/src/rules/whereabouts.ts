/** In which line of a submission's text a finding stands, as far as its place or its sentence tells. */

const HEADER = /^\s*\[+\s*([^\]]+?)\s*\]+/;
const KEY = /^\s*((?:[\w-]+|"[^"]*")(?:\s*\.\s*(?:[\w-]+|"[^"]*"))*)\s*=/;
const LINE = /\bline (\d+)\b/;
/** "The submission, settlement: unknown key 'colour'." */
const TOLD = /^[^,:]+, ([\w.-]+): (?:(?:the|unknown) key '([^']+)')?/;

const parts = (name: string): string[] => name.split(".").map((part) => part.trim().replace(/^"|"$/g, ""));

/** How many leading words two places have in common. */
const shared = (one: string[], other: string[]): number => {
  let count = 0;
  while (count < one.length && one[count] === other[count]) count++;
  return count;
};

/** The number of the line, from 1; null where nothing in the text is about it. */
export function lineOf(text: string, where: string, message: string): number | null {
  const said = LINE.exec(message)?.[1];
  if (said !== undefined) return Number(said);
  const told = TOLD.exec(message)?.slice(1).filter(Boolean).join(".") ?? "";
  const wanted = parts(where || told);
  let section: string[] = [];
  let [best, found]: [number, number | null] = [0, null];
  text.split("\n").forEach((line, at) => {
    const header = HEADER.exec(line)?.[1];
    const key = KEY.exec(line)?.[1];
    if (header !== undefined) section = parts(header);
    const place = key === undefined ? (header === undefined ? [] : section) : [...section, ...parts(key)];
    const common = shared(wanted, place);
    if (place.length && common === Math.min(place.length, wanted.length) && common > best) [best, found] = [common, at + 1];
  });
  return found;
}
