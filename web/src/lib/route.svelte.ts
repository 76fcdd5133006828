/** Where in the page we are: the part after "#/" in the address, as words. */

/** Every address that the page knows; a star stands for one word, such as the name of a table. */
const ADDRESSES = [
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
].map((address) => address.split("/"));

/** A word of the address as it was meant; one that is no text stays as it was written, and is unknown. */
const read = (word: string): string => {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
};

const words = (): string[] => location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(read);

class Route {
  words: string[] = $state(words());

  constructor() {
    addEventListener("hashchange", () => (this.words = words()));
  }

  get page(): string {
    return this.words[0] ?? "table";
  }

  /** Whether the page has anything at this address. */
  get known(): boolean {
    const fits = (address: string[]): boolean =>
      address.length === this.words.length && address.every((word, at) => word === "*" || word === this.words[at]);
    return !this.words.length || ADDRESSES.some(fits);
  }
}

export const route = new Route();

export const go = (...to: string[]): void => {
  location.hash = `#/${to.map(encodeURIComponent).join("/")}`;
};
