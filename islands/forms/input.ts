import { tenDigits } from "./phone.ts";

// What typing and pasting may leave in a field (spec §5): no space in front; a phone without any, and without its country's
// code. A space inside of an e-mail stays and is refused: joined, it might be another's.

const phones = ["phone_number", "guardian_phone"];

/** The value that a field keeps of what was typed or pasted into it. */
export function tidy(name: string, typed: string): string {
  if (phones.includes(name)) return tenDigits(typed);
  return typed.replace(/^\s+/, "");
}

/** Tidies a field in place. The caret stays behind the character that it stood behind. */
export function tidyInput(field: HTMLInputElement) {
  if (field.type === "checkbox" || field.type === "radio" || field.readOnly) return;
  const { value, selectionStart } = field; // an e-mail field has no selection
  const tidied = tidy(field.name, value);
  if (tidied === value) return;
  field.value = tidied;
  if (selectionStart === null) return;
  const caret = Math.max(0, Math.min(tidied.length, tidied.length - (value.length - selectionStart)));
  field.setSelectionRange(caret, caret);
}
