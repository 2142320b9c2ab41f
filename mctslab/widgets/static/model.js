// The traits of a widget, as its script expects them, where no kernel has them.

export class Model {
  #traits; #listeners = new Map(); #receive;

  /** `receive` gets what the script sends to its kernel. */
  constructor(traits, receive = () => {}) {
    this.#traits = traits;
    this.#receive = receive;
  }

  get(name) {
    return this.#traits[name];
  }

  set(name, value) {
    if (JSON.stringify(this.#traits[name]) === JSON.stringify(value)) return;
    this.#traits[name] = value;
    this.tell(`change:${name}`, value);
  }

  tell(event, value) {
    for (const listener of this.#listeners.get(event) ?? []) listener(value);
  }

  save_changes() {}

  send(message) {
    this.#receive(message);
  }

  on(event, listener) {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
  }

  off(event, listener) {
    this.#listeners.set(event, (this.#listeners.get(event) ?? []).filter((each) => each !== listener));
  }
}
