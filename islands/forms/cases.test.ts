// @vitest-environment node
import { describe, expect, test } from "vitest";
import table from "../../forms/cases.json";
import countries from "../../forms/countries.json";
import { check, checkField, checkOnly, type Env, type Fault, type Values, warnings } from "./check";
import { shipped } from "./shipped";

/** A case of cases.json: the good form with changed fields. A clean value of null means that the field does not apply. */
interface Case {
  form: string;
  title: string;
  only?: string[];
  input: Values;
  env?: { proven: Values };
  warnings?: Fault[];
  clean?: Record<string, string | null>;
  faults: Fault[];
}

const good: Record<string, Values> = table.good;
const cases = table.cases as Case[];

const messageOf = (faults: Fault[], field: string): string =>
  faults.find((fault) => fault.field === field)?.message ?? "";

test("every form has its cases", () => {
  expect(Object.keys(shipped).sort()).toEqual(Object.keys(table.good).sort());
});

describe.each(Object.entries(shipped))("%s", (name, form) => {
  const own = cases.filter((one) => one.form === name);

  test.each(own)("$title", ({ only, input, env, clean, faults, warnings: expected }) => {
    const whole: Values = { ...good[name], ...input };
    const around: Env = { ...table.env, countries, ...env };
    const outcome = only ? checkOnly(form, whole, around, ...only) : check(form, whole, around);
    expect(outcome.faults).toEqual(faults);
    for (const [field, value] of Object.entries(clean ?? {})) expect(outcome.clean[field] ?? null).toBe(value);
    expect(warnings(form, whole, around)).toEqual(expected ?? []);
    for (const field of only ?? []) {
      expect(checkField(form, field, whole, around)).toBe(messageOf(faults, field));
    }
  });

  test.each(form.fields)("$name has a case for each of its messages", (field) => {
    expect(own.some((one) => field.name in one.input)).toBe(true);
    const messages = own.map((one) =>
      messageOf(one.faults, field.name)
        .replace(/must be (between [0-9]+ and|exactly) [0-9]+ digits/, "must be between {min} and {max} digits")
        .replace(/“.+”/, "“{sign}”"),
    );
    for (const rule of field.rules ?? []) expect(messages).toContain(rule.message);
  });
});
