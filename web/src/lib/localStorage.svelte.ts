/** Local storage: a setting that the browser keeps. Without storage the value lasts until the page is closed. */

const PREFIX = "fourcard.";

function read<Value>(name: string, fallback: Value): Value {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? fallback : (JSON.parse(text) as Value);
  } catch {
    return fallback;
  }
}

export class StoredValue<Value> {
  readonly #name: string;
  readonly #fallback: Value;
  #value: Value = $state.raw() as Value;
  /** Whether the browser has kept the value. */
  #kept = true;

  constructor(name: string, fallback: Value) {
    this.#name = name;
    this.#fallback = fallback;
    this.#value = read(name, fallback);
  }

  /** Take over what another window of this browser has stored since. */
  refresh(): void {
    if (this.#kept) this.#value = read(this.#name, this.#fallback);
  }

  get value(): Value {
    return this.#value;
  }

  set value(value: Value) {
    this.#value = value;
    try {
      localStorage.setItem(PREFIX + this.#name, JSON.stringify(value));
      this.#kept = true;
    } catch {
      // The page works without storage.
      this.#kept = false;
    }
  }
}
