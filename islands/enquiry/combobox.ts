import type { Country } from "../forms/check";

const none = "No country found";
const rest = 250; // ms after the last key before the search runs (spec §5)

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
 * Countries that are called the text or have it as their ISO code, then those with a name that has a word that begins with
 * it, then those with a name that holds it; figures are a dial code.
 */
export function search(countries: Country[], text: string): Country[] {
  const wanted = plain(text.trim());
  if (!wanted) return countries;
  const digits = wanted.replace(/^\+/, "");
  if (/^[0-9]+$/.test(digits)) return countries.filter(({ dial }) => dial.startsWith(digits));
  const begins = (name: string): boolean =>
    name.startsWith(wanted) || name.split(/[ &]+/).some((word) => word.startsWith(wanted));
  const nearness = ({ code, name, also = [] }: Country): number => {
    const names = [name, ...also].map(plain);
    if (code === wanted || names.includes(wanted)) return 0;
    if (names.some(begins)) return 1;
    return names.some((known) => known.includes(wanted)) ? 2 : 3;
  };
  return [0, 1, 2].flatMap((near) => countries.filter((country) => nearness(country) === near));
}

function layOver(select: HTMLSelectElement, countries: Country[]): void {
  const chosen = (): Country | undefined => countries.find(({ code }) => code === select.value);
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
  const settle = (): void => {
    clearTimeout(waiting);
    const country = chosen();
    input.value = country ? label(country) : "";
    list.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
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
  const open = (text: string): void => {
    found = search(countries, text);
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
      select.value = country.code;
      const dial = select.form?.elements.namedItem("dialLog");
      if (dial instanceof HTMLInputElement) dial.value = country.dial;
    }
    settle();
    select.dispatchEvent(new Event("change", { bubbles: true }));
  };

  input.addEventListener("focus", () => input.select());
  input.addEventListener("click", () => {
    if (list.hidden) open("");
  });
  input.addEventListener("blur", () => {
    const [only] = found;
    if (!list.hidden && found.length === 1 && input.value)
      choose(only); // what was typed names one country
    else settle();
  });
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = window.setTimeout(() => open(input.value), rest);
  });
  input.addEventListener("keydown", (event) => {
    const closed = list.hidden;
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp": {
        event.preventDefault();
        if (!closed && found.length === 0) return;
        const down = event.key === "ArrowDown";
        if (closed) {
          open("");
          point(
            Math.max(
              found.findIndex(({ code }) => code === select.value),
              0,
            ),
          );
        } else point(down ? (active + 1) % found.length : (Math.max(active, 0) - 1 + found.length) % found.length);
        break;
      }
      case "Enter":
        if (closed) return;
        event.preventDefault();
        if (found.length > 0) choose(found[active] ?? (found.length === 1 ? found[0] : undefined));
        break;
      case "Escape":
        if (closed) return;
        event.preventDefault();
        settle();
    }
  });
  list.addEventListener("pointerdown", (event) => event.preventDefault()); // the focus stays in the input
  list.addEventListener("click", (event) => {
    const option = event.target instanceof Element ? event.target.closest("[role=option]:not([aria-disabled])") : null;
    if (option) choose(found[[...list.children].indexOf(option)]);
  });
  settle();
}
