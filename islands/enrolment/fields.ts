// The form's fields as they stand in the page: inputs are uncontrolled, so this is where their values are.
import { createRef, type RefObject } from "react";
import type { Values } from "../forms/check.ts";
import { tidyInput } from "./input.ts";
import { form } from "./view.ts";

export type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export interface Fields {
  ref: RefObject<HTMLFormElement | null>;
  /** Every field of the form by name; ticked boxes of one name joined by commas. */
  values(): Values;
  find(name: string): Input | undefined;
  /** Writes into a text field, if it stands there. */
  write(name: string, value: string): void;
  /** Tidies what was filled in without an input event. */
  tidy(): void;
}

export function fieldsOf(): Fields {
  const ref = createRef<HTMLFormElement>();
  const find = (name: string) => {
    const found = ref.current?.elements.namedItem(name);
    const first = found instanceof RadioNodeList ? found[0] : found; // two answers, or boxes of one name
    return isInput(first) ? first : undefined;
  };
  return {
    ref,
    find,
    values() {
      const data = new FormData(ref.current ?? undefined);
      return Object.fromEntries(form.fields.map(({ name }) => [name, data.getAll(name).join(",")]));
    },
    write(name, value) {
      const field = find(name);
      if (field) field.value = value;
    },
    tidy() {
      for (const { name } of form.fields) {
        const field = find(name);
        if (field instanceof HTMLInputElement) tidyInput(field);
      }
    },
  };
}

export const isInput = (target: unknown): target is Input =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
