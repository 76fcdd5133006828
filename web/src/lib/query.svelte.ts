/** Queries: data from the server with its loading state and error. A newer query replaces an older one. */

import { onDestroy } from "svelte";
import { ApiError, refusalOf, type Page } from "./api";
import type { RefusalBody } from "./apiTypes";

/** The server answers so while it still computes something that it needs first. */
const NOT_READY = 503;
const RETRY_DELAY = 2500;

/** One answer. Create it while a component is set up; it stops with the component. */
export class Query<Data> {
  data: Data | null = $state.raw(null);
  refusal: RefusalBody | null = $state.raw(null);
  loading: boolean = $state(false);
  /** Whether the server still computes something that it needs first; the refusal then says how far it is. */
  waiting: boolean = $state(false);
  #run = 0;

  constructor() {
    onDestroy(() => this.#run++);
  }

  /** Fetch, and try again later while the server is not ready. */
  async run(fetch: () => Promise<Data>): Promise<void> {
    const run = ++this.#run;
    this.loading = true;
    try {
      const data = await fetch();
      if (run !== this.#run) return;
      this.data = data;
      this.refusal = null;
      this.waiting = false;
    } catch (error) {
      if (run !== this.#run) return;
      this.refusal = refusalOf(error);
      this.waiting = error instanceof ApiError && error.status === NOT_READY;
      if (this.waiting) this.#retry(run, fetch);
    } finally {
      if (run === this.#run) this.loading = false;
    }
  }

  #retry(run: number, fetch: () => Promise<Data>): void {
    setTimeout(() => {
      if (run === this.#run) void this.run(fetch);
    }, RETRY_DELAY);
  }
}

/** A list that is loaded page by page. */
export class PagedQuery<Item> {
  items: Item[] = $state.raw([]);
  next: string | null = $state(null);
  refusal: RefusalBody | null = $state.raw(null);
  loading: boolean = $state(false);
  #run = 0;
  #fetch: (after: string | undefined) => Promise<Page<Item>> = async () => ({ items: [], next: null });

  start(fetch: (after: string | undefined) => Promise<Page<Item>>): Promise<void> {
    this.#fetch = fetch;
    return this.#load(undefined, []);
  }

  loadMore(): Promise<void> {
    return this.#load(this.next ?? undefined, this.items);
  }

  async #load(after: string | undefined, before: Item[]): Promise<void> {
    const run = ++this.#run;
    this.loading = true;
    try {
      const page = await this.#fetch(after);
      if (run !== this.#run) return;
      this.items = [...before, ...page.items];
      this.next = page.next;
      this.refusal = null;
    } catch (error) {
      if (run === this.#run) this.refusal = refusalOf(error);
    } finally {
      if (run === this.#run) this.loading = false;
    }
  }
}

/** Return a function that calls `action` once no further call came for `delay` milliseconds. */
export const debounce = <Args extends unknown[]>(action: (...args: Args) => void, delay = 300): ((...args: Args) => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...args), delay);
  };
};
