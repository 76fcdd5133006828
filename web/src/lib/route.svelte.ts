/** Router: the part of the address after "#/", split into its parts. */

/** Every route of the page; a star stands for any one part, such as a table name. */
const ROUTES = [
  "table",
  "table/*",
  "history",
  "history/*/*",
  "odds",
  "odds/strategies",
  "odds/published",
  "odds/par",
  "rules",
  "rules/clause/*",
  "rules/differences",
  "rules/rulings",
  "rules/submission",
  "staff",
  "staff/table/*",
  "staff/reports",
  "staff/reports/*",
  "staff/tasks",
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

const currentParts = (): string[] => location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decode);

class Route {
  parts: string[] = $state(currentParts());

  constructor() {
    addEventListener("hashchange", () => (this.parts = currentParts()));
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
