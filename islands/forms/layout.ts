// Layout and display of a form's fields: the browser's counterpart of forms/layout.go and components/form.go.
import {
  choices,
  type Env,
  type Fault,
  type Field,
  type Form,
  type Group,
  holds,
  type Values,
  warnings,
} from "./check.ts";
import type { FieldProps } from "./Field.tsx";

/** A form in one state. */
export interface FormState {
  form: Form;
  /** Name of the step; the first by default. */
  step?: string;
  env: Env;
  /** Part of every id, for two forms of one page with equal fields. */
  scope?: string;
  /** Values as typed; an absent field shows its preset. */
  values: Values;
  faults: Fault[];
  /** Name of the field to focus when the page opens. */
  focus?: string;
  /** Names of unfolded groups. */
  open: string[];
}

type Typed = Pick<FormState, "form" | "values" | "env">;

/** Whether the group can be folded. */
export const folds = ({ kind }: Group): boolean => kind !== "plain";

/** Returns the groups of the state's step in a place, in order. */
export function groupsIn({ form, step }: FormState, place: string): Group[] {
  const found = step ? form.steps.find(({ name }) => name === step) : form.steps[0];
  return found?.groups.filter((group) => group.place === place) ?? [];
}

/** Returns a group's fields in order. */
export const fieldsIn = (form: Form, group: string): Field[] => form.fields.filter((field) => field.group === group);

/** Returns the form's foldable groups in order. */
const foldedGroups = (form: Form): Group[] => form.steps.flatMap(({ groups }) => groups).filter(folds);

/** Returns the names of groups unfolded in the page. */
export const unfoldedIn = (page: ParentNode): string[] =>
  Array.from(page.querySelectorAll<HTMLElement>("details[data-group][open]"), ({ dataset }) => dataset.group ?? "");

/** Returns the names of folded groups with input or errors, in order. */
export function openGroups(form: Form, typed: Values, faults: Fault[]): string[] {
  const holdsSomething = ({ name }: Field) => Boolean(typed[name]) || faults.some(({ field }) => field === name);
  return foldedGroups(form)
    .filter(({ name }) => fieldsIn(form, name).some(holdsSomething))
    .map(({ name }) => name);
}

/** Returns the names of fields that decide whether a group or another field is shown. */
export function watched(form: Form): Set<string> {
  const parts = [...form.fields, ...form.steps.flatMap(({ groups }) => groups)];
  return new Set(
    parts.flatMap(({ when = [] }) =>
      when.flatMap(({ field, same }) => [field, same].filter((name) => name !== undefined)),
    ),
  );
}

/** Reports whether the values hide a group. */
export const hidesGroup = ({ form, values, env }: Typed, { when = [] }: Group): boolean =>
  !holds(form, when, values, env);

/** The line above several errors whose title does not count them. */
export const leadOf = (faults: Fault[]): string => (faults.length > 1 ? `Please check these ${faults.length}:` : "");

/** Returns the props of a field in the current state. */
export function propsOf(state: FormState, field: Field): FieldProps {
  const { env, values, faults, scope } = state;
  const value = values[field.name] ?? field.value ?? "";
  return {
    name: field.name,
    ...(scope && { scope }),
    kind: inputKind(field),
    label: field.label,
    hint: field.hint,
    prefix: field.prefix,
    autocomplete: field.autocomplete,
    inputmode: field.inputmode,
    maxlength: field.maxlength,
    value,
    error: faults.find((fault) => fault.field === field.name)?.message ?? "",
    warns: field.warn
      ? (warnings(state.form, values, env).find((fault) => fault.field === field.name)?.message ?? "")
      : "",
    optional: field.optional === true,
    half: field.half === true,
    focused: field.name === state.focus,
    hidden: hidesField(state, field),
    options: optionsOf(field, env),
    ...(field.kind === "select" && { empty: "Choose one" }),
    ...(field.kind === "checkbox" && { checked: value === "true" }),
    ...(field.kind === "checkboxes" && { values: value.split(",") }),
  };
}

/** HTML allows tel-national on text inputs only; inputmode opens the keypad. */
const inputKind = ({ kind, autocomplete = "" }: Field): string =>
  kind === "tel" && autocomplete.endsWith("tel-national") ? "text" : kind;

/** Returns a country option's label: "India (+91)". */
function optionsOf(field: Field, env: Env) {
  if (field.kind !== "country") return choices(field, env);
  return (env.countries ?? []).map(({ code, name, dial }) => ({ value: code, label: `${name} (+${dial})` }));
}

/** Reports whether the values hide a field of a shown group. */
export function hidesField({ form, values, env }: Typed, { group, when = [] }: Field): boolean {
  const ofGroup = form.steps.flatMap(({ groups }) => groups).find(({ name }) => name === group)?.when ?? [];
  const same = (own: object) => ofGroup.some((one) => JSON.stringify(one) === JSON.stringify(own));
  return !holds(
    form,
    when.filter((one) => !same(one)),
    values,
    env,
  );
}
