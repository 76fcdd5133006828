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
  #value: Value = $state.raw() as Value;

  constructor(name: string, fallback: Value) {
    this.#name = name;
    this.#value = read(name, fallback);
  }

  get value(): Value {
    return this.#value;
  }

  set value(value: Value) {
    this.#value = value;
    try {
      localStorage.setItem(PREFIX + this.#name, JSON.stringify(value));
    } catch {
      // The page works without storage.
    }
  }
}
