// What typing and pasting may leave in a field (spec §5): no space in front; e-mail and phone without any; a phone without
// its country's code.

const phones = ["phone_number", "guardian_phone"];

/** An Indian number as people write it, without separators, country code and 0; the twin of TenDigits in forms/phone.go. */
export function tenDigits(typed: string): string {
  const number = typed.replace(/[\s\p{Z}\p{Cf}\p{Pd}().]/gu, "");
  return /^(?:(?:\+|00)?91)?0?([0-9]{10})$/.exec(number)?.[1] ?? number;
}

/** The value that a field keeps of what was typed or pasted into it. */
export function tidy(name: string, typed: string): string {
  if (name === "email") return typed.replace(/\s/g, "");
  if (phones.includes(name)) return tenDigits(typed);
  return typed.replace(/^\s+/, "");
}

/** Tidies a field in place. The caret stays behind the character that it stood behind. */
export function tidyInput(field: HTMLInputElement) {
  if (field.type === "checkbox" || field.readOnly) return;
  const { value, selectionStart } = field; // an e-mail field has no selection
  const tidied = tidy(field.name, value);
  if (tidied === value) return;
  field.value = tidied;
  if (selectionStart === null) return;
  const caret = Math.max(0, Math.min(tidied.length, tidied.length - (value.length - selectionStart)));
  field.setSelectionRange(caret, caret);
}
