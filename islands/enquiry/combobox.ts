import type { Country } from "../forms/check";
import { Picker } from "./picker";
import { distance } from "./search";

/**
 * Puts a combobox with search (WAI-ARIA: editable, list autocomplete) over the form's select of countries, which keeps the
 * value. A focused select stays until it is left.
 */
export function combobox(form: HTMLFormElement, countries: Country[]): void {
  const select = form.querySelector<HTMLSelectElement>("select[name=countryCode]");
  if (!select) return;
  const layOver = () => listen(new Picker(select, countries));
  if (document.activeElement === select) select.addEventListener("blur", layOver, { once: true });
  else layOver();
}

function listen(picker: Picker): void {
  const { input, list } = picker;
  input.addEventListener("focus", () => input.select());
  input.addEventListener("click", () => {
    if (list.hidden) picker.open();
  });
  input.addEventListener("blur", () => left(picker));
  input.addEventListener("input", (event) => {
    event.stopPropagation(); // checked when a country is chosen or the field is left
    picker.typed();
  });
  input.addEventListener("keydown", (event) => {
    if (pressed(picker, event.key)) event.preventDefault();
  });
  list.addEventListener("pointerdown", (event) => event.preventDefault()); // the focus stays in the input
  list.addEventListener("click", (event) => {
    const option = event.target instanceof Element ? event.target.closest("[role=option]:not([aria-disabled])") : null;
    if (option) picker.choose(picker.found[[...list.children].indexOf(option)]);
  });
}

/** Chooses a country if the text names exactly one. */
function left(picker: Picker): void {
  if (!picker.isUndecided) {
    picker.reset();
    return;
  }
  picker.openNow();
  const [first] = picker.found;
  const isNamed = first && (picker.found.length === 1 || distance(first, picker.input.value) < 2);
  const country = picker.pointed ?? (isNamed ? first : undefined);
  if (country) picker.choose(country);
  else picker.close(); // the field then shows the error that none is chosen
}

/** Handles a key and reports whether it was one of the picker's. */
function pressed(picker: Picker, key: string): boolean {
  const wasIdle = picker.isIdle;
  switch (key) {
    case "ArrowDown":
    case "ArrowUp":
      picker.openNow();
      picker.move(key === "ArrowDown" ? 1 : -1, wasIdle);
      return true;
    case "Enter":
      if (wasIdle) return false;
      picker.openNow();
      if (picker.found.length > 0) picker.choose(picker.pointed ?? (picker.isUndecided ? picker.found[0] : undefined));
      return true;
    case "Escape":
      if (wasIdle) return false;
      picker.choose(); // also clears the field's message
      return true;
  }
  return false;
}
