import countries from "../../forms/countries.json";
import definition from "../../forms/enquiry.json";
import { check, checkField, type Form, type Values } from "../forms/check";
import { hidesField, watched } from "../forms/layout";
import { errorAt, summary } from "./errors";

const form: Form = definition;
const env = { countries };
const decisive = watched(form);

export interface Judge {
  /** Shows all errors and reports whether the form may be sent. */
  all(): boolean;
  /** Attaches to a new form; a rejected one is checked at once. */
  restart(isRefused: boolean): void;
}

/** Shows a field's error when it loses the focus, then at each change. */
export function judgeWhileTyping(place: HTMLElement): Judge {
  const visited = new Set<string>();
  let isPressed = false; // an appearing error must not move a button during a press

  const judge = (name: string): void => {
    const target = place.querySelector("form");
    if (target && form.fields.some((field) => field.name === name))
      errorAt(target, name, checkField(form, name, valuesOf(target), env));
  };
  place.addEventListener("focusout", (event) => {
    const name = nameOf(event.target);
    if (!name || nameOf(event.relatedTarget) === name) return;
    visited.add(name);
    if (!isPressed) judge(name);
  });
  place.addEventListener("pointerdown", () => {
    isPressed = true;
  });
  const released = (): void => {
    if (!isPressed) return;
    isPressed = false;
    setTimeout(() => visited.forEach(judge));
  };
  addEventListener("pointerup", released);
  addEventListener("pointercancel", released);
  const changed = ({ target }: Event): void => {
    const name = nameOf(target);
    if (name === "phone" && target instanceof HTMLInputElement) keepDigits(target, 15);
    if (visited.has(name)) judge(name);
    if (name === "countryCode" && visited.has("phone")) judge("phone");
    const form = place.querySelector("form");
    if (form && decisive.has(name)) showWhatApplies(form);
  };
  place.addEventListener("input", changed);
  place.addEventListener("change", changed);

  return {
    all() {
      const target = place.querySelector("form");
      if (!target) return false;
      const { faults } = check(form, valuesOf(target), env);
      for (const { name } of form.fields) {
        visited.add(name);
        errorAt(target, name, faults.find((fault) => fault.field === name)?.message ?? "");
      }
      return !summary(target, faults);
    },
    restart(isRefused) {
      visited.clear();
      if (isRefused) for (const { name } of form.fields) visited.add(name);
    },
  };
}

function valuesOf(target: HTMLFormElement): Values {
  const typed = new FormData(target);
  return Object.fromEntries([...typed.keys()].map((name) => [name, typed.getAll(name).join(",")]));
}

/** Shows and hides fields that depend on others. */
function showWhatApplies(target: HTMLFormElement): void {
  const typed = { form, values: valuesOf(target), env };
  for (const field of form.fields) {
    const part = target.querySelector<HTMLElement>(`[data-field="${field.name}"]`);
    if (part) part.hidden = hidesField(typed, field);
  }
}

const nameOf = (target: EventTarget | null): string =>
  target instanceof Element ? (target.closest<HTMLElement>("[data-field]")?.dataset.field ?? "") : "";

/** Removes characters after a number's last allowed digit. */
function keepDigits(input: HTMLInputElement, most: number): void {
  let digits = 0;
  const end = [...input.value].findIndex((letter) => /[0-9]/.test(letter) && ++digits > most);
  if (end >= 0) input.value = input.value.slice(0, end);
}
