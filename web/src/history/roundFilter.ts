/** Round filter: which rounds the history shows, kept in the address. */

export interface RoundFilter {
  /** Only rounds with a mistake. */
  mistakes: boolean;
  table: string;
  /** Days such as 2026-11-19, both included; empty for no limit. */
  from: string;
  to: string;
}

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
const dayOf = (text: string | null): string => (text && isDay(text) ? text : "");

export const readFilter = (query: URLSearchParams): RoundFilter => ({
  mistakes: query.get("mistakes") === "1",
  table: query.get("table") ?? "",
  from: dayOf(query.get("from")),
  to: dayOf(query.get("to")),
});

/** A filter as parameters of the address. */
export const filterQuery = ({ mistakes, ...others }: RoundFilter): Record<string, string> => ({ ...others, mistakes: mistakes ? "1" : "" });

/** What the server is asked for. */
export interface WantedRounds {
  mistakes?: true | undefined;
  table?: string | undefined;
  since?: number | undefined;
  until?: number | undefined;
}

/** Midnight at the start of a day in the viewer's time zone, some days later. */
function midnight(day: string, later = 0): number {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  return new Date(year, month - 1, date + later).getTime();
}

export const wantedRounds = ({ mistakes, table, from, to }: RoundFilter): WantedRounds => ({
  ...(mistakes && { mistakes }),
  ...(table && { table }),
  ...(from && { since: midnight(from) }),
  ...(to && { until: midnight(to, 1) }),
});
