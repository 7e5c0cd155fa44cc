// The country picker's list and choice; combobox.ts handles keys and clicks.
import type { Country } from "../forms/check";
import { label, search } from "./search";

const none = "No country found";
const delay = 250; // ms after the last key before the search runs (spec §5)

/** The combobox over the form's select, which keeps the value. */
export class Picker {
  readonly input: HTMLInputElement;
  readonly list: HTMLUListElement;
  /** The listed countries. */
  found: Country[] = [];
  private readonly count = document.createElement("span");
  /** The select's value while the text names no country; the form's rule rejects it. */
  private readonly undecided = new Option("", "?");
  private chosen: string;
  private active = -1;
  private timer = 0;

  constructor(
    private readonly select: HTMLSelectElement,
    private readonly countries: Country[],
  ) {
    this.chosen = select.value;
    select.add(this.undecided);
    this.input = inputOver(select);
    this.list = listOf(this.input);
    select.id = `${select.id}-value`;
    select.hidden = true;
    this.count.className = "visually-hidden";
    this.count.setAttribute("role", "status");
    select.after(this.input, this.list, this.count);
    this.reset();
  }

  /** Reports whether the text names no country yet. */
  get isUndecided(): boolean {
    return this.undecided.selected;
  }

  /** Reports whether nothing is typed, open or about to open. */
  get isIdle(): boolean {
    return this.list.hidden && !this.isUndecided && !this.timer;
  }

  /** The highlighted country. */
  get pointed(): Country | undefined {
    return this.found[this.active];
  }

  /** Shows the countries that match the text. */
  open(): void {
    this.stopTimer();
    this.found = search(this.countries, this.isUndecided ? this.input.value : "");
    this.list.replaceChildren(...(this.found.length > 0 ? this.found.map((one) => this.optionOf(one)) : [nothing()]));
    this.list.hidden = false;
    this.active = -1;
    this.input.setAttribute("aria-expanded", "true");
    this.input.removeAttribute("aria-activedescendant");
    const { length } = this.found;
    this.count.textContent = length === 0 ? none : length === 1 ? "1 country" : `${length} countries`;
    this.list.scrollIntoView?.({ block: "nearest" }); // not behind a phone's bottom bar
  }

  /** Updates the list to the current text. */
  openNow(): void {
    if (this.list.hidden || this.timer) this.open();
  }

  close(): void {
    this.stopTimer();
    this.list.hidden = true;
    this.active = -1;
    this.count.textContent = "";
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }

  /** Handles typing: updates the list after the delay. */
  typed(): void {
    this.undecided.selected = true;
    if (!this.input.value.trim()) this.select.value = this.chosen;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.open(), delay);
  }

  /** Highlights the next or previous country; the chosen one if the list was idle. */
  move(step: 1 | -1, wasIdle: boolean): void {
    const { length } = this.found;
    if (length === 0) return;
    const current = this.found.findIndex(({ code }) => code === this.chosen);
    if (wasIdle) this.point(Math.max(current, 0));
    else if (step === 1) this.point((this.active + 1) % length);
    else this.point((Math.max(this.active, 0) - 1 + length) % length);
  }

  /** Chooses a country, by default the previous one, and notifies the form. */
  choose(country?: Country): void {
    if (country) {
      this.chosen = country.code;
      const dial = this.select.form?.elements.namedItem("dialLog");
      if (dial instanceof HTMLInputElement) dial.value = country.dial;
    }
    this.reset();
    this.select.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /** Shows the chosen country again. */
  reset(): void {
    this.close();
    this.select.value = this.chosen;
    const country = this.countries.find(({ code }) => code === this.chosen);
    this.input.value = country ? label(country) : "";
    if (document.activeElement === this.input) this.input.select(); // so that typing replaces it
  }

  private point(next: number): void {
    this.list.children[this.active]?.removeAttribute("aria-selected");
    this.active = next;
    const option = this.list.children[next];
    if (!option) return;
    option.setAttribute("aria-selected", "true");
    this.input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView?.({ block: "nearest" });
  }

  private optionOf(country: Country): HTMLLIElement {
    const option = line(label(country));
    option.id = `${this.input.id}-${country.code}`;
    return option;
  }

  private stopTimer(): void {
    clearTimeout(this.timer);
    this.timer = 0;
  }
}

function inputOver(select: HTMLSelectElement): HTMLInputElement {
  const input = document.createElement("input");
  input.className = "input";
  input.id = select.id;
  input.type = "text";
  input.autocomplete = "off";
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-expanded", "false");
  input.setAttribute("aria-controls", `${select.id}-list`);
  for (const name of ["aria-invalid", "aria-describedby"]) {
    const value = select.getAttribute(name);
    if (value) input.setAttribute(name, value);
  }
  return input;
}

function listOf(input: HTMLInputElement): HTMLUListElement {
  const list = document.createElement("ul");
  list.className = "countries";
  list.id = `${input.id}-list`;
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Countries");
  return list;
}

function line(text: string): HTMLLIElement {
  const option = document.createElement("li");
  option.setAttribute("role", "option");
  option.textContent = text;
  return option;
}

function nothing(): HTMLLIElement {
  const option = line(none);
  option.setAttribute("aria-disabled", "true");
  return option;
}
