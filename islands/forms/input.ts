import { tenDigits } from "./phone.ts";

// Cleans typed and pasted values (spec §5): no leading space; in phone numbers no spaces and no country code. A space inside an
// e-mail stays and is rejected, because the joined address might be another person's.

const phones = ["phone_number", "guardian_phone"];

/** Returns the cleaned value of a field. */
export function tidy(name: string, typed: string): string {
  if (phones.includes(name)) return tenDigits(typed);
  return typed.replace(/^\s+/, "");
}

/** Cleans a field in place. The caret stays after the same character. */
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
