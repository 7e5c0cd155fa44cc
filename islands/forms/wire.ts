// Encodes a form's JSON call and decodes the names in its response: the browser's half of forms/keep.go.
import type { Field, Form, Values } from "./check.ts";

export const wireName = ({ name, wire }: Field): string => wire ?? name;

/** Returns the body of the call that sends the form: applicable fields, without empty texts. */
export function payloadOf(form: Form, clean: Values): Record<string, string | boolean | string[]> {
  const body: Record<string, string | boolean | string[]> = {};
  for (const field of form.fields) {
    const value = clean[field.name];
    if (field.unsent || value === undefined) continue;
    if (field.kind === "checkbox") body[wireName(field)] = value === "true";
    else if (field.kind === "yesno") {
      if (value !== "") body[wireName(field)] = value === "true"; // omits an unanswered yes/no question
    } else if (field.kind === "checkboxes") body[wireName(field)] = value.split(",").filter(Boolean);
    else if (value !== "") body[wireName(field)] = value;
  }
  return body;
}

/** Returns the form's name for a wire name; other names are unchanged. */
export const fromWire = (form: Form, name: string): string =>
  form.fields.find((field) => wireName(field) === name)?.name ?? name;

/** Reverses payloadOf: maps a response to the form's names. */
export function valuesOf(form: Form, answers: Record<string, string | boolean | string[]>): Values {
  return Object.fromEntries(
    form.fields.flatMap((field) => {
      const value = answers[wireName(field)];
      return value === undefined ? [] : [[field.name, Array.isArray(value) ? value.join(",") : String(value)]];
    }),
  );
}
