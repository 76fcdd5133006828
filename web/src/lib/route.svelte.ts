/** Router: the part of the address after "#/": a path of parts, and after "?" what the page shows. */

/** Every route of the page; a star stands for any one part, such as a table name. */
const ROUTES = [
  "table",
  "table/*",
  "history",
  "history/*/*",
  "history/session/*/*",
  "calculator",
  "drills",
  "daily",
  "strategy",
  "shared",
  "odds",
  "odds/strategies",
  "odds/published",
  "odds/par",
  "rules",
  "rules/clause/*",
  "rules/clauses",
  "rules/differences",
  "rules/rulings",
  "rules/submission",
  "rules/*",
  "staff",
  "staff/table/*",
  "staff/reports",
  "staff/reports/*",
  "staff/tasks",
  "settings",
  "old-link",
].map((path) => path.split("/"));

/** Decode one part; a badly encoded part stays as it is and matches no route. */
const decode = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

const currentPath = (): string => location.hash.replace(/^#\/?/, "").replace(/\?.*$/s, "");
const currentParts = (): string[] => currentPath().split("/").filter(Boolean).map(decode);
const currentQuery = (): URLSearchParams => new URLSearchParams(/\?(.*)$/s.exec(location.hash)?.[1] ?? "");

class Route {
  parts: string[] = $state(currentParts());
  /** What stands after "?", such as a hand; a page keeps its position here, so that the address can be shared. */
  query: URLSearchParams = $state.raw(currentQuery());

  constructor() {
    addEventListener("hashchange", () => {
      this.parts = currentParts();
      this.query = currentQuery();
    });
  }

  get page(): string {
    return this.parts[0] ?? "table";
  }

  /** Whether the page has this route. */
  get known(): boolean {
    const matches = (path: string[]): boolean =>
      path.length === this.parts.length && path.every((part, index) => part === "*" || part === this.parts[index]);
    return !this.parts.length || ROUTES.some(matches);
  }
}

export const route = new Route();

export const go = (...to: string[]): void => {
  location.hash = `#/${to.map(encodeURIComponent).join("/")}`;
};

/** Keep what the page shows in the address, without a new step in the browser's history. */
export function setQuery(values: Record<string, string>): void {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value));
  history.replaceState(null, "", `#/${currentPath()}${query.size ? `?${query}` : ""}`);
  route.query = query;
}
