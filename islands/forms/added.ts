// For tests: a form with more fields than the shipped one. forms/formstest is the server's counterpart.
import type { Field, Form } from "./check.ts";

/** Returns the form with each added field inserted after the field that it names. */
export function withAdded(form: Form, additions: { after: string; field: Field }[]): Form {
  const fields = [...form.fields];
  for (const { after, field } of additions) fields.splice(fields.findIndex(({ name }) => name === after) + 1, 0, field);
  return { ...form, fields };
}
