/** Where in the page we are: the part after "#/" in the address, as words. */

const words = (): string[] =>
  decodeURIComponent(location.hash.replace(/^#\/?/, ""))
    .split("/")
    .filter(Boolean);

class Route {
  words: string[] = $state(words());

  constructor() {
    addEventListener("hashchange", () => (this.words = words()));
  }

  get page(): string {
    return this.words[0] ?? "table";
  }
}

export const route = new Route();

export const go = (...to: string[]): void => {
  location.hash = `#/${to.map(encodeURIComponent).join("/")}`;
};
