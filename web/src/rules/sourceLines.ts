/** Source lines: the line of a submission's text that a finding is about. */

const HEADER = /^\s*\[+\s*([^\]]+?)\s*\]+/;
const KEY = /^\s*((?:[\w-]+|"[^"]*")(?:\s*\.\s*(?:[\w-]+|"[^"]*"))*)\s*=/;
const LINE = /\bline (\d+)\b/;
/** The section and key in a message: "The submission, settlement: unknown key 'color'" */
const PATH_IN_MESSAGE = /^[^,:]+, ([\w.-]+):(?:.*?\bkey '([^']+)')?/;

const parts = (path: string): string[] => path.split(".").map((part) => part.trim().replace(/^"|"$/g, ""));

/** How many leading parts two paths have in common. */
const commonLength = (path: string[], other: string[]): number => {
  let count = 0;
  while (count < path.length && path[count] === other[count]) count++;
  return count;
};

/** The line number from 1; null if no line fits. */
export function lineOf(text: string, where: string, message: string): number | null {
  const stated = LINE.exec(message)?.[1];
  if (stated !== undefined) return Number(stated);
  const inMessage = PATH_IN_MESSAGE.exec(message)?.slice(1).filter(Boolean).join(".") ?? "";
  const wanted = parts(where || inMessage);
  let section: string[] = [];
  let [best, bestLine]: [number, number | null] = [0, null];
  text.split("\n").forEach((line, index) => {
    const header = HEADER.exec(line)?.[1];
    const key = KEY.exec(line)?.[1];
    if (header !== undefined) section = parts(header);
    const path = key === undefined ? (header === undefined ? [] : section) : [...section, ...parts(key)];
    const common = commonLength(wanted, path);
    if (path.length && common === Math.min(path.length, wanted.length) && common > best) [best, bestLine] = [common, index + 1];
  });
  return bestLine;
}
