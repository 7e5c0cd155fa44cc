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
  /** The name of the step; none: the first. */
  step?: string;
  env: Env;
  /** Part of every id, where two forms of one page have equal fields. */
  scope?: string;
  /** As typed; a field that is absent shows its preset. */
  values: Values;
  faults: Fault[];
  /** The name of the field that takes the focus when the page opens. */
  focus?: string;
  /** The names of the folded groups that are unfolded. */
  open: string[];
}

type Typed = Pick<FormState, "form" | "values" | "env">;

/** Whether the group can be folded away. */
export const folds = ({ kind }: Group): boolean => kind !== "plain";

/** Returns the groups of the state's step in a place, in order. */
export function groupsIn({ form, step }: FormState, place: string): Group[] {
  const found = step ? form.steps.find(({ name }) => name === step) : form.steps[0];
  return found?.groups.filter((group) => group.place === place) ?? [];
}

/** The fields of a group, in their order. */
export const fieldsIn = (form: Form, group: string): Field[] => form.fields.filter((field) => field.group === group);

/** The folded groups of the whole form, in their order. */
const foldedGroups = (form: Form): Group[] => form.steps.flatMap(({ groups }) => groups).filter(folds);

/** The names of the groups that are unfolded in a page. */
export const unfoldedIn = (page: ParentNode): string[] =>
  Array.from(page.querySelectorAll<HTMLElement>("details[data-group][open]"), ({ dataset }) => dataset.group ?? "");

/** Returns the names of folded groups with input or faults, in order. */
export function openGroups(form: Form, typed: Values, faults: Fault[]): string[] {
  const holdsSomething = ({ name }: Field) => Boolean(typed[name]) || faults.some(({ field }) => field === name);
  return foldedGroups(form)
    .filter(({ name }) => fieldsIn(form, name).some(holdsSomething))
    .map(({ name }) => name);
}

/** Returns the names of fields that decide whether a group or another field is shown. */
export function watched(form: Form): Set<string> {
  const parts = [...form.fields, ...form.steps.flatMap(({ groups }) => groups)];
  return new Set(parts.flatMap(({ when = [] }) => when.flatMap(({ field }) => (field ? [field] : []))));
}

/** Reports whether the values hide a group. */
export const hidesGroup = ({ form, values, env }: Typed, { when = [] }: Group): boolean =>
  !holds(form, when, values, env);

/** The line above several faults whose title does not count them. */
export const leadOf = (faults: Fault[]): string => (faults.length > 1 ? `Please check these ${faults.length}:` : "");

/**
 * Faults with what the summary calls their fields. A box has a whole sentence beside it: where nothing shorter is its name, its
 * message is.
 */
export const labelled = (form: Form, faults: Fault[]): (Fault & { label: string })[] =>
  faults.map((fault) => {
    const field = form.fields.find(({ name }) => name === fault.field);
    return { ...fault, label: (field?.kind === "checkbox" ? field.short : field?.label) ?? "" };
  });

/** A field of the form in its present state. */
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

/** A country is chosen by its name and its dial code: "India (+91)". */
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
