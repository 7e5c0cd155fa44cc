// The fields of a form in the page. Inputs are uncontrolled, so the DOM has their values.
import { createRef, type RefObject } from "react";
import type { Form, Values } from "./check.ts";
import { dateParts } from "./date.ts";
import { tidyInput } from "./input.ts";

export type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export interface Fields {
  ref: RefObject<HTMLFormElement | null>;
  /** Returns all values by field name. Ticked boxes of one name, and a date's inputs, are joined by commas. */
  values(): Values;
  find(name: string): Input | undefined;
  /** Writes a value to all inputs, options and boxes of a field, if the page has it. */
  write(name: string, value: string): void;
  /** Cleans values that were filled in without an input event. */
  tidy(): void;
  /** Makes the current values the defaults, so that Back restores nothing older over them. */
  settle(): void;
}

export function fieldsOf(form: Form): Fields {
  const ref = createRef<HTMLFormElement>();
  const all = (name: string): Input[] =>
    Array.from(ref.current?.querySelectorAll<Input>(`[name="${name}"]`) ?? []).filter(isInput);
  const find = (name: string) => all(name)[0];
  return {
    ref,
    find,
    values() {
      const data = new FormData(ref.current ?? undefined);
      return Object.fromEntries(
        form.fields.map(({ name, kind }) => {
          const joined = data.getAll(name).join(",");
          return [name, kind === "date" && /^,*$/.test(joined) ? "" : joined];
        }),
      );
    },
    write(name, value) {
      const inputs = all(name);
      const parts = inputs.length === 3 && form.fields.some((one) => one.name === name && one.kind === "date");
      for (const [i, field] of inputs.entries()) {
        if (isBox(field)) field.checked = value.split(",").includes(field.value);
        else field.value = parts ? (dateParts(value)[i] ?? "") : value;
      }
    },
    tidy() {
      for (const { name } of form.fields)
        for (const field of all(name)) if (field instanceof HTMLInputElement) tidyInput(field);
    },
    settle() {
      for (const { name } of form.fields)
        for (const field of all(name)) {
          if (field instanceof HTMLSelectElement)
            for (const option of field.options) option.defaultSelected = option.selected;
          else if (isBox(field)) field.defaultChecked = field.checked;
          else field.defaultValue = field.value;
        }
      ref.current?.reset(); // to the same value, but as a default
    },
  };
}

export const isInput = (target: unknown): target is Input =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;

export const isBox = (field: Input): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === "checkbox" || field.type === "radio");

/**
 * Restores values into a form. A field that already has a value, typed before the script loaded or rendered by the server, keeps
 * it.
 */
export function restore(form: Form, element: HTMLFormElement, values: Values): void {
  for (const { name } of form.fields) {
    const value = values[name];
    if (!value) continue;
    for (const field of element.querySelectorAll<Input>(`[name="${name}"]`)) {
      if (isBox(field)) {
        if (field.checked === field.defaultChecked) field.checked = value.split(",").includes(field.value);
      } else if (field.value === "") field.value = value;
    }
  }
}
