// All that a step of the application shows in one state: the shape of islandView in pages/application/island.go, which is where
// the island starts.
import * as z from "zod/mini";
import hiresure from "../../forms/hiresure.json";
import { checkStep, type Env, type Fault, type Field, type Form, type Group, type Values } from "../forms/check.ts";
import { type FormState, watched } from "../forms/layout.ts";
import { ownAddress } from "../runtime/schema.ts";

export const form: Form = hiresure;

/** Fields that decide what is shown; the view has their current values. */
export const watchedFields = watched(form);
for (const { name, warn = [], kind, maxlength } of form.fields) {
  if (kind === "textarea" && maxlength) watchedFields.add(name); // their characters are counted
  for (const { field } of warn) for (const one of [name, field]) if (one) watchedFields.add(one);
}
for (const name of ["institution", "course", "yearSemester"]) watchedFields.add(name); // the ticket shows them

const text = z.string();
const texts = z.record(text, text);
const option = z.object({ value: text, label: text, pins: z.optional(z.nullable(z.array(text))) });

/** The server's texts around the form. */
export const viewSchema = z.object({
  step: z.literal(["personal", "academic", "scholarship"]),
  action: ownAddress,
  /** Address after NEXT. */
  next: ownAddress,
  /** Sign-in page that returns here. */
  signIn: ownAddress,
  /** Whose answers the page holds. */
  registration: text,
  /** Of the draft that the page was made of. */
  version: z.number(),
  /** When it was kept, ms since 1970; 0 for never. */
  savedAt: z.number(),
  unsaved: z.boolean(),
  hidden: z.array(z.object({ name: text, value: text })),
  values: texts,
  faults: z.array(z.object({ field: text, message: text })),
  /** The field that the server gave the focus. */
  focus: text,
  states: z.array(option),
  today: text,
  facts: texts,
  proven: texts,
});
export type Payload = z.infer<typeof viewSchema>;

/** Saved input: on the server, or still in this tab only. left: the server does not store all of it. */
export interface Kept {
  phase: "saved" | "waits" | "here" | "left";
  /** When the server has kept it, or this tab: ms since 1970, 0 for never. */
  at: number;
  here: number;
  /** What the server holds. */
  values: Values;
  /** Fields with other values on the server. */
  open: string[];
}

/** A sentence above the fields. */
export interface Notice {
  kind: "" | "failed" | "held" | "signed out" | "other account" | "other tab";
  text: string;
}
export const noNotice: Notice = { kind: "", text: "" };

export interface View extends Payload {
  /** The faults of the last try to send the form, which the summary lists. */
  summary: Fault[];
  /** Screen reader announcement. */
  status: string;
  /** The button whose action is running. */
  busy: string;
  slow: boolean;
  notice: Notice;
  kept: Kept;
}

/** One fault is at its field, which gets the focus; several, and those of the whole form, are listed. */
export const isListed = (faults: Fault[]): boolean => faults.length > 1 || faults.some(({ field }) => !field);

export const viewOf = (payload: Payload): View => ({
  ...payload,
  summary: isListed(payload.faults) ? payload.faults : [],
  status: "",
  busy: "",
  slow: false,
  notice: noNotice,
  kept: {
    phase: "saved",
    at: payload.savedAt,
    here: 0,
    values: payload.unsaved ? {} : payload.values,
    open: [],
  },
});

/** Shows faults, one a field at most. */
export const refuse = (view: View, faults: Fault[]): View => ({
  ...view,
  faults: faults.filter(({ field }, i) => !field || faults.findIndex((one) => one.field === field) === i),
});

/** What the form's rules need to know. */
export const envOf = ({ states, today, facts, proven }: Payload): Env => ({
  options: { states: states.map(({ pins, ...rest }) => ({ ...rest, ...(pins && { pins }) })) },
  today,
  facts,
  proven,
});

/** The form as it is drawn in its present state. */
export const formState = (view: View): FormState => ({
  form,
  step: view.step,
  env: envOf(view),
  values: view.values,
  faults: view.faults,
  focus: view.focus,
  open: [],
});

const isKept = ({ kind }: Field) => kind !== "otp";

/** Returns the names of the page's visible fields. */
export const fieldsHere = ({ step }: Pick<Payload, "step">): string[] => namesOf(step, ({ place }) => place === "form");

/** Returns the names of all the page's fields, hidden ones too, and those of a minor's guardian. */
export const fieldsHeld = ({ step }: Pick<Payload, "step">): string[] => namesOf(step, () => true);

function namesOf(step: string, isWanted: (group: Group) => boolean): string[] {
  const groups = form.steps.find(({ name }) => name === step)?.groups.filter(isWanted) ?? [];
  return form.fields
    .filter((field) => isKept(field) && groups.some(({ name }) => name === field.group))
    .map(({ name }) => name);
}

/** The values of the fields that the page holds. */
export const heldOf = (view: Pick<Payload, "step">, values: Values): Values =>
  Object.fromEntries(fieldsHeld(view).map((name) => [name, values[name] ?? ""]));

/** The fields that a page holds, to which two sets of values give other answers, as the form reads them. */
export function differing(view: Payload, one: Values, other: Values): string[] {
  const read = (values: Values) => checkStep(form, view.step, values, envOf(view)).clean;
  const [a, b] = [read(one), read(other)];
  return fieldsHeld(view).filter((name) => (a[name] ?? "") !== (b[name] ?? ""));
}
