/** A choice of the looker that the browser keeps; where it cannot be kept it holds until the page is closed. */

const PREFIX = "fourcard.";

function read<Value>(name: string, otherwise: Value): Value {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? otherwise : (JSON.parse(text) as Value);
  } catch {
    return otherwise;
  }
}

export class Kept<Value> {
  readonly #name: string;
  #value: Value = $state.raw() as Value;

  constructor(name: string, otherwise: Value) {
    this.#name = name;
    this.#value = read(name, otherwise);
  }

  get value(): Value {
    return this.#value;
  }

  set value(value: Value) {
    this.#value = value;
    try {
      localStorage.setItem(PREFIX + this.#name, JSON.stringify(value));
    } catch {
      // A browser that keeps nothing still plays.
    }
  }
}
