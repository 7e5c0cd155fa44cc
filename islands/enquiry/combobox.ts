import type { Country } from "../forms/check";

const none = "No country found";
const delay = 250; // ms after the last key before the search runs (spec §5)

/**
 * Lays a combobox with search (WAI-ARIA: editable, list autocomplete) over the form's select of countries, which keeps the
 * value. A select that is being used stays until it is left.
 */
export function combobox(form: HTMLFormElement, countries: Country[]): void {
  const select = form.querySelector<HTMLSelectElement>("select[name=countryCode]");
  if (!select) return;
  if (document.activeElement === select)
    select.addEventListener("blur", () => layOver(select, countries), { once: true });
  else layOver(select, countries);
}

const label = ({ name, dial }: Country): string => `${name} (+${dial})`;

/** Letters without their marks, so that "aland" finds "Åland". */
const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/**
 * How far a country is from the text: 0 called so or its ISO code, 1 its dial code, 2 a word of a name begins with it, 3 a
 * name holds it, 4 not at all. Figures are a dial code; the country that people mean by a shared one is also called so.
 */
function distance(country: Country, text: string): number {
  const query = plain(text.trim()).replace(/^(?=\d+$)/, "+");
  const { code, name, also = [], dial } = country;
  const names = [name, label(country), ...also].map(plain);
  if (code === query || names.includes(query)) return 0;
  if (`+${dial}` === query) return 1;
  if ([`+${dial}`, ...names].some((known) => [known, ...known.split(/[ &]+/)].some((word) => word.startsWith(query))))
    return 2;
  return names.some((known) => known.includes(query)) ? 3 : 4;
}

/** The countries that fit the text, the nearest first. */
export function search(countries: Country[], text: string): Country[] {
  if (!text.trim()) return countries;
  const far = countries.map((country) => distance(country, text));
  return [0, 1, 2, 3].flatMap((near) => countries.filter((_, i) => far[i] === near));
}

function layOver(select: HTMLSelectElement, countries: Country[]): void {
  let chosen = select.value;
  const undecided = new Option("", "?"); // chosen while a text waits for its country: the form's rule refuses it
  select.add(undecided);
  const id = select.id;
  select.id = `${id}-value`;
  select.hidden = true;
  const input = document.createElement("input");
  input.className = "input";
  input.id = id;
  input.type = "text";
  input.autocomplete = "off";
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-expanded", "false");
  input.setAttribute("aria-controls", `${id}-list`);
  for (const name of ["aria-invalid", "aria-describedby"]) {
    const value = select.getAttribute(name);
    if (value) input.setAttribute(name, value);
  }
  const list = document.createElement("ul");
  list.className = "countries";
  list.id = `${id}-list`;
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Countries");
  const count = document.createElement("span");
  count.className = "visually-hidden";
  count.setAttribute("role", "status");
  select.after(input, list, count);

  let found: Country[] = [];
  let active = -1;
  let waiting = 0;
  const close = (): void => {
    clearTimeout(waiting);
    waiting = 0;
    list.hidden = true;
    active = -1;
    count.textContent = "";
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const settle = (): void => {
    close();
    select.value = chosen;
    const country = countries.find(({ code }) => code === chosen);
    input.value = country ? label(country) : "";
    if (document.activeElement === input) input.select(); // so that a next text takes its place
  };
  const point = (next: number): void => {
    list.children[active]?.removeAttribute("aria-selected");
    active = next;
    const option = list.children[active];
    if (!option) return;
    option.setAttribute("aria-selected", "true");
    input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView?.({ block: "nearest" });
  };
  const open = (): void => {
    clearTimeout(waiting);
    waiting = 0;
    found = search(countries, undecided.selected ? input.value : "");
    const line = (text: string): HTMLLIElement => {
      const option = document.createElement("li");
      option.setAttribute("role", "option");
      option.textContent = text;
      return option;
    };
    list.replaceChildren(
      ...found.map((country) => {
        const option = line(label(country));
        option.id = `${id}-${country.code}`;
        return option;
      }),
    );
    if (found.length === 0) {
      const nothing = line(none);
      nothing.setAttribute("aria-disabled", "true");
      list.append(nothing);
    }
    list.hidden = false;
    active = -1;
    input.setAttribute("aria-expanded", "true");
    input.removeAttribute("aria-activedescendant");
    count.textContent = found.length === 0 ? none : found.length === 1 ? "1 country" : `${found.length} countries`;
    list.scrollIntoView?.({ block: "nearest" }); // out from under the bar at the foot of a phone
  };
  const choose = (country: Country | undefined): void => {
    if (country) {
      chosen = country.code;
      const dial = select.form?.elements.namedItem("dialLog");
      if (dial instanceof HTMLInputElement) dial.value = country.dial;
    }
    settle();
    select.dispatchEvent(new Event("change", { bubbles: true }));
  };

  const filter = (): void => {
    if (list.hidden || waiting) open();
  };
  input.addEventListener("focus", () => input.select());
  input.addEventListener("click", () => {
    if (list.hidden) open();
  });
  input.addEventListener("blur", () => {
    if (!undecided.selected) return settle();
    filter();
    const [first] = found;
    const named = first && (found.length === 1 || distance(first, input.value) < 2);
    const country = found[active] ?? (named ? first : undefined);
    if (country) choose(country);
    else close(); // and the form says at the field that none is chosen
  });
  input.addEventListener("input", (event) => {
    event.stopPropagation(); // judged when it is chosen or left
    undecided.selected = true;
    if (!input.value.trim()) select.value = chosen;
    clearTimeout(waiting);
    waiting = window.setTimeout(open, delay);
  });
  input.addEventListener("keydown", (event) => {
    const idle = list.hidden && !undecided.selected && !waiting;
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp": {
        event.preventDefault();
        filter();
        const { length } = found;
        if (length === 0) return;
        const current = found.findIndex(({ code }) => code === chosen);
        if (idle) point(Math.max(current, 0));
        else point(event.key === "ArrowDown" ? (active + 1) % length : (Math.max(active, 0) - 1 + length) % length);
        break;
      }
      case "Enter":
        if (idle) return;
        event.preventDefault();
        filter();
        if (found.length > 0) choose(found[active] ?? (undecided.selected ? found[0] : undefined));
        break;
      case "Escape":
        if (idle) return;
        event.preventDefault();
        choose(undefined); // a message at the field goes too
    }
  });
  list.addEventListener("pointerdown", (event) => event.preventDefault()); // the focus stays in the input
  list.addEventListener("click", (event) => {
    const option = event.target instanceof Element ? event.target.closest("[role=option]:not([aria-disabled])") : null;
    if (option) choose(found[[...list.children].indexOf(option)]);
  });
  settle();
}
